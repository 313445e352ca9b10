#include <algorithm>
#include <cmath>

#include "core/mesh/make.h"
#include "core/mesh/mesh.h"
#include "core/mesh/tolerance.h"

namespace mujocable {

std::vector<std::int32_t> NearestOf(const std::vector<Sample>& samples, const Grid& grid) {
  const std::int64_t nodes = grid.Nodes();
  std::vector<std::int32_t> nearest(nodes, -1);
  std::vector<double> best(nodes, 1e300);
  const auto offer = [&](std::int64_t node, const Vec3& x, std::int32_t sample) {
    const Vec3 d = x - samples[sample].x;
    const double squared = Dot(d, d);
    if (squared < best[node]) {
      best[node] = squared;
      nearest[node] = sample;
    }
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    VisitAround(grid, grid.Near(samples[i].x), 1,
                [&](std::int64_t node, int) { offer(node, grid.At(node), static_cast<int>(i)); });
  }
  for (int pass = 0; pass < 4; ++pass) {
    const bool forward = pass % 2 == 0;
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::int64_t node = forward ? i : nodes - 1 - i;
      const Vec3 x = grid.At(node);
      VisitAround(grid, node, 1, [&](std::int64_t other, int) {
        if (nearest[other] >= 0) offer(node, x, nearest[other]);
      });
    }
  }
  return nearest;
}

namespace {

// Near the surface the side is that of the nearest sample's plane; elsewhere what the border
// reaches is outside.
void FindDistances(const std::vector<Sample>& samples, MeshField& f) {
  const std::int64_t nodes = f.Nodes();
  f.distance.assign(nodes, 0);
  const auto near = [&](std::int64_t i) {
    const Vec3 d = f.At(i) - samples[f.nearest[i]].x;
    return Dot(d, d) < 4 * f.cell * f.cell;
  };
  const auto beside = [&](int node, const auto& go) {
    VisitAround(f, node, 1, [&](std::int64_t other, int square) {
      if (square <= 1) go(static_cast<int>(other));
    });
  };
  std::vector<char> outside(nodes, 0);
  for (int i : Reached(0, nodes, beside, [&](int i) { return !near(i); })) outside[i] = 1;
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Sample& s = samples[f.nearest[i]];
    const Vec3 d = f.At(i) - s.x;
    const double above = Dot(d, s.n), apart = Norm(d);
    if (near(i)) {
      f.distance[i] = static_cast<float>(apart < f.cell ? above : std::copysign(apart, above));
    } else {
      f.distance[i] = static_cast<float>(outside[i] ? apart : -apart);
    }
  }
}

}  // namespace

bool MakeGrid(const std::vector<Sample>& samples, double cell, MeshField& f) {
  Box box;
  for (const Sample& s : samples) box.Add(s.x);
  double origin[3];
  for (int k = 0; k < 3; ++k) {
    f.n[k] = static_cast<int>(std::ceil(box.Side(k) / cell)) + 2 * kMargin + 1;
    origin[k] = 0.5 * (box.low[k] + box.high[k]) - 0.5 * (f.n[k] - 1) * cell;
  }
  f.cell = cell;
  f.origin = Load(origin);
  f.extent = box.HalfDiagonal();
  if (f.Nodes() > kMaxNodes) return false;
  f.nearest = NearestOf(samples, f);
  FindDistances(samples, f);
  return true;
}

void Spread(const Grid& grid, std::vector<float>& known) {
  std::vector<float> wide(known.size(), 0);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t s = axis == 0 ? grid.Slab() : axis == 1 ? grid.Row() : 1;
    for (std::int64_t i = 0; i < grid.Nodes(); ++i) {
      const std::int64_t k = i / s % grid.n[axis];
      wide[i] =
          std::max({known[k > 0 ? i - s : i], known[i], known[k + 1 < grid.n[axis] ? i + s : i]});
    }
    known.swap(wide);
  }
}

}  // namespace mujocable
