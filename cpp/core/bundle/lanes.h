// Records and states of four cables with as many contacts: a number of each at a time.

#ifndef MUJOCABLE_CORE_BUNDLE_LANES_H_
#define MUJOCABLE_CORE_BUNDLE_LANES_H_

#include <cstddef>

#include "core/math/pair.h"
#include "core/record.h"
#include "core/state.h"
#include "core/workspace.h"

namespace mujocable {

// the number at each of four places
MUJOCABLE_INLINE inline Lanes Gather(const double* const* from, std::ptrdiff_t at = 0) {
  return Lanes{from[0][at], from[1][at], from[2][at], from[3][at]};
}
MUJOCABLE_INLINE inline Lanes3 Gather3(const double* const* from, std::ptrdiff_t at = 0) {
  return {Gather(from, at), Gather(from, at + 1), Gather(from, at + 2)};
}
static_assert(kLanes == 4);

// The same of vectors that lie in memory of others, two numbers at a time: faster, unless they were
// written just now one by one.
MUJOCABLE_INLINE inline Lanes3 GatherWide3(const double* const* from, std::ptrdiff_t at = 0) {
  Lanes x, y;
  LoadTwo(from[0] + at, from[1] + at, from[2] + at, from[3] + at, x, y);
  return {x, y, Gather(from, at + 2)};
}

// Blocks of one layout. A place is named by a pointer into the first of them.
template <typename Block>
struct BlockLanes {
  Block first;
  double* block[kLanes];

  MUJOCABLE_INLINE Lanes Get(const double* place) const {
    return Gather(block, place - first.block);
  }
  MUJOCABLE_INLINE Lanes3 Get3(const double* place) const {
    return Gather3(block, place - first.block);
  }
  MUJOCABLE_INLINE void Set(const double* place, const Lanes& value) const {
    const std::ptrdiff_t at = place - first.block;
    for (int j = 0; j < kLanes; ++j) block[j][at] = value[j];
  }
  MUJOCABLE_INLINE void Set3(const double* place, const Lanes3& value) const {
    const std::ptrdiff_t at = place - first.block;
    StoreTwo(value.x, value.y, block[0] + at, block[1] + at, block[2] + at, block[3] + at);
    Set(place + 2, value.z);
  }
  // the same number at n places from there on
  MUJOCABLE_INLINE void Fill(const double* place, int n, double value) const {
    const Lanes all = All<Lanes>(value);
    for (int i = 0; i < n && n < kLanes; ++i) Set(place + i, all);
    const std::ptrdiff_t begin = place - first.block, last = begin + n - kLanes;
    for (std::ptrdiff_t at = begin; at < last; at += kLanes) SetAll(at, all);
    if (n >= kLanes) SetAll(last, all);
  }

 private:
  // several numbers of each block
  MUJOCABLE_INLINE void SetAll(std::ptrdiff_t at, const Lanes& value) const {
    for (int j = 0; j < kLanes; ++j) StoreLanes(block[j] + at, value);
  }
};
using RecordLanes = BlockLanes<Record>;
using StateLanes = BlockLanes<State>;

// a number of four cables for each of n places along them
struct LaneRow {
  LaneRow(Workspace& workspace, int n) : at(workspace.Take<double>(kLanes * n)) {}
  Lanes operator[](int i) const { return LoadLanes(at + kLanes * i); }
  void Set(int i, const Lanes& x) const { StoreLanes(at + kLanes * i, x); }
  double& Of(int lane, int i) const { return at[kLanes * i + lane]; }
  double* at;
};

// the same of vectors
struct LaneRow3 {
  LaneRow3(Workspace& workspace, int n) : row(workspace, 3 * n) {}
  Lanes3 operator[](int i) const { return {row[3 * i], row[3 * i + 1], row[3 * i + 2]}; }
  void Set(int i, const Lanes3& v) const {
    row.Set(3 * i, v.x);
    row.Set(3 * i + 1, v.y);
    row.Set(3 * i + 2, v.z);
  }
  void Add(int i, const Lanes3& v) const { Set(i, (*this)[i] + v); }
  LaneRow row;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_LANES_H_
