// The shortest string between two fixed points over the wraps between them, solved jointly.

#ifndef MUJOCABLE_CORE_PATH_SPAN_H_
#define MUJOCABLE_CORE_PATH_SPAN_H_

#include <algorithm>
#include <memory>

#include "core/math/band.h"
#include "core/surface/surface.h"

namespace mujocable {

inline constexpr int kMaxSpanWraps = kMaxBlocks;  // places for contacts: one block each

// one wrap of a span: what it is, and the string on it (a guess on entry, the solution on exit)
struct SpanWrap {
  const Surface* surface = nullptr;
  bool permanent = false;
  bool guided = false;  // a smooth surface: the string keeps to it over hollows too
  int bearing = 0;      // which of the `bearings` contacts that it may have with one surface
  int bearings = 1;
  const Vec3* hint = nullptr;  // a point on the wanted side decides the class, not the guess
  Touch touch = {};
};

// places for n of them, not initialized: only what is used is touched
template <typename T, int n>
class Room {
 public:
  T* get() { return reinterpret_cast<T*>(storage_); }
  const T* get() const { return reinterpret_cast<const T*>(storage_); }
  T& operator[](int i) { return get()[i]; }
  const T& operator[](int i) const { return get()[i]; }

 private:
  alignas(T) unsigned char storage_[sizeof(T) * n];
};

// a string from a to b over n wraps, which are others'
struct Strand {
  Vec3 a, b;
  SpanWrap* wraps = nullptr;
  int n = 0;

  SpanWrap& operator[](int i) const { return wraps[i]; }
  template <typename Which>
  bool Any(const Which& which) const {
    return std::any_of(wraps, wraps + n, which);
  }
  // the exit point before wrap i, and the entry point after it
  Vec3 Before(int i) const {
    while (--i >= 0 && !wraps[i].touch.touching) {
    }
    return i >= 0 ? wraps[i].touch.q : a;
  }
  Vec3 After(int i) const {
    while (++i < n && !wraps[i].touch.touching) {
    }
    return i < n ? wraps[i].touch.p : b;
  }
  // over the wraps that touch, taut or not
  double Length() const {
    double length = 0;
    Vec3 from = a;
    for (int i = 0; i < n; ++i) {
      const Touch& touch = wraps[i].touch;
      if (!touch.touching) continue;
      length += Norm(touch.p - from) + touch.arc;
      from = touch.q;
    }
    return length + Norm(b - from);
  }
};

// a copy, with wraps of its own
class StrandCopy : public Strand {
 public:
  explicit StrandCopy(const Strand& of) {
    a = of.a, b = of.b, n = of.n;
    wraps = room_.get();
    std::uninitialized_copy_n(of.wraps, n, wraps);
  }
  StrandCopy(const StrandCopy&) = delete;
  StrandCopy& operator=(const StrandCopy&) = delete;
  void Put(const Strand& to) const { std::copy_n(wraps, n, to.wraps); }

 private:
  Room<SpanWrap, kMaxSpanWraps> room_;
};

struct SpanResult {
  bool converged = true;
  bool snapped = false;   // the path of the step before is no longer one; this is another
  bool followed = false;  // by Newton alone from the step before
  bool cleared = false;   // no segment next to a ring cuts it: looked at already
  int iterations = 0;
};

// a contact by itself: the string over it, and whether that is taut
struct Tightened {
  Touch touch;
  bool solved = true;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_PATH_SPAN_H_
