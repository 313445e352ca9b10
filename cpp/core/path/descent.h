// Block descent on a span: each wrap tightened between its neighbors, the length never grows.

#ifndef MUJOCABLE_CORE_PATH_DESCENT_H_
#define MUJOCABLE_CORE_PATH_DESCENT_H_

#include "core/path/span.h"

namespace mujocable {

inline constexpr int kMaxRounds = 12;        // descent and Newton alternate at most this often
inline constexpr int kMaxFirstDescent = 50;  // sweeps before Newton is tried at all
inline constexpr double kStill = 1e-13;      // descent has come to rest                    [radii]
inline constexpr double kSettling = 0.1;  // descend until contacts move by less per sweep [radii]

// the exit point before wrap i, and the entry point after it
Vec3 Before(const Vec3& a, const SpanWrap* wraps, int i);
Vec3 After(const Vec3& b, const SpanWrap* wraps, int n, int i);

// length of a path over the wraps that touch, taut or not
double PathLength(const Vec3& a, const Vec3& b, const SpanWrap* wraps, int n);

// the same over the arcs of the step before, where they are now
double CarriedLength(const Vec3& a, const Vec3& b, const SpanWrap* start, int n);

// wrap i alone, between its neighbors; not solved: where it was
Touch TightenOne(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int i, int& effort,
                 bool& solved);

// one sweep of block descent; returns the largest move of a contact, in radii, at least 1 where one
// was not solved
double Descend(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int& effort);

// every lifted wrap still lifted, with neighbors as solved; brings all classes up to date
bool Settled(const Vec3& a, const Vec3& b, SpanWrap* wraps, int n, int& effort);

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_DESCENT_H_
