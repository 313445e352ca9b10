#include "plugin/border/stages.h"

#include <algorithm>
#include <new>
#include <optional>

#include "plugin/ask.h"
#include "plugin/configure/registry.h"
#include "plugin/configure/walk.h"
#include "plugin/couple/couple.h"
#include "plugin/step/loads.h"
#include "plugin/step/tell.h"
#include "plugin/step/together.h"

namespace mujocable {
namespace {

using Part = MujocoCable::Part;

// Whether a stage ends with this run, and may leave tensions to be found together. waits: one of
// the run does; nothing is known of other runs.
bool Couples(const mjModel* m, const Run& run, bool waits) {
  const int *begin = m->plugin, *end = begin + m->nplugin, ours = begin[run.begin];
  if (!CouplingIntegrator(m) || std::find(begin + run.end, end, ours) != end) return false;
  return waits || std::find(begin, begin + run.begin, ours) != begin + run.begin;
}

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

  // part_of(j, part) says what is asked of cable j; false: it is done
  template <typename PartOf>
  void Apply(const PartOf& part_of) {
    Part part;
    if (n_ == 1) {
      if (part_of(0, part)) one_[0]->Apply(part);
      return;
    }
    Cable* cable[kLanes];
    const Command* command[kLanes];
    Coupling* coupling[kLanes];
    Pull pull[kLanes];
    int n = 0;
    for (int j = 0; j < n_; ++j) {
      if (!part_of(j, part) || !one_[j]->Open(part)) continue;
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

}  // namespace

void PassiveStage(const mjModel* m, mjData* d, const Run& run) {
  bool waits = false;
  const World world(m, d);
  const auto stage = [&](const Called& called) {
    Team team(world, called);
    team.Locate();
    team.Apply([&](int j, Part& part) {
      const CableConfig& c = *called.cable[j].config;
      if (c.actuator >= 0) {
        const bool off = m->opt.disableflags & mjDSBL_ACTUATION;
        off ? team[j].Rest() : team[j].cable().Await();
        return false;
      }
      part = c.tendon >= 0 ? Part::kTendonPassive : Part::kPassive;
      return true;
    });
    for (int j = 0; j < called.n; ++j) waits = waits || team[j].record().Coupled();
  };
  Walk walk(m, d, run.begin, run.end, /*compared=*/false);
  Together together(stage, walk.AtLeast());
  for (Member cable; walk.Next(cable);) {
    BeginEvaluation(m, d, *cable.config);
    together.Add(cable);
  }
  together.Finish();
  if (Couples(m, run, waits)) CouplePassive(m, d, m->plugin[run.begin]);
}

void ActuationStage(const mjModel* m, mjData* d, const Run& run) {
  const bool first = !PassiveEnabled(m);  // of the stages that are called
  const World world(m, d);
  const auto stage = [&](const Called& called) {
    Team team(world, called);
    if (!team[0].Located()) team.Locate();
    team.Apply([&](int j, Part& part) {
      const CableConfig& c = *called.cable[j].config;
      part = c.tendon >= 0 ? Part::kTendonActuators : Part::kActuator;
      if (!c.Actuated()) team[j].Evaluate();
      return c.Actuated();
    });
  };
  Walk walk(m, d, run.begin, run.end, /*compared=*/!first);
  Together together(stage, walk.AtLeast());
  for (Member cable; walk.Next(cable);) {
    if (first) BeginEvaluation(m, d, *cable.config);
    if (cable.config->Actuated() || first) together.Add(cable);
  }
  together.Finish();
  if (Couples(m, run, /*waits=*/true)) CoupleActuation(m, d, m->plugin[run.begin]);
}

void EndOfStep(const mjModel* m, mjData* d, const Run& run) {
  // after a Runge-Kutta step the bodies stand where its last stage put them
  const bool found = m->opt.integrator != mjINT_RK4 && AnyStage(m);
  Walk walk(m, d, run.begin, run.end, /*compared=*/true);
  for (Member cable; walk.Next(cable);) {
    const CableConfig& c = *cable.config;
    if (!found || c.record_adr < 0) {
      EvaluateAndRemember(m, d, cable);
      continue;
    }
    const Record record = RecordOf(d, c);
    Remember(c, record, StateOf(m, d, cable));
    if (record.status() != 0 || record.solves() < 0) [[unlikely]]
      Tell(m, d, cable, record);
  }
}

}  // namespace mujocable
