#include "plugin/configure/registry.h"

#include <cmath>
#include <mutex>
#include <string>

namespace mujocable {
namespace {

// lists of configurations; chosen: one in most of them up to thousands of cables, and no test would
// notice another number
constexpr int kBuckets = 4096;

// one configuration in the list of its bucket
struct Entry {
  double fingerprint;
  uintptr_t ticket;
  const Entry* next;
};

// only grows: readers need no lock
constinit std::atomic<const Entry*> buckets[kBuckets] = {};

// of a fingerprint, which is a hash already; any number may be asked for
std::atomic<const Entry*>& BucketOf(double fingerprint) {
  const double place = std::fmod(std::abs(fingerprint), kBuckets);
  return buckets[std::isfinite(place) ? static_cast<int>(place) : 0];
}

// never destroyed: simulations may outlive static destructors
std::mutex& WriteMutex() {
  static std::mutex* mutex = new std::mutex;
  return *mutex;
}

}  // namespace

constinit ConfigTable config_table = {};

uintptr_t Find(double fingerprint) {
  const Entry* entry = BucketOf(fingerprint).load(std::memory_order_acquire);
  while (entry && entry->fingerprint != fingerprint) entry = entry->next;
  return entry ? entry->ticket : 0;
}

uintptr_t Intern(const CableConfig& config) {
  ConfigTable& table = config_table;
  const std::lock_guard<std::mutex> lock(WriteMutex());
  if (const uintptr_t found = Find(config.fingerprint)) return found;
  const uintptr_t index = table.count.load();
  if (index >= ConfigTable::kMost) return 0;
  table.config[index] = new CableConfig(config);
  table.count.store(index + 1, std::memory_order_release);
  const uintptr_t ticket = ConfigTable::kMark | index;
  std::atomic<const Entry*>& bucket = BucketOf(config.fingerprint);
  bucket.store(new Entry{config.fingerprint, ticket, bucket.load()}, std::memory_order_release);
  return ticket;
}

const CableConfig* ResolveConfig(const mjModel* m, mjData* d, int instance) {
  // this data served another model or another process: whose state is it?
  const uintptr_t ticket = Find(*StateBlock(m, d, instance));
  const CableConfig* c = Lookup(ticket);
  if (c && SameSource(m, instance, *c)) {
    d->plugin_data[instance] = ticket;
    return c;
  }

  // a state that is not ours: ask the model
  CableConfig config;
  std::string error;
  if (!BuildConfig(m, instance, config, error)) return nullptr;
  d->plugin_data[instance] = Intern(config);
  return Lookup(d->plugin_data[instance]);
}

}  // namespace mujocable
