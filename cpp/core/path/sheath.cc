#include "core/path/sheath.h"

#include <algorithm>
#include <cmath>

#include "core/path/verdict.h"
#include "core/state.h"

namespace mujocable {
namespace {

Vec3 Bezier(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double u) {
  const double v = 1 - u;
  return v * v * v * a + 3 * v * v * u * b + 3 * v * u * u * c + u * u * u * d;
}

// The least by which a housing of this length turns from the axis of its entry at a to that of its
// exit at b, bowing to one side: exact for an arc of a circle and for a straight one [rad].
double BendBetween(const Sheath& s, const Vec3& a, const Vec3& b) {
  const Vec3 chord = b - a;
  const double distance = Norm(chord);
  const Vec3 along = distance > 0 ? (1 / distance) * chord : s.in;
  const double in = Angle(s.in, along), out = Angle(along, s.out);
  const double more = std::max(in, out), less = std::min(in, out);
  // What is longer than its chord bows out: the least turning is that of two straight pieces, which
  // leave the chord by `bow` each where they are equal.
  const double bow = std::acos(std::min(1.0, distance / s.length));
  if (more <= bow) return 4 * bow - more - less;
  if (less >= bow) return more + less;
  // the piece at the steeper end runs along its axis; the other one closes the triangle
  const double steep = std::cos(more);
  const double first =
      (s.length * s.length - distance * distance) / (2 * (s.length - distance * steep));
  const double other = std::atan2(first * std::sin(more), distance - first * steep);
  return more + std::max(less, 2 * other - less);
}

}  // namespace

void WriteSheath(const Sheath& s, const Vec3& a, const Vec3& b, const Vec3& before, int contact,
                 double* memory, const Record& record) {
  const Vec3 chord = b - a;
  const double distance = Norm(chord), beyond = std::max(0.0, distance - s.length);
  const int inside = contact + 1;  // segment
  record.arc()[contact] = s.length;
  record.overrun()[contact] = beyond;
  record.segment()[inside] = beyond;
  Store(record.direction() + 3 * inside, beyond > 0 ? (1 / distance) * chord : Vec3{});
  record.length() += s.length + beyond;
  record.wrap_angle()[contact] = s.bend >= 0 ? s.bend : Angle(before, s.in) + BendBetween(s, a, b);
  std::fill(memory, memory + kWrapMemory, 0.0);
}

Vec3 PointInSheath(const Sheath& s, const Vec3& a, const Vec3& b, double u) {
  // handles as long as make the curve as long as the sheath, roughly
  constexpr int kPieces = 16, kHalvings = 12;
  const auto length = [&](double handle) {
    double sum = 0;
    Vec3 from = a;
    for (int k = 1; k <= kPieces; ++k) {
      const Vec3 to =
          Bezier(a, a + handle * s.in, b - handle * s.out, b, static_cast<double>(k) / kPieces);
      sum += Norm(to - from);
      from = to;
    }
    return sum;
  };
  double low = 0, high = s.length;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (length(middle) < s.length ? low : high) = middle;
  }
  return Bezier(a, a + low * s.in, b - low * s.out, b, u);
}

}  // namespace mujocable
