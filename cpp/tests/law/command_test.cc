// The driver and its command: what is pulled for it, for bad numbers, for none, and what is left to
// the motion of the step.

#include <limits>

#include "core/cable.h"
#include "tests/kit/cable_world.h"
#include "tests/kit/check.h"

namespace mujocable {
namespace {

using test::CableWorlds;
using test::Commanded;
using test::kRoute;
using test::kRouteLength;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(CommandedTension) {
  for (bool sliding : {false, true}) {
    CableWorlds world(kRoute);
    world.model.sliding = sliding;
    world.model.axial.max_tension = 50;
    Commanded(world, 1000, sliding ? 0.1 : 0);
    world.model.take_up.kind = TakeUpKind::kTension;
    world.Locate();
    CHECK_EQ(world.Tighten({120}).tension, 50.0);
    CHECK_EQ(world.Tighten({-3}).tension, 0.0);
    CHECK_EQ(world.Tighten({12}).tension, 12.0);
    const Record record = world.RecordOf();
    CHECK_EQ(record.source_tension(), 12.0);
    CHECK_EQ(record.slack(), 0.0);
    CHECK_EQ(record.stretch(), 0.0);
    CHECK_EQ(record.rest_length(), record.length());
    CHECK_EQ(record.take_up(), 0.0);
  }
}

TEST(EveryPathPullsButOneOfBadNumbers) {
  for (bool sliding : {false, true}) {
    CableWorlds world(kRoute);
    world.model.sliding = sliding;
    Commanded(world, 1000, 0.1);
    world.Locate();
    const Record record = world.RecordOf();
    const double tension = world.Tighten({0.1}).tension;
    CHECK(tension > 0);
    for (SolveStatus status :
         {SolveStatus::kKept, SolveStatus::kLetGo, SolveStatus::kSlipped, SolveStatus::kDerailed}) {
      record.status() = static_cast<double>(status);
      CHECK_EQ(world.Tighten({0.1}).tension, tension);
    }
    // no force, none in the record, and no bad number in the wrenches
    Wrench wrench[4];
    const auto nothing = [&](const Command& command) {
      wrench[1].force.x = kNaN;
      CHECK_EQ(world.Tighten(command, wrench).tension, 0.0);
      for (const Wrench& w : wrench) CHECK_EQ(0 * (Norm(w.force) + Norm(w.moment)), 0.0);
      for (int i = 0; i <= record.ncontact; ++i) CHECK_EQ(record.tension()[i], 0.0);
      CHECK_EQ(record.source_tension(), 0.0);
    };
    record.status() = static_cast<double>(SolveStatus::kInvalid);
    nothing({0.1});
    record.status() = 0;
    for (double bad : {kNaN, kInfinity, -kInfinity}) {
      nothing({bad});
      for (double* number :
           {&record.length_rate(), &record.length(), &world.StateOf().stiffness()}) {
        const double good = *number;
        *number = bad;
        nothing({0.1});
        *number = good;
      }
      // a parameter that is none says so
      CHECK_EQ(record.status(), static_cast<double>(SolveStatus::kInvalid));
      record.status() = 0;
    }
    CHECK_EQ(world.Tighten({0.1}).tension, tension);
  }
}

TEST(BadVelocitiesDoNotPull) {
  for (double bad : {kNaN, kInfinity}) {
    CableWorlds world(kRoute);
    Commanded(world, 1000);
    world.Place(0, kRoute, {{}, {{}, {bad, 0, 0}, {}}, {}, {}});
    world.Locate();
    CHECK_EQ(world.Tighten({0.1}).tension, 0.0);
  }
}

TEST(WithoutCommandThereIsNoForceAndTheMaterialStays) {
  CableWorlds world(kRoute);
  Commanded(world, 1000, 0.3);
  world.Locate();
  CHECK(world.Tighten({0.05}).tension > 0);
  world.Advance();
  const State state = world.StateOf();
  const std::vector<double> cells(state.cell(), state.mark());
  world.Run([](int, Cable& cable) {
    cable.Locate();
    cable.Await();
  });
  const Record record = world.RecordOf();
  CHECK_EQ(record.source_tension(), 0.0);
  world.Run([](int, Cable& cable) { cable.Rest({0.07, 0.1}); });
  CHECK_EQ(record.source_tension(), 0.0);
  CHECK_EQ(record.take_up(), 0.07);
  CHECK_NEAR(record.stretch(), 0.07, 1e-15);
  CHECK_EQ(record.slack(), 0.0);
  world.Run([](int, Cable& cable) { cable.Rest({-0.02, 0}); });
  CHECK_NEAR(record.slack(), 0.02, 1e-15);
  world.Advance();
  CHECK(std::equal(cells.begin(), cells.end(), state.cell()));
}

// bodies that give way by as much as they are said to
class Loose final : public Coupling {
 public:
  bool Always() const override { return always; }
  double SpoolMobility() const override { return 0; }
  double Tautening() const override { return tautening; }
  double Mobility(Wrench* wrench, double unit) override {
    pulled = unit * Norm(wrench[0].force);
    return mobility;
  }
  double Mobility(const Piece* piece, int n, double) override {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += mobility * kRouteLength / piece[j].length;
    return sum;
  }
  double Swung(int, double tension) override { return swung * tension; }
  bool always = false;
  double mobility = 0, swung = 0, tautening = 0;
  double pulled = 0;  // what it was asked about
};

TEST(ATensionWaitsWhereTheStepDoesNotResolveIt) {
  // an explicit step follows h^2 k times the mobility up to 2
  CableWorlds world(kRoute);
  Commanded(world, 1000);
  world.Locate();
  Wrench wrench[4];
  const double most = 2 / (world.timestep * world.timestep * 1000);
  for (double part : {0.999, 1.001}) {
    Loose loose;
    loose.mobility = part * most;
    world.Run([&](int, Cable& cable) { cable.Tighten({0.1}, &loose, wrench); });
    CHECK_NEAR(loose.pulled, 1, 1e-15);
    CHECK_EQ(world.RecordOf().Coupled(), part > 1);
    CHECK_EQ(world.RecordOf().source_tension() == 0, part > 1);
  }
  // with friction all of its pieces count, each for its part of the length; nobody asks where the
  // shortest is long enough for the largest mobility that there may be, or for their levers
  const double shortest = 0.5 / kRouteLength;
  for (double part : {0.999, 1.001}) {
    world.model.mobility = part * shortest * most;
    world.model.levers = {1e9, 1e9, 1e9};
    Commanded(world, 1000, 0.3);
    Loose loose;
    loose.mobility = most;
    world.Run([&](int, Cable& cable) { cable.Tighten({0.1}, &loose, wrench); });
    CHECK_EQ(world.RecordOf().Coupled(), part > 1);
  }
  for (double part : {0.999, 1.001}) {
    world.model.mobility = most;
    world.model.levers = {0, 0, std::sqrt(part * shortest * most)};
    Commanded(world, 1000, 0.3);
    Loose loose;
    loose.mobility = most;
    world.Run([&](int, Cable& cable) { cable.Tighten({0.1}, &loose, wrench); });
    CHECK_EQ(world.RecordOf().Coupled(), part > 1);
  }
  // a slack one has nothing to wait for
  Loose loose;
  loose.always = true;
  world.Run([&](int, Cable& cable) { cable.Tighten({-0.1}, &loose, wrench); });
  CHECK(!world.RecordOf().Coupled());
  // unless forces may make it taut within the step
  const double step = world.timestep;
  for (double part : {0.999, 1.001}) {
    loose.tautening = part * 0.1 / (step * step);
    world.Run([&](int, Cable& cable) { cable.Tighten({-0.1}, &loose, wrench); });
    CHECK_EQ(world.RecordOf().Coupled(), part > 1);
  }
}

TEST(ATensionWaitsWhereTheStepDoesNotResolveHowASegmentSwings) {
  // 100 N; bodies are asked only where the largest mobility that there may be, and then the levers
  // of a segment, allow more than 1
  CableWorlds world(kRoute);
  Commanded(world, 1000);
  world.Locate();
  const double h = world.timestep, tension = 100, infinite = INFINITY;
  const double* length = world.RecordOf().segment();
  const double shortest = *std::min_element(length, length + 3);
  Wrench wrench[4];
  const auto waits = [&](double swung) {
    Commanded(world, 1000);
    world.Locate();
    Loose loose;
    loose.swung = swung / tension;
    world.Run([&](int, Cable& cable) { cable.Tighten({tension / 1000}, &loose, wrench); });
    return world.RecordOf().Coupled();
  };
  world.model.mobility = 1e9;
  CHECK(waits(1.001));
  CHECK(!waits(0.999));
  for (double part : {0.999, 1.001}) {
    const double most = part * shortest / (h * h * tension);
    world.model.mobility = most;
    world.model.turning = 0;
    CHECK_EQ(waits(2), part > 1);
    // by turning, which is a mobility over a length
    world.model.mobility = 0;
    world.model.turning = part / (h * h * tension);
    CHECK_EQ(waits(2), part > 1);
    world.model.mobility = 1e9;
    for (int i = 0; i < 3; ++i) {
      world.model.levers = {0, 0, 0};
      world.model.turns = {0, 0, 0};
      CHECK(!waits(2));
      world.model.levers[i] = std::sqrt(part * length[i] / (h * h * tension));
      CHECK_EQ(waits(2), part > 1);
      world.model.levers[i] = 0;
      world.model.turns[i] = part / (h * h * tension);
      CHECK_EQ(waits(2), part > 1);
    }
    world.model.levers = world.model.turns = {infinite, infinite, infinite};
  }
}

TEST(WhatIsLeftToTheMotionIsReopenedAndSettled) {
  // where nothing moves within the step, tensions found with the motion are those of Tighten
  for (double mu : {0.0, 0.3}) {
    CableWorlds direct(kRoute), left(kRoute);
    for (CableWorlds* world : {&direct, &left}) Commanded(*world, 1000, mu);
    for (int step = 0; step < 30; ++step) {
      const Command command{0.05 + 0.03 * std::sin(0.3 * step)};
      direct.Locate();
      direct.Tighten(command);
      direct.Advance();
      left.Run([&](int, Cable& cable) {
        cable.Locate();
        Loose loose;
        Wrench wrench[4];
        loose.always = true;
        CHECK_EQ(cable.Tighten(command, &loose, wrench).tension, 0.0);
        CHECK(cable.record().Coupled());
        Material material;
        const AxialStep law = cable.Reopen(material);
        std::fill(material.grown, material.grown + material.n, 0.0);
        FindTensions(law, material);
        cable.Settle(law, material);
      });
      left.Advance();
      for (int i = 0; i <= direct.model.ncontact; ++i) {
        const double tension = direct.RecordOf().tension()[i];
        CHECK_NEAR(left.RecordOf().tension()[i], tension, 1e-12 * tension);
      }
    }
  }
}

TEST(BadTensionsOfTheMotionDoNotPull) {
  for (double bad : {kNaN, kInfinity}) {
    CableWorlds world(kRoute);
    Commanded(world, 1000, 0.3);
    world.Run([&](int, Cable& cable) {
      cable.Locate();
      Loose loose;
      Wrench wrench[4];
      loose.always = true;
      cable.Tighten({0.05}, &loose, wrench);
      Material material;
      const AxialStep law = cable.Reopen(material);
      FindTensions(law, material);
      material.tension[material.n - 1] = bad;
      cable.Settle(law, material);
    });
    const Record record = world.RecordOf();
    CHECK_EQ(record.source_tension(), 0.0);
    for (int i = 0; i <= record.ncontact; ++i) CHECK_EQ(record.tension()[i], 0.0);
  }
}

}  // namespace
}  // namespace mujocable
