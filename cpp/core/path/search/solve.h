// The shortest string of a span: followed where it can be, searched where it must be.
//
// Follow starts from the path of the step before and does bounded work: closed forms over parallel
// cylinders (follow/parallel), Newton's method on the contacts as they were (follow/chain),
// contacts that go one by one; one that comes is tightened alone, out of the budget at most. It
// ends on the minimum that the old path has become, or declines: where a minimum has vanished, the
// string must run further than tangents foretell, or nothing is known yet. Search starts from afar
// and may do much work, all of it out of one budget. Its means, the cheap ones first:
//
//   descent    each wrap tightened between its neighbors, round after round
//   shorten    one arc, moved aside and turned downhill, where descent and knots would creep
//   knots      a chain of points pulled taut over one surface: needs no arc to start from
//   group      the same for a surface with several contacts, through the holes of rings as before
//
// Whatever they find is handed to Newton's method, which alone says that it is a path.

#ifndef MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_
#define MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_

#include "core/path/span.h"
#include "core/path/tolerance.h"

namespace mujocable {

// Solves (2) for the wraps that touch and finds which ones do. A single cylinder or sphere has a
// closed form.
SpanResult SolveSpan(const Strand& strand);

// A span in which each wrap has one contact at most. With smooth surfaces among them Newton with
// natural geodesic variations (3)-(4) from the step before, as long as it leads to a minimum
// nearby. Else block descent finds the contacts, the wraps one after the other, and Newton makes
// them exact.
SpanResult SolveTogether(const Strand& strand);

// A span with a wrap that may have several contacts, where the string spans hollows or bears on a
// solid twice. Such a wrap has as many places as contacts, one after the other. The string takes
// the first ones and leaves the rest lifted; contacts appear where a segment goes under, split
// where an arc would have to bend outward, and merge again.
// A ring has two places, since a string may bear on both sides of its hole. The second is opened
// only where the string over one contact goes under, and whatever is found goes through the hole as
// often as the string did before.
SpanResult SolveGrouped(const Strand& strand);

// Work that a search may still do. One object goes through all of it, and every try is paid from
// it.
struct Budget {
  int tries = 0;   // of Newton's method or of a move downhill, over anything but a closed form
  int sweeps = 0;  // of block descent over smooth surfaces

  bool Spent() const { return tries <= 0; }
  void Pay(int price) { tries -= price; }
};

// ---- descent: the length grows only where a segment had cut the surface that it ends on

// wrap i alone, between its neighbors; not solved: the best that was found
Tightened TightenOne(const Strand& strand, int i, Budget& budget);

// one sweep of block descent; returns the largest move of a contact, in radii, at least 1 where one
// was not solved
double Descend(const Strand& strand, Budget& budget);

// every lifted wrap still lifted, with neighbors as solved; brings all classes up to date. Of wraps
// with several contacts nothing is asked.
bool Settled(const Strand& strand, Budget& budget);

// ---- what is known of a span before a search, and after it

// every contact has an arc, not only a point: there is a path to follow
bool Known(const Strand& strand);

// The path that was found is another minimum than that of the step before, `start`: more was gained
// than the share that straightening the corners of the old arcs explains, of the order of their
// square.
bool Slipped(const Strand& start, const Strand& found, double explained);

// ---- one smooth surface

// The taut string over it from the guess in w.touch. Not solved: the best that knots know, or the
// guess.
Tightened TightenSmooth(const Vec3& a, const Vec3& b, const SpanWrap& w, Budget& budget);

inline double LengthOver(const Vec3& a, const Vec3& b, const Touch& touch) {
  return Norm(touch.p - a) + touch.arc + Norm(b - touch.q);
}

// The arc between the points of the geodesic of `touch` where a goes out of sight and b comes into
// sight, nearest to where it began and ended: what is left of an arc, or how far it grows, when its
// ends have moved by more than the curvature there foretells (over the flat face of a box).
bool Trim(const Surface& s, const Vec3& a, const Vec3& b, Budget& budget, Touch& touch);

// Shortens the string while it keeps to the surface: the arc is moved aside and turned, its ends
// follow where the segments stay tangent. Newton's direction with the curvature made positive, the
// length as judge. Runs down long slopes where knots would creep; ends near a minimum (true), or
// where there is no arc left. Every try has its price.
bool Shorten(const Vec3& a, const Vec3& b, const Surface& s, double corner, Budget& budget,
             Touch& touch);

// ---- the hole of a ring

// How often a path goes through it, counted with sign against the disc that the center line of the
// tube spans: the one number that a string between fixed ends keeps as long as it does not cut
// through the tube. Of the straight line from a to b, +1 along the axis of the ring:
int RingPasses(const Surface& ring, const Vec3& a, const Vec3& b);
// of a path over wraps, as their arcs say, taut or not:
int RingPasses(const Surface& ring, const Strand& strand);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SEARCH_SOLVE_H_
