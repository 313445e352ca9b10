// Which meshes consist of exact surfaces, and which do not.

#include "core/mesh/patch.h"

#include "core/math/angle.h"
#include "core/mesh/primitive.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/solids.h"

namespace mujocable {
namespace {

using test::Random;

struct Found {
  bool all = false;
  int count[5] = {};
  Patches patches;
};

Found Find(const TriangleMesh& mesh) {
  Found found;
  const MeshShape shape(mesh);
  found.all = FindPatches(shape, found.patches);
  for (const Primitive& s : found.patches.primitive) ++found.count[static_cast<int>(s.kind)];
  return found;
}

void CheckFound(const TriangleMesh& mesh, const std::array<int, 5>& want, int joins) {
  // vertices in double precision, and as a model keeps them
  for (const TriangleMesh& made : {mesh, test::Single(mesh)}) {
    const Found found = Find(made);
    CHECK(found.all);
    for (int k = 0; k < 5; ++k) CHECK_EQ(found.count[k], want[k]);
    CHECK_EQ(static_cast<int>(found.patches.join.size()), joins);
    for (size_t j = 0; j < found.patches.join.size(); ++j) {
      const Join& join = found.patches.join[j];
      CHECK(!found.patches.seam[j].empty());
      for (const auto& piece : found.patches.seam[j]) {
        // no step and no corner, however the vertices were rounded
        Vec3 n, m;
        const auto& all = found.patches.primitive;
        CHECK_NEAR(DistanceOf(all[join.patch[0]], piece[0], n), 0, 1e-12);
        CHECK_NEAR(DistanceOf(all[join.patch[1]], piece[0], m), 0, 1e-11);
        CHECK_NEAR(Norm(n - m), 0, 1e-8);
        CHECK_NEAR(Beyond(join, piece[0]), 0, 1e-8);
      }
    }
  }
}

TEST(PartsAreFoundWithTheirSeams) {
  // planes, spheres, cylinders, cones, tori; joins
  CheckFound(test::Ellipsoid({0.4, 0.4, 0.4}, 12), {0, 1, 0, 0, 0}, 0);
  CheckFound(test::Torus(1, 0.4, 48, 30), {0, 0, 0, 0, 1}, 0);
  CheckFound(test::Capsule(0.3, 0.4, 30, 32), {0, 2, 1, 0, 0}, 2);
  CheckFound(test::Drum(0.5, 0.6, 0.2, 0.04, 60), {2, 0, 1, 0, 2}, 4);
  CheckFound(test::RoundedCone(0.4, 0.2, 0.8, 0.05, 48), {0, 2, 0, 1, 0}, 2);
  CheckFound(test::RoundedBox({0.3, 0.2, 0.4}, 0.2, 24), {6, 8, 12, 0, 0}, 48);
  // so coarse that rows across a seam are on a surface of their own, by chance
  CheckFound(test::RoundedBox({0.3, 0.2, 0.4}, 0.2, 10), {6, 8, 12, 0, 0}, 48);
}

TEST(PartsAreFoundThatHaveNoVertexOfTheirOwn) {
  CheckFound(test::DrawnDrum(0.5, 0.6, 0.2, 8, 40), {2, 0, 1, 0, 2}, 4);
  CheckFound(test::DrawnDrum(0.3, 0.7, 0.3, 10, 36), {0, 2, 1, 0, 0}, 2);  // a capsule
  CheckFound(test::RoundedBox({0.3, 0.2, 0.4}, 0.2, 8, true), {6, 8, 12, 0, 0}, 48);
}

// any size, any pose, coordinates as a model keeps them; at least six rows of vertices on a patch
TEST(PartsAreFoundAtAnySizeAndPose) {
  Random random(1);
  for (int i = 0; i < 40; ++i) {
    const double a = random.Uniform(0.2, 0.6), b = random.Uniform(0.7, 1),
                 c = random.Uniform(6, 10);
    const int n = 30 + random.Index(30);
    TriangleMesh mesh;
    if (i % 4 == 0) mesh = test::Capsule(a, b, 2 * n, n);
    if (i % 4 == 1) mesh = test::Drum(a, b, 0.5 * a, 0.5 * a / c, n);
    if (i % 4 == 2) mesh = test::RoundedCone(a, 0.6 * a, b, 0.6 * a / c, n);
    if (i % 4 == 3) mesh = test::Torus(1, a, n, n);
    const Mat3 pose = random.Rotation();
    const Vec3 at = random.InBox(0.3);
    for (Vec3& x : mesh.vertex) x = at + Rotate(pose, x);
    const Found found = Find(test::Single(mesh));
    CHECK(found.all);
    const int joins[] = {2, 4, 2, 0};
    CHECK_EQ(static_cast<int>(found.patches.join.size()), joins[i % 4]);
  }
}

TEST(OtherShapesAreLeftAlone) {
  CHECK(!Find(test::Ellipsoid({0.4, 0.41, 0.4}, 16)).all);
  CHECK(!Find(test::Box({1, 1, 1})).all);
  // one vertex out of place
  TriangleMesh mesh = test::Capsule(0.3, 0.4, 30, 32);
  mesh.vertex[200] += Vec3{1e-5, 1e-5, 1e-5};
  CHECK(!Find(mesh).all);
  // a bulge that no eye sees, of a capsule that is none
  mesh = test::Capsule(0.3, 0.4, 30, 32);
  for (Vec3& x : mesh.vertex) x.x *= 1 + 1e-4;
  CHECK(!Find(mesh).all);
}

// A capsule with a flat along it: every vertex is a point of the capsule, the flat is not.
TEST(AFlatCutIntoACylinderIsNoCylinder) {
  TriangleMesh mesh = test::Capsule(0.3, 0.4, 30, 60);
  CHECK(Find(mesh).all);
  for (Vec3& x : mesh.vertex) {
    // the last tenth of the circle is one face
    const double rho = std::hypot(x.x, x.y), angle = std::atan2(x.y, x.x);
    const double turned = 0.9 * 60 / 59.0 * (angle < -1e-9 ? angle + 2 * kPi : angle);
    x = {rho * std::cos(turned), rho * std::sin(turned), x.z};
  }
  CHECK_EQ(FaultOf(mesh), "");
  CHECK(!Find(mesh).all);
}

TEST(JoinsTellTheirSides) {
  const Found found = Find(test::Drum(0.5, 0.6, 0.2, 0.04, 60));
  Random random(3);
  for (const Join& join : found.patches.join) {
    for (int i = 0; i < 50; ++i) {
      const Vec3 x = random.InBox(1);
      Vec3 g, other;
      const double h = 1e-6, at = Beyond(join, x, g);
      CHECK_EQ(Beyond(join, x), at);
      for (const Vec3& v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        const double above = Beyond(join, x + h * v, other), below = Beyond(join, x - h * v, other);
        CHECK_NEAR(Dot(g, v), (above - below) / (2 * h), 1e-8);
      }
    }
  }
}

}  // namespace
}  // namespace mujocable
