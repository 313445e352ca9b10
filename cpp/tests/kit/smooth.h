// Random smooth surfaces.

#ifndef MUJOCABLE_TESTS_KIT_SMOOTH_H_
#define MUJOCABLE_TESTS_KIT_SMOOTH_H_

#include <algorithm>
#include <iterator>

#include "core/surface/surface.h"
#include "tests/kit/random.h"

namespace mujocable::test {

// without a closed form, all but meshes; every test that takes one at random takes it from here
inline constexpr SurfaceKind kSmoothKinds[] = {SurfaceKind::kEllipsoid, SurfaceKind::kTorus,
                                               SurfaceKind::kCapsule, SurfaceKind::kBox};
// those that are convex
inline constexpr SurfaceKind kConvexKinds[] = {SurfaceKind::kEllipsoid, SurfaceKind::kCapsule,
                                               SurfaceKind::kBox};

// of a kind, about `scale` large, anywhere near the origin
inline Surface RandomSmooth(Random& random, SurfaceKind kind, double scale) {
  Surface s;
  s.kind = kind;
  s.rot = random.Rotation();
  s.pos = scale * random.InBox(0.5);
  const auto size = [&](double low, double high) { return scale * random.Uniform(low, high); };
  // no default: the compiler names a kind that is not here
  switch (kind) {
    case SurfaceKind::kEllipsoid:
      for (double& x : s.size) x = size(0.3, 0.8);
      s.offset = random.Chance(0.5) ? size(0.01, 0.1) : 0;
      s.radius = std::min({s.size[0], s.size[1], s.size[2]}) + s.offset;
      break;
    case SurfaceKind::kTorus:
      s.size[0] = size(0.5, 1);
      s.radius = random.Uniform(0.1, 0.5) * s.size[0];
      break;
    case SurfaceKind::kCapsule:
      s.size[2] = size(0.1, 0.8);
      s.radius = size(0.1, 0.5);
      break;
    case SurfaceKind::kBox:
      for (double& x : s.size) x = size(0.1, 0.6);
      s.radius = size(0.02, 0.3);
      break;
    case SurfaceKind::kCylinder:
    case SurfaceKind::kSphere:
    case SurfaceKind::kMesh:
      break;
  }
  return s;
}

}  // namespace mujocable::test

#endif  // MUJOCABLE_TESTS_KIT_SMOOTH_H_
