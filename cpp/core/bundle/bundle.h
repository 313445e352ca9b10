// Four cables at a time, where all run through as many guides and nothing else: the stages of the
// driver, lane by lane with the same bits. A cable that needs more than the usual step is left to
// the driver.
//
// `python -m benchmarks tendons_300 rubbing_300` shows what it buys: with hundreds of cables most
// of a step is this.

#ifndef MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
#define MUJOCABLE_CORE_BUNDLE_BUNDLE_H_

#include <optional>

#include "core/bundle/lanes.h"
#include "core/bundle/steps.h"
#include "core/cable.h"

namespace mujocable {

// as Wrench, of as many cables, for each slot
struct LaneWrenches {
  LaneRow3 force, moment;
};

// Whoever the cables of a bundle belong to.
class BundleOwner {
 public:
  virtual bool Alike() const = 0;         // the slots of all cables are
  virtual Wrench* WrenchesOf(int j) = 0;  // room for those of cable j, one per slot
  // Loads of these wrenches times `unit`, one per slot, those of 1 N; returns the mobility of the
  // bodies along each, as Coupling has it. Only of cables that are alike, and not `alone`.
  virtual Lanes Project(const LaneWrenches& wrench, const Lanes& unit, const bool* alone) = 0;

 protected:
  ~BundleOwner() = default;
};

class Bundle {
 public:
  // 1 to kLanes cables of a family at the same stage of steps of the same size
  Bundle(Cable* const* cables, int n);

  void Locate();
  // As the driver's, for each; wrenches are wanted, where the owner does not take their loads.
  // commands: beyond n, the first one again.
  void Tighten(const Command* const* commands, Coupling* const* couplings, BundleOwner& owner,
               Pull* pulls);

 private:
  // how the cables rub: all alike, or each in a way of its own
  enum class Kind { kSmooth, kRough, kMixed };
  // what the records say of the paths
  struct Course {
    LaneRow3 place, direction;  // of the nodes, of the segments
    LaneRow length, growth;     // of the segments, beyond the contacts
  };
  Course NewCourse() const;
  Kind KindOf(Lanes& odd) const;
  bool Rigid() const { return cable_[0]->model_.axial.rigid; }
  void ReadCourse();
  LaneStep Open(const Command* const* commands, bool rough, Lanes& odd) const;
  // tensions of the segments; TightenRough says in `alone` of which cables it cannot find them
  LaneRow TightenSmooth(const LaneStep& step) const;
  LaneRow TightenRough(const LaneStep& step, bool* alone) const;
  Lanes MayBeStiff(const LaneStep& step) const;
  Lanes MaySwing(const LaneRow& tension) const;
  // each of them waits or is left to the driver
  void LeaveAll(const Command* const* commands, Coupling* const* couplings, BundleOwner& owner,
                bool rough, const bool* waits, Pull* pulls);
  LaneWrenches Wrenches(const LaneRow& tension) const;

  // a number of each cable
  template <typename Get>
  MUJOCABLE_INLINE Lanes Each(const Get& get) const {
    return Lanes{get(0), get(1), get(2), get(3)};
  }

  const int n_;           // cables
  Cable* cable_[kLanes];  // beyond n, the first one again
  RecordLanes record_;
  StateLanes state_;
  std::optional<Course> course_;  // of this step, as Locate found it or as it was read
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BUNDLE_BUNDLE_H_
