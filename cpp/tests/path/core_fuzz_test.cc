// Random routes with violent motion: no crash, no NaN, an honest status, a bounded time.

#include <chrono>
#include <ctime>
#include <numbers>

#include "core/law/kinematics.h"
#include "core/law/wrench.h"
#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"
#include "tests/kit/scene.h"
#include "tests/kit/smooth.h"
#include "tests/kit/worlds.h"

namespace mujocable {
namespace {

using test::Motion;
using test::Node;
using test::Random;
using test::Rig;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double CpuSeconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
#else
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

// ---- random routes --------------------------------------------------------------------------

Vec3 RandomPoint(Random& random, double scale) {
  // now and then on a lattice, so that points, axes and centers coincide or line up
  if (random.Chance(0.2)) {
    const auto axis = [&] { return scale * (random.Index(5) - 2) / 2; };
    return {axis(), axis(), axis()};
  }
  return random.InBox(scale);
}

Node RandomWrap(Random& random, double scale) {
  Surface s;
  const double size = random.Chance(0.7) ? scale * random.Uniform(0.05, 0.5)
                                         : scale * random.Logarithmic(1e-6, 1e3);
  const bool smooth = random.Chance(0.2), mesh = smooth && random.Chance(0.06);
  if (mesh) {
    s = test::RandomMesh(random, test::kMeshes);
    s.rot = {};
  } else if (smooth) {
    const int kind = random.Index(std::size(test::kSmoothKinds));
    s = test::RandomSmooth(random, test::kSmoothKinds[kind], size);
    s.rot = {};
  } else {
    s.kind = random.Chance(0.5) ? SurfaceKind::kCylinder : SurfaceKind::kSphere;
    s.radius = size;
    s.half_length = scale * random.Uniform(0.01, 2);
  }
  s.pos = RandomPoint(random, scale);
  if (random.Chance(0.7)) s.rot = random.Rotation();
  Node node = test::WrapOn(s);
  node.permanent = !smooth && random.Chance(0.05);
  node.has_hint = random.Chance(0.6);
  // anywhere: outside, inside, at the center
  node.hint =
      s.pos + (random.Chance(0.05) ? 0 : random.Uniform(0, 3) * s.radius) * random.Direction();
  node.follows_hinges = random.Chance(0.1);
  node.guided = mesh && random.Chance(0.3);
  return node;
}

Rig RandomRoute(Random& random) {
  const double scale = random.Logarithmic(1e-3, 1e3);
  const int n = random.Index(7);
  std::vector<Node> nodes = {test::AnchorAt(RandomPoint(random, scale))};
  for (int i = 0; i < n; ++i) {
    if (!random.Chance(0.75)) {
      nodes.push_back(test::EyeletAt(RandomPoint(random, scale)));
      continue;
    }
    Node wrap = RandomWrap(random, scale);
    const bool several = wrap.surface.mesh && !wrap.guided && random.Chance(0.5);
    wrap.bearings = several ? 2 + random.Index(2) : 1;
    for (wrap.bearing = 0; wrap.bearing < wrap.bearings; ++wrap.bearing) nodes.push_back(wrap);
  }
  nodes.push_back(test::AnchorAt(RandomPoint(random, scale)));
  for (Node& node : nodes) {
    if (node.kind == ElementKind::kWrap) continue;
    node.clamp_before = random.Chance(0.1);
    node.clamp_after = random.Chance(0.1);
  }
  return Rig(nodes);
}

// a violent step; false when it brought in a number that is none
bool Disturb(Random& random, Rig& rig) {
  Vec3 low = rig.nodes[0].pos, high = low;
  for (const Node& node : rig.nodes) {
    const Vec3& x = node.kind == ElementKind::kWrap ? node.surface.pos : node.pos;
    low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
  }
  const double scale = std::max(1e-6, Norm(high - low));
  for (Node& node : rig.nodes) {
    if (!random.Chance(0.4)) continue;
    const bool wrap = node.kind == ElementKind::kWrap;
    Vec3& x = wrap ? node.surface.pos : node.pos;
    const Node& other = rig.nodes[random.Index(rig.count())];
    const Vec3 there = other.kind == ElementKind::kWrap ? other.surface.pos : other.pos;
    switch (random.Index(7)) {
      case 0:  // a small move
        x += 1e-3 * scale * random.Direction();
        break;
      case 1:  // a jump
        x = 0.5 * (low + high) + 0.5 * scale * random.Direction();
        break;
      case 2:  // onto another element
        x = there;
        break;
      case 3:  // onto the surface of another, or a hair from it
        if (other.kind == ElementKind::kWrap) {
          const double hair = random.Index(3) - 1;
          x = there + other.surface.radius * (1 + hair * random.Logarithmic(1e-16, 1e-3)) *
                          random.Direction();
        }
        break;
      case 4:  // far away
        x = scale * random.Logarithmic(1, 1e6) * random.Direction();
        break;
      case 5:  // another attitude
        node.surface.rot = random.Rotation();
        node.bias += random.Uniform(-10, 10);
        break;
      default:  // in line with two others
        x = there + random.Uniform(-1, 2) * (rig.nodes[0].pos - there);
        break;
    }
  }
  // contacts with one mesh move together
  for (int i = 1; i < rig.count(); ++i) {
    if (rig.nodes[i].bearing > 0) rig.nodes[i].surface = rig.nodes[i - 1].surface;
  }
  if (!random.Chance(0.03)) return true;
  Node& victim = rig.nodes[random.Index(rig.count())];
  const double bad = random.Chance(0.5) ? kNaN : kInfinity;
  (victim.kind == ElementKind::kWrap ? victim.surface.pos.y : victim.pos.y) = bad;
  return false;
}

// ---- an independent look at the result ------------------------------------------------------

// one place where a string bears on a surface, with the directions in which it comes and leaves
struct Bearing {
  Vec3 entry, exit, in, out;
  double arc;
};

// those of a contact: one, or two of a ring with a free piece between them, as the memory has them
std::vector<Bearing> BearingsOf(const Rig& rig, int i) {
  const Record& r = rig.record;
  const Surface& s = rig.surface(i);
  const Bearing whole = {r.Entry(i), r.Exit(i), r.Direction(i), r.Direction(i + 1), r.arc()[i]};
  int row = 0;
  for (int k = 0; k < i; ++k) row += rig.wraps(k) ? MemoryRows(rig.surface(k)) : 0;
  if (MemoryRows(s) == 1) return {whole};
  const WrapMemory first = LoadMemory(r.memory() + kWrapMemory * row);
  const WrapMemory second = LoadMemory(r.memory() + kWrapMemory * (row + 1));
  if (!second.touching) return {whole};
  const Vec3 leaves = Shoot(s, r.Entry(i), r.Direction(i), first.arc).q;
  const Vec3 meets = s.pos + Rotate(s.rot, second.point), free = Unit(meets - leaves);
  return {{whole.entry, leaves, whole.in, free, first.arc},
          {meets, whole.exit, free, whole.out, second.arc}};
}

// what is wrong with a record that calls itself valid, "" when nothing is
std::string Dishonest(const Rig& rig) {
  const Record& r = rig.record;
  char text[160];
  double chords = 0;
  for (int first = 0, last = 1; last < rig.count(); ++last) {
    if (rig.nodes[last].kind == ElementKind::kWrap) continue;
    // the ends of the span as the record sees them: a drum takes its anchor to its surface
    std::vector<Vec3> from, to;
    Vec3 at = first == 0 ? Load(r.ends()) : r.Exit(first - 1);
    const Vec3 end = last == rig.count() - 1 ? Load(r.ends() + 3) : r.Entry(last - 1);
    const Vec3 start = at;
    for (int i = first; i < last - 1; ++i) {
      if (!r.Touching(i)) continue;
      for (const Bearing& bearing : BearingsOf(rig, i)) {
        from.push_back(at);
        to.push_back(bearing.entry);
        at = bearing.exit;
      }
    }
    from.push_back(at);
    to.push_back(end);
    chords += Norm(end - start);
    for (int i = first; i < last - 1; ++i) {
      const Surface& s = rig.surface(i);
      // coordinates carry rounding of their size
      const double far = Norm(s.pos) + Norm(start) + Norm(end) + s.radius + r.length();
      const double rounding = 1e-14 * far;
      for (size_t k = 0; k < from.size(); ++k) {
        const double depth = SegmentDepth(s, from[k], to[k]);
        if (depth <= 2e-6 * s.radius + rounding) continue;
        std::snprintf(text, sizeof text, "segment %zu cuts %.3g of radius %.3g at contact %d", k,
                      depth, s.radius, i);
        return text;
      }
      if (!r.Touching(i)) continue;
      if (std::abs(Distance(s, r.Entry(i))) > 1e-6 * s.radius + rounding ||
          std::abs(Distance(s, r.Exit(i))) > 1e-6 * s.radius + rounding) {
        std::snprintf(text, sizeof text, "contact %d is off its surface", i);
        return text;
      }
      if (rig.nodes[i + 1].permanent && r.arc()[i] == 0) continue;  // a keeper makes a corner
      // the geodesic that leaves along the incoming segment arrives along the outgoing one; the
      // allowed kink of 1e-6 grows along the arc
      for (const Bearing& bearing : BearingsOf(rig, i)) {
        const Vec3 in = bearing.in, out = bearing.out;
        const Geodesic g = Shoot(s, bearing.entry, in, bearing.arc);
        const double turn = 1 + bearing.arc / s.radius;
        const double kink =
            std::max(std::abs(Dot(in, Normal(s, bearing.entry))), Norm(g.t_q - out));
        const double off = Norm(g.q - bearing.exit) / s.radius;
        if (kink > 3e-6 * turn + 100 * rounding / s.radius * turn ||
            off > 3e-6 * turn * turn + 100 * rounding / s.radius * turn) {
          std::snprintf(text, sizeof text, "kink %.3g, end off by %.3g radii at contact %d", kink,
                        off, i);
          return text;
        }
      }
    }
    first = last;
  }
  if (std::abs(test::SumOfPieces(rig) - r.length()) > 1e-12 * r.length()) return "length of pieces";
  if (r.length() < chords * (1 - 1e-6)) return "shorter than a straight line";
  return "";
}

struct Tally {
  int smooth = 0, meshes = 0, solves = 0, valid = 0, kept = 0, invalid = 0, nonfinite = 0;
  double slowest = 0, total = 0;
  int slowest_wraps = 0, most_iterations = 0;
};

void CheckRecord(const Rig& rig, bool finite_poses, double tension, int route, int step) {
  const Record& r = rig.record;
  int bad = 0;
  for (double x : rig.block()) bad += !std::isfinite(x);
  if (bad) std::printf("  route %d step %d: %d numbers are not finite\n", route, step, bad);
  CHECK_EQ(bad, 0);
  CHECK(r.status() >= 0 && r.status() <= 5 && r.status() == std::floor(r.status()));
  CHECK(r.length() >= 0);
  CHECK(r.penetration() >= 0);
  if (!finite_poses) {
    CHECK_EQ(rig.status(), SolveStatus::kInvalid);
    CHECK_EQ(r.length(), 0.0);
  }
  if (rig.status() == SolveStatus::kInvalid) {
    CHECK_EQ(tension, 0.0);
    CHECK(!finite_poses || r.length() == 0);
  }
  for (int i = 0; i <= rig.ncontact; ++i) CHECK(r.tension()[i] >= 0);
  for (int i = 0; i < rig.ncontact; ++i) {
    CHECK(r.dissipation()[i] >= 0);
    CHECK(r.arc()[i] >= 0);
    CHECK(r.wrap_angle()[i] >= 0);
    if (!r.Touching(i)) CHECK_EQ(r.wrap_angle()[i], 0.0);
  }
  if (rig.valid()) {
    const std::string lie = Dishonest(rig);
    if (!lie.empty()) std::printf("  route %d step %d: %s\n", route, step, lie.c_str());
    CHECK(lie.empty());
  }
}

TEST(ViolentMotion) {
  Random random(1);
  Tally tally;
  const int routes = 20000;
  for (int route = 0; route < routes; ++route) {
    Rig rig = RandomRoute(random);
    const std::vector<Node> home = rig.nodes;
    CableModel model;
    model.ncontact = rig.ncontact;
    model.nwrap = rig.nwrap;
    model.take_up.kind = TakeUpKind::kLength;
    AxialParameters& axial = model.axial;
    axial.stiffness = random.Logarithmic(1, 1e7);
    axial.damping = random.Chance(0.5) ? random.Logarithmic(0.1, 1e4) : 0;
    axial.transition = random.Chance(0.3) ? 1e-3 : 0;
    axial.max_tension = random.Chance(0.5) ? 100 : kInfinity;
    model.sliding = true;
    model.friction = {FrictionMode::kVelocity, random.Logarithmic(1e-4, 0.1)};
    model.mu.resize(rig.ncontact);
    for (double& x : model.mu) x = random.Chance(0.3) ? 0 : random.Uniform(0, 1);

    const int steps = 1 + random.Index(3);
    for (int step = 0; step < steps; ++step) {
      bool finite = true;
      if (step > 0) {
        // from home every time, so that a bad number does not stay
        if (random.Chance(0.5)) rig.nodes = home;
        finite = Disturb(random, rig);
      }
      std::vector<Motion> motions;
      for (int i = 0; i < rig.count(); ++i) motions.push_back(RandomMotion(random, 10));
      const test::Twists twists(motions);
      rig.Pose();
      const Start start = step == 0 ? Start::kAuthored : step == 1 ? Start::kReset : Start::kWarm;
      const double begin = CpuSeconds();
      SolveRoute(rig.elements.data(), rig.count(), rig.memory.data(), start, rig.limits,
                 rig.record);
      Rates(twists.data(), rig.record);
      const double seconds = CpuSeconds() - begin;
      if (step == 0) axial.home_length = rig.record.length() * random.Uniform(0.9, 1.1);
      if (axial.home_length == 0) axial.home_length = 1;  // as who compiles such a route must
      std::vector<double> state(StateSize(model.ncontact, model.nwrap));
      ResetState(model, state.data());
      const Command command{random.Uniform(-0.1, 0.1), random.Uniform(-1, 1)};
      Bodies bodies{};
      bodies.timestep = 1e-3;
      BlockWorkspace none(nullptr);  // without cells nothing is taken
      Cable cable(model, bodies, {state.data(), model.ncontact, model.nwrap}, rig.record, none);
      const double tension = cable.Tighten(command, nullptr, nullptr).tension;
      CheckRecord(rig, finite, tension, route, step);

      if (finite) {
        // as the adapter advances: what the record says is what is remembered
        std::copy(rig.record.memory(), rig.record.memory() + rig.memory.size(), rig.memory.begin());
      } else {
        rig.nodes = home;
      }
      ++tally.solves;
      tally.smooth += std::any_of(rig.nodes.begin(), rig.nodes.end(), [](const Node& node) {
        return node.kind == ElementKind::kWrap && IsSmooth(node.surface);
      });
      tally.meshes += std::any_of(rig.nodes.begin(), rig.nodes.end(),
                                  [](const Node& node) { return node.surface.mesh != nullptr; });
      tally.nonfinite += !finite;
      tally.valid += rig.valid();
      tally.kept += rig.status() == SolveStatus::kKept;
      tally.invalid += rig.status() == SolveStatus::kInvalid;
      tally.total += seconds;
      tally.most_iterations =
          std::max(tally.most_iterations, static_cast<int>(rig.record.iterations()));
      if (seconds > tally.slowest) {
        tally.slowest = seconds;
        tally.slowest_wraps = rig.nwrap;
      }
    }
  }
  std::printf(
      "  %d solves, %d with smooth surfaces, %d with meshes: %d valid, %d kept, %d invalid "
      "(%d with poses that are no numbers)\n",
      tally.solves, tally.smooth, tally.meshes, tally.valid, tally.kept, tally.invalid,
      tally.nonfinite);
  std::printf(
      "  mean %.1f us, slowest %.2f ms of CPU (%d wraps), most iterations %d; aim: < 50 ms\n",
      1e6 * tally.total / tally.solves, 1e3 * tally.slowest, tally.slowest_wraps,
      tally.most_iterations);
  CHECK(tally.valid > tally.solves / 10);
  CHECK(tally.invalid > tally.solves / 100);
  CHECK_EQ(tally.invalid, tally.nonfinite);
}

TEST(LoadsOfAnyPathBalance) {
  Random random(2);
  int valid = 0;
  for (int route = 0; route < 3000; ++route) {
    Rig rig = RandomRoute(random);
    rig.Cold();
    if (rig.status() == SolveStatus::kInvalid) continue;
    ++valid;
    for (int i = 0; i <= rig.ncontact; ++i) {
      const bool same = i > 0 && !rig.record.Touching(i - 1);
      rig.record.tension()[i] = same ? rig.record.tension()[i - 1] : random.Uniform(1, 100);
    }
    std::vector<int> slot(rig.count());
    std::vector<Vec3> about(rig.count());
    std::vector<Wrench> wrench(rig.count());
    for (int i = 0; i < rig.count(); ++i) slot[i] = i;
    AddLoads(rig.record, slot.data(), [&](int k) { return about[k]; }, wrench.data());
    Vec3 force, moment;
    double scale = 0;
    for (const Wrench& w : wrench) {
      force += w.force;
      moment += w.moment;
      scale += Norm(w.force);
    }
    double arm = 0;
    for (int i = 0; i < rig.ncontact; ++i) arm = std::max(arm, Norm(rig.record.Entry(i)));
    arm = std::max({arm, Norm(Load(rig.record.ends())), Norm(Load(rig.record.ends() + 3))});
    CHECK_NEAR(Norm(force), 0, 1e-13 * scale);
    // a direction differs from the line between its ends by at most the allowed kink, where the
    // segment is shorter than 1e-7 radii
    CHECK_NEAR(Norm(moment), 0, 1e-7 * scale * arm);
  }
  CHECK(valid > 500);
}

}  // namespace
}  // namespace mujocable
