// Four cables at a time, where all run through as many guides and nothing else: the stages of the
// driver, lane by lane with the same bits. A cable that needs more than the usual step is left to
// the driver.
//
// `python -m benchmarks tendons_300 rubbing_300` shows what it buys: with hundreds of cables most
// of a step is this.

#ifndef MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
#define MUJOCABLE_CORE_BUNDLE_BUNDLE_H_

#include "core/bundle/lanes.h"
#include "core/bundle/steps.h"
#include "core/cable.h"

namespace mujocable {

// as Wrench, of as many cables, for each slot
struct LaneWrenches {
  LaneRow3 force, moment;
};

// Whoever turns the wrenches of a bundle into loads.
class BundleLoads {
 public:
  // of these wrenches times `unit`, one per slot, those of 1 N, and the mobility of the bodies
  // along each, as Coupling has it; only of cables that are not `alone`
  virtual void Project(const LaneWrenches& wrench, const Lanes& unit, const bool* alone,
                       double* mobility) = 0;

 protected:
  ~BundleLoads() = default;
};

class Bundle {
 public:
  // 1 to kLanes cables of a family at the same stage of steps of the same size
  Bundle(Cable* const* cables, int n);

  void Locate();
  // As the driver's, for each; wrenches are wanted. loads: takes them all at once, which needs
  // cables whose slots are alike; nullptr: they are not.
  void Tighten(const Command* commands, Coupling* const* couplings, Wrench* const* wrenches,
               BundleLoads* loads, Pull* pulls);

 private:
  // how the cables rub: all alike, or each in a way of its own
  enum class Kind { kSmooth, kRough, kMixed };
  Kind KindOf() const;
  LaneStep Open(const Command* commands, bool rough) const;
  // the tensions of all cables; of those that it cannot find it says so in `alone`
  void TightenSmooth(const LaneStep& step) const;
  void TightenRough(const LaneStep& step, bool* alone) const;
  Lanes MaySwing() const;
  void LeaveAll(const Command* commands, Coupling* const* couplings, Wrench* const* wrenches,
                bool rough, const bool* waits, Pull* pulls);
  LaneWrenches Wrenches() const;

  // a number of each cable
  template <typename Get>
  MUJOCABLE_INLINE Lanes Each(const Get& get) const {
    return Lanes{get(0), get(1), get(2), get(3)};
  }

  const int n_;           // cables
  Cable* cable_[kLanes];  // beyond n, the first one again
  RecordLanes record_;
  StateLanes state_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
