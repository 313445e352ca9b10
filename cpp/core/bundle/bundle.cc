#include "core/bundle/bundle.h"

#include <algorithm>

namespace mujocable {
namespace {

constexpr double kNowhere[3] = {};  // what the load of an element without a body is about

}  // namespace

Bundle::Bundle(Cable* const* cables, int n) : n_(n) {
  for (int j = 0; j < kLanes; ++j) {
    cable_[j] = cables[j < n ? j : 0];
    record_.block[j] = cable_[j]->record_.block;
    state_.block[j] = cable_[j]->state_.block;
  }
  record_.first = cable_[0]->record_;
  state_.first = cable_[0]->state_;
}

Bundle::Kind Bundle::KindOf() const {
  const bool rough = cable_[0]->Rough(), sliding = cable_[0]->model_.sliding;
  const bool commanded = cable_[0]->model_.take_up.Tension();
  for (int j = 0; j < n_; ++j) {
    const CableModel& model = cable_[j]->model_;
    if (model.take_up.Tension() != commanded || model.sliding != sliding) return Kind::kMixed;
    const double* mu = cable_[j]->state_.friction();
    const auto rubs = [](double x) { return x > 0; };
    if (!(rough ? std::all_of(mu, mu + model.ncontact, rubs) : !cable_[j]->Rough())) {
      return Kind::kMixed;
    }
  }
  if (!rough) return Kind::kSmooth;
  return sliding ? Kind::kMixed : Kind::kRough;
}

void Bundle::Tighten(const Command* commands, Coupling* const* couplings, Wrench* const* wrenches,
                     Pull* pulls) {
  const Kind kind = KindOf();
  const bool rough = kind == Kind::kRough;
  AxialStep steps[kLanes];
  Coupling* coupling[kLanes];
  bool alone[kLanes], waits[kLanes];
  int together = 0;
  for (int j = 0; j < n_; ++j) {
    alone[j] = kind == Kind::kMixed;
    waits[j] = false;
    if (alone[j]) continue;
    steps[j] = cable_[j]->Open(commands[j], rough);
    coupling[j] = couplings[j];
    alone[j] = !cable_[j]->MayOpen(commands[j]);
    if (alone[j]) continue;
    if (coupling[j] && !cable_[j]->MayWait(steps[j], rough)) coupling[j] = nullptr;
    if (coupling[j]) {
      alone[j] = coupling[j]->Always();
      waits[j] = !alone[j] && rough && cable_[j]->Stiff(steps[j], true, *coupling[j]);
    }
    together += !alone[j] && !waits[j];
  }
  if (together > 1) {
    std::fill(steps + n_, steps + kLanes, steps[0]);
    rough ? TightenRough(steps, alone) : TightenSmooth(steps);
    Wrenches(wrenches);
  }
  for (int j = 0; j < n_; ++j) {
    Cable& cable = *cable_[j];
    if (waits[j]) {
      pulls[j] = cable.Wait(steps[j]);
    } else if (alone[j] || together < 2) {
      pulls[j] = cable.Tighten(commands[j], couplings[j], wrenches[j]);
    } else {
      const double tension = cable.record_.source_tension();
      pulls[j] = cable.Close(steps[j], {tension, tension > 0 ? 1 / tension : 1},
                             rough ? nullptr : coupling[j], couplings[j], wrenches[j]);
    }
  }
}

// the wrenches of every cable's tensions, or of 1 N where it has none
void Bundle::Wrenches(Wrench* const* wrenches) const {
  const Record& r = record_.first;
  const int n = r.ncontact;
  for (int j = 0; j < n_; ++j) {
    std::fill_n(wrenches[j], cable_[j]->model_.slots.size(), Wrench{});
  }
  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1), source = record_.Get(r.tension());
  Lanes3 before{zero, zero, zero};
  for (int i = 0; i <= n + 1; ++i) {
    Lanes3 pull{zero, zero, zero};
    if (i <= n) {
      const Lanes tension = Select(0 - source, record_.Get(r.tension() + i), one);
      pull = tension * record_.Get3(r.direction() + 3 * i);
    }
    const double* place = i == 0 ? r.ends() : i <= n ? r.entry() + 3 * (i - 1) : r.ends() + 3;
    int slot[kLanes];
    const double* about[kLanes];
    for (int j = 0; j < kLanes; ++j) {
      const CableModel& model = cable_[j]->model_;
      slot[j] = model.slot_of_element[i];
      about[j] =
          slot[j] < 0 ? kNowhere : cable_[j]->bodies_.reference + 3 * model.slots[slot[j]].root;
    }
    const Lanes3 force = pull - before;
    before = pull;
    if (std::max({slot[0], slot[1], slot[2], slot[3]}) < 0) continue;  // all on the ground
    const Lanes3 moment = Cross(record_.Get3(place) - Gather3(about), force);
    for (int j = 0; j < n_; ++j) {
      if (slot[j] < 0) continue;
      wrenches[j][slot[j]].force += force[j];
      wrenches[j][slot[j]].moment += moment[j];
    }
  }
}

}  // namespace mujocable
