// A solid's boundary as the zero level of a function: what a mesh is compiled to.
//
// Where the mesh consists of surfaces known exactly (patch.h), the distance from the one that
// is nearest. Else a spline: quintic B-splines on a uniform grid, four times continuously
// differentiable, so a geodesic on it is smooth enough for an integrator of high order. One
// evaluation reads 6 x 6 x 6 coefficients around the point, however many faces the mesh had.
// Farther away than a few cells the field is known by the distance at the nodes of the grid and the
// surface point nearest to each of them.

#ifndef MUJOCABLE_CORE_MESH_FIELD_H_
#define MUJOCABLE_CORE_MESH_FIELD_H_

#include <array>
#include <cstdint>
#include <vector>

#include "core/math/geodesic.h"
#include "core/mesh/primitive.h"

namespace mujocable {

// how well the surface keeps to the mesh that it was made of, the mesh moved out by the offset
struct Deviation {
  double rms = 0;    // of the samples: vertices, points on large faces, rounded edges       [m]
  double most = 0;   // of the same                                                          [m]
  double facet = 0;  // largest distance of a face's center, flat as it is, from the surface [m]
  double edge = 0;   // largest distance of a vertex, on a sharp edge too                    [m]
};

// nodes as far apart along all axes
struct Grid {
  double cell = 0;  // spacing                                                              [m]
  Vec3 origin;      // of node 0, 0, 0
  int n[3] = {};    // nodes; z runs fastest

  // how far apart the indices of neighbors are: along z they follow each other
  std::int64_t Row() const { return n[2]; }           // along y
  std::int64_t Slab() const { return n[1] * Row(); }  // along x
  std::int64_t Nodes() const { return n[0] * Slab(); }
  // numbers of a node along each axis
  std::array<int, 3> Numbers(std::int64_t node) const {
    return {static_cast<int>(node / Slab()), static_cast<int>(node / Row() % n[1]),
            static_cast<int>(node % Row())};
  }
  Vec3 At(std::int64_t node) const {
    const auto [x, y, z] = Numbers(node);
    return origin + Vec3{x * cell, y * cell, z * cell};
  }
  // node nearest to x, of the border for a point outside; where it is
  std::int64_t Near(const Vec3& x, Vec3& node) const;
  std::int64_t Near(const Vec3& x) const {
    Vec3 node;
    return Near(x, node);
  }
};

struct MeshField : Grid {
  std::vector<double> coefficient;  // of the spline
  std::vector<Primitive> patch;     // or, where there are any, the surfaces it consists of
  std::vector<Join> join;
  std::vector<float> distance;  // signed, at each node                              [m]
  std::vector<float> reach;     // how long a step of a geodesic may be around it; of patches:
                                // how far the nearest join is, and less          [m]
  std::vector<float> waviness;  // curvature of hollows that are the fit's, not the mesh's [1/m]
  std::vector<std::int32_t> nearest;  // the sample nearest to each node
  std::vector<std::int32_t> owner;    // patch of each sample
  std::vector<std::int32_t> first;    // of the joins near each node
  std::vector<std::int32_t> near;     // their indices, node after node
  std::vector<Vec3> sample;           // on the surface
  double radius = 0;                  // of curvature, where it bends sharply               [m]
  double extent = 0;                  // half the diagonal of its box                       [m]
  double offset = 0;                  // how far outside the mesh it runs (the cable)       [m]
  double rounding = 0;                // of sharp edges, inside the mesh                    [m]
  int faces = 0;                      // of the mesh
  Deviation deviation;
  std::uint64_t hash = 0;  // of everything it was made of
};

inline constexpr int kSupport = 6;  // coefficients along each axis that a point sees

// The coefficients that a point sees, and their weights: by coefficient, then by axis (the last of
// four is none). A point outside the grid is taken to its border.
struct SplinePlace {
  std::int64_t first;  // index of the first coefficient
  double w[kSupport][4], d[kSupport][4], dd[kSupport][4];
};

SplinePlace PlaceOf(const MeshField& field, const Vec3& x);

// the patch whose part of the surface is nearest to x
int PatchAt(const MeshField& field, const Vec3& x);

Jet Evaluate(const MeshField& field, const Vec3& x);
double Value(const MeshField& field, const Vec3& x);

// value and gradient, by the coefficients at hand
double Value(const MeshField& field, const double* coefficient, const SplinePlace& at,
             Vec3& gradient);

// Onto the surface along the gradient, from where spline or patches are the field; `jet` is that of
// the point returned.
Vec3 Drop(const MeshField& field, Vec3 x, Jet& jet);
inline Vec3 Drop(const MeshField& field, const Vec3& x) {
  Jet jet;
  return Drop(field, x, jet);
}

// the sample nearest to the node near x
inline const Vec3& SampleNear(const MeshField& field, const Vec3& x) {
  return field.sample[field.nearest[field.Near(x)]];
}

// how long a step of a geodesic at x may be, between the nodes around it
double ReachAt(const MeshField& field, const Vec3& x);

// hollows at x bent less than this are not the shape's
double WavinessAt(const MeshField& field, const Vec3& x);

// whether x lies where spline or patches are the field, within a few cells of the surface
bool InBand(const MeshField& field, const Vec3& x);

// A geodesic over a field of patches, on from p, t_p and n_p of `g`, which lie on the surface. Each
// patch is left where its geodesic meets a join, exactly: nothing is integrated across a jump of
// curvature.
void ShootOverPatches(const MeshField& f, double length, Geodesic& g);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_FIELD_H_
