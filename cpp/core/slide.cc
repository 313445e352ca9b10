#include "slide.h"

#include <algorithm>
#include <cmath>

#include "chain.h"

namespace mujocable {
namespace {

constexpr int kMaxSlide = 60;  // moves

// Trim, looking `margin` beyond both ends
bool TrimWithin(const Surface& s, const Vec3& a, const Vec3& b, double margin, int samples,
                Touch& touch) {
  const double length = std::max(0.0, touch.arc) + 2 * margin;
  const Geodesic first = Shoot(s, touch.p, touch.t_p, -margin);
  const auto sight = [&](const Geodesic& g, const Vec3& eye) { return Dot(eye - g.q, g.n_q); };
  const auto at = [&](double u) { return Shoot(s, first.q, first.t_q, u); };
  double s_p = -1, s_q = -1;
  double before_a = 0, before_b = 0;
  for (int k = 0; k <= samples; ++k) {
    const double u = length * k / samples;
    const Geodesic g = at(u);
    const double now_a = sight(g, a), now_b = sight(g, b);
    if (!std::isfinite(now_a) || !std::isfinite(now_b)) return false;
    const auto root = [&](const Vec3& eye, bool rising) {
      double low = u - length / samples, high = u;
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        ((sight(at(middle), eye) >= 0) == rising ? high : low) = middle;
      }
      return 0.5 * (low + high);
    };
    if (k > 0 && before_a >= 0 && now_a < 0) {
      const double found = root(a, false);
      if (s_p < 0 || std::abs(found - margin) < std::abs(s_p - margin)) s_p = found;
    }
    if (k > 0 && before_b < 0 && now_b >= 0) {
      const double found = root(b, true);
      if (s_q < 0 || std::abs(found - length + margin) < std::abs(s_q - length + margin))
        s_q = found;
    }
    before_a = now_a;
    before_b = now_b;
  }
  if (s_p < 0 || s_q < 0) return false;
  if (s_q < s_p) s_p = s_q = 0.5 * (s_p + s_q);
  const Geodesic g = at(s_p);
  touch.p = g.q;
  touch.t_p = g.t_q;
  touch.arc = s_q - s_p;
  touch.q = at(s_q).q;
  return true;
}

// derivative of e.axis at an end of the arc under its four variations, theory 1.4
void Derivative(const Variation& end, const Vec3& axis, const Vec3& e, double signed_length,
                double row[kBlock]) {
  const Vec3 across = (1 / signed_length) * (axis - Dot(e, axis) * e), turn = Cross(axis, e);
  for (int j = 0; j < kBlock; ++j) row[j] = Dot(end.v[j], across) + Dot(end.w[j], turn);
}

}  // namespace

bool Trim(const Surface& s, const Vec3& a, const Vec3& b, Touch& touch) {
  const double margin = 0.3 * std::max(0.0, touch.arc) + 0.5 * s.radius;
  return TrimWithin(s, a, b, margin, 12, touch) || TrimWithin(s, a, b, 3 * margin, 48, touch) ||
         (s.kind == SurfaceKind::kBox && TrimWithin(s, a, b, margin + 4 * Extent(s), 96, touch));
}

double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch) {
  return Norm(touch.p - a) + touch.arc + Norm(b - touch.q);
}

bool Slide(const Vec3& a, const Vec3& b, const Surface& s, double corner, Touch& touch) {
  if (!Trim(s, a, b, touch)) return false;
  double length = LengthOver(a, b, touch);
  for (int i = 0; i < kMaxSlide && touch.arc > 0; ++i) {
    const Geodesic g = Shoot(s, touch.p, touch.t_p, touch.arc);
    const double before = Norm(g.p - a), after = Norm(b - g.q);
    if (!(before > 0 && after > 0)) return false;
    const Vec3 e_p = (1 / before) * (g.p - a), e_q = (1 / after) * (b - g.q);
    const Vec3 b_p = Cross(g.t_p, g.n_p), b_q = Cross(g.t_q, g.n_q);
    if (std::max(std::abs(Dot(e_p, b_p)), std::abs(Dot(e_q, b_q))) < corner) return true;

    // rows of (2), and the slope of the length
    const Variation start = AtStart(g), end = AtEnd(g);
    double n_p[kBlock], n_q[kBlock], c_p[kBlock], c_q[kBlock], slope[kBlock];
    Derivative(start, g.n_p, e_p, before, n_p);
    Derivative(start, b_p, e_p, before, c_p);
    Derivative(end, g.n_q, e_q, -after, n_q);
    Derivative(end, b_q, e_q, -after, c_q);
    for (int j = 0; j < kBlock; ++j) {
      slope[j] = Dot(start.v[j], e_p) - Dot(end.v[j], e_q) + (j == 3 ? 1 : 0);
    }
    // how far the ends slide for each move aside or turn
    double ahead[2], longer[2], gradient[2], row_p[2], row_q[2];
    const double least = 1e-3 / s.radius;
    for (int k = 0; k < 2; ++k) {
      const int j = k + 1;
      ahead[k] = std::abs(n_p[0]) > least ? -n_p[j] / n_p[0] : 0;
      longer[k] = std::abs(n_q[3]) > least ? -(n_q[j] + n_q[0] * ahead[k]) / n_q[3] : -ahead[k];
      const double scale = k == 0 ? s.radius : 1;
      const auto total = [&](const double* row) {
        return scale * (row[j] + row[0] * ahead[k] + row[3] * longer[k]);
      };
      gradient[k] = total(slope);
      row_p[k] = total(c_p);
      row_q[k] = total(c_q);
    }
    // Hessian, symmetric at a solution; its eigenvalues made positive
    const double xx = s.radius * (row_p[0] - g.a * row_q[0]), yy = -g.r * row_q[1];
    const double xy = 0.5 * (s.radius * (row_p[1] - g.a * row_q[1]) - g.r * row_q[0]);
    const double mean = 0.5 * (xx + yy), apart = 0.5 * (xx - yy);
    const double spread = std::sqrt(apart * apart + xy * xy);
    const double angle = 0.5 * std::atan2(xy, apart), c = std::cos(angle), sn = std::sin(angle);
    const double floor = 1e-9 * (std::abs(mean) + spread) + 1e-15 * s.radius;
    const double first =
        (c * gradient[0] + sn * gradient[1]) / std::max(std::abs(mean + spread), floor);
    const double second =
        (c * gradient[1] - sn * gradient[0]) / std::max(std::abs(mean - spread), floor);
    double move[2] = {-(c * first - sn * second), -(sn * first + c * second)};
    const double size = std::max(std::abs(move[0]), std::abs(move[1]));
    if (!std::isfinite(size)) return false;
    double fraction = size > 0.4 ? 0.4 / size : 1;
    bool shorter = false;
    for (int k = 0; k < 12 && !shorter; ++k, fraction *= 0.5) {
      const double aside = fraction * s.radius * move[0], turn = fraction * move[1];
      const double along =
          std::clamp(aside / s.radius * ahead[0] * s.radius + turn * ahead[1], -s.radius, s.radius);
      const Vec3 w = (g.at_p.normal * along - g.at_p.torsion * aside) * b_p - turn * g.n_p;
      Touch next = touch;
      const double arc = std::max(
          0.0, g.length + std::clamp(aside * longer[0] + turn * longer[1], -s.radius, s.radius));
      next.p = g.p + along * g.t_p + aside * b_p;
      next.t_p = g.t_p + Cross(w, g.t_p);
      next.arc = arc;
      if (!Trim(s, a, b, next)) continue;
      const double now = LengthOver(a, b, next);
      if (!(now < length)) continue;
      shorter = true;
      length = now;
      touch = next;
    }
    if (!shorter) return true;
  }
  return true;
}

}  // namespace mujocable
