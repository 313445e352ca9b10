#include "core/surface/groove.h"

#include <algorithm>
#include <cmath>

#include "core/surface/circle.h"
#include "core/surface/cylinder.h"

namespace mujocable {
namespace {

// a neighbor of the wheel, seen along its axis
struct Beside {
  double distance, height;  // from the axis, above the mid plane
  double edge;              // radius of the edge that it sees
  bool on;                  // it lies on the wheel: a drum
  Vec3 out;                 // unit vector from the axis
};

Beside BesideOf(const Surface& s, const Vec3& x) {
  const Vec3 axis = s.rot.Column(2), d = x - s.pos;
  const double height = Dot(d, axis);
  const Vec3 radial = d - height * axis;
  const double distance = Norm(radial);
  return {distance, height, std::max(s.radius, std::min(s.size[0], distance)),
          distance <= (1 + kOnSurface) * s.radius, Unit(radial, s.rot.Column(0))};
}

// square root of what the flange has left to give, over a bottom of this radius; negative: nothing
double Reserve(const Beside& end, double radius) {
  const double k = radius / end.edge, kk = k * k;
  return (1 - kk) * (end.distance * end.distance - radius * radius) - kk * end.height * end.height;
}

// largest radius of the bottom that the edge can lead this neighbor from
double Largest(const Beside& end) {
  if (end.on) return end.edge;  // rounded, it may be a hair inside
  const double e = end.edge, d = end.distance, sum = d * d + e * e + end.height * end.height;
  const double root = std::sqrt(std::max(0.0, sum * sum - 4 * e * e * d * d));
  // the smaller root of e^2 k^4 - sum k^2 + d^2, without a difference
  return e * std::sqrt(2 * d * d / (sum + root));
}

// angle about the axis from the neighbor to its edge point, and from there to the bottom; `way` -1:
// to the point of the edge where the cable beyond it is about to fall off
double ToEdge(const Beside& end, double radius, int way = 1) {
  if (end.on) return 0;
  const double root = std::sqrt(std::max(0.0, Reserve(end, radius)));
  const double cosine = (radius * radius / end.edge + way * root) / end.distance;
  return std::acos(std::clamp(cosine, -1.0, 1.0));
}
double ToBottom(const Beside& end, double radius) {
  return end.on ? 0 : std::acos(std::clamp(radius / end.edge, -1.0, 1.0));
}

// from the neighbor to a point of its edge, so far around
double ToPoint(const Beside& end, double angle) {
  const double e = end.edge, d = end.distance, h = end.height;
  return end.on ? 0 : std::sqrt(std::max(0.0, d * d + e * e - 2 * d * e * std::cos(angle) + h * h));
}
// in the groove, from the edge to the bottom
double Leg(const Beside& end, double radius) {
  return end.on ? 0 : std::sqrt(std::max(0.0, end.edge * end.edge - radius * radius));
}

// what is left of the way around for the bottom, between the edges
double AlongBottom(const Beside ends[2], double swept, double radius) {
  for (const Beside* end : {ends, ends + 1}) swept -= ToEdge(*end, radius) + ToBottom(*end, radius);
  return swept;
}

// where a function that rises, then falls, is largest
template <typename Function>
double Furthest(double low, double high, const Function& f) {
  // (sqrt(5) - 1) / 2: each cut is one of the next interval too
  constexpr double kGolden = 0.6180339887498949;
  double x = high - kGolden * (high - low), y = low + kGolden * (high - low);
  double at_x = f(x), at_y = f(y);
  for (int i = 0; i < kHalvings; ++i) {
    if (at_x < at_y) {
      low = x;
      x = y, at_x = at_y;
      at_y = f(y = low + kGolden * (high - low));
    } else {
      high = y;
      y = x, at_y = at_x;
      at_x = f(x = high - kGolden * (high - low));
    }
  }
  return 0.5 * (low + high);
}

// where between them a function that rises is no longer negative
template <typename Function>
double RisesAt(double low, double high, const Function& f) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

Touch KeptInGroove(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  Touch touch;
  touch.way = cylinder::Follow(s, a, b, way);
  const Beside from = BesideOf(s, a), to = BesideOf(s, b);
  const double swept = std::abs(touch.way.swept), sense = touch.way.swept < 0 ? -1 : 1;
  const double edge = s.size[0];
  // where the distance to both is least: its slope along the edge grows
  const auto slope = [&](const Beside& end, double angle) {
    const double d = end.distance, h = end.height;
    const double far = std::sqrt(d * d + edge * edge - 2 * d * edge * std::cos(angle) + h * h);
    return far > 0 ? d * std::sin(angle) / far : 0;
  };
  const double angle =
      RisesAt(0, swept, [&](double x) { return slope(from, x) - slope(to, swept - x); });
  const Vec3 around = sense * Cross(s.rot.Column(2), from.out);
  HoldAt(s.pos + edge * (std::cos(angle) * from.out + std::sin(angle) * around), a, b, around,
         touch);
  return touch;
}

Touch KeptOverFlange(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way) {
  Touch touch;
  TightenGrooved(s, a, b, way, touch);
  const Vec3 axis = s.rot.Column(2);
  const Beside ends[2] = {BesideOf(s, a), BesideOf(s, b)};
  const double swept = std::abs(touch.way.swept), sense = touch.way.swept < 0 ? -1 : 1;
  // the part of the length that is not around the bottom, and its slopes for each neighbor
  double length = s.radius * swept;
  const double r = s.radius;
  for (const Beside& end : ends) {
    const double angle = ToEdge(end, r);
    length += ToPoint(end, angle) + Leg(end, r) - r * (angle + ToBottom(end, r));
  }
  // lifted further than this the keeper holds it at one point
  Touch kept = KeptInGroove(s, a, b, way);
  if (kept.before + kept.after >= length) return kept;
  touch.arc = length - touch.before - touch.after;
  for (int i = 0; i < 2; ++i) {
    const Beside& end = ends[i];
    if (end.on || Reserve(end, r) >= 0) continue;
    const double e = end.edge, d = end.distance, far = ToPoint(end, ToEdge(end, r));
    const bool within = d < s.size[0];  // between the flanges: the edge that it sees is its own
    const double u = r * r / (e * d), w = r / e;
    double out = (within ? 2 : 1) * (d / far - r * u / (d * std::sqrt(1 - u * u)));
    if (within) out += d / Leg(end, r) - r * w / (d * std::sqrt(1 - w * w));
    const double toward = (i == 0 ? 1 : -1) * sense;
    const Vec3 around = toward * Cross(axis, end.out);
    // slope of the length at the neighbor, which bears where it is
    const Vec3 slope = out * end.out + (end.height / far) * axis - (r / d) * around;
    if (i == 0) {
      touch.p = a;
      touch.t_p = -slope;
      touch.arc += touch.before;
      touch.before = 0;
    } else {
      touch.q = b;
      touch.t_q = slope;
      touch.arc += touch.after;
      touch.after = 0;
    }
  }
  return touch;
}

InGroove TightenGrooved(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way,
                        Touch& touch) {
  const Touch plain = cylinder::Tighten(s, a, b, way);
  touch = {};
  touch.way = plain.way;
  touch.clearance = plain.clearance;
  const Vec3 axis = s.rot.Column(2);
  const Beside ends[2] = {BesideOf(s, a), BesideOf(s, b)};
  const double swept = std::abs(touch.way.swept), sense = touch.way.swept < 0 ? -1 : 1;
  const auto wrap = [&](double out) { return AlongBottom(ends, swept, out); };

  // how far the cable runs from the axis: at the bottom, or above it where it would lift
  const double most = std::min(Largest(ends[0]), Largest(ends[1]));
  InGroove result = most < s.radius ? InGroove::kOver : InGroove::kHeld;
  double radius = s.radius, turned = wrap(radius);
  if (turned < 0 && result == InGroove::kHeld) {
    // the further out, the less it turns at the edges, until the flanges can bend it no more
    const double high = Furthest(radius, most, wrap);
    result = wrap(high) < 0 ? InGroove::kAbove : InGroove::kHeld;
    radius = result == InGroove::kAbove ? high : RisesAt(radius, high, wrap);
  }
  turned = std::max(0.0, turned);

  touch.touching = touch.held = result != InGroove::kAbove;
  double leg[2];
  Vec3 point[2], along[2];  // on the edges, and the direction between them and the bottom
  for (int i = 0; i < 2; ++i) {
    const Beside& end = ends[i];
    const double toward = (i == 0 ? 1 : -1) * sense;
    const Vec3 around = toward * Cross(axis, end.out);
    const double edge = ToEdge(end, radius), bottom = edge + ToBottom(end, radius);
    leg[i] = Leg(end, radius);
    point[i] = end.on ? (i == 0 ? a : b)
                      : s.pos + end.edge * (std::cos(edge) * end.out + std::sin(edge) * around);
    // the tangent at the bottom, in the direction of the cable
    along[i] = (i == 0 ? 1.0 : -1.0) * (std::cos(bottom) * around - std::sin(bottom) * end.out);
  }
  touch.p = point[0];
  touch.q = point[1];
  touch.before = Norm(touch.p - a);
  touch.after = Norm(b - touch.q);
  touch.t_p = Unit(touch.p - a, along[0]);
  touch.t_q = Unit(b - touch.q, along[1]);
  touch.arc = leg[0] + radius * turned + leg[1];
  touch.turn = CornerBetween(touch.t_p, along[0]) + turned + CornerBetween(along[1], touch.t_q);
  return result;
}

double SlackHeld(const Surface& s, const Vec3& a, const Vec3& b, const Touch& touch) {
  const Beside ends[2] = {BesideOf(s, a), BesideOf(s, b)};
  const double swept = std::abs(touch.way.swept);
  const double most = std::min(Largest(ends[0]), Largest(ends[1]));
  double held = INFINITY;
  for (int i = 0; i < 2; ++i) {
    const Beside &end = ends[i], &other = ends[1 - i];
    if (end.on) continue;  // fixed to the wheel
    const auto wrap = [&](double radius) {
      return swept - ToEdge(other, radius) - ToBottom(other, radius) - ToBottom(end, radius) -
             ToEdge(end, radius, -1);
    };
    // as in TightenGrooved: at the bottom, or above it where the cable lifts before the pass
    double radius = s.radius;
    if (wrap(radius) < 0) radius = RisesAt(radius, Furthest(radius, most, wrap), wrap);
    const double pass = ToPoint(other, ToEdge(other, radius)) + Leg(other, radius) +
                        radius * std::max(0.0, wrap(radius)) + Leg(end, radius) +
                        ToPoint(end, ToEdge(end, radius, -1));
    held = std::min(held, pass - (touch.before + touch.arc + touch.after));
  }
  return std::max(0.0, held);
}

bool LeavesAside(const Surface& s, const Vec3& a, const Vec3& b) {
  return MostSize(Dot(s.rot.Column(2), PairOf(a, b) - s.pos)) > kAsideOfGroove * s.radius;
}

Passage PassageOf(const Surface& s, const Vec3& a, const Vec3& b) {
  const Vec3 axis = s.rot.Column(2), d = b - a, c = a - s.pos;
  const Vec3 flat = d - Dot(d, axis) * axis, from = c - Dot(c, axis) * axis;
  const double dd = Dot(flat, flat);
  const double u = dd > 0 ? std::clamp(-Dot(from, flat) / dd, 0.0, 1.0) : 0.5;
  return {Norm(from + u * flat), Dot(c + u * d, axis)};
}

bool CameThroughMouth(const Surface& s, const Passage& was, const Passage& now) {
  // where it passed the edge, on a straight way
  const double above = was.distance - s.size[0], fell = was.distance - now.distance;
  const double u = above > 0 ? std::min(1.0, above / fell) : 0;
  return std::abs(was.height + u * (now.height - was.height)) <= s.size[1];
}

Passing PassingOf(const Surface& s, const Vec3& a, const Vec3& b) {
  const Passage passage = PassageOf(s, a, b);
  const double distance = passage.distance, height = std::abs(passage.height);
  if (!(distance < s.size[0]) || height > std::max(s.half_length, s.size[1]))
    return Passing::kClear;
  if (height > s.size[1]) return Passing::kBeside;
  return distance >= s.radius * (1 - kOnSurface) ? Passing::kMouth : Passing::kBottom;
}

Vec3 PointInGroove(const Surface& s, const Vec3& entry, const Vec3& exit, double arc,
                   double length) {
  const Beside in = BesideOf(s, entry), out = BesideOf(s, exit);
  const auto leg = [&](double d) { return std::sqrt(std::max(0.0, d * d - s.radius * s.radius)); };
  const double leg_in = leg(in.distance), leg_out = leg(out.distance);
  const double turned = std::max(0.0, arc - leg_in - leg_out) / s.radius;
  const double gamma = std::atan2(leg_in, s.radius),
               whole = turned + gamma + std::atan2(leg_out, s.radius);
  // which way round: the one that leads to the exit
  const Vec3 left = Cross(s.rot.Column(2), in.out);
  const Vec3 around = (std::sin(whole) * Dot(left, out.out) < 0 ? -1 : 1) * left;
  const auto at = [&](double angle) {
    return s.pos + s.radius * (std::cos(angle) * in.out + std::sin(angle) * around);
  };
  if (length < leg_in) return entry + (leg_in > 0 ? length / leg_in : 0) * (at(gamma) - entry);
  const double beyond = length - leg_in;
  if (beyond <= s.radius * turned) return at(gamma + beyond / s.radius);
  const double rest = arc - length;
  return exit + (leg_out > 0 ? rest / leg_out : 0) * (at(gamma + turned) - exit);
}

}  // namespace mujocable
