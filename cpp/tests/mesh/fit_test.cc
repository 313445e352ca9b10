// How fine the grid of a spline is.

#include "core/mesh/fit.h"

#include "tests/kit/check.h"
#include "tests/kit/solids.h"

namespace mujocable {
namespace {

MeshField Fit(const TriangleMesh& mesh, double cell) {
  FitOptions options;
  options.cell = cell;
  options.patches = false;
  MeshField field;
  CHECK(FitField(mesh, options, field).empty());
  return field;
}

// a tenth of the narrowest side is tried first
TEST(TheGridIsRefinedWhereItIsTooCoarseForItsSamplesAndOnlyThere) {
  int kept = 0, refined = 0;
  for (const double least : {0.3, 0.22}) {
    const TriangleMesh mesh = test::Ellipsoid({1, 0.6, least}, 26);
    const MeshField coarse = Fit(mesh, 0.2 * least), field = Fit(mesh, 0);
    const bool near = coarse.deviation.rms <= 1e-5 * coarse.extent;
    (near ? kept : refined) += 1;
    if (near) {
      CHECK_NEAR(field.cell, coarse.cell, 1e-9);
    } else {
      CHECK(field.cell < 0.99 * coarse.cell);
    }
  }
  CHECK_EQ(kept, 1);
  CHECK_EQ(refined, 1);
}

}  // namespace
}  // namespace mujocable
