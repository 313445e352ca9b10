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

// how the bodies move that hold a node of each cable
struct Moving {
  Lanes3 angular, linear, about;

  Lanes3 At(const Lanes3& p) const { return linear + Cross(angular, p - about); }
};

MUJOCABLE_INLINE inline Moving MovingAt(const Routed* cables, int i) {
  const double *twist[kLanes], *about[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    const Node& node = cables[j].nodes[i];
    twist[j] = node.moves ? cables[j].bodies->velocity + 6 * node.body : kAtRest;
    about[j] = node.moves ? cables[j].bodies->reference + 3 * node.root : kAtRest;
  }
  return {GatherWide3(twist), GatherWide3(twist, 3), GatherWide3(about)};
}

// whether node i of each cable is on the body of the one behind it
MUJOCABLE_INLINE inline bool OnSameBodies(const Routed* cables, int i) {
  int differ = 0;
  for (int j = 0; j < kLanes; ++j) {
    differ |= cables[j].nodes[i].body ^ cables[j].nodes[i + 1].body;
  }
  return differ == 0;
}

MUJOCABLE_INLINE inline Lanes3 PlaceOf(const Routed* cables, int i) {
  const double* at[kLanes];
  for (int j = 0; j < kLanes; ++j) {
    at[j] = cables[j].bodies->site_pos + 3 * cables[j].nodes[i].frame;
  }
  return GatherWide3(at);
}

}  // namespace

Bundle::Course Bundle::NewCourse() const {
  const int n = record_.first.ncontact;
  Workspace& workspace = cable_[0]->workspace_;
  return {{workspace, n + 2}, {workspace, n + 1}, {workspace, n + 1}, {workspace, n}};
}

// the course that an earlier stage found
void Bundle::ReadCourse() {
  const Record& r = record_.first;
  const int n = r.ncontact;
  const Course& c = course_.emplace(NewCourse());
  c.place.Set(0, record_.Get3(r.ends()));
  c.place.Set(n + 1, record_.Get3(r.ends() + 3));
  for (int i = 0; i <= n; ++i) {
    c.direction.Set(i, record_.Get3(r.direction() + 3 * i));
    c.length.Set(i, record_.Get(r.segment() + i));
    if (i == n) break;
    c.place.Set(i + 1, record_.Get3(r.entry() + 3 * i));
    c.growth.Set(i, record_.Get(r.growth() + i));
  }
}

void Bundle::Locate() {
  const RecordLanes record = record_;  // (a copy: no store can change it)
  const Record& r = record.first;
  const int n = r.ncontact;
  Routed cables[kLanes];
  for (int j = 0; j < kLanes; ++j)
    cables[j] = {&cable_[j]->bodies_, cable_[j]->model_.nodes.data()};

  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1);
  // (loops of their own: roots and divisions of several nodes at a time are under way)
  const auto [place, direction, length, growth] = course_.emplace(NewCourse());
  for (int i = 0; i <= n + 1; ++i) place.Set(i, PlaceOf(cables, i));
  Lanes total = zero;
  for (int i = 0; i <= n; ++i) {
    const Lanes3 to = place[i + 1], e = to - place[i];
    const Lanes size = Sqrt(Dot(e, e));
    direction.Set(i, InverseLength(size, to) * e);
    length.Set(i, size);
    record.Set(r.segment() + i, size);
    total += size;
  }
  if (!std::isfinite(Sum(total))) [[unlikely]] {
    for (int j = 0; j < n_; ++j) cable_[j]->Locate();
    course_.reset();
    return;
  }
  record.Set(&r.length(), total);
  record.Set3(r.ends(), place[0]);
  record.Set3(r.ends() + 3, place[n + 1]);
  record.Set3(r.direction(), direction[0]);
  Lanes3 before = direction[0];
  for (int i = 0; i < n; ++i) {
    // where guides lie in one place the cable turns at the last of them
    const Lanes3 own = direction[i + 1], after = Select(0 - Dot(own, own), own, before);
    const Lanes3 across = Cross(before, after);
    record.Set(r.wrap_angle() + i, AngleOf(Sqrt(Dot(across, across)), Dot(before, after)));
    record.Set3(r.direction() + 3 * (i + 1), own);
    before = after;
  }

  Lanes rate = zero;
  Moving moving = MovingAt(cables, n + 1);
  Lanes3 to = moving.At(place[n + 1]);
  for (int i = n; i >= 0; --i) {
    if (!OnSameBodies(cables, i)) moving = MovingAt(cables, i);
    const Lanes3 here = place[i], leaving = moving.At(here);
    rate += Dot(direction[i], to - leaving);
    to = leaving;
    if (i == 0) break;
    growth.Set(i - 1, rate);
    record.Set(r.growth() + i - 1, rate);
    record.Set3(r.entry() + 3 * (i - 1), here);
    record.Set3(r.exit() + 3 * (i - 1), here);
    record.Set(r.touching() + i - 1, one);
    record.Set(r.arc() + i - 1, zero);
    record.Set(r.overrun() + i - 1, zero);
  }
  record.Set(&r.length_rate(), rate);
  record.Set(&r.status(), zero);
  record.Set(&r.status_contact(), 0 - one);
  record.Set(&r.derailments(), state_.Get(&state_.first.derailments()));
  record.Fill(&r.smoothness(), 4, 0);  // and surface_error, penetration, iterations
}

}  // namespace mujocable
