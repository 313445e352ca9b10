// Provenance: the part of a model that a configuration was read from, and whether it is the same
// in another model. Simulations of a batch may run on models of their own.

#include "core/math/hash.h"
#include "plugin/configure/config.h"

namespace mujocable {
namespace {

// a number that changes with everything a config holds, but for what follows from geometry
Hash Structure(const CableConfig& c) {
  Hash hash;
  const auto number = [&](double x) { hash.Number(x); };
  hash.Bytes(c.name.data(), c.name.size());
  for (const ElementConfig& e : c.elements) {
    for (double x : {double(int(e.kind)),
                     double(e.object),
                     double(e.body),
                     e.friction,
                     double(int(e.hint)),
                     double(e.hint_site),
                     e.hint_point.x,
                     e.hint_point.y,
                     e.hint_point.z,
                     double(e.is_exit),
                     e.length,
                     e.bend,
                     double(e.permanent),
                     double(e.turns),
                     double(e.guided),
                     double(e.member),
                     double(e.members),
                     double(e.ring),
                     e.ring_radius,
                     e.ring_tube,
                     e.rounding,
                     double(e.mesh ? e.mesh->hash >> 12 : 0),
                     double(e.clamp_before),
                     double(e.clamp_after)}) {
      number(x);
    }
    for (const Hinge& h : e.hinges) {
      number(h.coordinate);
      number(h.sign);
    }
  }
  for (double x : {c.radius,
                   c.axial.damping,
                   c.axial.transition,
                   c.axial.reserve,
                   c.axial.max_tension,
                   double(c.axial.length_rate_only),
                   double(int(c.friction.mode)),
                   c.friction.slip_speed,
                   double(int(c.take_up.kind)),
                   c.take_up.radius,
                   c.take_up.lag,
                   c.take_up.rate_limit,
                   c.limits.smoothness,
                   c.limits.penetration,
                   double(c.actuator),
                   double(c.ctrl),
                   double(c.act),
                   double(c.out),
                   double(c.moment_adr),
                   double(c.joint_qpos),
                   double(c.joint_dof),
                   c.joint_reference,
                   double(c.tendon),
                   c.share,
                   double(c.first_on_tendon),
                   double(c.record_adr),
                   double(c.implicit),
                   double(c.last),
                   double(c.only_cable),
                   double(c.sharing)}) {
    number(x);
  }
  for (int x : c.drives) number(x);
  for (int x : c.slot_of_element) number(x);
  for (const BodySlot& s : c.slots) {
    for (int x : {s.body, s.parent, s.first_dof}) number(x);
  }
  for (const SensorCopy& s : c.sensors) {
    for (int x : {s.adr, s.dim, s.offset, s.size}) number(x);
  }
  for (int x : c.dofs) number(x);
  hash.Bytes(c.source.data(), c.source.size());
  return hash;
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
    const bool site = e.ring || e.kind != ElementKind::kWrap;
    if (!site) {
      hash.Number(m->geom_type[e.object]);
      hash.Number(m->geom_dataid[e.object]);
      hash.Numbers(m->geom_size + 3 * e.object, 3);
    }
    hash.Numbers((site ? m->site_pos : m->geom_pos) + 3 * e.object, 3);
    hash.Numbers((site ? m->site_quat : m->geom_quat) + 4 * e.object, 4);
    if (e.hint == HintKind::kSite) hash.Numbers(m->site_pos + 3 * e.hint_site, 3);
  }
  return hash.Value();
}

bool SameModel(const mjModel* m, int instance, const CableConfig& c) {
  return SameSource(m, instance, c) && GeometryOf(m, c) == c.geometry;
}

void Identify(const mjModel* m, int instance, CableConfig& c) {
  c.source = SourceOf(m, instance);
  c.geometry = GeometryOf(m, c);
  Hash hash = Structure(c);
  c.structure = hash.Value();
  for (double x : {c.axial.stiffness, c.axial.pretension, c.axial.home_length, c.geometry}) {
    hash.Number(x);
  }
  hash.Numbers(c.memory.data(), c.memory.size());
  c.fingerprint = hash.Value();
}

}  // namespace mujocable
