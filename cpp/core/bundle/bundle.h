// Four cables at a time, where all run through as many guides and nothing else: the stages of the
// driver, lane by lane with the same bits. A cable that needs more than the usual step is left to
// the driver.
//
// `python -m benchmarks tendons_300 rubbing_300` shows what it buys: with hundreds of cables most
// of a step is this.

#ifndef MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
#define MUJOCABLE_CORE_BUNDLE_BUNDLE_H_

#include "core/bundle/lanes.h"
#include "core/cable.h"

namespace mujocable {

class Bundle {
 public:
  // whether a cable can be part of one, with others of as many contacts
  static bool Takes(const CableModel& model) { return model.nwrap == 0; }

  // 1 to kLanes cables at the same stage of steps of the same size
  Bundle(Cable* const* cables, int n);

  void Locate();
  // as the driver's, for each; wrenches are wanted
  void Tighten(const Command* commands, Coupling* const* couplings, Wrench* const* wrenches,
               Pull* pulls);

 private:
  // how the cables rub: all alike, or each in a way of its own
  enum class Kind { kSmooth, kRough, kMixed };
  Kind KindOf() const;
  // the tensions of all cables; of those that it cannot find it says so in `alone`
  void TightenSmooth(const AxialStep* steps) const;
  void TightenRough(const AxialStep* steps, bool* alone) const;
  void Wrenches(Wrench* const* wrenches) const;

  const int n_;           // cables
  Cable* cable_[kLanes];  // beyond n, the first one again
  RecordLanes record_;
  StateLanes state_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
