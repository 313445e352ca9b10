#include "plugin/configure/registry.h"

#include <cmath>
#include <mutex>
#include <string>

namespace mujocable {
namespace {

// lists of instances; chosen: one in most of them up to thousands of instances, and no test would
// notice another number
constexpr int kBuckets = 4096;

// one instance in the list of its bucket
struct Entry {
  double fingerprint;
  uint64_t signature;
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

constinit InstanceTable instance_table = {};

uintptr_t Find(double fingerprint, const uint64_t* signature) {
  const Entry* entry = BucketOf(fingerprint).load(std::memory_order_acquire);
  const auto is_it = [&] {
    return entry->fingerprint == fingerprint && (!signature || entry->signature == *signature);
  };
  while (entry && !is_it()) entry = entry->next;
  return entry ? entry->ticket : 0;
}

uintptr_t Intern(const Instance& instance) {
  InstanceTable& table = instance_table;
  const std::lock_guard<std::mutex> lock(WriteMutex());
  if (const uintptr_t found = Find(instance.fingerprint, &instance.signature)) return found;
  const uintptr_t index = table.count.load();
  if (index >= InstanceTable::kMost) return 0;
  table.instance[index] = new Instance(instance);
  table.count.store(index + 1, std::memory_order_release);
  const uintptr_t ticket = InstanceTable::kMark | index;
  std::atomic<const Entry*>& bucket = BucketOf(instance.fingerprint);
  bucket.store(new Entry{instance.fingerprint, instance.signature, ticket, bucket.load()},
               std::memory_order_release);
  return ticket;
}

const Instance* ResolveInstance(const mjModel* m, mjData* d, int number) {
  // this data served another model or another process: whose state is it?
  const double fingerprint = d->plugin_state[m->plugin_stateadr[number]];
  const uintptr_t ticket = Find(fingerprint, &m->signature);
  const Instance* here = Lookup(ticket);
  const auto go_on = [&] {
    d->plugin_data[number] = ticket;
    return here;
  };
  if (here && SameModel(m, number, *here)) return go_on();
  Instance instance;
  std::string error;
  if (!BuildInstance(m, number, instance, error)) {
    // no pose to start from, but one to go on from
    return here && SameReferences(m, number, *here) ? go_on() : nullptr;
  }
  const Instance* known = Lookup(Find(fingerprint));
  if (known && instance.structure == known->structure) {
    // it goes on: what it refers to has the same numbers in this model
    const double references = instance.references;
    instance = *known;
    instance.signature = m->signature;
    instance.references = references;
  }
  d->plugin_data[number] = Intern(instance);
  return Lookup(d->plugin_data[number]);
}

}  // namespace mujocable
