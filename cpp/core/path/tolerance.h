// The numbers of the path solver, all in one place: what rounding leaves, what geometry means, how
// much work is done. Each line has its reason, or the word "chosen" and the test that would notice.
//
// Lengths are in radii of the surface and angles in radians unless a line says otherwise.

#ifndef MUJOCABLE_CORE_PATH_TOLERANCE_H_
#define MUJOCABLE_CORE_PATH_TOLERANCE_H_

namespace mujocable {

// ------------------------------------ rounding: what double precision leaves

// half the distance from 1 to the next double, and a little
inline constexpr double kRounding = 2.3e-16;
// path error (2) that Newton's method aims at: a thousand roundings of a unit vector
inline constexpr double kPathError = 1e-12;
// at the limit of rounding Newton's method cannot improve; with this margin it is still a path
inline constexpr double kPathMargin = 1e3;
// axes that are parallel: a tenth of what Newton's method leaves of (2)
inline constexpr double kParallel = 1e-13;
// a step this small needs no new arc: its square is below rounding
inline constexpr double kLinear = 5e-9;
// block descent has come to rest: contacts no longer move but by rounding
inline constexpr double kStill = 1e-13;
// a segment this deep in a smooth surface touches it: rounding             [size of the scene]
inline constexpr double kGraze = 1e-14;
// how well a horizon is found: the length knows it squared
inline constexpr double kHorizon = 1e-9;
// A shorter segment has no direction of its own: a gap of rounding size turns it by the root of
// that. It takes the direction of the arc it meets.
inline constexpr double kShortSegment = 1e-7;
// a shorter tangent between two circles has no direction either           [their distance]
inline constexpr double kShortTangent = 1e-5;
// the largest corner that such a segment may show: that root, with a margin
inline constexpr double kTouchingKink = 1e-3;
// what rounding of the coordinates makes of a unit vector, and of the length of a path, in
// roundings
inline constexpr double kDirectionRounding = 16;
inline constexpr double kLengthRounding = 64;
// eigenvalues of a Hessian are kept above this share of the largest, and above rounding of a length
inline constexpr double kLeastEigenvalue = 1e-9;
inline constexpr double kLengthFloor = 1e-15;  // [radii]
// two of three sines below this are their angle, to the third order
inline constexpr double kSmallSine = 1e-5;

// ------------------------------------ geometry: what counts as near, deep, straight, gained

// how deep a path may cut a surface where the cable does not say: what users see as `penetration`;
// chosen, route_pose_test
inline constexpr double kDefaultDepth = 1e-6;
// an end at most this deep in a surface lies on it, as far as the string sees: path and load change
// by no more than this share where the surface takes no part any more; chosen, never_let_go_test
inline constexpr double kHair = 1e-2;
// an end deeper than this leaves no path over a smooth surface: no search is started; chosen,
// never_let_go_test
inline constexpr double kBuried = 1e-3;
// Newton's method polishes what is nearby, no contact moves further: beyond a quarter of a radius
// tangents turn by a sixth of a right angle, and its linear picture is another one; chosen,
// smooth_test (jumps)
inline constexpr double kTrust = 0.25;
// how far a soft minimum is followed in small strides; chosen, smooth_test (slips)
inline constexpr double kFar = 4;
inline constexpr double kStride = 0.1;        // of those strides; chosen, smooth_test
inline constexpr double kNewtonStride = 0.5;  // of Newton's method elsewhere; chosen, smooth_test
// a path error of the guess below this is one of a small step, in which a path may be followed or
// slips; above, it was moved and is searched; chosen, smooth_test (slips)
inline constexpr double kSmallMove = 0.1;
// descent goes on until contacts move by less per sweep: then Newton's method is in reach; chosen,
// span_test
inline constexpr double kSettling = 0.1;
// a segment this deep next to a contact of a group has gone under; less is rounding of the arc's
// end; chosen, ring_test
inline constexpr double kUnderGroup = 1e-8;
// the same on a mesh, whose waves are that high
inline constexpr double kUnderMesh = 1e-7;
// a line of sight this deep in a mesh is not clear: waves again, of a spline; chosen,
// mesh_surface_test
inline constexpr double kUnderSight = 1e-5;
// of the sharpest bends: a place of a mesh that bends less is nearly flat beside them    [1/radii]
inline constexpr double kFlat = 0.25;
// a string bent outward less than this is straight                                       [1/radii]
inline constexpr double kStraight = 1e-6;
// below it an end of an arc has no slope to slide by: the surface is flat there          [1/radii]
inline constexpr double kLeastSlope = 1e-3;
// shorter by this share in one step of knots over a mesh, or in a row of balls with a keeper: it
// slipped; chosen, mesh_surface_test, test_several_wraps (keeper)
inline constexpr double kSlip = 1e-3;
// A string slipped where it gained more than straightening its old corners explains, half their
// square, and this: rounding of the length.
inline constexpr double kGained = 1e-9;
// Balls are not asked whether the string slipped off them where it gained less than this share: the
// corners of a thousandth of a radian that a step leaves explain it; chosen, span_test (spheres)
inline constexpr double kLeastSlip = 1e-6;
// Newton's method may end so far from what knots know, and for each radius of arc this much more,
// and on a string longer by this share: knots are rough; chosen, smooth_test
inline constexpr double kRoughReach = 1;
inline constexpr double kRoughPerArc = 0.2;
inline constexpr double kRoughLonger = 2e-3;
// knots pull as if pieces were no shorter than this, lie on a surface they are this near to, and
// cut a ring where a free end is so deep in its tube; chosen, knots_test and ring_test
inline constexpr double kShortPiece = 0.02;
inline constexpr double kOnSection = 1e-6;
inline constexpr double kThroughTube = 0.1;
// a plane cuts a surface where its normal lies in it by more than this, squared; chosen, knots_test
inline constexpr double kCutsAcross = 1e-4;
// sine below which three points lie on a line and make no plane
inline constexpr double kOnLine = 1e-6;
// free ends have knots as far as the surface reaches, and a little beyond
inline constexpr double kBeyondReach = 1.05;
// the ends of an arc are looked for this share of it beyond, and so many radii; where that is not
// enough, this many times further; chosen, shorten_test
inline constexpr double kTrimPerArc = 0.3;
inline constexpr double kTrimPerRadius = 0.5;
inline constexpr double kTrimWider = 3;
// an arc moves aside by no more in one move downhill: its slope is another one there; chosen,
// shorten_test                                                                     [radii, rad]
inline constexpr double kShortenStride = 0.4;
// a line of sight so deep in a mesh ends a walk along it: knots are rough
inline constexpr double kUnderWalk = 1e-4;
// of two paths from both ends of a route, equal where hints and lengths are: radii, share
inline constexpr double kSameHints = 1e-6;
inline constexpr double kSameLength = 1e-9;

// ------------------------------------ effort: work that is done before the best is taken as it is

// Follow: Newton runs of at most kMaxNewton iterations, each with at most kMaxBacktrack halvings
// (a double root takes many), for each of kFollowRounds changes of contact.
inline constexpr int kMaxNewton = 40;
inline constexpr int kMaxBacktrack = 4;
inline constexpr int kFollowRounds = 4;  // chosen, smooth_test

// Search. Descent and Newton's method alternate; first so many sweeps at most.
inline constexpr int kMaxRounds = 12;        // chosen, span_test
inline constexpr int kMaxFirstDescent = 50;  // chosen, span_test
inline constexpr int kMaxDescent = 400;      // sweeps where Newton's method is of no use
inline constexpr int kMaxSmoothSweeps = 20;  // between two tries of Newton's over smooth surfaces
inline constexpr int kSmoothSweeps = 240;    // over smooth surfaces, each a solve of its own
// tries of one search: one takes some 30 us, so that it ends after 40 ms. Chosen, smooth_test: no
// search that finds a path there is cut off, at 1000 one is
inline constexpr int kTries = 1300;
inline constexpr int kNoLimit = 1 << 30;  // closed forms cost nothing
// A try over a spline, in other tries. Chosen: it takes about ten times the time of one over an
// ellipsoid (benchmarks mesh, ellipsoid), but a route must not fail for that.
inline constexpr int kSplinePrice = 4;
// A try over the surface at a distance from an ellipsoid: every point needs its foot point.
inline constexpr int kOffsetPrice = 4;
// one over an arc that is longer than so many extents counts twice, and so on: a few turns; a mesh
// has a step for each cell
inline constexpr double kTryExtents = 16;
inline constexpr double kTryExtentsMesh = 2;
inline constexpr int kIterationsPerTry = 4;  // of Newton's method, where each is paid for
inline constexpr int kSweepsPerTry = 10;     // of knots, which cost about as much as one try
inline constexpr int kMaxShorten = 60;       // moves downhill; chosen, smooth_test
inline constexpr int kShortenHalvings = 12;  // of one of them
// points at which an arc is looked at for its ends: nearby, further, over all of a surface with
// flats
inline constexpr int kTrimSamples = 12;
inline constexpr int kTrimSamplesWider = 48;
inline constexpr int kTrimSamplesFlat = 96;
// points of an arc: as knots, to count passes through a ring
inline constexpr int kArcKnots = 13;
inline constexpr int kPassPoints = 25;
inline constexpr int kPullRounds = 4;  // of knots over each group in turn; chosen, ring_test
// of knots over anything but one ring, which costs little and holds for long; chosen, smooth_test
inline constexpr int kMeshSweeps = 480;
// sides from which the shorter way round a smooth body is looked for, of a box four faces and four
// edges; chosen, test_one_pose_one_path (body)
inline constexpr int kSidesAround = 8;
// sweeps of knots between two tries of Newton's method: twice as many each time
inline constexpr int kKnotLadder[] = {30, 60, 120, 240, 480, 960, 1920};
inline constexpr double kKnotsStill = 1e-6;  // knots that move by less will not find more  [radii]
inline constexpr double kKnotsRest = 1e-7;   // or have come to rest                        [radii]
// corners to which a string is shortened before Newton's method is tried again
inline constexpr double kCorners[] = {1e-3, 1e-5, 1e-7, 1e-9};
// descent alone has found a path where contacts move by less                               [radii]
inline constexpr double kDescended = 1e-10;
inline constexpr double kOverRelaxed = 1.7;  // of knots; chosen, knots_test
inline constexpr int kMaxSection = 12;       // Newton steps onto a planar section
inline constexpr int kMaxWalk = 150;         // points of a planar section, each way
inline constexpr double kWalkStep = 0.06;    // of them                              [extents]
// Newton iterations of a group before its search gives up, and over splines, where each costs much
// more; chosen, ring_test and mesh_surface_test (kept)
inline constexpr int kGroupIterations = 1500;
inline constexpr int kGroupIterationsSpline = 150;

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_TOLERANCE_H_
