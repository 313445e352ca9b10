// The driver, without an engine: path, tension, wrenches and losses of a whole cable, in one world
// and in many.

#include "core/cable.h"

#include <limits>
#include <numbers>

#include "tests/kit/cable_world.h"
#include "tests/kit/check.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::CableWorlds;
using test::CylinderAt;
using test::EyeletAt;
using test::Motion;
using test::Node;
using test::Random;
using test::WrapOn;

constexpr double kPi = std::numbers::pi;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// along x, a quarter turn over a cylinder of 0.2 m, down through an eyelet and aside
const std::vector<Node> kRoute = {AnchorAt({-1, 0.2, 0}), WrapOn(CylinderAt({}, 0.2), {1, 1, 0}),
                                  EyeletAt({0.2, -0.5, 0}), AnchorAt({0.5, -0.9, 0})};
constexpr double kLength = 1 + 0.2 * kPi / 2 + 0.5 + 0.5;

// a motor that takes the cable in
void Commanded(CableWorlds& worlds, double stiffness, double mu = 0) {
  worlds.model.take_up.kind = TakeUpKind::kLength;
  worlds.model.axial.stiffness = stiffness;
  worlds.model.mu.assign(worlds.model.ncontact, mu);
  worlds.Reset();
}

std::vector<Motion> RandomMotions(Random& random, int count, double speed) {
  std::vector<Motion> motions;
  for (int i = 0; i < count; ++i) motions.push_back(RandomMotion(random, speed));
  return motions;
}

std::vector<Node> Moved(const std::vector<Node>& nodes, const std::vector<Motion>& motions,
                        double time) {
  std::vector<Node> moved;
  for (size_t i = 0; i < nodes.size(); ++i) moved.push_back(Moved(nodes[i], motions[i], time));
  return moved;
}

TEST(LengthTensionAndWrenchesOfAKnownPath) {
  CableWorlds world(kRoute);
  Commanded(world, 1000);
  world.Locate();
  Wrench wrench[4];
  const Pull pull = world.Tighten({0.02}, wrench);
  const Record record = world.RecordOf();
  CHECK_NEAR(record.length(), kLength, 1e-15);
  CHECK_NEAR(pull.tension, 20, 1e-11);
  const Vec3 force[4] = {{1, 0, 0}, {-1, -1, 0}, {0.6, 1 - 0.8, 0}, {-0.6, 0.8, 0}};
  const Vec3 point[4] = {{-1, 0.2, 0}, {}, {0.2, -0.5, 0}, {0.5, -0.9, 0}};
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(record.tension()[std::min(i, 2)], pull.tension);
    CHECK_NEAR(Norm(pull.unit * wrench[i].force - force[i]), 0, 1e-14);
    CHECK_NEAR(Norm(pull.unit * wrench[i].moment - Cross(point[i], force[i])), 0, 1e-14);
  }
}

TEST(WrenchesDoTheWorkOfTheLength) {
  // without friction a cable does the work -T dL on its bodies, whichever of them moves
  Random random(3);
  int judged = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<Node> nodes =
        trial == 0 ? kRoute : RandomChain(random, 1 + trial % 4, {}).MakeRig().nodes;
    const int count = static_cast<int>(nodes.size());
    CableWorlds world(nodes);
    Commanded(world, 1000);
    const std::vector<Motion> motions = RandomMotions(random, count, 1);
    for (int moves = 0; moves < count; ++moves) {
      std::vector<Motion> one(count);
      one[moves] = motions[moves];
      world.Place(0, nodes, one);
      world.Locate();
      std::vector<Wrench> wrench(count);
      const Pull pull = world.Tighten({0.1}, wrench.data());
      // the moment is about the point whose velocity is given
      const double power = Dot(wrench[moves].force, one[moves].linear) +
                           Dot(wrench[moves].moment, one[moves].angular);
      const double rate = world.RecordOf().length_rate();
      double lifted = 0;  // contacts that touch before and not after, or the other way round
      const auto length = [&](double time) {
        world.Place(0, Moved(nodes, one, time), one);
        world.Locate();
        const double sign = time > 0 ? 1 : -1;
        for (int i = 0; i < count - 2; ++i) lifted += sign * world.RecordOf().touching()[i];
        return world.RecordOf().length();
      };
      const double h = 1e-6;
      const double slope = (length(h) - length(-h)) / (2 * h);
      if (lifted != 0) continue;  // the slope bends where one lifts off
      CHECK_NEAR(pull.unit * pull.tension, 1, 1e-15);
      // h^2 / 6 times the third derivative, which is 1e5 / m^2 where an arc is all but gone
      CHECK_NEAR(rate, slope, 1e-7);
      CHECK_NEAR(pull.unit * power, -slope, 1e-7);
      ++judged;
    }
  }
  CHECK(judged > 200);
}

TEST(ManyWorldsInOneBlockHaveTheBitsOfEachAlone) {
  Random random(4);
  const int count = 7, steps = 40;
  for (bool sliding : {false, true}) {
    CableWorlds all(kRoute, count);
    const auto prepare = [&](CableWorlds& worlds) {
      worlds.model.sliding = sliding;
      worlds.model.axial.damping = 2;
      Commanded(worlds, 1000, 0.3);
    };
    prepare(all);
    const auto command = [](int w, int step) {
      return Command{0.1 + 0.001 * w * std::sin(0.3 * step), 0, true};
    };
    std::vector<std::vector<Motion>> motions;
    for (int w = 0; w < count; ++w) motions.push_back(RandomMotions(random, 4, 0.5));
    const auto nodes = [&](int w, int step) { return Moved(kRoute, motions[w], 1e-3 * step); };
    for (int step = 0; step < steps; ++step) {
      for (int w = 0; w < count; ++w) all.Place(w, nodes(w, step), motions[w]);
      all.Locate();
      all.Run([&](int w, Cable& cable) { cable.Tighten(command(w, step), nullptr, nullptr); });
      all.Advance();
    }
    for (int w = 0; w < count; ++w) {
      CableWorlds alone(kRoute);
      prepare(alone);
      for (int step = 0; step < steps; ++step) {
        alone.Place(0, nodes(w, step), motions[w]);
        alone.Locate();
        alone.Tighten(command(w, step));
        alone.Advance();
      }
      CHECK(std::equal(alone.state.begin(), alone.state.end(),
                       all.state.begin() + w * all.state_size()));
      CHECK(std::equal(alone.record.begin(), alone.record.end(),
                       all.record.begin() + w * all.record_size()));
      CHECK(alone.RecordOf().source_tension() > 0);
    }
  }
}

// what one cycle of the motor loses, by its work and by the record, after a first one       [J]
struct Losses {
  double by_work = 0, by_record = 0;
  double ratio = 0;  // of the tensions of both ends, at the end
};
Losses Cycle(int steps) {
  CableWorlds world(kRoute);
  Commanded(world, 1000, 0.3);
  Losses losses;
  double tension = 0, taken = 0;
  for (int step = 0; step <= 2 * steps; ++step) {
    const double command = 0.05 + 0.03 * std::cos(2 * kPi * step / steps);
    world.Locate();
    const double now = world.Tighten({command, 0, true}).tension;
    world.Advance();
    if (step > steps) {
      losses.by_work += (tension + now) / 2 * (command - taken);
      for (int i = 0; i < world.model.ncontact; ++i) {
        losses.by_record += world.timestep * world.RecordOf().dissipation()[i];
      }
    }
    tension = now;
    taken = command;
  }
  losses.ratio = world.RecordOf().tension()[2] / tension;
  return losses;
}

TEST(ACycleLosesWhatTheRecordReports) {
  // bodies stand still: what the motor brings in and does not get back is lost at the contacts;
  // the sum over the steps is a trapezoidal rule with some hundred steps a stroke
  const Losses losses = Cycle(1000);
  CHECK(losses.by_work > 0.1);
  CHECK_NEAR(losses.by_record, losses.by_work, 1e-4 * losses.by_work);
  // taken in all the way, everything slides: Capstan's law
  const double turn = kPi / 2 + std::acos(0.8);
  CHECK_NEAR(losses.ratio, std::exp(-0.3 * turn), 1e-12);
}

TEST(EveryNumberOfTheRecordIsWritten) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<Node> nodes = RandomChain(random, 1 + trial % 4, {}).MakeRig().nodes;
    CableWorlds world(nodes);
    world.model.sliding = trial % 3 == 0;
    Commanded(world, 1000, trial % 3 == 1 ? 0 : 0.2);
    world.Place(0, nodes, RandomMotions(random, static_cast<int>(nodes.size()), 1));
    world.Locate();
    if (trial % 4 == 3) {
      world.Run([](int, Cable& cable) { cable.Rest({0.01, 0.1}); });
    } else {
      world.Tighten({0.01, 0.1});
    }
    // the record starts as NaN: what was forgotten still is
    for (double x : world.record) CHECK(std::isfinite(x));
  }
}

TEST(MemoryIsWhatTheModelAsksFor) {
  // long enough that the room of a workspace itself does not do
  std::vector<Node> nodes = {AnchorAt({})};
  for (int i = 1; i <= 120; ++i) nodes.push_back(EyeletAt({0.08 * i, 0.05 * (i % 2), 0}));
  nodes.push_back(WrapOn(CylinderAt({11, 0, 0}, 0.2), {11, 1, 0}));
  nodes.push_back(AnchorAt({12, -1, 0}));
  CableWorlds world(nodes);
  Commanded(world, 1000, 0.1);
  world.memory.assign(StepRoom(world.model), kNaN);
  world.memory.push_back(7);  // beyond what is asked for
  world.Run([&](int, Cable& cable) {
    cable.Locate();
    CHECK(cable.Tighten({0.1}, nullptr, nullptr).tension > 0);
  });
  CHECK(!std::isnan(world.memory[0]));  // it was needed
  CHECK_EQ(world.memory.back(), 7.0);
}

TEST(MotorIsPartOfTheStretchRate) {
  // a winch at constant speed that lifts at the same speed feels no phantom drag
  CableWorlds world(kRoute);
  world.model.axial.damping = 100;
  Commanded(world, 1000);
  const std::vector<Motion> motions = {{}, {}, {}, {{}, {0, 1, 0}, {}}};
  world.Place(0, kRoute, motions);
  world.Locate();
  const double rate = world.RecordOf().length_rate();
  CHECK_NEAR(rate, -0.8, 1e-14);
  CHECK_NEAR(world.Tighten({0.1, -rate}).tension, 100, 1e-10);
  // the paper's form feels it
  world.model.axial.length_rate_only = true;
  CHECK_NEAR(world.Tighten({0.1, -rate}).tension, 100 + 100 * rate, 1e-10);
  // the rate of a motor that has no memory is that from where it was in the step before
  world.model.axial.length_rate_only = false;
  world.Tighten({0.1});
  world.Advance();
  const double moved = -rate * world.timestep;
  CHECK_NEAR(world.Tighten({0.1 + moved, 0, true}).tension, 100 + 1000 * moved, 1e-10);
}

TEST(PowerBalances) {
  // at any instant the motor's power goes into the bodies, into stretch (which the cable spreads
  // evenly over its length) and into friction:  T_0 cdot = Q.v + sum T_i edot l_i / L + sum P_i
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    test::ChainOptions options;
    options.sphere_share = 0;
    const std::vector<Node> nodes = RandomChain(random, 1 + trial % 4, options).MakeRig().nodes;
    const int count = static_cast<int>(nodes.size());
    CableWorlds world(nodes);
    world.model.sliding = true;
    Commanded(world, 1000, 0.15);
    const std::vector<Motion> motions = RandomMotions(random, count, 0.2);
    world.Place(0, nodes, motions);
    world.Locate();
    std::vector<Wrench> wrench(count);
    const double cdot = random.Uniform(-0.1, 0.1);
    const Pull pull = world.Tighten({0.05, cdot}, wrench.data());
    const Record r = world.RecordOf();
    const double edot = r.length_rate() + cdot, tension = pull.tension;
    double loads = 0, losses = 0, stored = 0, along = 0;
    for (int i = 0; i < count; ++i) {
      loads +=
          tension * pull.unit *
          (Dot(wrench[i].force, motions[i].linear) + Dot(wrench[i].moment, motions[i].angular));
    }
    for (int i = 0; i <= r.ncontact; ++i) {
      if (i < r.ncontact) losses += r.dissipation()[i];
      // stretch is spread evenly: each piece stores its share at its own tension, half of an arc
      // at either
      const double piece =
          r.segment()[i] + (i ? r.arc()[i - 1] / 2 : 0) + (i < r.ncontact ? r.arc()[i] / 2 : 0);
      stored += r.tension()[i] * piece / r.length() * edot;
      along += piece;
    }
    CHECK_NEAR(along, r.length(), 1e-13 * along);
    CHECK_NEAR(tension * cdot, loads + stored + losses,
               1e-13 * (std::abs(loads) + std::abs(stored) + std::abs(losses) + tension));
  }
}

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
  double Mobility(Wrench* wrench, double unit) override {
    pulled = unit * Norm(wrench[0].force);
    return mobility;
  }
  double Mobility(const Piece* piece, int n, double) override {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += mobility * kLength / piece[j].length;
    return sum;
  }
  double Swung(int, double tension) override { return swung * tension; }
  bool always = false;
  double mobility = 0, swung = 0;
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
  const double shortest = 0.5 / kLength;
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

}  // namespace
}  // namespace mujocable
