// Route -> path: authored elements at their current poses, solved span by span (1)-(2).

#ifndef MUJOCABLE_CORE_PATH_ROUTE_H_
#define MUJOCABLE_CORE_PATH_ROUTE_H_

#include "core/path/sheath.h"
#include "core/record.h"
#include "core/surface/surface.h"

namespace mujocable {

// the exit of a sheath is the element after it
enum class ElementKind { kAnchor, kEyelet, kWrap, kSheath };

// a wrap at its current pose (world)
struct Wrap {
  Surface surface;
  bool permanent = false;         // held by the keeper of a groove, never lifts
  bool endless = false;           // a cylinder that the string cannot run off
  bool has_hint = false;          // `hint` lies on the wanted side
  Vec3 hint;                      //                                                     [m]
  double bias = 0;                // turn about the cylinder that coaxial hinges explain  [rad]
  bool guided = false;            // keeps to a smooth surface over hollows too
  int bearing = 0, bearings = 1;  // of the contacts that it may have with its surface
  bool follows_hinges = false;    // bias is meaningful, so windings need no memory
  int turns = 0;                  // around a cylinder at the start, beyond the way that is authored
};

// How many contacts with a surface the solver remembers: a string may bear on both sides of the
// hole of a ring. Both together are one contact of the record, from the first entry to the last
// exit.
inline constexpr int kRingRows = 2;
inline int MemoryRows(const Surface& s) { return s.kind == SurfaceKind::kTorus ? kRingRows : 1; }

// an element of the route at its current pose (world); small, since most routes are long
struct Element {
  ElementKind kind;
  bool clamp_before;  // anchor, eyelet: rides on the wrap before it (a drum)
  bool clamp_after;   // the same for the wrap after it
  const Wrap* wrap;   // of a wrap
  Vec3 pos;           // of an anchor, an eyelet or the entry of a sheath               [m]
  const Sheath* sheath = nullptr;
};

// the same of any element: a sheath has a place too
inline int MemoryRows(const Element& e) {
  if (e.kind == ElementKind::kWrap) return MemoryRows(e.wrap->surface);
  return e.kind == ElementKind::kSheath;
}

// where the solver starts from
enum class Start {
  kAuthored,  // nothing is remembered: hints, else the shorter way
  kReset,     // after a reset: hints at the current pose, else the memory
  kWarm,      // the memory of the step before
};

struct RouteLimits {
  double smoothness = 1e-6;  // above it the path is not accepted                      [rad]
  double penetration = -1;   // the same, a negative value means 1e-6 radii             [m]
};

// Solves the route and fills the geometry of `record`: length, contacts, segments, errors, status,
// derailments of this step, and the memory for the next one (the old one where the path is not
// taut). slack: of the cable in the step before, which may lift it out of a groove [m].
void SolveRoute(const Element* elements, int count, const double* memory, Start start,
                const RouteLimits& limits, Record& record, double slack = 0);

// The point `length` beyond the entry of a contact that is a wrap or a sheath; `row`: of its
// memory.
Vec3 PointOnContact(const Element& element, const Record& record, int contact, int row,
                    double length);

// Points along the solved path, for drawing: arcs sampled every `step` radians. Returns how many
// there are; writes at most `max_points`.
int SamplePath(const Element* elements, const Record& record, double step, Vec3* points,
               int max_points);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_ROUTE_H_
