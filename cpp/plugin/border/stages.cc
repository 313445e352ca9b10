#include "plugin/border/stages.h"

#include <algorithm>
#include <new>
#include <optional>

#include "core/bundle/bundle.h"
#include "plugin/ask.h"
#include "plugin/configure/registry.h"
#include "plugin/couple/coupled.h"
#include "plugin/step/loads.h"

namespace mujocable {
namespace {

int SizeOf(const Instance* found) { return found ? static_cast<int>(found->cables.size()) : 0; }

// cables of a stage that are taken together
struct Called {
  int n;
  Member cable[kLanes];

  void Add(const Member& member) { cable[n++] = member; }
};

// the cables of one call of a stage, on MuJoCo's data
class Team final : private BundleOwner {
 public:
  Team(const World& world, const Called& called) : world_(world), n_(called.n), scratch_(world.d) {
    for (int j = 0; j < n_; ++j) {
      one_[j] = new (scratch_.Take<MujocoCable>(1)) MujocoCable(world, called.cable[j], scratch_);
      cable_[j] = &one_[j]->cable();
    }
    if (n_ > 1) bundle_.emplace(cable_, n_);
  }
  ~Team() {
    for (int j = 0; j < n_; ++j) one_[j]->Show();
  }

  void Locate() { bundle_ ? bundle_->Locate() : cable_[0]->Locate(); }

  MujocoCable& operator[](int j) { return *one_[j]; }

  void Apply(Stage stage) {
    if (n_ == 1) return one_[0]->Apply(stage);
    Cable* cable[kLanes];
    const Command* command[kLanes];
    Coupling* coupling[kLanes];
    Pull pull[kLanes];
    int n = 0;
    for (int j = 0; j < n_; ++j) {
      if (!one_[j]->Open(stage)) continue;
      opened_[n] = one_[j];
      cable[n] = cable_[j];
      command[n] = &one_[j]->command();
      coupling[n++] = one_[j]->coupling();
    }
    if (n == 0) return;
    nopened_ = n;
    std::fill(command + n, command + kLanes, command[0]);
    if (n < n_) bundle_.emplace(cable, n);
    bundle_->Tighten(command, coupling, *this, pull);
    for (int j = 0; j < n; ++j) opened_[j]->Close(pull[j]);
  }

 private:
  bool Alike() const override {
    bool alike = true;
    const double shape = opened_[0]->config().shape;
    for (int j = 1; j < nopened_; ++j) alike = alike && opened_[j]->config().shape == shape;
    return alike;
  }
  Wrench* WrenchesOf(int j) override { return opened_[j]->wrench(); }
  Lanes Project(const LaneWrenches& wrench, const Lanes& unit, const bool* alone) override {
    const CableConfig* c[kLanes];
    for (int j = 0; j < kLanes; ++j) c[j] = &opened_[j < nopened_ ? j : 0]->config();
    const LaneRow load(scratch_, static_cast<int>(c[0]->dofs.size()));
    Lanes along;
    mujocable::Project(world_.m, world_.d, c, wrench, unit, load, along);
    for (int j = 0; j < nopened_; ++j) {
      if (!alone[j]) opened_[j]->Take(load, j);
    }
    return along;
  }

  const World& world_;
  const int n_;
  Scratch scratch_;
  MujocoCable *one_[kLanes], *opened_[kLanes];
  int nopened_ = 0;
  Cable* cable_[kLanes];
  std::optional<Bundle> bundle_;  // of all, where there are several, or of those that opened
};

// Takes the cables given to it through a stage, 1 to kLanes at a time: more than one only where
// they can be a bundle. Those that cannot come after all bundles, so that the code of either stays
// in the nearest cache.
class Together {
 public:
  // cables: how many there are at most
  Together(const World& world, Stage stage, int cables)
      : world_(world), stage_(stage), enough_(cables >= kEnough) {
    for (int g = 0; enough_ && g < kGroups; ++g) groups_[g].n = 0;
  }

  void Add(const Member& member) {
    const CableConfig* c = member.config;
    // those that share a tendon load it one after the other
    const bool branches = c->tendon >= 0 && !c->first_on_tendon;
    if (branches) Finish();
    if (!enough_ || branches) return Alone(member);
    if (c->record_adr < 0 || c->family < 0) return PutAside(member);
    Called& group = groups_[c->family % kGroups];
    if (group.n > 0 && group.cable[0].config->family != c->family) Empty(group);
    group.Add(member);
    ++held_;
    if (group.n == kLanes) Empty(group);
  }

  // those that are left; whether the tension of any waits
  bool Finish() {
    for (int g = 0; held_ > 0 && g < kGroups; ++g) Empty(groups_[g]);
    EmptyAside();
    return waits_;
  }

 private:
  // chosen, odd: families whose numbers of guides differ by two have places of their own; two that
  // share one lose nothing but time (no test would notice)
  static constexpr int kGroups = 17;
  // chosen: two cables are faster one by one; `arm` would notice
  static constexpr int kEnough = 3;
  // chosen: the code is changed over for so many at once; `tendons_300` would notice fewer than 8
  static constexpr int kAside = 64;

  void Take(const Called& called) {
    Team team(world_, called);
    if (stage_ == Stage::kPassive || !team[0].Located()) team.Locate();
    team.Apply(stage_);
    for (int j = 0; j < called.n; ++j) waits_ = waits_ || team[j].record().Coupled();
  }

  void Alone(const Member& one) { Take({1, {one}}); }

  void Empty(Called& group) {
    if (group.n >= kEnough) {
      Take(group);
    } else {
      for (int j = 0; j < group.n; ++j) Alone(group.cable[j]);
    }
    held_ -= group.n;
    group.n = 0;
  }

  void PutAside(const Member& one) {
    if (nside_ == kAside) EmptyAside();
    aside_[nside_++] = one;
  }

  void EmptyAside() {
    for (int k = 0; k < nside_; ++k) Alone(aside_[k]);
    nside_ = 0;
  }

  const World& world_;
  const Stage stage_;
  const bool enough_;  // for a bundle
  bool waits_ = false;
  Called groups_[kGroups];
  int held_ = 0;  // cables in them
  Member aside_[kAside];
  int nside_ = 0;
};

// Whether a stage ends with this run, and may leave tensions to be found together. waits: one of
// the run does; nothing is known of other runs.
bool Couples(const mjModel* m, const Run& run, bool waits) {
  const int *begin = m->plugin, *end = begin + m->nplugin, ours = begin[run.begin];
  if (!CouplingIntegrator(m) || std::find(begin + run.end, end, ours) != end) return false;
  return waits || std::find(begin, begin + run.begin, ours) != begin + run.begin;
}

}  // namespace

void TakeStage(const mjModel* m, mjData* d, const Run& run, Stage stage) {
  const bool passive = stage == Stage::kPassive;
  const bool first = passive || !PassiveEnabled(m);  // of the stages that are called
  const Instance* found = FindInstance(m, d, run.begin, /*compared=*/!first);
  // so many cables at least, if none is refused; that two instances have three of them counts
  int cables = SizeOf(found) + run.end - run.begin - 1;
  if (run.end - run.begin == 2) cables += SizeOf(FindInstance(m, d, run.begin + 1, !first)) - 1;
  const World world(m, d);
  Together together(world, stage, cables);
  for (int i = run.begin; i < run.end; ++i) {
    if (i > run.begin) found = FindInstance(m, d, i, !first);
    for (int k = 0; k < SizeOf(found); ++k) {
      const CableConfig& c = found->cables[k];
      if (first) BeginEvaluation(m, d, c);
      if (first || c.Actuated()) together.Add({i, &c});
    }
  }
  const bool waits = together.Finish();
  if (Couples(m, run, waits || !passive)) Couple(m, d, m->plugin[run.begin], stage);
}

void EndOfStep(const mjModel* m, mjData* d, const Run& run) {
  // (what a Runge-Kutta step shows is its first evaluation; see InnerEvaluation)
  const bool found = AnyStage(m);
  for (int i = run.begin; i < run.end; ++i) {
    const Instance* instance = FindInstance(m, d, i, /*compared=*/true);
    for (int k = 0; k < SizeOf(instance); ++k) {
      const CableConfig& c = instance->cables[k];
      const Member cable{i, &c};
      if (!found || c.record_adr < 0) {
        EvaluateAndRemember(m, d, cable);
        continue;
      }
      const Record record = RecordOf(d, c);
      Remember(c, record, m->opt.timestep, StateOf(m, d, cable));
      if (record.status() != 0 || record.solves() < 0) [[unlikely]]
        Tell(m, d, cable, record);
    }
  }
}

}  // namespace mujocable
