// Points with normals where a cable's center may run over a mesh: what a field is fitted to.
//
// A mesh means the smooth surface through its vertices: large faces are filled with points of a
// curved patch, not of the flat triangle. Edges that turn by more than kCrease are meant sharp: a
// cable cannot follow one, they are rounded by `rounding` inside the mesh. The cable's own radius
// then moves everything outward along the normals.

#ifndef MUJOCABLE_CORE_MESH_SAMPLE_H_
#define MUJOCABLE_CORE_MESH_SAMPLE_H_

#include <utility>
#include <vector>

#include "core/mesh/mesh.h"

namespace mujocable {

struct Sample {
  Vec3 x, n;
  double area = 0;  // of the surface that it stands for                                    [m^2]
};

// the value below which a share of the weights lies; pairs of value and weight, sorted by it
double Quantile(std::vector<std::pair<double, double>>& values, double share);

// normals and edges of a mesh without faults
struct MeshShape {
  explicit MeshShape(const TriangleMesh& of);

  // `spacing`: of the points on faces larger than that
  std::vector<Sample> Samples(double spacing, double rounding, double offset) const;

  // points on edges that turn inward, no further apart than `spacing`, moved out by the offset;
  // without those of dents
  std::vector<Vec3> Hollows(double spacing, double offset) const;

  const TriangleMesh& mesh;
  std::vector<MeshEdge> edge;
  std::vector<Vec3> face_normal;
  std::vector<std::array<Vec3, 3>> normal;  // at the corners of each face
  std::vector<double> vertex_area;          // a third of its faces                       [m^2]
  int creases = 0, sharp = 0;               // edges that are sharp; of these that turn outward
  double width = 0;                         // of a typical small face                      [m]
  double least_radius = 0;                  // of curvature, smooth places alone            [m]
  double narrowest = 0, widest = 0;         // of the three sides of its box                [m]
  double extent = 0;                        // half the diagonal of its box                 [m]
  double sag = 0;  // how far smooth faces lie inside the surface they stand for            [m]

 private:
  void MeasureFaces();
  void FindCreases();
  void FindNormals();
  void FindCurvature();
  bool IsDent(const Vec3& x, const Vec3& out, std::vector<Vec3>& outermost) const;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_SAMPLE_H_
