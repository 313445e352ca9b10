#include "core/math/geodesic_ode.h"
#include "core/math/root.h"
#include "core/surface/shapes.h"
#include "core/surface/tolerance.h"

namespace mujocable::ellipsoid {
namespace {

// The ellipsoid itself: S = (sum d_i x_i^2 - 1) / 2 with d_i = 1 / r_i^2, gradient d x, constant
// Hessian diag(d).
struct Plain {
  Vec3 d;
  double sum, product, most;  // of the d_i

  explicit Plain(const Surface& s)
      : d{1 / (s.size[0] * s.size[0]), 1 / (s.size[1] * s.size[1]), 1 / (s.size[2] * s.size[2])},
        sum(d.x + d.y + d.z),
        product(d.x * d.y * d.z),
        most(std::max({d.x, d.y, d.z})) {}

  Vec3 Times(const Vec3& v) const { return {d.x * v.x, d.y * v.y, d.z * v.z}; }
  double Form(const Vec3& u, const Vec3& v) const {
    return d.x * u.x * v.x + d.y * u.y * v.y + d.z * u.z * v.z;
  }
  ode::Flow At(const Vec3& x, const Vec3& t) const {
    const Vec3 g = Times(x);
    const double gg = Dot(g, g), bending = Form(t, t), gauss = product * Dot(g, x) / (gg * gg);
    return {(-bending / gg) * g, bending / std::sqrt(gg), gauss};
  }
  double Reach(const Vec3& x, const Vec3& t, double offset = 0) const {
    const auto reach = [&](const Vec3& y) {
      return kEllipsoidStep * (Norm(Times(y)) / most + offset);
    };
    const double here = reach(x);
    return std::min(here, reach(x + here * t));
  }
  Vec3 Project(const Vec3& x, Vec3& n) const {
    // onto the ray's own ellipsoid first, then along the gradient
    Vec3 y = x;
    const double level = Form(x, x);
    if (!(level > 0)) {
      n = {1, 0, 0};
      return {1 / std::sqrt(d.x), 0, 0};
    }
    if (std::abs(level - 1) > 0.5) y = (1 / std::sqrt(level)) * x;
    Vec3 g = Times(y);
    for (int i = 0; i < kMaxFootSteps; ++i) {
      const double value = 0.5 * (Dot(g, y) - 1);
      y += (-value / Dot(g, g)) * g;
      g = Times(y);
      if (std::abs(value) < kLastStep) break;
    }
    n = Unit(g);
    return y;
  }
  Curvature Bend(const Vec3& x, const Vec3& t, const Vec3& n) const {
    const Vec3 b = Cross(t, n);
    const double g = Norm(Times(x));
    return {-Form(t, t) / g, -Form(b, b) / g, Form(b, t) / g};
  }
};

// foot point y of x on the ellipsoid, by its multiplier: x = y + tau d y
struct Foot {
  Vec3 y, n;
  double distance;  // signed, of x from y
};

// Root of sum (x_i r_i / (tau + r_i^2))^2 = 1, convex and falling in tau right of -min r_i^2:
// Newton is monotone from the left of the root, and gets there from the right in one step. It
// starts from where a sphere would have it.
Foot FootOf(const Surface& s, const Vec3& x) {
  const double* r = s.size;
  double c[3] = {std::abs(x.x), std::abs(x.y), std::abs(x.z)};
  const double least = std::min({r[0], r[1], r[2]});
  double low = -1e300, level = 0, steep = 0;
  for (int i = 0; i < 3; ++i) {
    // deep inside: off the focal plane
    if (r[i] == least) c[i] = std::max(c[i], kCollinear * least);
    low = std::max(low, r[i] * c[i] - r[i] * r[i]);
    const double q = c[i] / r[i];
    level += q * q;
    steep += (q / r[i]) * (q / r[i]);
  }
  const double guess = (std::sqrt(level) - 1) * level / steep;
  double tau = guess > low ? guess : low;
  for (int i = 0; i < kMaxFootSteps; ++i) {
    double value = -1, slope = 0;
    for (int k = 0; k < 3; ++k) {
      const double w = 1 / (tau + r[k] * r[k]), q = r[k] * c[k] * w;
      value += q * q;
      slope -= 2 * q * q * w;
    }
    if (!(slope < 0)) break;
    double next = tau - value / slope;
    if (!(next > low)) next = low;
    const double move = std::abs(next - tau);
    tau = next;
    if (move <= kLastStep * (tau + least * least) && std::abs(value) < 10 * kLastStep) break;
  }
  // |x| and the sign back; the tiny lift of an axis does not matter
  double y[3], g[3];
  for (int k = 0; k < 3; ++k) {
    y[k] = (x[k] < 0 ? -1 : 1) * r[k] * r[k] * c[k] / (tau + r[k] * r[k]);
    g[k] = y[k] / (r[k] * r[k]);
  }
  const Vec3 n = Unit(Load(g), {1, 0, 0});
  return {Load(y), n, Dot(x - Load(y), n)};
}

// The surface at distance D = `offset` outside: its shape operator is S (I + D S)^-1 in the tangent
// plane, S that of the ellipsoid at the foot point. The foot point of a geodesic with tangent t
// runs with (I + D S)^-1 t, so it is never looked for.
struct Parallel : Plain {
  const Surface& s;

  explicit Parallel(const Surface& surface) : Plain(surface), s(surface) {}

  // II(t, t) = (S t . t + D K) / m and K / m with m = 1 + D (trace S) + D^2 K, K of the ellipsoid
  ode::Flow At(const Vec3& foot, const Vec3& t) const {
    const Vec3 g = Times(foot), h = Times(t);
    const double square = 1 / Dot(g, g), inverse = std::sqrt(square), distance = s.offset;
    const double along = inverse * Dot(h, t);
    const double trace = inverse * (sum - square * Form(g, g));
    const double gauss = product * Dot(g, foot) * square * square;
    const double scale = 1 / (1 + distance * (trace + distance * gauss));
    const double bending = scale * (along + distance * gauss);
    const double less = scale * distance * inverse;
    const Vec3 velocity =
        (scale * (1 + distance * trace)) * t - less * h + (less * square * Dot(g, h)) * g;
    return {(-bending * inverse) * g, bending, scale * gauss, velocity};
  }
  double Reach(const Vec3& foot, const Vec3& t) const { return Plain::Reach(foot, t, s.offset); }
  Vec3 Project(const Vec3& x, Vec3& n) const {
    const Foot foot = FootOf(s, x);
    n = foot.n;
    return foot.y + s.offset * n;
  }
  Vec3 Under(const Vec3& x, const Vec3& n) const { return x - s.offset * n; }
  Vec3 Above(const Vec3& foot, Vec3& n) const {
    const Vec3 y = Plain::Project(foot, n);
    return y + s.offset * n;
  }
  Curvature Bend(const Vec3& x, const Vec3& t, const Vec3& n) const {
    const Vec3 b = Cross(t, n);
    const double g = 1 / Norm(Times(Under(x, n))), distance = s.offset;
    const double tt = g * Form(t, t), bb = g * Form(b, b), bt = g * Form(b, t);
    const double det = tt * bb - bt * bt;
    const double scale = 1 / (1 + distance * (tt + bb) + distance * distance * det);
    return {-scale * (tt + distance * det), -scale * (bb + distance * det), scale * bt};
  }
};

Geodesic Shoot(const Surface& s, const Vec3& p, const Vec3& t, double length) {
  return s.offset > 0 ? ode::Shoot(Parallel(s), p, t, length) : ode::Shoot(Plain(s), p, t, length);
}

double Signed(const Surface& s, const Vec3& x, Vec3& n) {
  const Foot foot = FootOf(s, x);
  n = foot.n;
  return foot.distance - s.offset;
}

double Deepest(const Surface& s, const Vec3& a, const Vec3& b, double& u) {
  const Vec3 d = b - a;
  Vec3 n;
  // where the quadric is least: exact for the ellipsoid, the start for its parallel surface
  const Plain quadric(s);
  const double dd = quadric.Form(d, d);
  u = dd > 0 ? std::clamp(-quadric.Form(a, d) / dd, 0.0, 1.0) : 0;
  // the distance to a convex body is convex along the line
  const auto slope = [&](double v) { return Signed(s, a + v * d, n), Dot(n, d); };
  if (s.offset > 0) u = LeastAt(u, kLastStep, slope);
  return Signed(s, a + u * d, n);
}

}  // namespace

const Shape kShape = {Shoot, Signed, Deepest};

}  // namespace mujocable::ellipsoid
