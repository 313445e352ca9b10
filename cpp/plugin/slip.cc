#include "slip.h"

#include <algorithm>
#include <cmath>

#include "core/implicit.h"
#include "core/implicit_slip.h"
#include "core/inline.h"
#include "core/lanes.h"
#include "frames.h"
#include "loads.h"
#include "motion.h"
#include "path_gradients.h"

namespace mujocable {
namespace {

// what a unit impulse on a dof at qpos0 changes its velocity by, with what the integrator damps
double Mobility(const mjModel* m, const mjData* d, int dof) {
  const double free = m->dof_invweight0[dof];
  return free / (1 + m->opt.timestep * free * ImplicitDamping(m, d, dof));
}

// the end of a segment, seen from joints between it and the other end
struct Reach {
  int slot;       // of the body
  Vec3 at;        // at qpos0
  double beyond;  // how far from there the segment may end                         [m]
};

Reach ReachOf(const mjModel* m, const CableConfig& c, int element, const std::vector<Pose>& home) {
  const ElementConfig& e = c.elements[element];
  const bool site = e.kind != ElementKind::kWrap || e.ring;
  const Vec3 local = Load(site ? m->site_pos + 3 * e.object : m->geom_pos + 3 * e.object);
  double size = 0;
  if (e.ring) size = e.ring_radius + e.ring_tube + c.radius;
  if (!site) size = m->geom_rbound[e.object] + e.rounding + c.radius;
  const Pose& body = home[e.body];
  return {c.slot_of_element[element], body.pos + Rotate(body.rot, local), size};
}

// adds the levers of the dofs of one body, and goes on to its parent
void Climb(const mjModel* m, const CableConfig& c, const std::vector<Pose>& home, Reach& reach,
           std::vector<double>& lever) {
  const BodySlot& slot = c.slots[reach.slot];
  const Pose& body = home[slot.body];
  const int first = m->body_jntadr[slot.body];
  for (int j = first + m->body_jntnum[slot.body] - 1; j >= first; --j) {
    double* to = &lever[slot.first_dof + m->jnt_dofadr[j] - m->body_dofadr[slot.body]];
    if (m->jnt_type[j] == mjJNT_SLIDE) {
      to[0] += 1;
      continue;
    }
    const Vec3 anchor = body.pos + Rotate(body.rot, Load(m->jnt_pos + 3 * j));
    reach.beyond += Norm(reach.at - anchor);
    reach.at = anchor;
    if (m->jnt_type[j] == mjJNT_FREE) {
      for (int k = 0; k < 3; ++k) to[k] += 1;
      to += 3;
    }
    const int turns = m->jnt_type[j] == mjJNT_HINGE ? 1 : 3;
    for (int k = 0; k < turns; ++k) to[k] += reach.beyond;
  }
  reach.slot = slot.parent;
}

// the weight by the gradients of this pose, where the bound of the levers does not settle it
MUJOCABLE_APART double WeightHere(const mjModel* m, const mjData* d, const CableConfig& c,
                                  const double* mu, double gain, double soft, const Record& record,
                                  Scratch& scratch) {
  const int n = record.ncontact, ndof = static_cast<int>(c.dofs.size());
  int* contact = scratch.Take<int>(n);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (record.Touching(i) && mu[i] * record.wrap_angle()[i] > 0) contact[count++] = i;
  }
  double* mobility = scratch.Take<double>(ndof);
  double* beyond = scratch.Take<double>(ndof);
  for (int k = 0; k < ndof; ++k) mobility[k] = Mobility(m, d, c.dofs[k]);
  std::fill(beyond, beyond + ndof, 0.0);
  const Pieces pieces = PathPieces(d, c, record, contact, count, scratch, nullptr);
  double undone = 0, sum = 0;  // sum over k in (23)
  for (int j = count - 1; j >= 0; --j) {
    const int i = contact[j];
    for (int k = pieces.range[j].begin; k < pieces.range[j].end; ++k) {
      const double old = beyond[k];
      beyond[k] += pieces.row[j * ndof + k];
      sum += (beyond[k] - old) * (beyond[k] + old) * mobility[k];
    }
    undone += record.tension()[i + 1] * mu[i] * record.wrap_angle()[i] * std::max(sum, 0.0);
  }
  return ImplicitWeight(gain * undone, soft);
}

}  // namespace

std::vector<double> Levers(const mjModel* m, const CableConfig& c) {
  const std::vector<Pose> home = HomePoses(m);
  std::vector<double> lever(c.dofs.size(), 0.0);
  // the segment at the source lies beyond no contact
  for (size_t i = 1; i + 1 < c.elements.size(); ++i) {
    Reach a = ReachOf(m, c, static_cast<int>(i), home);
    Reach b = ReachOf(m, c, static_cast<int>(i) + 1, home);
    // bodies that carry both ends move neither against the other; parents come first
    while (a.slot != b.slot) Climb(m, c, home, a.slot > b.slot ? a : b, lever);
  }
  return lever;
}

template <typename Count>
double SlipWeight(const mjModel* m, const mjData* d, const CableConfig& c, const double* mu,
                  double tension, const double* mobility, const BasicRecord<Count>& record,
                  Scratch& scratch) {
  if (c.friction.mode != FrictionMode::kVelocity) return 0;
  const int n = record.ncontact;
  // sum of the slopes of the tension by the slip, per unit of source tension
  Lanes sum = All<Lanes>(0);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    sum = sum + LoadLanes(record.tension() + i + 1) * LoadLanes(mu + i) *
                    LoadLanes(record.wrap_angle() + i);
  }
  double rub = Sum(sum);
  for (; i < n; ++i) rub += record.tension()[i + 1] * mu[i] * record.wrap_angle()[i];
  if (!(rub > 0)) return 0;
  const double soft = c.alone ? kSlipSoftAlone : kSlipSoft, speed = c.friction.slip_speed;
  const double impulse = m->opt.timestep * tension;
  const double bound = mobility ? *mobility : MobilityAlong(m, c, c.levers.data());
  if (!(impulse * rub * bound > soft * speed)) return 0;

  return WeightHere(m, d, c, mu, impulse / speed, soft,
                    {record.block, record.ncontact, record.nwrap}, scratch);
}
template double SlipWeight(const mjModel*, const mjData*, const CableConfig&, const double*, double,
                           const double*, const Record&, Scratch&);
template double SlipWeight(const mjModel*, const mjData*, const CableConfig&, const double*, double,
                           const double*, const RecordOfOne&, Scratch&);

}  // namespace mujocable
