// What a mesh may be: every fault is found, named and counted; sound meshes pass.

#include "core/mesh/mesh.h"

#include "core/mesh/tree.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"
#include "tests/kit/solids.h"

namespace mujocable {
namespace {

bool Says(const std::string& text, const std::string& words) {
  if (text.find(words) != std::string::npos) return true;
  std::printf("got: '%s'\n", text.c_str());
  return false;
}

TEST(SoundMeshesHaveNoFault) {
  CHECK_EQ(FaultOf(test::Box({1, 2, 3})), "");
  CHECK_EQ(FaultOf(test::Ellipsoid({1, 0.5, 2}, 6)), "");
  CHECK_EQ(FaultOf(test::Torus(1, 0.3, 20, 12)), "");
}

TEST(WeldingMakesOneVertexOfMany) {
  const TriangleMesh box = test::Box({1, 1, 1});
  TriangleMesh soup;
  for (const auto& f : box.face) {
    const int first = static_cast<int>(soup.vertex.size());
    for (int v : f) soup.vertex.push_back(box.vertex[v]);
    soup.face.push_back({first, first + 1, first + 2});
  }
  CHECK(Says(FaultOf(soup), "is open: 36 edges belong to one face only"));
  const TriangleMesh welded = Weld(soup);
  CHECK_EQ(welded.vertex.size(), box.vertex.size());
  CHECK_EQ(FaultOf(welded), "");
  // faces without area go with the welding, vertices without a face too
  soup.face.push_back({0, 0, 1});
  soup.vertex.push_back({7, 7, 7});
  CHECK_EQ(Weld(soup).face.size(), box.face.size());
  CHECK_EQ(Weld(soup).vertex.size(), box.vertex.size());
}

TEST(EmptyAndOpenMeshes) {
  CHECK(Says(FaultOf({}), "has no faces"));
  TriangleMesh open = test::Box({1, 1, 1});
  open.face.pop_back();
  CHECK(Says(FaultOf(open), "is open: 3 edges belong to one face only, ("));
}

TEST(EdgesOfThreeFaces) {
  TriangleMesh mesh = test::Box({1, 1, 1});
  mesh.vertex.push_back({5, 5, 5});
  mesh.face.push_back({0, 1, 8});
  CHECK(Says(FaultOf(mesh), "is not manifold: 1 edge belongs to more than two faces"));
}

TEST(SolidsThatMeetAtAPoint) {
  TriangleMesh mesh = test::Box({1, 1, 1});
  const TriangleMesh other = test::Box({1, 1, 1});
  for (const Vec3& x : other.vertex) mesh.vertex.push_back(x + Vec3{2, 2, 2});
  for (const auto& f : other.face) mesh.face.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  CHECK(Says(FaultOf(Weld(mesh)), "touch only at a point at 1 vertex, (1, 1, 1)"));
}

TEST(TurnedFaces) {
  TriangleMesh mesh = test::Box({1, 1, 1});
  std::swap(mesh.face[3][0], mesh.face[3][1]);
  CHECK(Says(FaultOf(mesh), "is not oriented: its faces disagree about outside at 3 edges"));
  for (auto& f : mesh.face) std::swap(f[0], f[1]);
  std::swap(mesh.face[3][0], mesh.face[3][1]);
  CHECK(Says(FaultOf(mesh), "is inside out: its faces enclose a volume of -8 m^3"));
}

TEST(SelfIntersections) {
  // two boxes pushed into each other
  TriangleMesh mesh = test::Box({1, 1, 1});
  for (const Vec3& x : test::Box({1, 1, 1}).vertex) mesh.vertex.push_back(x + Vec3{0.9, 0.7, 0.8});
  for (const auto& f : test::Box({1, 1, 1}).face) {
    mesh.face.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  }
  CHECK(Says(FaultOf(mesh), "cuts itself: "));
  CHECK(Says(FaultOf(mesh), "pairs of faces intersect, faces "));
  // side by side they are sound
  for (size_t i = 8; i < 16; ++i) mesh.vertex[i] += Vec3{2, 0, 0};
  CHECK_EQ(FaultOf(mesh), "");
}

TEST(NearestPointsMatchBruteForce) {
  test::Random random(1);
  const TriangleMesh mesh = test::Torus(1, 0.4, 24, 16);
  const MeshTree tree(mesh);
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = random.InBox(2);
    double best = 1e300;
    for (const auto& f : mesh.face) {
      const Vec3 corner[] = {mesh.vertex[f[0]], mesh.vertex[f[1]], mesh.vertex[f[2]]};
      const double apart = std::sqrt(SquaredFrom(x, corner[0], corner[1], corner[2]));
      best = std::min(best, apart);
      // points all over it: none is nearer, one is about as near
      double least = 1e300, side = 0;
      for (int j = 0; j <= 20; ++j) {
        for (int k = 0; j + k <= 20; ++k) {
          const Vec3 y = (1.0 / 20) * (double(j) * corner[0] + double(k) * corner[1] +
                                       double(20 - j - k) * corner[2]);
          least = std::min(least, Norm(x - y));
        }
      }
      for (int k = 0; k < 3; ++k) side = std::max(side, Norm(corner[(k + 1) % 3] - corner[k]));
      CHECK(apart <= least + 1e-15 && least <= apart + side / 20);
    }
    CHECK_NEAR(tree.Distance(x, 1e3), best, 1e-14);
    CHECK_NEAR(tree.Distance(x, 0.1), std::min(best, 0.1), 1e-14);
  }
}

}  // namespace
}  // namespace mujocable
