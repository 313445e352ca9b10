// A geodesic arc on a surface with its Jacobi fields: what every surface, exact or fitted, answers;
// and a function of space at one point, whose level a surface may be.

#ifndef MUJOCABLE_CORE_MATH_GEODESIC_H_
#define MUJOCABLE_CORE_MATH_GEODESIC_H_

#include "core/math/vec.h"

namespace mujocable {

// curvatures of the surface along a curve with tangent t, wrapping sign: negative on convex
struct Curvature {
  double normal = 0;   // of t: t' = normal * n                                   [1/m]
  double across = 0;   // of b                                                    [1/m]
  double torsion = 0;  // n' = -normal t + torsion b                              [1/m]
};

// a geodesic arc from p to q with its Jacobi fields (3) at q
struct Geodesic {
  Vec3 p, t_p, n_p;  // start
  Vec3 q, t_q, n_q;  // end
  double length = 0;
  Curvature at_p, at_q;
  double a = 1, da = 0;      // translational Jacobi field and its derivative
  double r = 0, dr = 1;      // rotational Jacobi field and its derivative
  double turn = 0;           // smooth surfaces: turning of the tangent (7)             [rad]
  double least_bending = 0;  // the same, and the waviness: negative where it would bridge [1/m]
};

// a geodesic that was run from its start against its own direction
inline void TurnRound(Geodesic& g) {
  g.t_p = -g.t_p, g.t_q = -g.t_q;
  g.length = -g.length, g.da = -g.da, g.r = -g.r, g.turn = -g.turn;
}

// value, gradient and Hessian of a function at one point
struct Jet {
  double f = 0;
  Vec3 g;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Vec3 Times(const Vec3& v) const {
    return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z};
  }
  // the Hessian grows by s v v^T
  void Add(double s, const Vec3& v) {
    xx += s * v.x * v.x, yy += s * v.y * v.y, zz += s * v.z * v.z;
    xy += s * v.x * v.y, xz += s * v.x * v.z, yz += s * v.y * v.z;
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MATH_GEODESIC_H_
