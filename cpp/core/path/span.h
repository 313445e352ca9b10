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

// a copy of the wraps of a span, room for more not touched
class SpanCopy {
 public:
  SpanCopy(const SpanWrap* wraps, int n) : n_(n) { Take(wraps, n); }
  SpanCopy(const SpanCopy&) = delete;
  SpanCopy& operator=(const SpanCopy&) = delete;
  void Take(const SpanWrap* wraps, int n) {
    n_ = n;
    std::uninitialized_copy_n(wraps, n, get());
  }
  void Put(SpanWrap* wraps) { std::copy_n(get(), n_, wraps); }
  SpanWrap* get() { return reinterpret_cast<SpanWrap*>(storage_); }
  SpanWrap& operator[](int i) { return get()[i]; }

 private:
  int n_;
  alignas(SpanWrap) unsigned char storage_[sizeof(SpanWrap) * kMaxSpanWraps];
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
