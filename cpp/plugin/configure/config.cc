#include "plugin/configure/config.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/state.h"
#include "plugin/configure/levers.h"
#include "plugin/configure/parameters.h"
#include "plugin/configure/route_check.h"
#include "plugin/configure/route_config.h"
#include "plugin/configure/route_home.h"
#include "plugin/configure/sharing.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// moving bodies the cable can load, and their dofs
void CollectBodies(const mjModel* m, CableConfig& c) {
  const auto moving = [&](int body) {
    while (body > 0 && m->body_dofnum[body] == 0) body = m->body_parentid[body];
    return body;
  };
  std::vector<int> bodies;
  for (const ElementConfig& e : c.elements) {
    for (int b = moving(e.body); b > 0; b = moving(m->body_parentid[b])) bodies.push_back(b);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  const auto slot_of = [&](int body) {
    if (body <= 0) return -1;
    return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
  };
  for (int b : bodies) {
    c.slots.push_back({b, slot_of(moving(m->body_parentid[b])), static_cast<int>(c.dofs.size()),
                       m->body_dofnum[b], m->body_rootid[b]});
    for (int k = 0; k < m->body_dofnum[b]; ++k) c.dofs.push_back(m->body_dofadr[b] + k);
  }
  for (const ElementConfig& e : c.elements) {
    c.slot_of_element.push_back(slot_of(moving(e.body)));
    for (int b = e.body; b > 0; b = m->body_parentid[b]) c.bodies.push_back(b);
  }
  std::sort(c.bodies.begin(), c.bodies.end());
  c.bodies.erase(std::unique(c.bodies.begin(), c.bodies.end()), c.bodies.end());
}

// a site carries a cable that loads nothing but what moves the site
void CheckSite(const mjModel* m, const CableConfig& c) {
  const int site = m->actuator_trnid[2 * c.actuator];
  const int tip = m->site_bodyid[site];
  for (const BodySlot& slot : c.slots) {
    int above = tip;  // parents come first
    while (above > slot.body) above = m->body_parentid[above];
    if (above == slot.body) continue;
    throw ConfigError{
        "site '" + NameOf(m, mjOBJ_SITE, site) + "' does not move with body '" +
        NameOf(m, mjOBJ_BODY, slot.body) +
        "', which the cable can load; name a site of that body or of one below it, or "
        "a tendon that reaches both"};
  }
}

// the carrier must have a column for every dof the cable can load
void CheckCarrier(const mjModel* m, const CableConfig& c) {
  if (!c.Actuated()) return;
  if (c.moment_adr >= 0) return CheckSite(m, c);
  const int tendon = c.actuator >= 0 ? m->actuator_trnid[2 * c.actuator] : c.tendon;
  const int* columns = m->ten_J_colind + m->ten_J_rowadr[tendon];
  std::vector<int> below(c.slots.size(), 0);
  for (int slot : c.slot_of_element) {
    for (int s = slot; s >= 0; s = c.slots[s].parent) ++below[s];
  }
  for (size_t s = 0; s < c.slots.size(); ++s) {
    // a body that carries the whole cable feels nothing of it
    if (below[s] == static_cast<int>(c.elements.size())) continue;
    const int body = c.slots[s].body;
    for (int k = 0; k < m->body_dofnum[body]; ++k) {
      const int dof = m->body_dofadr[body] + k;
      if (std::find(columns, columns + m->ten_J_rownnz[tendon], dof) !=
          columns + m->ten_J_rownnz[tendon])
        continue;
      throw ConfigError{"carrier tendon '" + NameOf(m, mjOBJ_TENDON, tendon) +
                        "' does not reach body '" + NameOf(m, mjOBJ_BODY, body) +
                        "', which the cable can load; add a site of that body, or of one below it, "
                        "to the tendon"};
    }
  }
}

void FindSensors(const mjModel* m, int instance, CableConfig& c) {
  for (int s = 0; s < m->nsensor; ++s) {
    if (m->sensor_plugin[s] != instance) continue;
    const Field* field;
    if (!SensorField(m, s, field)) {
      std::vector<std::string> names;
      for (int i = 0; i < kResultCount; ++i) names.push_back(kFields[i].name);
      throw ConfigError{
          "sensor '" + NameOf(m, mjOBJ_SENSOR, s) +
          "' names no field after its last dot; fields: " + Listed(names, names.size())};
    }
    // a sensor that MuJoCo alters afterward cannot hold the record between stages
    const bool plain = m->sensor_cutoff[s] == 0 && m->sensor_historyadr[s] < 0 &&
                       m->sensor_delay[s] == 0 && m->sensor_interval[2 * s] == 0;
    const int size = field ? field->Size(c.ncontact, c.nwrap) : RecordSize(c.ncontact, c.nwrap);
    if (m->sensor_dim[s] < size) {
      throw ConfigError{"sensor '" + NameOf(m, mjOBJ_SENSOR, s) +
                        "' was sized before the route was known; list the contacts in the key "
                        "contacts, as in \"wrap; eyelet; wrap\""};
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
  int slot = 0, contact = 0;
  for (size_t i = 1; i + 1 < c.elements.size(); ++i, ++contact) {
    const ElementConfig& e = c.elements[i];
    ContactCut cut;
    if (e.kind == ElementKind::kWrap) {
      // half a turn is what most wraps come to bear, whatever the pose of home
      const double angle = std::numbers::pi * (1 + 2 * std::abs(e.turns));
      cut = {angle, slot};
      slot += e.ring ? kRingSlots : 1;
    } else if (e.kind == ElementKind::kSheath) {
      cut = {e.bend >= 0 ? e.bend : std::numbers::pi, slot++};
    }
    c.cuts.push_back(cut);
  }
}

}  // namespace

bool SensorField(const mjModel* m, int sensor, const Field*& field) {
  const char* given = mj_id2name(m, mjOBJ_SENSOR, sensor);
  const char* owner = mj_id2name(m, mjOBJ_PLUGIN, m->sensor_plugin[sensor]);
  const std::string_view name = given ? given : "", cable = owner ? owner : "";
  field = nullptr;
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name == cable) return true;
  // the cable's name with ".field" in it, before what attach put behind; names may have dots
  for (int i = 0; i < kResultCount; ++i) {
    const std::string part = std::string(".") + kFields[i].name;
    if (name.size() != cable.size() + part.size()) continue;
    for (size_t at = name.find(part); at != std::string_view::npos; at = name.find(part, at + 1)) {
      if (name.substr(0, at) == cable.substr(0, at) &&
          name.substr(at + part.size()) == cable.substr(at)) {
        field = &kFields[i];
        return true;
      }
    }
  }
  // a sensor with a name of its own: the longest field name behind its last dot
  size_t longest = 0;
  for (int i = 0; i < kResultCount; ++i) {
    const std::string_view word = kFields[i].name;
    if (word.size() > longest && name.substr(dot + 1).starts_with(word)) {
      field = &kFields[i];
      longest = word.size();
    }
  }
  return field != nullptr;
}

bool BuildConfig(const mjModel* m, int instance, CableConfig& c, std::string& error, int sharing) {
  c = {};
  c.name = NameOf(m, mjOBJ_PLUGIN, instance);
  try {
    int joint = -1;
    c.elements = ReadRoute(m, instance, joint);
    c.radius = ReadNumber(m, instance, "radius", 0, 0, false);
    c.limits.smoothness = ReadNumber(m, instance, "max_smoothness", c.limits.smoothness, 0, true);
    c.limits.penetration = ReadNumber(m, instance, "max_penetration", -1, 0, false);
    CheckRoute(m, c);
    ReadFriction(m, instance, c);
    ReadTakeUp(m, instance, joint, c);
    CollectBodies(m, c);
    CheckCarrier(m, c);
    RouteHome(m, c);
    ReadAxial(m, instance, c);
    FindSensors(m, instance, c);
    ReadIntegration(m, instance, c);
    c.mobility = LeverMobility(m, c);
    CutContacts(c);
    const bool rubs = std::any_of(c.elements.begin(), c.elements.end(),
                                  [](const ElementConfig& e) { return e.friction > 0; });
    if (c.implicit || (c.tendon >= 0 && rubs)) {
      c.sharing = sharing > 0 ? sharing : CountSharing(m, instance);
    }
    if (m->plugin_statenum[instance] < StateSize(c.ncontact, c.nwrap)) {
      throw ConfigError{"the model was compiled for another route of this cable; compile it again"};
    }
    Identify(m, instance, c);
    return true;
  } catch (const ConfigError& e) {
    error = "cable '" + c.name + "': " + e.message;
    return false;
  }
}

}  // namespace mujocable
