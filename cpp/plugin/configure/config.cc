#include "plugin/configure/config.h"

#include <algorithm>
#include <numbers>
#include <set>

#include "core/state.h"
#include "plugin/ask.h"
#include "plugin/configure/build.h"
#include "plugin/configure/members.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// moving bodies the cable can load, and their dofs
void CollectBodies(const mjModel* m, CableConfig& c) {
  std::set<int> bodies;  // ascending: parents come first
  for (const ElementConfig& e : c.elements) {
    for (int b = e.body; b > 0; b = m->body_parentid[b]) bodies.insert(b);
  }
  c.bodies.assign(bodies.begin(), bodies.end());
  std::vector<int> slot(m->nbody, -1);
  for (int b : bodies) {
    if (m->body_dofnum[b] == 0) continue;
    slot[b] = static_cast<int>(c.slots.size());
    c.slots.push_back({b, slot[MovingBody(m, m->body_parentid[b])], static_cast<int>(c.dofs.size()),
                       m->body_dofnum[b], m->body_rootid[b]});
    for (int k = 0; k < m->body_dofnum[b]; ++k) c.dofs.push_back(m->body_dofadr[b] + k);
  }
  for (const ElementConfig& e : c.elements) {
    c.slot_of_element.push_back(slot[MovingBody(m, e.body)]);
  }
}

// a site carries a cable that loads nothing but what moves the site
void CheckSite(const mjModel* m, const CableConfig& c) {
  const int site = m->actuator_trnid[2 * c.actuator];
  for (const BodySlot& slot : c.slots) {
    if (Carries(m, slot.body, m->site_bodyid[site])) continue;
    Refuse("site '", NameOf(m, mjOBJ_SITE, site), "' does not move with body '",
           NameOf(m, mjOBJ_BODY, slot.body),
           "', which the cable can load; name a site of that body or of one below it, or a tendon "
           "that reaches both");
  }
}

// the carrier must have a column for every dof the cable can load
void CheckCarrier(const mjModel* m, const CableConfig& c) {
  if (!c.Actuated()) return;
  if (c.moment_adr >= 0) return CheckSite(m, c);
  const int tendon = c.actuator >= 0 ? m->actuator_trnid[2 * c.actuator] : c.tendon;
  const int* columns = m->ten_J_colind + m->ten_J_rowadr[tendon];
  const int* end = columns + m->ten_J_rownnz[tendon];
  for (const BodySlot& slot : c.slots) {
    // a body that carries the whole cable feels nothing of it
    const auto carried = [&](const ElementConfig& e) { return Carries(m, slot.body, e.body); };
    if (std::ranges::all_of(c.elements, carried)) continue;
    for (int k = 0; k < slot.ndof; ++k) {
      if (std::find(columns, end, c.dofs[slot.first_dof + k]) != end) continue;
      Refuse("carrier tendon '", NameOf(m, mjOBJ_TENDON, tendon), "' does not reach body '",
             NameOf(m, mjOBJ_BODY, slot.body),
             "', which the cable can load; add a site of that body, or of one below it, to the "
             "tendon");
    }
  }
}

// the sensors of an instance, each to its cable
void FindSensors(const Attributes& a, Instance& instance, std::string& who) {
  const mjModel* m = a.m;
  for (int s = 0; s < m->nsensor; ++s) {
    if (m->sensor_plugin[s] != a.instance) continue;
    const std::string sensor = "sensor '" + NameOf(m, mjOBJ_SENSOR, s) + "'";
    int member;
    const Field* field;
    const bool known = SensorShows(a, s, member, field);
    CableConfig& c = instance.cables[member];
    who = c.name;
    if (!known) {
      std::vector<std::string> names;
      for (int i = 0; i < kResultCount; ++i) names.push_back(kFields[i].name);
      const std::string cables = a.shared ? " of a cable of this instance" : "";
      Refuse(sensor, " names no field", cables,
             " after its last dot; fields: ", Listed(names, names.size()));
    }
    // a sensor that MuJoCo alters afterward cannot hold the record between stages
    const bool plain = m->sensor_cutoff[s] == 0 && m->sensor_historyadr[s] < 0 &&
                       m->sensor_delay[s] == 0 && m->sensor_interval[2 * s] == 0;
    const int size = field ? field->Size(c.ncontact, c.nwrap) : RecordSize(c.ncontact, c.nwrap);
    if (m->sensor_dim[s] < size) {
      Refuse(sensor,
             " was sized before the route was known; list the contacts in the key contacts, as in "
             "\"wrap; eyelet; wrap\"");
    }
    if (!field && plain && c.record_adr < 0) {
      c.record_adr = m->sensor_adr[s];
    } else {
      const int offset =
          field ? FieldOffset(static_cast<int>(field - kFields), c.ncontact, c.nwrap) : 0;
      c.sensors.push_back({m->sensor_adr[s], m->sensor_dim[s], offset, size});
    }
  }
}

// how many places along each contact may stick or slip on their own
void CutContacts(CableConfig& c) {
  int row = 0;  // of its footing
  for (size_t i = 1; i + 1 < c.elements.size(); ++i) {
    const ElementConfig& e = c.elements[i];
    // half a turn is what most wraps come to bear, whatever the pose of home
    const double angle = e.bend >= 0 ? e.bend : std::numbers::pi * (1 + 2 * e.turns);
    c.cuts.push_back(e.MemoryRows() > 0 ? ContactCut{angle, row} : ContactCut{});
    row += e.MemoryRows();
  }
}

// all of a cable but its sensors, its state and what others have to do with it
void BuildCable(const Attributes& a, Home& home, CableConfig& c) {
  const mjModel* m = a.m;
  c.elements = ReadRoute(a);
  c.radius = a.Number("radius");
  c.limits.smoothness = a.Number("max_smoothness");
  if (!a.Text("max_penetration").empty()) c.limits.penetration = a.Number("max_penetration");
  CheckRoute(m, home, c);
  ReadFriction(a, c);
  ReadTakeUp(a, c);
  CollectBodies(m, c);
  CheckCarrier(m, c);
  RouteHome(m, home, c);
  ReadAxial(a, c);
  ReadIntegration(a, c);
  FindLevers(m, home, c);
  CutContacts(c);
  c.family = FamilyOf(c);
}

// Of cables that share a tendon one is the first: none before it carries the same.
void FindFirstOnTendons(const mjModel* m, int number, std::vector<CableConfig>& cables) {
  if (std::ranges::all_of(cables, [](const CableConfig& c) { return c.tendon < 0; })) return;
  std::set<int> tendons;  // of instances before this one
  for (int other = 0; other < number; ++other) {
    if (m->plugin[other] != m->plugin[number]) continue;
    for (Attributes a(m, other); a.member < a.size(); ++a.member) {
      try {
        if (a.Text("take_up") == "tendon") tendons.insert(ReferredTo(a, mjOBJ_TENDON, "tendon"));
      } catch (const ConfigError&) {  // refused when it is read itself
      }
    }
  }
  for (CableConfig& c : cables) {
    c.first_on_tendon = c.tendon >= 0 && tendons.insert(c.tendon).second;
  }
}

// how many cables load the same trees, for those that ask; sharing: as in BuildInstance
void SetSharing(const mjModel* m, int number, const double* sharing, Instance& instance) {
  std::vector<std::vector<int>> counted;
  for (size_t k = 0; k < instance.cables.size(); ++k) {
    CableConfig& c = instance.cables[k];
    const bool rubs = std::ranges::any_of(c.mu, [](double mu) { return mu > 0; });
    if (!c.may_couple && !(c.tendon >= 0 && rubs)) continue;
    if (!sharing && counted.empty()) counted = CountSharing(m, m->plugin[number]);
    c.sharing = sharing ? static_cast<int>(sharing[k]) : counted[number][k];
  }
}

}  // namespace

bool BuildInstance(const mjModel* m, int number, Instance& instance, std::string& error,
                   const double* sharing) {
  std::string who = NameOf(m, mjOBJ_PLUGIN, number);  // what a refusal is about
  Home home(m);
  instance = {};
  try {
    Attributes a(m, number);
    if (GivenName(m, mjOBJ_PLUGIN, number).empty()) {
      Refuse(
          "its plugin instance has no name, which is that of the cable: write <instance "
          "name=\"...\"> in <extension>, and instance=\"...\" where it is used");
    }
    CheckMembers(a);
    instance.cables.resize(a.size());
    int states = 0;
    for (CableConfig& c : instance.cables) {
      if (!a.Name().empty()) who = a.Name();
      c.name = who;
      BuildCable(a, home, c);
      ++a.member;
      c.state_adr = states;
      states += StateSize(c.ncontact, c.nwrap);
    }
    FindSensors(a, instance, who);
    if (m->plugin_statenum[number] < states) {
      Refuse("the model was compiled for another route of this cable; compile it again");
    }
    FindFirstOnTendons(m, number, instance.cables);
    SetSharing(m, number, sharing, instance);
    Identify(m, number, instance);
    return true;
  } catch (const ConfigError& e) {
    error = "cable '" + who + "': " + e.message;
    return false;
  }
}

}  // namespace mujocable
