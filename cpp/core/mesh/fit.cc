#include "core/mesh/fit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/math/hash.h"
#include "core/mesh/make.h"
#include "core/mesh/sample.h"
#include "core/mesh/tolerance.h"

namespace mujocable {

namespace {

// samples onto the surface; deviations, curvatures
void Survey(const MeshShape& shape, const std::vector<Sample>& samples, MeshField& f) {
  // nodes near a hollow of the mesh
  std::vector<float> hollow(f.Nodes(), 0);
  for (const Vec3& x : shape.Hollows(f.cell, f.offset)) hollow[f.Near(x)] = 1;
  for (int i = 0; i < kHollowReach; ++i) Spread(f, hollow);

  // notes how wavy the surface is at x, `apart` from what it was fitted to; the larger of the
  // principal curvatures there
  f.waviness.assign(f.Nodes(), 0);
  const auto survey = [&](const Vec3& x, double apart) {
    const Jet jet = Evaluate(f, x);
    const double g = Norm(jet.g);
    const Vec3 n = Unit(jet.g), u = Perpendicular(n), v = Cross(n, u);
    const double uu = Dot(u, jet.Times(u)) / g, vv = Dot(v, jet.Times(v)) / g,
                 uv = Dot(u, jet.Times(v)) / g;
    const double mean = 0.5 * (uu + vv), half = 0.25 * (uu - vv) * (uu - vv),
                 spread = std::sqrt(half + uv * uv);
    const std::int64_t at = f.Near(x);
    const double own = hollow[at] > 0 ? 0 : std::max(0.0, spread - mean);
    const double most = std::max(kWavier * own, 4 * apart / (f.cell * f.cell));
    f.waviness[at] = std::max(f.waviness[at], static_cast<float>(most));
    return std::abs(mean) + spread;
  };
  Deviation& deviation = f.deviation;
  deviation = {};
  f.sample.clear();
  for (const Sample& s : samples) f.sample.push_back(s.x);
  double sum = 0, area = 0;
  std::vector<std::pair<double, double>> radii;  // and the area that has it
  Jet jet;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Vec3 x = f.sample[i] = Drop(f, samples[i].x, jet);
    const double apart = Norm(x - samples[i].x);
    deviation.most = std::max(deviation.most, apart);
    sum += samples[i].area * apart * apart;
    area += samples[i].area;
    radii.emplace_back(1 / std::max(survey(x, apart), 1e-9 / f.extent), samples[i].area);
  }
  deviation.rms = area > 0 ? std::sqrt(sum / area) : 0;
  f.radius = std::clamp(Quantile(radii, kSharpShare), f.cell, 0.5 * shape.narrowest + f.offset);

  // the mesh itself, moved out by the offset
  const TriangleMesh& mesh = shape.mesh;
  const auto away = [&](const Vec3& x) {
    const Vec3 y = InBand(f, x) ? Drop(f, x, jet) : SampleNear(f, x);
    const double outside = Dot(x - y, Evaluate(f, y).g) > 0 ? 1 : -1;
    return std::abs(outside * Norm(x - y) + f.offset);
  };
  for (const Vec3& x : mesh.vertex) deviation.edge = std::max(deviation.edge, away(x));
  for (size_t i = 0; i < mesh.face.size(); ++i) {
    deviation.facet = std::max(deviation.facet, away(mesh.Middle(i)));
  }
  // between the samples too
  for (std::int64_t i = 0; i < f.Nodes(); ++i) {
    if (std::abs(f.distance[i]) > f.cell) continue;
    const Vec3 x = Drop(f, f.At(i), jet);
    if (Norm(jet.g) > kLeastGradient) survey(x, 0);
  }
  for (int i = 0; i < kWavyReach; ++i) Spread(f, f.waviness);
}

// How long a step of a geodesic may be around each node. The spline is a polynomial in each cell;
// how much they differ, the sixth differences of the coefficients tell, and a step of order eight
// errs by the eighth power of its length in cells.
void FindReach(MeshField& f) {
  const std::int64_t nodes = f.Nodes();
  std::vector<float> rough(nodes, 0);
  for (std::int64_t i = 0; i < nodes; ++i) {
    // (so near to the surface the border of the grid is farther away: kMargin)
    if (std::abs(f.distance[i]) > (kBand + 1) * f.cell) continue;
    for (std::int64_t s : {f.Slab(), f.Row(), std::int64_t{1}}) {
      const double* c = f.coefficient.data() + i;
      const double sixth =
          c[3 * s] + c[-3 * s] - 6 * (c[2 * s] + c[-2 * s]) + 15 * (c[s] + c[-s]) - 20 * c[0];
      rough[i] = std::max(rough[i], static_cast<float>(std::abs(sixth)));
    }
  }
  Spread(f, rough);
  f.reach.resize(nodes);
  for (std::int64_t i = 0; i < nodes; ++i) {
    const double error = kRoughError * rough[i] / f.cell;
    const double cells = std::pow(kReachError / std::max(error, 1e-3 * kReachError), 1.0 / 8);
    f.reach[i] = static_cast<float>(f.cell * std::clamp(cells, kLeastReach, kMostReach));
  }
}

std::uint64_t HashOf(const MeshField& f) {
  Hash hash;
  hash.Bytes(&f.cell, sizeof f.cell);
  hash.Bytes(&f.origin, sizeof f.origin);
  hash.Bytes(f.n, sizeof f.n);
  hash.Bytes(f.coefficient.data(), f.coefficient.size() * sizeof(double));
  hash.Bytes(f.patch.data(), f.patch.size() * sizeof(Primitive));
  return hash.Bits();
}

// the coarsest cell that is tried, and the finest
std::pair<double, double> Cells(const MeshShape& shape, const FitOptions& options) {
  double first = std::min(kCellPerRadius * (shape.least_radius + options.offset),
                          kCellPerNarrowest * (shape.narrowest + 2 * options.offset));
  double last = kCellPerWidth * shape.width;
  if (shape.sharp > 0) {
    // the rounding of the edges follows from it: it is chosen once
    first =
        std::min(first, shape.narrowest / kNarrowestCells + kEdgeCellPerOffset * options.offset);
    if (options.rounding > 0) {
      first = std::min(first, (options.rounding + options.offset) / kEdgeCells);
    }
    last = first;
  }
  if (options.cell > 0) first = last = options.cell;
  const double least = shape.widest / kWidestCells;
  first = std::max(first, least);
  return {first, std::clamp(last, least, first)};
}

// the coarsest spline that keeps to its samples; why there is none
std::string FitSplineField(const MeshShape& shape, const FitOptions& options, MeshField& f) {
  f = {};
  f.offset = options.offset;
  auto [cell, last] = Cells(shape, options);
  const double tries = 1 + std::ceil(std::log(cell / last) / -std::log(kFiner) - 1e-9);
  std::vector<Sample> samples;
  for (int k = 0;; ++k) {
    if (shape.sharp > 0) {
      const double least = std::max(0.0, kEdgeCells * cell - options.offset);
      if (options.rounding > 0 && options.rounding < 0.999 * least) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "rounding %.4g m is too small for its size; the least that can be resolved "
                      "is %.4g m",
                      options.rounding, least);
        return text;
      }
      f.rounding = options.rounding > 0 ? options.rounding : least;
    }
    samples = shape.Samples(cell, f.rounding, options.offset);
    if (samples.size() < 8) {
      return "leaves no place for a cable: its edges are too sharp or it is too thin";
    }
    if (!MakeGrid(samples, cell, f)) return "needs too fine a grid for its size";
    FitSpline(samples, f, [&](double share) {
      if (options.progress) options.progress(std::min(1.0, (k + share) / tries));
    });
    Survey(shape, samples, f);
    if (cell <= last || f.deviation.rms <= kDeviation * f.extent) break;
    cell = std::max(last, kFiner * cell);
  }
  FindReach(f);
  return "";
}

}  // namespace

std::string FitField(const TriangleMesh& mesh, const FitOptions& options, MeshField& f) {
  const MeshShape shape(mesh);
  const bool exact =
      options.patches && options.cell == 0 && MakePatchField(shape, options.offset, f);
  const std::string why = exact ? "" : FitSplineField(shape, options, f);
  f.faces = static_cast<int>(mesh.face.size());
  f.hash = HashOf(f);
  return why;
}

}  // namespace mujocable
