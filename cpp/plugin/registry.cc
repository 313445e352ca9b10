#include "registry.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>

namespace mujocable {
namespace {

constexpr uintptr_t kMark = 0xCAB1Eull << 32;
constexpr uintptr_t kIndexMask = 0xFFFFFFFFull;
constexpr int kChunk = 1024, kChunks = 4096, kBuckets = 4096;

// one configuration in the list of its bucket
struct Entry {
  double fingerprint;
  uintptr_t ticket;
  const Entry* next;
};

// only grows: readers need no lock
struct Table {
  std::atomic<const CableConfig**> chunk[kChunks] = {};
  std::atomic<uintptr_t> count = 0;
  std::atomic<const Entry*> bucket[kBuckets] = {};
  std::mutex mutex;
};

// never destroyed: simulations may outlive static destructors
Table& GetTable() {
  static Table* table = new Table;
  return *table;
}

// of a fingerprint, which is a hash already; any number may be asked for
std::atomic<const Entry*>& BucketOf(Table& table, double fingerprint) {
  const double place = std::fmod(std::abs(fingerprint), kBuckets);
  return table.bucket[std::isfinite(place) ? static_cast<int>(place) : 0];
}

}  // namespace

uintptr_t Find(double fingerprint) {
  const Entry* entry = BucketOf(GetTable(), fingerprint).load(std::memory_order_acquire);
  while (entry && entry->fingerprint != fingerprint) entry = entry->next;
  return entry ? entry->ticket : 0;
}

uintptr_t Intern(const CableConfig& config) {
  Table& table = GetTable();
  const std::lock_guard<std::mutex> lock(table.mutex);
  if (const uintptr_t found = Find(config.fingerprint)) return found;
  const uintptr_t index = table.count.load();
  if (index >= uintptr_t{kChunk} * kChunks) return 0;
  std::atomic<const CableConfig**>& chunk = table.chunk[index / kChunk];
  if (!chunk.load()) chunk.store(new const CableConfig*[kChunk]());
  chunk.load()[index % kChunk] = new CableConfig(config);
  table.count.store(index + 1, std::memory_order_release);
  const uintptr_t ticket = kMark | index;
  std::atomic<const Entry*>& bucket = BucketOf(table, config.fingerprint);
  bucket.store(new Entry{config.fingerprint, ticket, bucket.load()}, std::memory_order_release);
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
