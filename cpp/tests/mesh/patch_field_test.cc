// Meshes of exact surfaces against those surfaces: distances, deepest points; turned ones against
// their profile and Clairaut's law.

#include <functional>

#include "core/mesh/make.h"
#include "core/mesh/tree.h"
#include "tests/kit/check.h"
#include "tests/kit/mesh_shapes.h"

namespace mujocable {
namespace {

using test::BoxOf;
using test::CapsuleOf;
using test::Fitted;
using test::Random;
using test::SurfaceOf;

void CheckDistances(const Surface& mesh, const Surface& truth) {
  Random random(5);
  for (double reach : {0.8, 1.5, 4.0, 50.0}) {
    // patches meet to 1e-11 of the size; far outside the grid only side and rough distance matter
    const double exact = reach < 2 ? 1e-11 : 0.1 * mesh.mesh->cell;
    for (int i = 0; i < 1000; ++i) {
      const Vec3 x = random.InBox(reach), y = random.InBox(reach);
      Vec3 n, m;
      const double d = DistanceSmooth(truth, x, n);
      if (d > -0.1) CHECK_NEAR(DistanceSmooth(mesh, x, m), d, exact);
      if (d > -0.1) CHECK_NEAR(Norm(n - m), 0, reach < 2 ? 1e-10 : mesh.mesh->cell);
      const double depth = SegmentDepth(truth, x, y);
      // deeper than that the deepest place may be another one
      CHECK_NEAR(std::min(SegmentDepth(mesh, x, y), 0.05), std::min(depth, 0.05), exact);
    }
  }
}

TEST(ACapsuleOfFacesIsTheCapsule) {
  for (double offset : {0.0, 0.05}) {
    const MeshField field = Fitted(test::Capsule(0.3, 0.4, 30, 32), offset);
    CHECK_EQ(static_cast<int>(field.patch.size()), 3);
    CheckDistances(SurfaceOf(field), CapsuleOf(0.3 + offset, 0.4));
  }
}

// its cylinder one row of long faces, from seam to seam
TEST(ADrawnCapsuleIsTheCapsule) {
  const MeshField field = Fitted(test::DrawnDrum(0.3, 0.7, 0.3, 10, 36));
  CHECK_EQ(static_cast<int>(field.patch.size()), 3);
  CheckDistances(SurfaceOf(field), CapsuleOf(0.3, 0.4));
}

// a cylinder with caps of a larger sphere: a corner of half a radian, which no cable may run over
TEST(PartsThatMeetInACornerAreNoPatches) {
  for (double cap : {0.3, 0.35}) {
    const double height = std::sqrt(cap * cap - 0.3 * 0.3);  // of a rim above the center of its cap
    std::vector<Vec3> profile;
    const double rim = std::asin(0.3 / cap);
    for (int i = 0; i <= 10; ++i) {
      const double angle = rim * i / 10;
      profile.push_back({cap * std::sin(angle), 0, height - 0.4 - cap * std::cos(angle)});
    }
    for (int i = 1; i < 8; ++i) profile.push_back({0.3, 0, 0.1 * i - 0.4});
    for (int i = 10; i >= 0; --i) profile.push_back({profile[i].x, 0, -profile[i].z});
    const MeshField field = Fitted(test::Lathe(profile, 32));
    CHECK_EQ(static_cast<int>(field.patch.size()), cap == 0.3 ? 3 : 0);
  }
}

// a cylinder with caps of a smaller sphere, which end before they reach it: faces that lean like
// both span the gap, and the distance would jump in the middle of them
TEST(PartsThatDoNotMeetAreNoPatches) {
  for (double cap : {0.3, 0.297}) {
    std::vector<Vec3> profile;
    for (int i = 0; i <= 10; ++i) {
      const double angle = 1.4 * i / 10;
      profile.push_back({cap * std::sin(angle), 0, -0.4 - cap * std::cos(angle)});
    }
    for (int i = 0; i <= 8; ++i) profile.push_back({0.3, 0, 0.09 * i - 0.36});
    for (int i = 10; i >= 0; --i) profile.push_back({profile[i].x, 0, -profile[i].z});
    const MeshField field = Fitted(test::Lathe(profile, 32));
    CHECK_EQ(static_cast<int>(field.patch.size()), cap == 0.3 ? 3 : 0);
  }
}

// through the hole of a ring no cable runs that is thicker: nothing is left of the surface inside
TEST(WhereTheCableDoesNotFitThereIsNoSurface) {
  const TriangleMesh ring = test::Torus(1, 0.4, 48, 30);  // a hole of 0.6
  const MeshTree tree(ring);
  for (double offset : {0.5, 0.7}) {
    const MeshField field = Fitted(ring, offset);
    CHECK_EQ(field.patch.empty(), offset > 0.6);
    // faces lie inside the ring by 1 - cos of half their angle, at most 0.006
    for (const Vec3& x : field.sample) CHECK(tree.Distance(x, 1) > offset - 0.006);
  }
}

TEST(ARoundedBoxOfFacesIsTheRoundedBox) {
  for (double offset : {0.0, 0.05}) {
    const bool drawn = offset > 0;
    const TriangleMesh mesh = test::RoundedBox({0.3, 0.2, 0.4}, 0.2, drawn ? 8 : 24, drawn);
    const MeshField field = Fitted(mesh, offset);
    CHECK_EQ(static_cast<int>(field.patch.size()), 26);
    CHECK_EQ(static_cast<int>(field.join.size()), 48);
    CheckDistances(SurfaceOf(field), BoxOf({0.3, 0.2, 0.4}, 0.2 + offset));
  }
}

// distance from a body of revolution, by its profile: a polygon of core points swept by a disk
double ProfileDistance(const std::vector<Vec3>& core, double disk, const Vec3& x) {
  const double rho = std::hypot(x.x, x.y);
  double nearest = 1e300;
  for (size_t i = 0; i + 1 < core.size(); ++i) {
    const double dr = core[i + 1].x - core[i].x, dz = core[i + 1].z - core[i].z;
    const double er = rho - core[i].x, ez = x.z - core[i].z, dd = dr * dr + dz * dz;
    const double u = dd > 0 ? std::clamp((er * dr + ez * dz) / dd, 0.0, 1.0) : 0;
    nearest = std::min(nearest, std::hypot(er - u * dr, ez - u * dz));
  }
  return nearest - disk;
}

// Judges that know nothing of patches: the distance by the profile, and Clairaut's law, which a
// geodesic keeps over every seam.
void CheckTurned(const MeshField& field, const std::function<double(const Vec3&)>& distance,
                 double exact) {
  const Surface s = SurfaceOf(field);
  Random random(6);
  int crossed = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = random.InBox(1.2);
    const double want = distance(x);
    if (want > 0) CHECK_NEAR(Distance(s, x), want, exact);
    const double length = random.Uniform(-2, 2);
    const Geodesic g = Shoot(s, x, random.Direction(), length);
    CHECK_NEAR(distance(g.q), 0, exact);
    const auto clairaut = [](const Vec3& y, const Vec3& t) { return Dot(Cross({0, 0, 1}, y), t); };
    CHECK_NEAR(clairaut(g.p, g.t_p), clairaut(g.q, g.t_q), exact);
    crossed += PatchAt(field, g.p) != PatchAt(field, g.q);
    // the same way back, and in pieces
    const Geodesic back = Shoot(s, g.q, g.t_q, -length);
    CHECK_NEAR(Norm(back.q - g.p), 0, 100 * exact);
    const Geodesic half = Shoot(s, g.p, g.t_p, 0.5 * length);
    const Geodesic rest = Shoot(s, half.q, half.t_q, 0.5 * length);
    CHECK_NEAR(Norm(rest.q - g.q), 0, 10 * exact);
    CHECK_NEAR(half.turn + rest.turn, g.turn, 10 * exact);
  }
  CHECK(crossed > 500);
}

TEST(ADrumWithRoundedRims) {
  const std::vector<Vec3> core = {{0, 0, -0.4}, {0.3, 0, -0.4}, {0.3, 0, 0.4}, {0, 0, 0.4}};
  for (const TriangleMesh& mesh :
       {test::Drum(0.5, 0.6, 0.2, 0.04, 60), test::DrawnDrum(0.5, 0.6, 0.2, 8, 40)}) {
    const MeshField field = Fitted(mesh, 0.02);
    CHECK_EQ(static_cast<int>(field.patch.size()), 5);
    CheckTurned(field, [&](const Vec3& x) { return ProfileDistance(core, 0.22, x); }, 1e-9);
  }
}

TEST(ARoundedCone) {
  const MeshField field = Fitted(test::RoundedCone(0.4, 0.2, 0.8, 0.05, 48), 0.02);
  CHECK_EQ(static_cast<int>(field.patch.size()), 3);
  // two balls and the cone that touches both: in the profile, a ball that shrinks along the axis
  CheckTurned(
      field,
      [&](const Vec3& x) {
        const double rho = std::hypot(x.x, x.y), lean = std::asin(0.25);
        // the foot on the axis of the line that leaves the cone at a right angle
        const double foot = std::clamp(x.z - rho * std::tan(lean), 0.0, 0.8);
        return std::hypot(rho, x.z - foot) - (0.42 - 0.25 * foot);
      },
      1e-9);
}

// A spool: a waist between two flanges, hollow rims at the waist, round rims outside.
TEST(ASpoolWithHollowRims) {
  const double q = std::acos(0.0);
  const std::vector<test::Arc> arcs = test::SpoolProfile();
  for (double offset : {0.0, 0.02}) {
    const MeshField field = Fitted(test::Spool(0.02, 90), offset);
    // four planes, the waist, a torus at each rim
    CHECK_EQ(static_cast<int>(field.patch.size()), 9);
    CHECK_EQ(static_cast<int>(field.join.size()), 8);
    // of the profile: its arcs, and the lines between their ends
    const auto distance = [&](const Vec3& x) {
      const double rho = std::hypot(x.x, x.y);
      double nearest = 1e300;
      double end[2] = {0, -0.5};
      for (const test::Arc& arc : arcs) {
        const double from[2] = {arc.rho + arc.radius * std::cos(arc.from),
                                arc.z + arc.radius * std::sin(arc.from)};
        nearest =
            std::min(nearest, ProfileDistance({{end[0], 0, end[1]}, {from[0], 0, from[1]}}, 0, x));
        end[0] = arc.rho + arc.radius * std::cos(arc.to);
        end[1] = arc.z + arc.radius * std::sin(arc.to);
        double angle = std::atan2(x.z - arc.z, rho - arc.rho);
        const double low = std::min(arc.from, arc.to), high = std::max(arc.from, arc.to);
        while (angle < low) angle += 4 * q;
        while (angle > high) angle -= 4 * q;
        if (angle < low) continue;
        nearest = std::min(nearest, std::abs(std::hypot(rho - arc.rho, x.z - arc.z) - arc.radius));
      }
      return nearest;
    };
    const Surface s = SurfaceOf(field);
    Random random(9);
    int hollow = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 x = random.InBox(0.8);
      const double want = distance(x), found = Distance(s, x);
      // near it exact; afar, in the hollow, a sample's
      if (found > 0) CHECK_NEAR(found, want - offset, found < 2 * field.cell ? 1e-9 : field.cell);
      const double length = random.Uniform(-1, 1);
      const Geodesic g = Shoot(s, x, random.Direction(), length);
      CHECK_NEAR(distance(g.q), offset, 1e-9);
      const auto clairaut = [](const Vec3& y, const Vec3& t) {
        return Dot(Cross({0, 0, 1}, y), t);
      };
      CHECK_NEAR(clairaut(g.p, g.t_p), clairaut(g.q, g.t_q), 1e-9);
      CHECK_NEAR(Norm(Shoot(s, g.q, g.t_q, -length).q - g.p), 0, 1e-6);
      hollow += g.least_bending < -1;
    }
    CHECK(hollow > 200);
  }
}

}  // namespace
}  // namespace mujocable
