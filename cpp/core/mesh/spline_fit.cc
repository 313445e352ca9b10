#include <algorithm>
#include <cmath>

#include "core/mesh/make.h"
#include "core/mesh/tolerance.h"

namespace mujocable {
namespace {

// Least squares for the coefficients near the surface, by conjugate gradients.
class Solver {
 public:
  Solver(const std::vector<Sample>& samples, MeshField& f) : samples_(samples), f_(f) {
    const std::int64_t nodes = f.Nodes();
    const auto active = [&](std::int64_t i) { return std::abs(f.distance[i]) < kActive * f.cell; };
    for (std::int64_t i = 0; i < nodes; ++i) {
      if (!active(i)) continue;
      list_.push_back(i);
      for (std::int64_t step : {f.Slab(), f.Row(), std::int64_t{1}}) {
        bool all = i + 3 * step < nodes;
        for (int k = 1; all && k < 4; ++k) all = active(i + k * step);
        if (all) rough_.push_back({i, step});
      }
    }
    for (const Sample& s : samples) {
      place_.push_back(PlaceOf(f, s.x));
      weight_.push_back(std::clamp(s.area / (f.cell * f.cell), kLeastArea, 1.0));
    }
  }

  void Solve(const std::function<void(double)>& progress) {
    const std::int64_t nodes = f_.Nodes();
    f_.coefficient.assign(f_.distance.begin(), f_.distance.end());
    std::vector<double> r(nodes, 0), z(nodes), p(nodes, 0), q(nodes), diagonal(nodes, 0);
    // r = -gradient at the start
    double left = Product(f_.coefficient, r, true), before = left;
    for (std::int64_t i : list_) r[i] = -r[i];
    Diagonal(diagonal);
    const auto precondition = [&] {
      for (std::int64_t i : list_) z[i] = r[i] / diagonal[i];
    };
    const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
      double sum = 0;
      for (std::int64_t i : list_) sum += a[i] * b[i];
      return sum;
    };
    precondition();
    for (std::int64_t i : list_) p[i] = z[i];
    double rz = dot(r, z);
    for (int k = 0; k < kMaxIterations && rz > 0; ++k) {
      progress(double(k) / kMaxIterations);
      if (k > 0 && k % kPatience == 0) {
        if (before - left < kLeastGain * left) break;
        before = left;
      }
      Product(p, q, false);
      const double alpha = rz / dot(p, q);
      if (!std::isfinite(alpha)) break;
      left -= 0.5 * alpha * rz;
      for (std::int64_t i : list_) {
        f_.coefficient[i] += alpha * p[i];
        r[i] -= alpha * q[i];
      }
      precondition();
      const double next = dot(r, z), beta = next / rz;
      rz = next;
      for (std::int64_t i : list_) p[i] = z[i] + beta * p[i];
    }
  }

 private:
  // adds what a value and a gradient at one place ask of the coefficients that it sees
  void Scatter(const SplinePlace& at, double value, const Vec3& g, std::vector<double>& out) const {
    for (int i = 0; i < kSupport; ++i) {
      for (int j = 0; j < kSupport; ++j) {
        double* to = out.data() + at.first + i * f_.Slab() + j * f_.Row();
        const double ww = at.w[i][0] * at.w[j][1], slope = g.z * ww;
        const double with =
            value * ww + g.x * at.d[i][0] * at.w[j][1] + g.y * at.w[i][0] * at.d[j][1];
        for (int k = 0; k < kSupport; ++k) to[k] += with * at.w[k][2] + slope * at.d[k][2];
      }
    }
  }

  // out = A^T (A x - target), the target left out for a direction; half the sum of all squares of
  // A x - target
  double Product(const std::vector<double>& x, std::vector<double>& out, bool target) const {
    double sum = 0;
    for (std::int64_t i : list_) out[i] = 0;
    const double scale = 1 / f_.cell;
    for (size_t s = 0; s < samples_.size(); ++s) {
      const SplinePlace& at = place_[s];
      Vec3 g;
      double value = Value(f_, x.data(), at, g);
      if (target) g = g - samples_[s].n;
      const double w = weight_[s], by_value = w * kValueWeight * kValueWeight * scale,
                   by_normal = w * kNormalWeight * kNormalWeight;
      sum += scale * by_value * value * value + by_normal * Dot(g, g);
      value *= scale * by_value;
      g = (scale * by_normal) * g;
      Scatter(at, value, g, out);
    }
    const double rough = kRoughWeight * scale * scale;
    for (const Third& t : rough_) {
      const double* c = x.data() + t.first;
      const double apart = c[3 * t.step] - c[0] + 3 * (c[t.step] - c[2 * t.step]);
      const double third = rough * apart;
      sum += third * apart;
      for (int k = 0; k < 4; ++k) out[t.first + k * t.step] += kThird[k] * third;
    }
    // a very small weight on the coefficients as distances: it tells inside from outside where
    // no sample is near
    const double far = kFarWeight * kFarWeight * scale * scale;
    for (std::int64_t i : list_) {
      const double apart = x[i] - (target ? f_.distance[i] : 0);
      out[i] += far * apart;
      sum += far * apart * apart;
    }
    return 0.5 * sum;
  }

  // of A^T A: the same sums, of squares
  void Diagonal(std::vector<double>& out) const {
    const double scale = 1 / f_.cell;
    for (std::int64_t i : list_) out[i] = kFarWeight * kFarWeight * scale * scale;
    for (size_t s = 0; s < samples_.size(); ++s) {
      const double w = weight_[s] * scale * scale, slope = w * kNormalWeight * kNormalWeight;
      SplinePlace squares = place_[s];
      for (int k = 0; k < kSupport; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          squares.w[k][axis] *= squares.w[k][axis];
          squares.d[k][axis] *= squares.d[k][axis];
        }
      }
      Scatter(squares, w * kValueWeight * kValueWeight, {slope, slope, slope}, out);
    }
    const double rough = kRoughWeight * scale * scale;
    for (const Third& t : rough_) {
      for (int k = 0; k < 4; ++k) out[t.first + k * t.step] += kThird[k] * kThird[k] * rough;
    }
  }

  // third differences along an axis
  static constexpr double kThird[4] = {-1, 3, -3, 1};
  struct Third {
    std::int64_t first, step;
  };
  const std::vector<Sample>& samples_;
  MeshField& f_;
  std::vector<std::int64_t> list_;
  std::vector<SplinePlace> place_;
  std::vector<double> weight_;
  std::vector<Third> rough_;
};

}  // namespace

void FitSpline(const std::vector<Sample>& samples, MeshField& f,
               const std::function<void(double)>& progress) {
  Solver(samples, f).Solve(progress);
}

}  // namespace mujocable
