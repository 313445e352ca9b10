// Segments that swing (24): they pull along their direction at the end of the step, not at its
// beginning.

#ifndef MUJOCABLE_CORE_LAW_SWING_H_
#define MUJOCABLE_CORE_LAW_SWING_H_

#include <algorithm>

#include "core/math/vec.h"

namespace mujocable {

// How one dof moves the far end of a segment as its near end sees it.
struct Sway {
  int column;   // of the dof, among those of the cable
  Vec3 moves;   //
  double turn;  // along the segment, by the square of these, where that makes it longer; else 0
};

struct Swinging {
  double tension;    // as far as it pulls along the direction at the end                  [N]
  Vec3 segment;      // from one end to the other, at the beginning                        [m]
  double meeting;    // ends that are nearer pull each other less, so that they meet       [m]
  int n;             //
  const Sway* dofs;  //                                                                    [n]
};

// The far end as the near one sees it, where the step ends with these velocities; place: of a
// column among them.
inline Vec3 FarEnd(const Swinging& s, const int* place, double step, const double* velocity) {
  Vec3 end = s.segment;
  for (const Sway* dof = s.dofs; dof < s.dofs + s.n; ++dof) {
    end += (step * velocity[place[dof->column]]) * dof->moves;
  }
  return end;
}

// Calls add(column, load) with what a segment takes away from the force on each dof, beside its
// pull along the direction at the beginning.
template <typename Add>
void VisitLoads(const Swinging& s, const int* place, double step, const double* velocity,
                const Add& add) {
  const auto pull = [&](const Vec3& end) { return (1 / std::max(Norm(end), s.meeting)) * end; };
  const Vec3 turned = pull(FarEnd(s, place, step, velocity)) - pull(s.segment);
  for (const Sway* dof = s.dofs; dof < s.dofs + s.n; ++dof) {
    const double turn = step * dof->turn * velocity[place[dof->column]];
    add(dof->column, s.tension * (Dot(turned, dof->moves) + turn));
  }
}

// Adds how these loads change with the velocities, times `scale`.
inline void AddSwingSlopes(const Swinging& s, const int* place, double step, const double* velocity,
                           double scale, int width, double* matrix) {
  const Vec3 end = FarEnd(s, place, step, velocity);
  const double apart = Norm(end);
  // what is along the direction changes nothing, but where the ends meet
  const Vec3 along = apart > s.meeting ? (1 / apart) * end : Vec3{};
  const double pull = scale * step * s.tension, spring = pull / std::max(apart, s.meeting);
  for (const Sway* a = s.dofs; a < s.dofs + s.n; ++a) {
    const Vec3 across = spring * (a->moves - Dot(along, a->moves) * along);
    double* row = matrix + place[a->column] * width;
    for (const Sway* b = s.dofs; b < s.dofs + s.n; ++b) {
      row[place[b->column]] += Dot(across, b->moves);
    }
    row[place[a->column]] += pull * a->turn;
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_SWING_H_
