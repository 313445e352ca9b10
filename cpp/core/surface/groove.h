// A grooved wheel: the cable runs in the mid plane of a cylinder, between two thin flanges.
//
// Seen along the axis the cable leaves the bottom of the groove, radius r, along a tangent, still
// in the mid plane, and meets the edge of the flange at radius R. There it bends aside toward its
// neighbor. The edge point slides along the edge to where the path is shortest, so that the
// direction beyond it has the component r / R along the edge, as the tangent has: a cone. The
// flange can bend the cable as far as to r / R = sqrt(1 - sin^2(fleet)), a fleet angle of acos(r /
// R) at the edge; beyond, the cable climbs over the flange and leaves the wheel.
//
// A cable that lifts from the bottom is still between the flanges, as if the bottom had grown to
// where it runs, until it passes above their edge.

#ifndef MUJOCABLE_CORE_SURFACE_GROOVE_H_
#define MUJOCABLE_CORE_SURFACE_GROOVE_H_

#include "core/surface/surface.h"

namespace mujocable {

inline bool IsGrooved(const Surface& s) {
  return s.kind == SurfaceKind::kCylinder && s.size[0] > 0;
}

// what a groove does with a cable between two points
enum class InGroove {
  kHeld,   // it lies in the groove, touching or between the flanges
  kAbove,  // it passes above the edges; the touch is where the flanges would hold it last
  kOver,   // the fleet angle is more than the flanges hold; the touch is as far as they reach
};

// The cable in the groove from a to b. way: class to stay near. Fills `touch`: entry and exit are
// the points on the edges, its arc all that lies between them.
InGroove TightenGrooved(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way,
                        Touch& touch);

// Most slack that the flanges hold, for a cable that lies in the groove as `touch` says. A slack
// cable has no tension, so no friction, and all of its slack may gather here. Lifted at one point
// of the edge, that point can be rolled back along the edge until the cable beyond it falls off by
// itself. The way there is uphill for as long as the direction beyond has less than r / R along the
// edge; at the top it is r / R for the second time. In the plane of the wheel, with a wrap of more
// than twice the fleet angle g that the flange holds, the height of that pass is 2 r (tan g - g),
// wherever the neighbors are; aside it is less, and nothing at the largest fleet angle.         [m]
double SlackHeld(const Surface& s, const Vec3& a, const Vec3& b, const Touch& touch);

// The cable that a keeper holds where it would climb over a flange: at the point of the edge where
// the flange has no more to give. That point no longer lies where the path is shortest, so that the
// pull on the neighbor follows from the length, as inside a surface: no motion gains energy, and at
// the largest fleet angle length and load are those of a cable that the flange still holds.
Touch KeptOverFlange(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// the cable that a keeper holds at the edge, where it would pass above
Touch KeptInGroove(const Surface& s, const Vec3& a, const Vec3& b, const Homotopy& way);

// whether a cable that rises out of a groove was bent by a flange: it leaves with a jerk
bool LeavesAside(const Surface& s, const Vec3& a, const Vec3& b);

// where a straight cable passes a grooved wheel
enum class Passing {
  kClear,   // above its edges, or further aside than it is wide
  kMouth,   // in the groove, above its bottom
  kBottom,  // in the groove, but below its bottom
  kBeside,  // through the wheel next to its groove
};
Passing PassingOf(const Surface& s, const Vec3& a, const Vec3& b);

// where it comes nearest to the axis: how far that is, and how far from the mid plane      [m]
struct Passage {
  double distance = 0, height = 0;
};
Passage PassageOf(const Surface& s, const Vec3& a, const Vec3& b);
// as a wheel that is not touched remembers it in the place of its entry
inline Vec3 Remembered(const Passage& passage) { return {passage.distance, 0, passage.height}; }
inline Passage PassageFrom(const Vec3& point) { return {point.x, point.z}; }

// Whether a straight cable that was there, and is now below the bottom, came over the edge of the
// flanges into the groove, not through the side of the wheel.
bool CameThroughMouth(const Surface& s, const Passage& was, const Passage& now);

// the point `length` beyond the entry of a contact with a groove
Vec3 PointInGroove(const Surface& s, const Vec3& entry, const Vec3& exit, double arc,
                   double length);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_GROOVE_H_
