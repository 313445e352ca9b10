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
class MeshShape {
 public:
  explicit MeshShape(const TriangleMesh& mesh);

  int SharpEdges() const { return sharp_; }       // that turn outward
  double Width() const { return width_; }         // of a typical small face                [m]
  double LeastRadius() const { return radius_; }  // of curvature, smooth places alone       [m]
  double Narrowest() const { return narrow_; }    // of the three sides of its box           [m]
  double Widest() const { return wide_; }
  double Extent() const { return extent_; }  // half the diagonal of its box                 [m]

  // `spacing`: of the points on faces larger than that
  std::vector<Sample> Samples(double spacing, double rounding, double offset) const;

  // points on edges that turn inward, no further apart than `spacing`, moved out by the offset;
  // without those of dents
  std::vector<Vec3> Hollows(double spacing, double offset) const;

  const TriangleMesh& mesh() const { return mesh_; }
  const std::vector<MeshEdge>& edges() const { return edge_; }
  int Creases() const { return creases_; }  // edges that are sharp, inward or outward
  const Vec3& Normal(int face, int corner) const { return normal_[face][corner]; }
  const Vec3& FaceNormal(int face) const { return face_normal_[face]; }
  double VertexArea(int vertex) const { return vertex_area_[vertex]; }  // a third of its faces

 private:
  friend class Sampler;
  void MeasureFaces();
  void FindCreases();
  void FindNormals();
  void FindCurvature();
  bool IsDent(const Vec3& x, const Vec3& out, std::vector<Vec3>& outermost) const;
  Vec3 Vertex(int face, int corner) const { return mesh_.vertex[mesh_.face[face][corner]]; }

  const TriangleMesh& mesh_;
  std::vector<MeshEdge> edge_;
  std::vector<char> crease_;  // per edge
  std::vector<Vec3> face_normal_;
  std::vector<std::array<Vec3, 3>> normal_;  // at the corners of each face
  std::vector<char> on_crease_;              // per vertex
  std::vector<double> vertex_area_;
  int sharp_ = 0, creases_ = 0;
  double width_ = 0, radius_ = 0, narrow_ = 0, wide_ = 0, extent_ = 0;
  double sag_ = 0;  // how far smooth faces lie inside the surface they stand for           [m]
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_SAMPLE_H_
