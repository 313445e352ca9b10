// Elements where their bodies are: poses, sizes, hints and hinges, out of plain arrays.

#include "core/pose.h"

#include <vector>

#include "core/surface/groove.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

constexpr double kCable = 0.01;  // radius of the cable

// frames of some sites and geoms at random, in the arrays of an engine
struct Frames {
  explicit Frames(int count, uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 2 * count; ++i) {
      pos.push_back(random.InBox(1));
      rot.push_back(random.Rotation());
      for (double x : {pos.back().x, pos.back().y, pos.back().z}) numbers.push_back(x);
      turns.insert(turns.end(), rot.back().m, rot.back().m + 9);
    }
    bodies.site_pos = numbers.data();
    bodies.site_rot = turns.data();
    bodies.geom_pos = numbers.data() + 3 * count;
    bodies.geom_rot = turns.data() + 9 * count;
  }
  std::vector<Vec3> pos;  // sites, then geoms
  std::vector<Mat3> rot;
  std::vector<double> numbers, turns;
  Bodies bodies{};
};

bool Same(const Mat3& a, const Mat3& b) { return std::equal(a.m, a.m + 9, b.m); }

Surface SizedAs(SurfaceKind kind, const double* size, double rounding = 0, bool inside = false) {
  Surface s;
  s.kind = kind;
  s.inside = inside;
  if (kind == SurfaceKind::kBox) s.radius = rounding + kCable;
  SetSizes(size, kCable, rounding, s);
  return s;
}

TEST(TheCableRunsAtItsRadiusFromTheGeom) {
  const double size[3] = {0.3, 0.2, 0.4};
  CHECK_EQ(SizedAs(SurfaceKind::kSphere, size).radius, 0.3 + kCable);
  CHECK_EQ(SizedAs(SurfaceKind::kSphere, size, 0, true).radius, 0.3 - kCable);
  const Surface cylinder = SizedAs(SurfaceKind::kCylinder, size);
  CHECK_EQ(cylinder.radius, 0.3 + kCable);
  CHECK_EQ(cylinder.half_length, 0.2);
  const Surface capsule = SizedAs(SurfaceKind::kCapsule, size);
  CHECK_EQ(capsule.radius, 0.3 + kCable);
  CHECK_EQ(capsule.size[2], 0.2);
  const Surface ellipsoid = SizedAs(SurfaceKind::kEllipsoid, size);
  CHECK_EQ(ellipsoid.radius, 0.2 + kCable);
  const Surface box = SizedAs(SurfaceKind::kBox, size, 0.05);
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(ellipsoid.size[i], size[i]);
    // the ball that sweeps the core brings the rounding back
    CHECK_NEAR(box.size[i] + box.radius, size[i] + kCable, 1e-16);
  }
}

TEST(ElementsStandWhereTheirFramesAre) {
  Frames frames(6, 1);
  const double sizes[] = {0, 0, 0, 0.3, 0.2, 0};
  frames.bodies.geom_size = sizes;
  const double home[] = {0.1, 0.2, 0.3}, now[] = {0.4, 0.1, 0.35};
  frames.bodies.home_coordinate = home;
  frames.bodies.coordinate = now;

  CableModel model;
  model.radius = kCable;
  const auto add = [&](ElementKind kind, int frame) {
    model.nodes.push_back({kind, false, false, true, frame, 0, 0});
  };
  add(ElementKind::kAnchor, 4);
  model.nodes.back().clamp_after = true;
  // a groove of 5 mm about geom 1, wound by two hinges, its side at site 2
  add(ElementKind::kWrap, 1);
  WrapNode wheel{};
  wheel.surface.kind = SurfaceKind::kCylinder;
  wheel.surface.radius = 0.2 + kCable;
  wheel.surface.size[0] = 0.2 + kCable + 0.005;
  wheel.turns = 3;
  wheel.side = HintKind::kSite;
  wheel.hint_site = 2;
  wheel.hinges = {{0, 1}, {2, -1}};
  model.wraps.push_back(wheel);
  // a ring at site 3, its side at a point of its own
  add(ElementKind::kWrap, 3);
  WrapNode ring{};
  ring.surface.kind = SurfaceKind::kTorus;
  ring.surface.radius = 0.02;
  ring.surface.size[0] = 0.1;
  ring.side = HintKind::kPoint;
  ring.hint_point = {0.1, 0, 0.02};
  model.wraps.push_back(ring);
  add(ElementKind::kSheath, 0);
  model.sheaths.push_back({0.7, 1.5, 0, 5});
  add(ElementKind::kEyelet, 5);
  add(ElementKind::kAnchor, 1);

  std::vector<Element> elements(model.nodes.size());
  std::vector<Wrap> wraps(2);
  std::vector<Sheath> sheaths(1);
  PoseElements(model, frames.bodies, wraps.data(), sheaths.data(), elements.data());

  for (int i : {0, 3, 4, 5}) {
    CHECK_EQ(elements[i].kind, model.nodes[i].kind);
    CHECK_EQ(Norm(elements[i].pos - frames.pos[model.nodes[i].frame]), 0.0);
    CHECK(elements[i].wrap == nullptr);
  }
  CHECK(elements[0].clamp_after && !elements[0].clamp_before);

  CHECK(elements[1].wrap == &wraps[0]);
  const Surface& s = wraps[0].surface;
  CHECK_EQ(Norm(s.pos - frames.pos[6 + 1]), 0.0);
  CHECK(Same(s.rot, frames.rot[6 + 1]));
  CHECK_EQ(s.radius, 0.3 + kCable);  // as the geom is now, and the groove as deep as before
  CHECK(IsGrooved(s));
  CHECK_NEAR(s.size[0] - s.radius, 0.005, 1e-16);
  CHECK_EQ(Norm(wraps[0].hint - frames.pos[2]), 0.0);
  CHECK_NEAR(wraps[0].bias, 0.3 - 0.05, 1e-15);
  CHECK_EQ(wraps[0].turns, 3);

  CHECK(elements[2].wrap == &wraps[1]);
  CHECK_EQ(Norm(wraps[1].surface.pos - frames.pos[3]), 0.0);
  CHECK(Same(wraps[1].surface.rot, frames.rot[3]));
  CHECK_EQ(wraps[1].surface.radius, 0.02);
  CHECK_NEAR(Norm(wraps[1].hint - (frames.pos[3] + Rotate(frames.rot[3], {0.1, 0, 0.02}))), 0,
             1e-15);
  CHECK_EQ(wraps[1].bias, 0.0);

  CHECK(elements[3].sheath == &sheaths[0]);
  CHECK_EQ(sheaths[0].length, 0.7);
  CHECK_EQ(Norm(sheaths[0].in - frames.rot[0].Column(2)), 0.0);
  CHECK_EQ(Norm(sheaths[0].out - frames.rot[5].Column(2)), 0.0);
}

TEST(ABodyThatDoesNotMoveHasNoVelocity) {
  const double velocity[] = {9, 9, 9, 9, 9, 9, 0, 0, 2, 1, 0, 0}, reference[] = {0, 0, 0, 0, 3, 0};
  Bodies bodies{};
  bodies.velocity = velocity;
  bodies.reference = reference;
  const Node nodes[] = {{ElementKind::kAnchor, false, false, false, 0, 0, 0},
                        {ElementKind::kAnchor, false, false, true, 0, 1, 1}};
  const Velocities velocities{bodies, nodes};
  CHECK_EQ(Norm(velocities[0].At(Vec3{1, 2, 3})), 0.0);
  // 2 rad/s about z, 1 m/s along x at its reference (0, 3, 0)
  CHECK_EQ(Norm(velocities[1].At(Vec3{0, 4, 0}) - Vec3{-1, 0, 0}), 0.0);
}

}  // namespace
}  // namespace mujocable
