// The string over one smooth surface as a chain of knots: slow, rough and robust. It finds where
// the string goes when nothing is known but a point on the wanted side, or after it slipped off.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_KNOTS_H_
#define MUJOCABLE_CORE_PATH_SEARCH_KNOTS_H_

#include "core/surface/surface.h"

namespace mujocable {

inline constexpr int kKnots = 32;  // chosen, knots_test

// points at even distances along the arc of a contact, the first at its entry, the last at its exit
void PointsAlong(const Surface& s, const Touch& touch, Vec3* points, int count);

class KnotString {
 public:
  // along a polyline, on the surface or off it
  static KnotString Along(const Surface& s, const Vec3& a, const Vec3& b, const Vec3* points,
                          int count);

  // Through the surface point m: where the plane of a, m and b cuts the surface, from m both ways
  // until a and b come into sight.
  static KnotString Through(const Surface& s, const Vec3& a, const Vec3& b, const Vec3& m);

  // Knots on the free ends too, as far as the surface reaches: they find what else is in the way.
  void Extend();

  // knots stay on the surface, over hollows too
  void Adhere() { adhere_ = true; }

  // Pulls taut: `sweeps` of projected over-relaxation of the weighted spring energy, whose minimum
  // is the shortest string. Returns the largest move of the last sweep, in radii.
  double Pull(int sweeps);

  // the knots on the surface as an arc; false when there is none
  bool Arc(Touch& touch) const;

  // the same, one arc for each run of knots on the surface, the `most` longest ones; how many
  int Arcs(Touch* touches, int most) const;

  double Length() const;

 private:
  KnotString(const Surface& s, const Vec3& a, const Vec3& b) : s_(&s) {
    x_[0] = a;
    x_[kKnots + 1] = b;
  }
  void Spread(const Vec3* points, int count);
  void ArcOf(int first, int last, Touch& touch) const;

  const Surface* s_;
  Vec3 x_[kKnots + 2];         // a, knots, b
  double weight_[kKnots + 1];  // share of each piece in the length
  bool on_[kKnots + 2] = {};   // on the surface
  bool adhere_ = false;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_KNOTS_H_
