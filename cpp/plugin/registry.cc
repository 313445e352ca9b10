#include "registry.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace mujocable {
namespace {

constexpr uintptr_t kMark = 0xCAB1Eull << 32;
constexpr uintptr_t kIndexMask = 0xFFFFFFFFull;
constexpr int kChunk = 1024, kChunks = 4096;

struct Table {
  std::atomic<const CableConfig**> chunk[kChunks] = {};
  std::atomic<uintptr_t> count = 0;
  std::mutex mutex;
  std::unordered_map<double, uintptr_t> by_fingerprint;
};

// never destroyed: simulations may outlive static destructors
Table& GetTable() {
  static Table* table = new Table;
  return *table;
}

}  // namespace

uintptr_t Intern(const CableConfig& config) {
  Table& table = GetTable();
  const std::lock_guard<std::mutex> lock(table.mutex);
  const auto found = table.by_fingerprint.find(config.fingerprint);
  if (found != table.by_fingerprint.end()) return found->second;
  const uintptr_t index = table.count.load();
  if (index >= uintptr_t{kChunk} * kChunks) return 0;
  std::atomic<const CableConfig**>& chunk = table.chunk[index / kChunk];
  if (!chunk.load()) chunk.store(new const CableConfig*[kChunk]());
  chunk.load()[index % kChunk] = new CableConfig(config);
  table.count.store(index + 1, std::memory_order_release);
  const uintptr_t ticket = kMark | index;
  table.by_fingerprint[config.fingerprint] = ticket;
  return ticket;
}

const CableConfig* Lookup(uintptr_t ticket) {
  const Table& table = GetTable();
  const uintptr_t index = ticket & kIndexMask;
  if ((ticket & ~kIndexMask) != kMark || index >= table.count.load(std::memory_order_acquire))
    return nullptr;
  return table.chunk[index / kChunk].load(std::memory_order_acquire)[index % kChunk];
}

}  // namespace mujocable
