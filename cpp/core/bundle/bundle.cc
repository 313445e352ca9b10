#include "core/bundle/bundle.h"

#include <algorithm>
#include <cmath>

#include "core/law/pieces.h"

namespace mujocable {

Bundle::Bundle(Cable* const* cables, int n) : n_(n) {
  for (int j = 0; j < kLanes; ++j) {
    cable_[j] = cables[j < n ? j : 0];
    record_.block[j] = cable_[j]->record_.block;
    state_.block[j] = cable_[j]->state_.block;
  }
  record_.first = cable_[0]->record_;
  state_.first = cable_[0]->state_;
}

// odd: not zero where a coefficient is none, as in SoundParameters
Bundle::Kind Bundle::KindOf(Lanes& odd) const {
  const int n = record_.first.ncontact;
  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1);
  Lanes rubs = zero, sum = zero, negative = zero;
  for (int i = 0; i < n; ++i) {
    const Lanes mu = state_.Get(state_.first.friction() + i);
    rubs += Select(0 - mu, one, zero);
    sum += mu;
    negative += Least(mu, zero);
  }
  odd = (sum - sum) + negative;
  const double rubbing = Sum(rubs);
  if (rubbing == 0) return Kind::kSmooth;
  return rubbing == kLanes * n && !cable_[0]->model_.sliding ? Kind::kRough : Kind::kMixed;
}

// as Cable::Open; odd: as in KindOf
LaneStep Bundle::Open(const Command* const* commands, bool rough, Lanes& odd) const {
  const Record& r = record_.first;
  const State& s = state_.first;
  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1);
  Cable::Taken taken[kLanes];
  double motor[kLanes], hold[kLanes];
  LaneStep step;
  step.step = cable_[0]->bodies_.timestep;
  step.commanded = cable_[0]->model_.take_up.Tension();
  step.length_rate_only = cable_[0]->model_.axial.length_rate_only;
  for (int j = 0; j < kLanes; ++j) {
    const Cable& cable = *cable_[j];
    taken[j] = cable.TakeUp(*commands[j]);
    motor[j] = step.step * taken[j].rate;
    hold[j] = step.commanded ? cable.MostHold(cable.state_.stiffness()) : 0;
  }
  const Lanes in = Each([&](int j) { return taken[j].in; });
  step.motor = step.commanded ? zero : LoadLanes(motor);
  step.most_hold = LoadLanes(hold);
  step.command = Each([&](int j) { return commands[j]->value; });
  step.length = record_.Get(&r.length());
  step.stiffness = state_.Get(&s.stiffness());
  step.damping = state_.Get(&s.damping());
  step.transition = Each([&](int j) { return cable_[j]->model_.axial.transition; });
  step.rigid = zero;
  const Lanes home = state_.Get(&s.home_length()), pretension = state_.Get(&s.pretension());
  const Lanes limit = state_.Get(&s.max_tension());
  const Lanes numbers = step.stiffness + step.damping + home + pretension;
  odd += (numbers - numbers) + (Least(limit, zero) + Least(step.stiffness, zero)) +
         (Least(step.damping, zero) + Select(0 - home, zero, one));
  step.max_tension = Most(zero, limit);
  if (rough || Rigid()) {
    step.rigid = Select(0 - step.length, Select(0 - home, 0 - one, zero), zero);
    const Lanes longer = Select(step.rigid, step.length / home, one);
    step.stiffness = step.stiffness / longer;
    step.transition = step.transition * longer;
  }
  Lanes stretch = zero, rest = step.length;
  if (step.commanded) {
    const Lanes stiffness = Select(0 - step.most_hold, step.most_hold, step.stiffness);
    step.total = step.length - Least(Most(step.command, zero), step.max_tension) / stiffness;
  } else {
    const Lanes reserve = Each([&](int j) { return cable_[j]->model_.axial.reserve; });
    step.total = home - in - pretension + reserve;
    stretch = step.length - step.total;
    rest = step.total - reserve;
  }
  record_.Set(&r.take_up(), in);
  record_.Set(&r.take_up_rate(), Each([&](int j) { return taken[j].rate; }));
  record_.Set(&r.rest_length(), rest);
  record_.Set(&r.stretch(), stretch);
  record_.Set(&r.slack(), Select(stretch, 0 - stretch, zero));
  record_.Set(&r.coupled(), zero);
  record_.Set(&r.solves(), zero);
  const Lanes sharing = Each([&](int j) -> double { return cable_[j]->model_.sharing; });
  step.undone = sharing * step.step * (step.step * step.stiffness + 2 * step.damping);
  return step;
}

// A number below zero where a cable whose guides all rub may be too stiff for the step (22): most
// are not, as Cable::Stiff knows from the levers of their segments, which are its pieces.
Lanes Bundle::MayBeStiff(const LaneStep& law) const {
  const Lanes most = state_.Get(&state_.first.mobility());
  Lanes sum = All<Lanes>(0);
  for (int i = 0; i <= record_.first.ncontact; ++i) {
    const Lanes lever = Each([&](int j) { return cable_[j]->model_.levers[i]; });
    sum += lever * lever * (law.length / course_->length[i]);
  }
  const Lanes foreign = Each([&](int j) { return cable_[j]->model_.mobility; }) - most;
  const Lanes enough = kMostUndone / law.undone, none = All<Lanes>(0), some = All<Lanes>(-1);
  return Select(0 - Abs(foreign), some,
                Select(sum - enough, Select(most - enough, none, some), some));
}

// a number below zero where a segment may swing more than the step resolves (24): most cannot, as
// in Cable::Swings
Lanes Bundle::MaySwing(const LaneRow& tension) const {
  const double step = cable_[0]->bodies_.timestep, most = kMostSwing / (step * step);
  const Lanes mobility = state_.Get(&state_.first.mobility());
  const Lanes turning = state_.Get(&state_.first.turning());
  Lanes may = All<Lanes>(0);
  for (int i = 0; i <= record_.first.ncontact; ++i) {
    const Lanes length = course_->length[i];
    may = Select(most * length - tension[i] * (mobility + turning * length), All<Lanes>(-1), may);
  }
  return may;
}

void Bundle::Tighten(const Command* const* commands, Coupling* const* couplings, BundleOwner& owner,
                     Pull* pulls) {
  Lanes odd_numbers;
  const Kind kind = KindOf(odd_numbers);
  const bool rough = kind == Kind::kRough;
  const Record& r = record_.first;
  bool alone[kLanes] = {}, waits[kLanes] = {}, always = false;
  for (int j = 0; j < n_; ++j) always = always || (couplings[j] && couplings[j]->Always());
  if (kind == Kind::kMixed || always) {
    return LeaveAll(commands, couplings, owner, rough, waits, pulls);
  }
  if (!course_) ReadCourse();
  const LaneStep law = Open(commands, rough, odd_numbers);
  const auto may_wait = [&](int j) {
    return couplings[j] && cable_[j]->MayWait(*commands[j], law.motor[j], rough, *couplings[j]);
  };
  // a number less itself is zero only where it is finite; a sum is where all of it is, as in
  // MayOpen and MayPull
  const auto note = [&](const Lanes& sum, const Lanes& status) {
    const Lanes odd = (sum - sum) + status;
    for (int j = 0; j < n_ && !AllZero(odd); ++j) alone[j] = alone[j] || odd[j] != 0;
  };
  const Lanes stretch = record_.Get(&r.stretch()), rate = record_.Get(&r.length_rate());
  note(stretch + rate + law.command, record_.Get(&r.status()) + odd_numbers);
  // slack is one cell, whatever rubs; and a rigidity takes a length
  const Lanes pulled = law.commanded ? law.command : stretch;
  for (int j = 0; j < n_ && (rough || Rigid()); ++j) {
    alone[j] = alone[j] || (rough && !(pulled[j] > 0)) || !(law.rigid[j] < 0);
  }
  const Lanes stiff = rough ? MayBeStiff(law) : All<Lanes>(0);
  for (int j = 0; j < n_ && AnyNegative(stiff); ++j) {
    waits[j] = !alone[j] && stiff[j] < 0 && may_wait(j) &&
               cable_[j]->Stiff(cable_[j]->StepOf(true, commands[j]->value), true, *couplings[j]);
  }
  int left = 0;
  for (int j = 0; j < n_; ++j) left += alone[j] || waits[j];
  if (left == n_) return LeaveAll(commands, couplings, owner, rough, waits, pulls);
  const LaneRow tensions = rough ? TightenRough(law, alone) : TightenSmooth(law);
  const Lanes tension = tensions[0], may_swing = MaySwing(tensions);
  const Lanes unit = Select(0 - tension, 1 / tension, All<Lanes>(1));
  note(tension + tensions[r.ncontact] + stretch + rate, All<Lanes>(0));
  const bool alike = owner.Alike();
  Lanes undone = All<Lanes>(0);
  if (alike) undone = law.undone * owner.Project(Wrenches(tensions), unit, alone);
  for (int j = 0; j < n_; ++j) {
    Cable& cable = *cable_[j];
    pulls[j] = Pull{tension[j], unit[j]};
    if (alone[j] && !waits[j]) {
      pulls[j] = cable.Tighten(*commands[j], couplings[j], owner.WrenchesOf(j));
      continue;
    }
    if (!alike && !waits[j]) {
      Wrench* wrench = owner.WrenchesOf(j);
      tension[j] > 0 ? cable.Wrenches(wrench) : cable.UnitWrenches(wrench);
      if (!rough && may_wait(j))
        undone[j] = law.undone[j] * couplings[j]->Mobility(wrench, unit[j]);
    }
    if (!rough && undone[j] > kMostUndone) waits[j] = may_wait(j);
    if (!waits[j] && couplings[j] && may_swing[j] < 0) waits[j] = cable.Swings(*couplings[j]);
    if (waits[j]) pulls[j] = cable.Wait(cable.StepOf(rough, commands[j]->value));
  }
}

void Bundle::LeaveAll(const Command* const* commands, Coupling* const* couplings,
                      BundleOwner& owner, bool rough, const bool* waits, Pull* pulls) {
  for (int j = 0; j < n_; ++j) {
    Cable& cable = *cable_[j];
    pulls[j] = waits[j] ? cable.Wait(cable.StepOf(rough, commands[j]->value))
                        : cable.Tighten(*commands[j], couplings[j], owner.WrenchesOf(j));
  }
}

// the wrenches of every cable's tensions, or of 1 N where it has none
LaneWrenches Bundle::Wrenches(const LaneRow& tensions) const {
  const Record& r = record_.first;
  const CableModel& model = cable_[0]->model_;
  const int n = r.ncontact, slots = static_cast<int>(model.slots.size());
  const Lanes zero = All<Lanes>(0), one = All<Lanes>(1), source = tensions[0];
  const Lanes3 none{zero, zero, zero};
  Workspace& workspace = cable_[0]->workspace_;
  const LaneWrenches wrench{{workspace, slots}, {workspace, slots}};
  for (const LaneRow3& row : {wrench.force, wrench.moment}) {
    for (int s = 0; s < slots; ++s) row.Set(s, none);
  }
  const auto [place, direction, length, growth] = *course_;
  Lanes3 before = none, about = none;
  int last = -1;  // slot that `about` is of
  for (int i = 0; i <= n + 1; ++i) {
    Lanes3 pull = none;
    if (i <= n) pull = Select(0 - source, tensions[i], one) * direction[i];
    const Lanes3 force = pull - before;
    before = pull;
    const int slot = model.slot_of_element[i];
    if (slot < 0) continue;  // on the ground
    if (slot != last) {
      const double* at[kLanes];
      for (int j = 0; j < kLanes; ++j) {
        at[j] = cable_[j]->bodies_.reference + 3 * cable_[j]->model_.nodes[i].root;
      }
      about = GatherWide3(at);
      last = slot;
    }
    wrench.force.Add(slot, force);
    wrench.moment.Add(slot, Cross(place[i] - about, force));
  }
  return wrench;
}

}  // namespace mujocable
