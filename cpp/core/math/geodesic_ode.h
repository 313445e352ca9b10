// Geodesics on any smooth implicit surface: one integrator for all shapes without a closed form.
//
// A shape gives, in the frame of its surface,
//   Flow At(x, t)          acceleration of the geodesic x'' = -II(t, t) n, and II(t, t), K at x
//   double Sharpest(x)     an upper bound of the normal curvatures near x
//   double most, widest    the same for the whole surface; a longer step may miss a tip
//   Vec3 Project(x, n)     the surface point nearest to x and its outward unit normal
//   Curvature Bend(x, t, n)  curvatures of (3), wrapping sign
// x, t, the Jacobi fields (3) and the turning (7) are integrated together with a few steps of order
// eight (Prince and Dormand, 12 stages), each turning by at most kTurnPerStep; the end is
// projected.

#ifndef MUJOCABLE_CORE_MATH_GEODESIC_ODE_H_
#define MUJOCABLE_CORE_MATH_GEODESIC_ODE_H_

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/geodesic.h"
#include "core/math/root.h"
#include "core/math/simd.h"

namespace mujocable::ode {

// Turning of the sharpest normal section in one step, the first guess; what the tangent may be
// wrong by after it, as it is estimated; how often a step is shortened for that.
// Chosen; smooth_surfaces_test compares with an integration in short steps.
inline constexpr double kTurnPerStep = 0.6;  // [rad]
inline constexpr double kStepError = 3e-9;   // [rad]
inline constexpr int kMaxShorter = 8;
// a gradient whose square is below this has no direction; it is one on the surface
inline constexpr double kNoSlope = 1e-12;
// steps of one geodesic: some forty turns; the last one takes all that is left
inline constexpr int kMaxSteps = 400;

// A shape may know how long a step may be, by `Reach(x, t)`, continuous: it is then taken without a
// look at its error, and Sharpest, most and widest are not asked for.
template <typename Shape>
constexpr bool KnowsReach() {
  return requires(const Shape& shape, Vec3 x) { shape.Reach(x, x); };
}

struct Flow {
  Vec3 acceleration;
  double bending = 0;  // II(t, t), positive on convex                                 [1/m]
  double gauss = 0;    // Gaussian curvature K                                        [1/m^2]
  Vec3 velocity{};     // of the foot point, where the shape is followed by that
};

// of the surface through x where a function of space has its value there
inline Flow FlowOf(const Jet& jet, const Vec3& t) {
  const double gg = std::max(Dot(jet.g, jet.g), kNoSlope), form = Dot(t, jet.Times(t));
  // g^T adj(H) g
  const Vec3 c0 = {jet.xx, jet.xy, jet.xz}, c1 = {jet.xy, jet.yy, jet.yz},
             c2 = {jet.xz, jet.yz, jet.zz};
  const Vec3 a0 = Cross(c1, c2), a1 = Cross(c2, c0), a2 = Cross(c0, c1);
  const Vec3 adj = jet.g.x * a0 + jet.g.y * a1 + jet.g.z * a2;
  return {(-form / gg) * jet.g, form / std::sqrt(gg), Dot(jet.g, adj) / (gg * gg)};
}

// curvatures of (3) of that surface, wrapping sign
inline Curvature BendOf(const Jet& jet, const Vec3& t, const Vec3& n) {
  const double g = std::sqrt(std::max(Dot(jet.g, jet.g), kNoSlope));
  const Vec3 b = Cross(t, n), ht = jet.Times(t);
  return {-Dot(t, ht) / g, -Dot(b, jet.Times(b)) / g, Dot(b, ht) / g};
}

// A parallel surface may be followed by its foot point on the inner one: x in At and Sharpest is
// then that point, Flow::velocity says how fast it runs, and Under and Above lead there and back.
template <typename Shape>
constexpr bool ByFoot() {
  return requires(const Shape& shape, Vec3 x, Vec3& n) { shape.Above(x, n); };
}

// what is integrated, four numbers at a time
struct State {
  Lanes x;     // x, and the translational Jacobi field a
  Lanes t;     // t, and the derivative r' of the rotational one
  Lanes rest;  // a', r, the turning (7), once more
};

inline constexpr int kStages = 12;  // of a step
// Hairer, Norsett, Wanner, Solving ODEs I, DOP853: the stages
inline constexpr double kStage[kStages][kStages - 1] = {
    {0},
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0, 0.08876275643042054},
    {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
     0.008273789163814023},
    {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
     20.154067550477894, -43.48988418106996},
    {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
     15.279233632882423, -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
     -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
     27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
     0.6433927460157636},
};
// the solution of order 8; differences to its embedded solutions, of order 5 and of order 3
inline constexpr double kWeights[3][kStages] = {
    {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
     0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259},
    {0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864,
     -0.35032884874997366, 0.3341791187130175, 0.08192320648511571, -0.022355307863886294},
    {-0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
     -0.4226823213237919, -0.1521609496625161, 0.20136540080403034, 0.02265179219836082},
};

inline Vec3 First(const Lanes& v) { return {v[0], v[1], v[2]}; }
inline Lanes With(const Vec3& v, double last) { return Lanes{v.x, v.y, v.z, last}; }

// derivative of the state; returns II(t, t)
template <typename Shape>
double Slope(const Shape& shape, const State& y, State& dy) {
  const Vec3 t = First(y.t);
  const Flow flow = shape.At(First(y.x), t);
  dy.x = With(ByFoot<Shape>() ? flow.velocity : t, y.rest[0]);
  dy.t = With(flow.acceleration, -flow.gauss * y.rest[1]);
  dy.rest = Lanes{-flow.gauss * y.x[3], y.t[3], flow.bending, flow.bending};
  return flow.bending;
}

// calls f.operator()<0>() ... f.operator()<n - 1>()
template <int n, typename F>
inline void Unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) {
    (f.template operator()<i>(), ...);
  }(std::make_integer_sequence<int, n>());
}

// The share of a step that its bending turns by, whichever way: a polynomial of fourth order
// through the stages, cut where it changes sign. `signed_turn`: the integral of the bending itself,
// known better.
inline double TurnBothWays(const double* bending, double signed_turn) {
  // the stages that lie at different places; pieces in which a sign is looked for, and how exactly
  constexpr int kNodes = 5, kPieces = 16;
  constexpr double kTurnExact = 1e-9;
  constexpr int stage[kNodes] = {0, 5, 9, 10, 11};
  constexpr double at[kNodes] = {0, 1.0 / 3, 0.6, 6.0 / 7, 1};
  double difference[kNodes];
  for (int i = 0; i < kNodes; ++i) difference[i] = bending[stage[i]];
  for (int k = 1; k < kNodes; ++k) {
    for (int i = kNodes - 1; i >= k; --i) {
      difference[i] = (difference[i] - difference[i - 1]) / (at[i] - at[i - k]);
    }
  }
  const auto value = [&](double u) {
    double sum = difference[kNodes - 1];
    for (int i = kNodes - 2; i >= 0; --i) sum = difference[i] + (u - at[i]) * sum;
    return sum;
  };
  // Boole's rule: exact for it
  double whole = 0, both = 0;
  const auto add = [&](double u, double v) {
    const double h = 0.25 * (v - u);
    const double piece =
        h * (2.0 / 45) *
        (7 * (value(u) + value(v)) + 32 * (value(u + h) + value(v - h)) + 12 * value(u + 2 * h));
    whole += piece;
    both += std::abs(piece);
  };
  for (int i = 0; i < kPieces; ++i) {
    const double u = double(i) / kPieces, v = double(i + 1) / kPieces, at_u = value(u),
                 at_v = value(v);
    const double root = at_u * at_v < 0 ? RootBetween(u, v, at_u, at_v, kTurnExact, value) : v;
    add(u, root);
    if (root < v) add(root, v);
  }
  return both + (whole < 0 ? -1 : 1) * (signed_turn - whole);
}

// y plus h times the sum of c[j] k[j] over the first n slopes, zeros skipped at compile time
template <const double* c, int n>
inline State Combined(const State& y, double h, const State* k) {
  State sum = {All<Lanes>(0), All<Lanes>(0), All<Lanes>(0)};
  Unrolled<n>([&]<int j>() {
    if constexpr (c[j] != 0) {
      sum.x = sum.x + c[j] * k[j].x;
      sum.t = sum.t + c[j] * k[j].t;
      sum.rest = sum.rest + c[j] * k[j].rest;
    }
  });
  return {y.x + h * sum.x, y.t + h * sum.t, y.rest + h * sum.rest};
}

// One step of length h from y to `next`; returns an estimate of the tangent's error (Hairer's mix
// of both embedded solutions). `least_bending`: of a few stages.
template <typename Shape>
double Step(const Shape& shape, double h, const State& y, State& next, double& least_bending) {
  State k[kStages];
  double bending[kStages];
  least_bending = INFINITY;
  Unrolled<kStages>([&]<int i>() {
    const State point = Combined<kStage[i], i>(y, h, k);
    bending[i] = Slope(shape, point, k[i]);
    if constexpr (i == 0 || i == 5 || i == 8 || i == kStages - 1) {
      double bent = bending[i];
      // a shape known only so well may say how deep hollows are its own
      if constexpr (requires { shape.Wavy(Vec3{}); }) {
        if (bent < 0) bent += shape.Wavy(First(point.x));
      }
      least_bending = std::min(least_bending, bent);
    }
  });
  next = Combined<kWeights[0], kStages>(y, h, k);
  // a string may be led through hollows of some shapes: it turns there too
  if constexpr (requires { Shape::kHollows; }) {
    const auto [low, high] = std::minmax_element(bending, bending + kStages);
    if (*low < 0) {
      double turn = 0;
      for (int i = 0; i < kStages; ++i) turn += kWeights[0][i] * bending[i];
      next.rest[2] = y.rest[2] + h * (*high > 0 ? TurnBothWays(bending, turn) : -turn);
    }
  }
  Lanes fifth = All<Lanes>(0), third = All<Lanes>(0);
  Unrolled<kStages>([&]<int i>() {
    if constexpr (kWeights[1][i] != 0) fifth = fifth + kWeights[1][i] * k[i].t;
    if constexpr (kWeights[2][i] != 0) third = third + kWeights[2][i] * k[i].t;
  });
  const Vec3 fifth_t = First(fifth), third_t = First(third);
  const double error5 = Dot(fifth_t, fifth_t), error3 = Dot(third_t, third_t);
  return error5 > 0 ? std::abs(h) * error5 / std::sqrt(error5 + 0.01 * error3) : 0;
}

// tangent, Jacobi fields and turning at the end of a geodesic, whose point and normal are known
inline void Finish(const State& y, Geodesic& g) {
  g.t_q = Across(First(y.t), g.n_q);
  g.a = y.x[3], g.da = y.rest[0], g.r = y.rest[1], g.dr = y.t[3], g.turn = y.rest[2];
}

// a step along what is left of the length: as long as the sharpest curvature on it allows
template <typename Shape>
double StepLength(const Shape& shape, const State& y, double left) {
  if (std::abs(left) * shape.most <= kTurnPerStep) return left;
  const Vec3 x = First(y.x), t = First(y.t);
  const Vec3 acceleration = shape.At(x, t).acceleration;
  double h = std::copysign(std::min(std::abs(left), kTurnPerStep / shape.Sharpest(x)), left);
  h = std::copysign(std::min(std::abs(h), shape.widest), left);
  for (int i = 0; i < 40 && std::abs(h) * shape.most > kTurnPerStep; ++i) {
    double sharpest = 0;
    for (double u : {0.5 * h, h}) {
      sharpest = std::max(sharpest, shape.Sharpest(x + u * t + (0.5 * u * u) * acceleration));
    }
    if (std::abs(h) * sharpest <= kTurnPerStep) break;
    h *= std::max(0.5, 0.9 * kTurnPerStep / (std::abs(h) * sharpest));
  }
  // even steps over what is left
  return left / std::ceil(std::abs(left / h) - 1e-12);
}

// geodesic in the frame of the surface; a negative length runs backward
template <typename Shape>
Geodesic Shoot(const Shape& shape, const Vec3& p, const Vec3& t, double length) {
  Geodesic g;
  g.length = length;
  g.p = shape.Project(p, g.n_p);
  g.t_p = Across(t, g.n_p);
  g.at_p = shape.Bend(g.p, g.t_p, g.n_p);

  Vec3 x = g.p;
  if constexpr (ByFoot<Shape>()) x = shape.Under(g.p, g.n_p);
  State y = {With(x, 1), With(g.t_p, 1), All<Lanes>(0)};
  double left = length, reach = 0;  // reach: what the error of the step before allows
  for (int i = 0; i < kMaxSteps && left != 0; ++i) {
    State next = y;
    double bending = 0;
    if constexpr (KnowsReach<Shape>()) {
      // no even steps: the last one grows from nothing, and the geodesic without a jump
      const double way = left < 0 ? -1 : 1;
      const double most = shape.Reach(First(y.x), way * First(y.t));
      const double h = std::abs(left) <= most || i + 1 == kMaxSteps ? left : way * most;
      Step(shape, h, y, next, bending);
      left = h == left ? 0 : left - h;
    } else {
      double h = reach > 0 ? left / std::ceil(std::max(1.0, std::abs(left) / reach - 1e-9))
                           : StepLength(shape, y, left);
      if (i + 1 == kMaxSteps) h = left;
      for (int j = 0; j < kMaxShorter; ++j) {
        const double error = Step(shape, h, y, next, bending);
        // the estimate is of order 7
        const double ratio = std::sqrt(std::sqrt(std::sqrt(kStepError / std::max(error, 1e-300))));
        reach = std::abs(h) * std::clamp(0.9 * ratio, 0.3, 4.0);
        reach = std::min(reach, shape.widest);
        // the last try is taken as it is
        if (!(error > kStepError) || i + 1 == kMaxSteps || j + 1 == kMaxShorter) break;
        h = std::copysign(reach, h);
      }
      left = h == left ? 0 : left - h;
    }
    y = next;
    g.least_bending = std::min(g.least_bending, bending);
  }

  if constexpr (ByFoot<Shape>()) {
    g.q = shape.Above(First(y.x), g.n_q);
  } else {
    g.q = shape.Project(First(y.x), g.n_q);
  }
  Finish(y, g);
  g.at_q = shape.Bend(g.q, g.t_q, g.n_q);
  return g;
}

}  // namespace mujocable::ode

#endif  // MUJOCABLE_CORE_MATH_GEODESIC_ODE_H_
