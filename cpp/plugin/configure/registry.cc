#include "plugin/configure/registry.h"

#include <mutex>
#include <string>
#include <unordered_map>

namespace mujocable {
namespace {

// tickets by fingerprint
struct Tickets {
  std::mutex mutex;
  std::unordered_map<double, uintptr_t> of;
};

// never destroyed: simulations may outlive static destructors
Tickets& AllTickets() {
  static Tickets* tickets = new Tickets;
  return *tickets;
}

// the ticket of the instance with this fingerprint; 0 when this process has none
uintptr_t Find(double fingerprint) {
  Tickets& tickets = AllTickets();
  const std::lock_guard<std::mutex> lock(tickets.mutex);
  const auto found = tickets.of.find(fingerprint);
  return found == tickets.of.end() ? 0 : found->second;
}

}  // namespace

constinit InstanceTable instance_table = {};

uintptr_t Intern(const Instance& instance) {
  InstanceTable& table = instance_table;
  Tickets& tickets = AllTickets();
  const std::lock_guard<std::mutex> lock(tickets.mutex);
  const uintptr_t index = table.count.load();
  uintptr_t& ticket = tickets.of[instance.fingerprint];
  if (ticket == 0 && index < InstanceTable::kMost) {
    table.instance[index] = new Instance(instance);
    table.count.store(index + 1, std::memory_order_release);
    ticket = InstanceTable::kMark | index;
  }
  return ticket;
}

const Instance* ResolveInstance(const mjModel* m, mjData* d, int number) {
  // this data served another model or another process: whose state is it?
  const uintptr_t ticket = Find(d->plugin_state[m->plugin_stateadr[number]]);
  const Instance* known = Lookup(ticket);
  if (known && SameSource(m, number, *known)) {
    d->plugin_data[number] = ticket;
    return known;
  }

  // a state that is not ours: ask the model
  Instance instance;
  std::string error;
  if (!BuildInstance(m, number, instance, error)) return nullptr;
  d->plugin_data[number] = Intern(instance);
  return Lookup(d->plugin_data[number]);
}

}  // namespace mujocable
