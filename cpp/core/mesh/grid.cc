#include <algorithm>
#include <cmath>

#include "core/mesh/make.h"
#include "core/mesh/mesh.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
void MakeGrid(const std::vector<Sample>& samples, double cell, MeshField& f) {
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
}

void FindNearest(const std::vector<Sample>& samples, MeshField& f) {
  const std::int64_t nodes = Nodes(f), row = f.n[2], slab = row * f.n[1];
  f.nearest.assign(nodes, -1);
  std::vector<double> best(nodes, 1e300);
  const auto offer = [&](std::int64_t node, std::int32_t sample) {
    const Vec3 d = NodeAt(f, node) - samples[sample].x;
    const double squared = Dot(d, d);
    if (squared < best[node]) {
      best[node] = squared;
      f.nearest[node] = sample;
    }
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    Vec3 node;
    const std::int64_t at = NodeNear(f, samples[i].x, node);
    for (int x = -1; x <= 1; ++x) {
      for (int y = -1; y <= 1; ++y) {
        for (int z = -1; z <= 1; ++z) offer(at + x * slab + y * row + z, static_cast<int>(i));
      }
    }
  }
  for (int pass = 0; pass < 4; ++pass) {
    const bool forward = pass % 2 == 0;
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::int64_t node = forward ? i : nodes - 1 - i;
      const std::int64_t z = node % row, y = node / row % f.n[1], x = node / slab;
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dz = -1; dz <= 1; ++dz) {
            if (x + dx < 0 || x + dx >= f.n[0] || y + dy < 0 || y + dy >= f.n[1] || z + dz < 0 ||
                z + dz >= f.n[2]) {
              continue;
            }
            const std::int64_t other = node + dx * slab + dy * row + dz;
            if (other != node && f.nearest[other] >= 0) offer(node, f.nearest[other]);
          }
        }
      }
    }
  }
}

void FindDistances(const std::vector<Sample>& samples, MeshField& f) {
  const std::int64_t nodes = Nodes(f), row = f.n[2], slab = row * f.n[1];
  f.distance.assign(nodes, 0);
  std::vector<char> outside(nodes, 0);
  std::vector<std::int64_t> stack = {0};
  outside[0] = 1;
  const auto near = [&](std::int64_t i) {
    const Vec3 d = NodeAt(f, i) - samples[f.nearest[i]].x;
    return Dot(d, d) < 4 * f.cell * f.cell;
  };
  while (!stack.empty()) {
    const std::int64_t node = stack.back();
    stack.pop_back();
    const std::int64_t z = node % row, y = node / row % f.n[1], x = node / slab;
    const auto visit = [&](bool exists, std::int64_t other) {
      if (!exists || outside[other] || near(other)) return;
      outside[other] = 1;
      stack.push_back(other);
    };
    visit(x > 0, node - slab);
    visit(x + 1 < f.n[0], node + slab);
    visit(y > 0, node - row);
    visit(y + 1 < f.n[1], node + row);
    visit(z > 0, node - 1);
    visit(z + 1 < f.n[2], node + 1);
  }
  for (std::int64_t i = 0; i < nodes; ++i) {
    const Sample& s = samples[f.nearest[i]];
    const Vec3 d = NodeAt(f, i) - s.x;
    const double above = Dot(d, s.n), apart = Norm(d);
    if (near(i)) {
      f.distance[i] = static_cast<float>(apart < f.cell ? above : std::copysign(apart, above));
    } else {
      f.distance[i] = static_cast<float>(outside[i] ? apart : -apart);
    }
  }
}

void Spread(const MeshField& f, std::vector<float>& known) {
  const std::int64_t nodes = Nodes(f), row = f.n[2], slab = row * f.n[1];
  std::vector<float> wide(nodes, 0);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t s = axis == 0 ? slab : axis == 1 ? row : 1;
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::int64_t k = i / s % f.n[axis];
      wide[i] =
          std::max({known[k > 0 ? i - s : i], known[i], known[k + 1 < f.n[axis] ? i + s : i]});
    }
    known.swap(wide);
  }
}

}  // namespace mujocable
