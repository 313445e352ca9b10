// Provenance: the part of a model that a configuration was read from, and whether it is the same
// in another model. Simulations of a batch may run on models of their own.

#include <algorithm>

#include "core/math/hash.h"
#include "plugin/configure/config.h"

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
  if (!SameSource(m, number, instance)) return false;
  return std::ranges::all_of(instance.cables,
                             [&](const CableConfig& c) { return GeometryOf(m, c) == c.geometry; });
}

void Identify(const mjModel* m, int number, Instance& instance) {
  instance.source = SourceOf(m, number);
  instance.signature = m->signature;
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
