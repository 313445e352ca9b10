// The numbers of fits and patches, all in one place: what rounding leaves, what counts as what, how
// fine, how much work is done. Each line has its reason, or the word "chosen" and the test that
// fails where it is twice or half as much, or what fails where it is far off.

#ifndef MUJOCABLE_CORE_MESH_TOLERANCE_H_
#define MUJOCABLE_CORE_MESH_TOLERANCE_H_

#include <cstdint>

namespace mujocable {

// ------------------------------------ rounding: what double precision leaves

// less than any distance: keeps the inverse of none finite                                    [m]
inline constexpr double kTiny = 1e-300;
// a point beyond the border of the grid is taken this far inside                          [cells]
inline constexpr double kBorder = 1e-9;
// what lies in the plane of a face to rounding counts as beside it          [size of the face]
inline constexpr double kBesideFace = 1e-9;
// normals this near are one                                                                 [rad]
inline constexpr double kOneNormal = 1e-9;
// a point this near to the level of a field is on it; a Newton step this small is the last, since
// its square is below rounding                                                            [cells]
inline constexpr double kLevelRounding = 1e-14;
inline constexpr double kLastMeshStep = 1e-7;
// a point this near to a join is on it, and where a geodesic meets one to this share of it
// [extents]
inline constexpr double kOnJoin = 1e-12;
inline constexpr double kMeetsJoin = 1e-3;
// a least-squares fit has come to rest: rounding of what moves it              [size of what it
// fits]
inline constexpr double kFitStill = 1e-13;
// of the diagonal of its matrix: what nothing depends on (a cylinder along its axis) does not move,
// each by itself and all together
inline constexpr double kHeldBack = 1e-12;
inline constexpr double kHeldBackTogether = 1e-9;

// a system of three unknowns is singular, and a vertex off its patch by less is not off it
inline constexpr double kSingular = 1e-12;

// ------------------------------------ shape: what a mesh means

// an edge that turns by more is meant sharp: 40 degrees, chosen [rad]
inline constexpr double kCrease = 0.7;
// one that turns inward by less does not: vertices are stored as floats                     [rad]
inline constexpr double kFlatEdge = 1e-5;
// A dent is no deeper than this: the noise of a scan. A string follows it, since it would gain no
// length and no moment arm by bridging it. Chosen: vertices off by a thousandth of the extent
// (test_noise_of_a_scan_is_no_hollow would notice a tenth of it).
inline constexpr double kDentDepth = 2e-3;  // [extents]
// how often the plane over a dent is turned, and how far at most: 26 degrees
inline constexpr int kDentTurns = 20;
inline constexpr double kDentFacing = 0.9;
// one that turns by less has no radius of curvature: floats again                           [rad]
inline constexpr double kNoTurn = 1e-6;
// normals of a corner this near stand for one face                                          [rad]
inline constexpr double kOneFace = 1e-3;
// a typical small face, and where a shape bends sharply: a quarter and a tenth of the area is
// smaller or sharper
inline constexpr double kSmallShare = 0.25;
inline constexpr double kSharpShare = 0.1;
// A ball that must fit may be smaller by this share, for what the faces lie inside the surface they
// stand for, and by a little for rounding.
inline constexpr double kBallShare = 0.05;
inline constexpr double kBallRounding = 1e-6;
// points that fill faces: faces longer than this have some, no two nearer than that       [cells]
inline constexpr double kFillAbove = 2.2;
inline constexpr double kFillApart = 0.7;

// ------------------------------------ fields: how fine, how near

// cells on each side of the surface where spline or patches are the field: a spline sees three
inline constexpr double kBand = 3;
// and where its coefficients are fitted: what a point of the band sees, and one more     [cells]
inline constexpr double kActive = kBand + 4;
// cells around the surface's box
inline constexpr int kMargin = 8;
// The cell follows the shape, not the faces: the coarsest that keeps the fit this near to its
// samples (root mean square), and no finer than the faces tell of the shape. Chosen, fit_test.
inline constexpr double kDeviation = 1e-5;        // [extents]
inline constexpr double kCellPerRadius = 0.35;    // of curvature, to begin with
inline constexpr double kCellPerNarrowest = 0.1;  // of the box's sides
inline constexpr double kCellPerWidth = 1.4;      // of a face: the finest
inline constexpr double kWidestCells = 200;       // over the widest side, at most
inline constexpr double kFiner = 0.7;             // the next cell to try
// sharp edges: the rounding that a grid resolves, and the cell where none is asked for
inline constexpr double kEdgeCells = 2.5;      // [cells]
inline constexpr double kNarrowestCells = 30;  // over the narrowest side
inline constexpr double kEdgeCellPerOffset = 0.3;
// weights of the least squares: values and gradients at the samples, roughness, distance at nodes;
// chosen: the first by mesh_surface_test, the next two by fit_test (half and four times the second)
inline constexpr double kValueWeight = 3;
inline constexpr double kNormalWeight = 0.3;
inline constexpr double kRoughWeight = 3e-4;
inline constexpr double kFarWeight = 1e-3;
// a sample stands for at least this share of a cell's area: a small face is a vertex too
inline constexpr double kLeastArea = 1e-3;
// of a gradient, which is one on the surface: below this a value is no distance any more
inline constexpr double kLeastGradient = 0.1;
// What a step of one cell errs by, per sixth difference of a cell, most less; what the tangent may
// err by in a step, and how long that is at least and at most. Chosen: its eighth root counts. The
// longest step everywhere fails in mesh_surface_test, one cell everywhere takes a sixth more work.
inline constexpr double kRoughError = 5e-7;
inline constexpr double kReachError = 1e-8;  // [rad]
inline constexpr double kLeastReach = 0.25;  // [cells]
inline constexpr double kMostReach = 1.5;    // [cells]
// A hollow of the surface where the mesh has none for kHollowReach cells around is waviness,
// however deep: what was found there is granted kWavier times over, and kWavyReach cells around.
// Chosen: samples lie anywhere on a wave; where they grant no more than they see, test_mesh_shapes
// notices (a flattened capsule).
inline constexpr double kWavier = 10;
inline constexpr int kHollowReach = 3;
inline constexpr int kWavyReach = 2;

// ------------------------------------ patches: what is exact

// how far a vertex may lie from the surface it is a point of: ten times what is lost where
// coordinates are kept in single precision
inline constexpr double kExact = 1e-6;  // [extents]
// cosine between the normals of vertex and surface: 37 degrees; chosen, patch_test
inline constexpr double kAligned = 0.8;
// A face leans from its patch by less than this, or by less than so many times what is common: a
// flat cut into a cylinder leans more. Chosen, patch_test: for the angle anything above rounding
// and below a radian will do.
inline constexpr double kLean = 0.1;  // [rad]
inline constexpr double kLeans = 3;
// A seam: normals agree so well before all patches are fitted together; that fit weighs seams
// against vertices by so much that rounding of the vertices leaves nothing; they meet on a line
// where no point is further from it, else on a circle. Chosen; a hundredth of the first is what
// vertices stored as floats leave, and fails in patch_test; more lets in nothing that does not meet
// after the fit.
inline constexpr double kTangent = 1e-4;  // [rad]
inline constexpr double kSeamWeight = 1e6;
inline constexpr double kSeamCurve = 1e-7;  // [extents]
// two patches bend alike, touch in a point, or along less than a seam
inline constexpr double kBendAlike = 1e-6;  // [1/extents]
inline constexpr double kTouchInPoint = 0.01;
inline constexpr double kShortSeam = 1e-3;  // [extents]
// the cell of a field of patches, of their sharpest radius, the narrowest side; the least, of the
// widest
inline constexpr double kPatchCellPerRadius = 0.2;
inline constexpr double kPatchCellPerNarrowest = 1.0 / 12;
inline constexpr double kPatchCellPerWidest = 1.0 / 80;
// nodes that know of a join: those of the band, and what a point may be off its node      [cells]
inline constexpr double kJoinReach = kBand + 3;
// neighbors meet without a jump of distance or normal
inline constexpr double kJump = 1e-9;    // [extents]
inline constexpr double kCorner = 1e-6;  // [rad]
// a step of order eight along a cone or torus turns by this: it errs by less than 1e-11      [rad]
inline constexpr double kPrimitiveTurn = 0.2;
// and of a geodesic near a join: it ends where its node still knows the joins around it    [cells]
inline constexpr double kEventStep = 0.5 * (kJoinReach - kBand);
// a cone steeper than this is none                                                          [rad]
inline constexpr double kSteepest = 1.5;

// ------------------------------------ effort: work that is done before a fit is given up

// nodes of a grid: 24 bytes each
inline constexpr std::int64_t kMaxNodes = 6000000;
// iterations of the spline's fit, and after how many it must have gained this share of what is left
inline constexpr int kMaxIterations = 400;
inline constexpr int kPatience = 30;
inline constexpr double kLeastGain = 0.01;
// Newton steps onto a field; sweeps that center a ball in a corner
inline constexpr int kMaxMeshSteps = 20;
inline constexpr int kCornerSweeps = 60;
// seeds without a patch: so many, and for each vertex that has one so many more. Chosen: none is
// noticed by patch_test, more only takes longer on a mesh of another kind
inline constexpr double kMaxFailures = 40;
inline constexpr double kFailureShare = 0.1;
// a mesh of more patches is no part that was drawn
inline constexpr int kMaxPatches = 100;
inline constexpr int kMaxGuesses = 3;     // cones and tori that are fitted to a seed
inline constexpr int kMaxGrowths = 16;    // of a patch
inline constexpr int kMaxFits = 40;       // steps of Levenberg and Marquardt
inline constexpr int kMaxDampings = 8;    // tries of each
inline constexpr int kMaxSeamSteps = 20;  // Newton steps to where two patches touch
inline constexpr int kFitsTogether = 6;   // of all patches with their seams
inline constexpr int kMaxPieces = 4000;   // of a geodesic over patches

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MESH_TOLERANCE_H_
