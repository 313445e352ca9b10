// The numbers of surfaces, all in one place: what rounding leaves, what geometry means, how much
// work is done. Each line has its reason, or the word "chosen".

#ifndef MUJOCABLE_CORE_SURFACE_TOLERANCE_H_
#define MUJOCABLE_CORE_SURFACE_TOLERANCE_H_

namespace mujocable {

// ------------------------------------ rounding: what double precision leaves

// relative height below which a point counts as lying on a circle: the tangent length then is
// sqrt(2e-9) radii and its effect on the string's length, (tangent/radius)^3/3, is 3e-14 radii
inline constexpr double kOnSurface = 1e-9;
// less than the square of any distance: keeps the inverse of none finite                 [m^2]
inline constexpr double kNoDistance = 1e-300;
// relative sine below which two directions do not define a plane: ten thousand roundings
inline constexpr double kCollinear = 1e-12;
// outside for certain: rounding of the square of a distance is less, of a radius much less; a
// smooth surface reaches no further around its center than this more [radii]
inline constexpr double kSquareRounding = 1e-14;
inline constexpr double kClearly = 1e-9;
inline constexpr double kBeyondBall = 1e-6;
// a Newton step this small, of something of size one, is the last: its square is below rounding
inline constexpr double kLastStep = 1e-9;
// the same of a point on a mesh                                                          [cells]
inline constexpr double kMeshRounding = 1e-12;
// a parameter between 0 and 1 is known to rounding
inline constexpr double kParameterRounding = 1e-15;

// ------------------------------------ geometry

// a cable that leaves a groove from further above its mid plane was led aside by a flange: rounding
// of a pose is less                                                                      [radii]
inline constexpr double kAsideOfGroove = 1e-6;
// one that rises within the mouth of a groove and becomes shorter by no more has not left it: it
// may fall back slack; chosen, groove_test (lifted, deep)                               [radii]
inline constexpr double kJerk = 1e-2;
// curvature times distance, plus one, below which Newton's method would fold the surface; chosen
inline constexpr double kLeastFold = 0.1;
// a foot point this far from the sample that led to it is another one's; chosen          [cells]
inline constexpr double kFootReach = 4;

// Steps of a geodesic. The gradient of an ellipsoid's quadric cannot vanish nearer than its size
// over the largest second derivative, and a torus keeps its shape as far as to the center of its
// tube and to its axis: a step is this share of that. Chosen: smooth_surfaces_test compares with an
// integration in short steps.
inline constexpr double kEllipsoidStep = 0.3;
inline constexpr double kTorusStep = 0.4;

// ------------------------------------ effort: iterations after which the best is taken as it is

inline constexpr int kMaxFootSteps = 60;   // Newton, to an ellipsoid: from afar it takes a few
inline constexpr int kMaxLooks = 8;        // from patch to patch, and along a line out of the grid
inline constexpr int kMaxBisections = 80;  // with two false positions each
inline constexpr int kHalvings = 52;       // all that a double has
inline constexpr int kMaxRoundedPieces = 4000;  // of a geodesic over a box: flats and edges
inline constexpr int kMaxMarches = 4000;        // steps of a segment past a mesh

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_SURFACE_TOLERANCE_H_
