// How far the joints can move a path.

#include <cmath>
#include <vector>

#include "core/math/simd.h"
#include "plugin/configure/build.h"

namespace mujocable {
namespace {

// the end of a segment, seen from joints between it and the other end
struct Reach {
  int slot;       // of the body
  Vec3 at;        // at qpos0
  double beyond;  // how far from there the segment may end                         [m]
  bool slid = false, unknown = false;  // a slide was passed; it makes the lever of a joint longer
};

Reach ReachOf(const mjModel* m, const CableConfig& c, size_t i, const Home& home) {
  const ElementConfig& e = c.elements[i];
  double size = 0;
  if (e.ring) size = e.ring_radius + e.ring_tube + c.radius;
  if (e.OnGeom()) size = m->geom_rbound[e.frame] + e.rounding + c.radius;
  return {c.slot_of_element[i], home.Of(e).pos, size};
}

// adds the levers of the dofs of one body, and goes on to its parent
void Climb(const mjModel* m, const CableConfig& c, const Home& home, Reach& reach,
           std::vector<double>& lever) {
  const BodySlot& slot = c.slots[reach.slot];
  const Pose& body = home.Body(slot.body);
  const int first = m->body_jntadr[slot.body];
  for (int j = first + m->body_jntnum[slot.body] - 1; j >= first; --j) {
    double* to = &lever[slot.first_dof + m->jnt_dofadr[j] - m->body_dofadr[slot.body]];
    if (m->jnt_type[j] == mjJNT_SLIDE) {
      to[0] += 1;
      reach.slid = true;
      continue;
    }
    reach.unknown = reach.unknown || reach.slid;
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

// how much bodies give way where each dof of a cable reaches so far, and how far they turn
void AddUp(const mjModel* m, const CableConfig& c, const std::vector<double>& reach,
           double& mobility, double& turning) {
  mobility = turning = 0;
  for (size_t k = 0; k < c.dofs.size(); ++k) {
    const int dof = c.dofs[k];
    const double gives = reach[k] * m->dof_invweight0[dof];
    mobility += reach[k] * gives;
    // joints turn an end; a slide moves it alone
    if (m->jnt_type[m->dof_jntid[dof]] != mjJNT_SLIDE) turning += gives;
  }
}

}  // namespace

double WeightOf(const mjModel* m) {
  const int n = static_cast<int>(m->nv);
  const double* mobility = m->dof_invweight0;
  Lanes sum = All<Lanes>(0), place{1, 2, 3, 4};
  int k = 0;
  for (; k + kLanes <= n; k += kLanes, place += All<Lanes>(kLanes)) {
    sum += place * LoadLanes(mobility + k);
  }
  double rest = 0;
  for (; k < n; ++k) rest += (k + 1) * mobility[k];
  return Sum(sum) + rest;
}

void FindMobility(const mjModel* m, const CableConfig& c, double& mobility, double& turning) {
  const bool known = std::isfinite(c.turning);
  AddUp(m, c, c.reach, mobility, turning);
  if (!known) turning = INFINITY;
}

void FindLevers(const mjModel* m, const Home& home, CableConfig& c) {
  const size_t n = c.dofs.size();
  c.reach.assign(n, 0.0);
  c.weight = WeightOf(m);
  for (size_t i = 0; i + 1 < c.elements.size(); ++i) {
    Reach a = ReachOf(m, c, i, home), b = ReachOf(m, c, i + 1, home);
    std::vector<double> own(n, 0.0);
    // bodies that carry both ends move neither against the other; parents come first
    while (a.slot != b.slot) Climb(m, c, home, a.slot > b.slot ? a : b, own);
    for (size_t k = 0; k < n; ++k) c.reach[k] += own[k];
    double mobility, turning;
    AddUp(m, c, own, mobility, turning);
    if (a.unknown || b.unknown) mobility = turning = INFINITY;
    c.levers.push_back(std::sqrt(mobility));
    c.turns.push_back(turning);
    c.turning += turning;
  }
  FindMobility(m, c, c.mobility, c.turning);
}

}  // namespace mujocable
