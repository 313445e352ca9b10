// The load of one contact against the general one: wrenches and a backward pass.

#include <string>
#include <vector>

#include "check.h"
#include "plugin/loads.h"
#include "plugin/stages.h"
#include "plugin_model.h"
#include "random.h"

namespace mujocable {
namespace {

using test::Random;

// Source, pulley and distal end where `bodies` says, on a tree that forks and one beside it. The
// joints are of every kind.
std::string Model(const std::string& source, const std::string& pulley, const std::string& distal) {
  const auto sites = [&](const std::string& body) {
    std::string text;
    if (body == source) text += "<site name='source' pos='-0.6 0.1 0.2'/>";
    if (body == pulley) text += "<geom name='pulley' type='cylinder' size='0.1 0.5' mass='1'/>";
    if (body == distal) text += "<site name='distal' pos='0.5 -0.1 0.1'/>";
    return text + "<geom size='0.02' contype='0' conaffinity='0' mass='1'/>";
  };
  return "<mujoco><extension><plugin plugin='mujocable.cable'><instance name='c'>"
         "<config key='route' value='anchor source; wrap pulley; anchor distal'/>"
         "<config key='stiffness' value='1000'/><config key='pretension' value='10'/>"
         "<config key='friction' value='0.3'/></instance></plugin></extension><worldbody>"
         "<body name='fixed'>" +
         sites("fixed") +
         "</body><body name='root'><joint type='slide' axis='1 2 0'/><joint type='ball'/>" +
         sites("root") + "<body name='left'><joint axis='0 1 1'/><joint axis='0 0 1'/>" +
         sites("left") + "<body name='tip'><joint axis='1 1 0'/>" + sites("tip") +
         "</body></body><body name='right'><joint axis='0 1 0'/>" + sites("right") +
         "</body></body><body name='free'><freejoint/>" + sites("free") +
         "</body></worldbody><sensor><plugin instance='c' name='c'/></sensor></mujoco>";
}

TEST(TwoLinesOfPullAreTheWrenchesOfAllElements) {
  const std::vector<std::string> bodies = {"fixed", "root", "left", "tip", "right", "free"};
  Random random(1);
  int compared = 0, lifted = 0;
  for (const std::string& source : bodies) {
    for (const std::string& pulley : bodies) {
      for (const std::string& distal : bodies) {
        std::string error;
        const test::Model model = test::Compile(Model(source, pulley, distal), error);
        CHECK_EQ(error, std::string());
        if (!model) return;
        const test::Data data = test::MakeData(model);
        const mjModel* m = model.get();
        mjData* d = data.get();
        for (int trial = 0; trial < 4; ++trial) {
          std::vector<double> turn(m->nv);
          for (double& x : turn) x = random.Uniform(-0.3, 0.3);
          mj_resetData(m, d);
          mj_integratePos(m, d->qpos, turn.data(), 1);
          for (int k = 0; k < m->nv; ++k) d->qvel[k] = random.Uniform(-2, 2);
          mj_forward(m, d);
          const CableConfig* c = FindConfig(m, d, 0);
          CHECK(c != nullptr);
          const Record record = RecordOf(d, *c);
          if (record.status() != 0) continue;
          for (int i = 0; i < 2; ++i) record.tension()[i] = random.Uniform(0.5, 2);
          if (!record.Touching(0)) record.tension()[1] = record.tension()[0];
          std::vector<double> load(c->dofs.size()), judge(c->dofs.size());
          RoomyScratch scratch(d);
          GeneralizedLoad(d, *c, record, scratch, judge.data());
          const LoadMobility found = LoadOfOne(m, d, *c, OfOne(record), load.data());
          const double along = MobilityAlong(m, *c, judge.data());
          const double lever = MobilityAlong(m, *c, c->levers.data());
          // rounding of a dozen products of order one
          for (size_t k = 0; k < load.size(); ++k) CHECK_NEAR(load[k], judge[k], 1e-14);
          CHECK_NEAR(found.load, along, 1e-13 * (1 + along));
          CHECK_NEAR(found.lever, lever, 1e-14 * (1 + lever));
          // who carries the whole cable feels nothing of it, and that exactly
          if (source == pulley && pulley == distal) {
            for (double x : load) CHECK_EQ(x, 0.0);
          }
          ++compared;
          if (!record.Touching(0)) ++lifted;
        }
      }
    }
  }
  CHECK(compared > 500);
  CHECK(lifted > 50);
}

}  // namespace
}  // namespace mujocable
