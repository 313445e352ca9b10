#include "core/law/coulomb.h"

#include <algorithm>
#include <cmath>

#include "core/math/inline.h"

namespace mujocable {
namespace {

// where the scale of a side is multiplied out, so that slopes lose no more than two digits
constexpr double kSpread = 100;

// A piece of an increasing function, seen from its root outward: a jump where it begins, then a
// line up to `far`.
struct Piece {
  double far, slope, jump;
};

// One side of the function, nearest piece last. Scaling the argument and adding a line touch all
// pieces at once, by two numbers.
class Side {
 public:
  explicit Side(double* storage) : pieces_(reinterpret_cast<Piece*>(storage)) {}

  // by actual values; `jump` where it begins
  void Push(double far, double slope, double jump) {
    pieces_[n_++] = {far * unscale_, slope * scale_ - added_, jump};
  }
  void Pop() { --n_; }
  double far() const { return top().far * scale_; }
  double slope() const { return (top().slope + added_) * unscale_; }
  double& jump() { return pieces_[n_ - 1].jump; }

  // f(x) becomes f(x / factor) + slope x; inverse: of the factor
  void Transform(double factor, double inverse, double slope) {
    scale_ *= factor;
    unscale_ *= inverse;
    added_ += slope * scale_;
    if (scale_ < kSpread && scale_ * kSpread > 1) return;
    for (int i = 0; i < n_; ++i) {
      pieces_[i].far *= scale_;
      pieces_[i].slope = (pieces_[i].slope + added_) * unscale_;
    }
    scale_ = unscale_ = 1;
    added_ = 0;
  }

 private:
  const Piece& top() const { return pieces_[n_ - 1]; }
  Piece* pieces_;
  int n_ = 0;
  double scale_ = 1, unscale_ = 1, added_ = 0;
};

// The root lies on side `to`, beyond `at`, where the function is `value` away from zero. Moves the
// pieces that are passed to the other side, whose first piece begins at `at`; returns the root.
MUJOCABLE_INLINE inline double Search(double at, double value, Side& to, Side& from) {
  for (;;) {
    if (!(value > to.jump())) {  // also where a number is none: it must end
      to.jump() -= value;
      from.jump() += value;
      return at;
    }
    value -= to.jump();
    from.jump() += to.jump();
    const double far = to.far(), slope = to.slope(),
                 rise = slope * (far > at ? far - at : at - far);
    from.Push(at, slope, 0);
    if (!(value > rise)) {
      to.jump() = 0;
      return far > at ? at + value / slope : at - value / slope;
    }
    value -= rise;
    at = far;
    to.Pop();
  }
}

// The first cell: no tension below zero, none above the limit; or just the one that is given.
double FirstRoot(const CoulombString& s) {
  return std::min(std::max(s.commanded ? s.command : s.free[0], 0.0), s.most);
}

// Tensions where all contacts stick: every cell has that of its own material. False where one of
// them is not inside the cones of its neighbors.
bool AllStick(const CoulombString& s, double* tension, int* slip) {
  double before = tension[0] = FirstRoot(s);
  for (int j = 1; j < s.n; ++j) {
    const double free = s.free[j];
    const double low = free * s.inverse[j - 1], high = free * s.ratio[j - 1];
    if (!(before > low * (1 + kEdge) && before < high * (1 - kEdge))) return false;
    before = tension[j] = free;
    slip[j - 1] = 0;
  }
  return true;
}

// D_j(T): material that must leave cells 0 ... j toward the distal end if cell j has tension T. It
// increases; m_j is its root. From cell to cell it is cut at the root and its sides are spread by
// the ratio of the contact: between, nothing moves.
void FindRoots(const CoulombString& s, double* scratch, double* root) {
  Side below(scratch), above(scratch + 6 * s.n + 6);
  root[0] = FirstRoot(s);
  if (s.commanded) {
    below.Push(root[0], 0, INFINITY);
    above.Push(root[0], 0, INFINITY);
  } else {
    const double b = s.give[0], free = s.free[0];
    below.Push(0, 0, INFINITY);
    above.Push(s.most, 0, INFINITY);
    if (root[0] > 0) below.Push(0, b, std::max(0.0, (free - root[0]) * b));
    if (root[0] < s.most) above.Push(s.most, b, std::max(0.0, (root[0] - free) * b));
  }
  for (int j = 1; j < s.n; ++j) {
    const double ratio = s.ratio[j - 1], inverse = s.inverse[j - 1], b = s.give[j];
    const double free = s.free[j], low = root[j - 1] * inverse, high = root[j - 1] * ratio;
    below.Transform(inverse, ratio, b);
    above.Transform(ratio, inverse, b);
    if (free < low) {
      above.Push(high, b, 0);
      root[j] = Search(low, b * (low - free), below, above);
    } else if (free > high) {
      below.Push(low, b, 0);
      root[j] = Search(high, b * (free - high), above, below);
    } else {
      root[j] = free;
      below.Push(low, b, 0);
      above.Push(high, b, 0);
    }
  }
}

}  // namespace

// Back from the distal end, every tension is the root or as near to it as its neighbor allows.
void SolveCoulomb(const CoulombString& s, double* scratch, double* tension, int* slip) {
  if (AllStick(s, tension, slip)) return;  // (the same bits: `cylinder` shows what it saves)
  const int n = s.n;
  double* root = scratch + 12 * n + 12;
  FindRoots(s, scratch, root);
  tension[n - 1] = root[n - 1];
  for (int j = n - 1; j > 0; --j) {
    const double low = tension[j] * s.inverse[j - 1], high = tension[j] * s.ratio[j - 1];
    const double m = root[j - 1];
    // (no branch: which contacts slip is hard to foretell)
    const int up = m <= low * (1 + kEdge), down = m >= high * (1 - kEdge);
    slip[j - 1] = up - (down & ~up);
    tension[j - 1] = std::max(low, std::min(m, high));
  }
  if (s.commanded) tension[0] = root[0];  // to the last bit
}

}  // namespace mujocable
