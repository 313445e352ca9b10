#include "plugin/border/stages.h"

#include <algorithm>
#include <new>
#include <optional>

#include "plugin/ask.h"
#include "plugin/configure/registry.h"
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

int SizeOf(const Instance* found) { return found ? static_cast<int>(found->cables.size()) : 0; }

// Calls stage(called) for the cables of a run for which takes_part(config), together where they can
// be; compared: as in FindInstance.
template <typename Stage, typename TakesPart>
void TakeTogether(const mjModel* m, mjData* d, const Run& run, bool compared, const Stage& stage,
                  const TakesPart& takes_part) {
  const Instance* found = FindInstance(m, d, run.begin, compared);
  // so many cables at least, if none is refused; that two instances have three of them counts
  int cables = SizeOf(found) + run.end - run.begin - 1;
  if (run.end - run.begin == 2) cables += SizeOf(FindInstance(m, d, run.begin + 1, compared)) - 1;
  Together together(stage, cables);
  for (int i = run.begin; i < run.end; ++i) {
    if (i > run.begin) found = FindInstance(m, d, i, compared);
    for (int k = 0; k < SizeOf(found); ++k) {
      const CableConfig& c = found->cables[k];
      if (takes_part(c)) together.Add({i, &c});
    }
  }
  together.Finish();
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
  TakeTogether(m, d, run, /*compared=*/false, stage, [&](const CableConfig& c) {
    BeginEvaluation(m, d, c);
    return true;
  });
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
  TakeTogether(m, d, run, /*compared=*/!first, stage, [&](const CableConfig& c) {
    if (first) BeginEvaluation(m, d, c);
    return c.Actuated() || first;
  });
  if (Couples(m, run, /*waits=*/true)) CoupleActuation(m, d, m->plugin[run.begin]);
}

void EndOfStep(const mjModel* m, mjData* d, const Run& run) {
  // after a Runge-Kutta step the bodies stand where its last stage put them
  const bool found = m->opt.integrator != mjINT_RK4 && AnyStage(m);
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
      Remember(c, record, StateOf(m, d, cable));
      if (record.status() != 0 || record.solves() < 0) [[unlikely]]
        Tell(m, d, cable, record);
    }
  }
}

}  // namespace mujocable
