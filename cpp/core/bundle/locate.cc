// Path and rates of a bundle: as SolveGuides and Rates, a node of every cable at a time.

#include <cmath>

#include "core/bundle/bundle.h"
#include "core/math/angle.h"

namespace mujocable {
namespace {

// where a cable runs
struct Routed {
  const Bodies* bodies;
  const Node* nodes;
};

constexpr double kAtRest[6] = {};  // of a body that does not move

// the velocity of node i of each cable, which is at p
MUJOCABLE_INLINE inline Lanes3 VelocityAt(const Routed* cables, int i, const Lanes3& p) {
  const double *twist[kLanes], *about[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    const Node& node = cables[j].nodes[i];
    twist[j] = node.moves ? cables[j].bodies->velocity + 6 * node.body : kAtRest;
    about[j] = node.moves ? cables[j].bodies->reference + 3 * node.root : kAtRest;
  }
  return GatherWide3(twist, 3) + Cross(GatherWide3(twist), p - GatherWide3(about));
}

MUJOCABLE_INLINE inline Lanes3 PlaceOf(const Routed* cables, int i) {
  const double* at[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    at[j] = cables[j].bodies->site_pos + 3 * cables[j].nodes[i].frame;
  }
  return GatherWide3(at);
}

}  // namespace

void Bundle::Locate() {
  const Record& r = record_.first;
  const int n = r.ncontact;
  Routed cables[kLanes];
  for (int j = 0; j < kLanes; ++j)
    cables[j] = {&cable_[j]->bodies_, cable_[j]->model_.nodes.data()};

  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1);
  // (loops of their own: roots and divisions of several nodes at a time are under way)
  Workspace& workspace = cable_[0]->workspace_;
  const LaneRow3 place(workspace, n + 2), direction(workspace, n + 1);
  for (int i = 0; i <= n + 1; ++i) place.Set(i, PlaceOf(cables, i));
  Lanes total = zero;
  for (int i = 0; i <= n; ++i) {
    const Lanes3 e = place[i + 1] - place[i];
    const Lanes length = Sqrt(Dot(e, e));
    direction.Set(i, Select(0 - length, 1 / length, length) * e);  // 0 where there is no length
    record_.Set(r.segment() + i, length);
    total += length;
  }
  if (!std::isfinite(Sum(total))) [[unlikely]] {
    for (int j = 0; j < n_; ++j) cable_[j]->Locate();
    return;
  }
  record_.Set(&r.length(), total);
  record_.Set3(r.ends(), place[0]);
  record_.Set3(r.ends() + 3, place[n + 1]);
  record_.Set3(r.direction(), direction[0]);
  for (int i = 0; i < n; ++i) {
    const Lanes3 before = direction[i], after = direction[i + 1], across = Cross(before, after);
    record_.Set(r.wrap_angle() + i, AngleOf(Sqrt(Dot(across, across)), Dot(before, after)));
    record_.Set3(r.direction() + 3 * (i + 1), after);
  }

  Lanes rate = zero;
  Lanes3 to = VelocityAt(cables, n + 1, place[n + 1]);
  for (int i = n - 1; i >= 0; --i) {
    const Lanes3 here = place[i + 1], leaving = VelocityAt(cables, i + 1, here);
    rate += Dot(direction[i + 1], to - leaving);
    to = leaving;
    record_.Set(r.growth() + i, rate);
    record_.Set3(r.entry() + 3 * i, here);
    record_.Set3(r.exit() + 3 * i, here);
    record_.Set(r.touching() + i, one);
    record_.Set(r.arc() + i, zero);
    record_.Set(r.overrun() + i, zero);
  }
  const Lanes3 from = VelocityAt(cables, 0, place[0]);
  record_.Set(&r.length_rate(), rate + Dot(direction[0], to - from));

  record_.Set(&r.status(), zero);
  record_.Set(&r.status_contact(), 0 - one);
  record_.Set(&r.derailments(), state_.Get(&state_.first.derailments()));
  for (const double* none :
       {&r.smoothness(), &r.surface_error(), &r.penetration(), &r.iterations()}) {
    record_.Set(none, zero);
  }
}

}  // namespace mujocable
