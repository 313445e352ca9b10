// Provenance: the part of a model that a configuration was read from, and whether it is the same
// in another model. Simulations of a batch may run on models of their own.

#include <algorithm>

#include "core/math/hash.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/build.h"
#include "plugin/configure/config.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

// Changes with everything a config holds, but for what follows from geometry: with the attributes,
// and with what they refer to in the model.
void AddStructure(const CableConfig& c, Hash& hash) {
  const auto add = [&](std::initializer_list<double> numbers) {
    hash.Numbers(numbers.begin(), numbers.size());
  };
  const auto add_all = [&](const std::vector<int>& numbers) {
    hash.Bytes(numbers.data(), numbers.size() * sizeof(int));
  };
  hash.Bytes(c.name.data(), c.name.size());
  for (const ElementConfig& e : c.elements) {
    add({double(e.kind), double(e.ring), double(e.frame), double(e.body), double(e.hint_site),
         double(e.surface.inside), double(e.clamp_before), double(e.clamp_after),
         double(e.surface.mesh ? e.surface.mesh->hash >> 12 : 0)});
    for (const Hinge& h : e.hinges) add({double(h.coordinate), h.sign});
  }
  add({double(c.actuator), double(c.act), double(c.out), double(c.moment_adr), double(c.joint_qpos),
       double(c.joint_dof), c.joint_reference, double(c.tendon), double(c.first_on_tendon),
       double(c.record_adr), double(c.may_couple), double(c.sharing)});
  for (const BodySlot& s : c.slots) add_all({s.body, s.parent, s.first_dof});
  for (const SensorCopy& s : c.sensors) add_all({s.adr, s.dim, s.offset, s.size});
  for (const auto& numbers : {c.drives, c.slot_of_element, c.dofs}) add_all(numbers);
}

// the same where cables load as many bodies, which hang together alike, with the same elements
double ShapeOf(const CableConfig& c) {
  Hash hash;
  for (int slot : c.slot_of_element) hash.Number(slot);
  for (const BodySlot& s : c.slots) {
    for (int x : {s.parent, s.first_dof, s.ndof}) hash.Number(x);
  }
  return hash.Value();
}

// what a route leads to in a model, by number
void AddRoute(const Attributes& a, Hash& hash) {
  const mjModel* m = a.m;
  if (!a.Text("route").empty() || !a.Text("seed").empty()) {
    for (const ElementConfig& e : ReadRoute(a)) {
      const int words[] = {int(e.kind), e.ring, e.frame, e.body, e.hint_site, e.exit_site};
      hash.Bytes(words, sizeof words);
    }
  } else if (const int tuple = a.Tuple(); tuple >= 0) {
    const int first = m->tuple_adr[tuple], size = m->tuple_size[tuple];
    hash.Bytes(m->tuple_objtype + first, size * sizeof(int));
    hash.Bytes(m->tuple_objid + first, size * sizeof(int));
    hash.Numbers(m->tuple_objprm + first, size);
  }
}

// Hash of what the strings and tuples of an instance lead to in a model: routes, joints, tendons,
// sensors, actuators; 0 where they lead nowhere. Models may have the same signature and other
// names.
double ReferencesOf(const mjModel* m, int number) {
  Hash hash;
  const auto add_name = [&](mjtObj type, int id) {
    const std::string name = GivenName(m, type, id);
    hash.Bytes(name.c_str(), name.size() + 1);
  };
  try {
    for (Attributes a(m, number); a.member < a.size(); ++a.member) {
      AddRoute(a, hash);
      const int joint = ReferredTo(a, mjOBJ_JOINT, "spool_joint");
      if (joint >= 0) hash.Number(m->jnt_qposadr[joint] + double(m->jnt_dofadr[joint]) * m->nq);
      hash.Number(ReferredTo(a, mjOBJ_TENDON, "tendon"));
    }
  } catch (const ConfigError&) {
    return 0;
  }
  for (int s = 0; s < m->nsensor; ++s) {
    if (m->sensor_plugin[s] != number) continue;
    hash.Number(m->sensor_adr[s]);
    add_name(mjOBJ_SENSOR, s);
  }
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_plugin[i] != number) continue;
    hash.Number(i);
    add_name(mjOBJ_ACTUATOR, i);
  }
  return hash.Value();
}

bool SameDofs(const mjModel* m, const CableConfig& c) {
  return std::ranges::all_of(c.slots, [&](const BodySlot& s) {
    return m->body_dofnum[s.body] == s.ndof && m->body_dofadr[s.body] == c.dofs[s.first_dof];
  });
}

}  // namespace

double GeometryOf(const mjModel* m, const CableConfig& c) {
  Hash hash;
  for (int b : c.bodies) {
    hash.Numbers(m->body_pos + 3 * b, 3);
    hash.Numbers(m->body_quat + 4 * b, 4);
    const int first = m->body_jntadr[b], count = m->body_jntnum[b];
    if (count > 0) {
      hash.Numbers(m->jnt_pos + 3 * first, 3 * count);
      hash.Numbers(m->jnt_axis + 3 * first, 3 * count);
    }
  }
  for (const ElementConfig& e : c.elements) {
    const bool site = !e.OnGeom();
    if (!site) {
      hash.Number(m->geom_type[e.frame]);
      hash.Number(m->geom_dataid[e.frame]);
      hash.Numbers(m->geom_size + 3 * e.frame, 3);
    }
    hash.Numbers((site ? m->site_pos : m->geom_pos) + 3 * e.frame, 3);
    hash.Numbers((site ? m->site_quat : m->geom_quat) + 4 * e.frame, 4);
    if (e.side == HintKind::kSite) hash.Numbers(m->site_pos + 3 * e.hint_site, 3);
  }
  // how much the bodies give way depends on their masses too
  for (int dof : c.dofs) hash.Number(m->dof_invweight0[dof]);
  return hash.Value();
}

bool SameModel(const mjModel* m, int number, const Instance& instance) {
  if (!SameReferences(m, number, instance)) return false;
  return std::ranges::all_of(instance.cables,
                             [&](const CableConfig& c) { return GeometryOf(m, c) == c.geometry; });
}

bool SameReferences(const mjModel* m, int number, const Instance& instance) {
  return SameSource(m, number, instance) && ReferencesOf(m, number) == instance.references &&
         std::ranges::all_of(instance.cables, [&](const CableConfig& c) { return SameDofs(m, c); });
}

void Identify(const mjModel* m, int number, Instance& instance) {
  instance.source = SourceOf(m, number);
  instance.signature = m->signature;
  instance.references = ReferencesOf(m, number);
  Hash hash;
  hash.Bytes(instance.source.data(), instance.source.size());
  for (CableConfig& c : instance.cables) {
    c.shape = ShapeOf(c);
    c.geometry = GeometryOf(m, c);
    AddStructure(c, hash);
  }
  instance.structure = hash.Value();
  for (const CableConfig& c : instance.cables) {
    for (double x : {c.axial.stiffness, c.axial.pretension, c.axial.home_length, c.geometry}) {
      hash.Number(x);
    }
    hash.Numbers(c.memory.data(), c.memory.size());
  }
  instance.fingerprint = hash.Value();
  for (CableConfig& c : instance.cables) c.fingerprint = instance.fingerprint;
}

}  // namespace mujocable
