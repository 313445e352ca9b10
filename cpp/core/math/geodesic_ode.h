// Geodesics on any smooth implicit surface: one integrator for all shapes without a closed form.
//
// A shape gives, in the frame of its surface,
//   Flow At(x, t)          acceleration of the geodesic x'' = -II(t, t) n, and II(t, t), K at x
//   double Reach(x, t)     how long a step from x along t may be, continuous
//   Vec3 Project(x, n)     the surface point nearest to x and its outward unit normal
//   Curvature Bend(x, t, n)  curvatures of (3), wrapping sign
// x, t, the Jacobi fields (3) and the turning (7) are integrated together with a few steps of order
// eight (Prince and Dormand, 12 stages); the end is projected. A step chosen by its error would
// come and go from one solve to the next, and the geodesic with it.

#ifndef MUJOCABLE_CORE_MATH_GEODESIC_ODE_H_
#define MUJOCABLE_CORE_MATH_GEODESIC_ODE_H_

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/math/geodesic.h"
#include "core/math/root.h"
#include "core/math/simd.h"

namespace mujocable::ode {

// a gradient whose square is below this has no direction; it is one on the surface
inline constexpr double kNoSlope = 1e-12;
// steps of one geodesic: some twenty turns; the last one takes all that is left
inline constexpr int kMaxSteps = 400;

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

// A parallel surface may be followed by its foot point on the inner one: x in At and Reach is
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
// Hairer, Norsett, Wanner, Solving ODEs I, DOP853: the stages, last the solution of order 8
inline constexpr double kStage[kStages + 1][kStages] = {
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
    {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
     0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259},
};
inline constexpr const double* kWeights = kStage[kStages];

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

// One step of length h from y. `least_bending`: of a few stages.
template <typename Shape>
State Step(const Shape& shape, double h, const State& y, double& least_bending) {
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
  State next = Combined<kStage[kStages], kStages>(y, h, k);
  // a string may be led through hollows of some shapes: it turns there too
  if constexpr (requires { Shape::kHollows; }) {
    const auto [low, high] = std::minmax_element(bending, bending + kStages);
    if (*low < 0) {
      double turn = 0;
      for (int i = 0; i < kStages; ++i) turn += kWeights[i] * bending[i];
      next.rest[2] = y.rest[2] + h * (*high > 0 ? TurnBothWays(bending, turn) : -turn);
    }
  }
  return next;
}

// tangent, Jacobi fields and turning at the end of a geodesic, whose point and normal are known
inline void Finish(const State& y, Geodesic& g) {
  g.t_q = Across(First(y.t), g.n_q);
  g.a = y.x[3], g.da = y.rest[0], g.r = y.rest[1], g.dr = y.t[3], g.turn = y.rest[2];
}

// geodesic in the frame of the surface, forward
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
  double left = length;
  for (int i = 0; i < kMaxSteps && left != 0; ++i) {
    // no even steps: the last one grows from nothing, and the geodesic without a jump
    const double most = shape.Reach(First(y.x), First(y.t));
    const double h = left <= most || i + 1 == kMaxSteps ? left : most;
    double bending;
    y = Step(shape, h, y, bending);
    left = h == left ? 0 : left - h;
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
