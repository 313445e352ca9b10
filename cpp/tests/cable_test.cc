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
using test::Commanded;
using test::CylinderAt;
using test::EyeletAt;
using test::kRoute;
using test::kRouteLength;
using test::Motion;
using test::Node;
using test::Random;
using test::WrapOn;

constexpr double kPi = std::numbers::pi;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
  CHECK_NEAR(record.length(), kRouteLength, 1e-15);
  CHECK_NEAR(pull.tension, 20, 1e-11);
  const Vec3 force[4] = {{1, 0, 0}, {-1, -1, 0}, {0.6, 1 - 0.8, 0}, {-0.6, 0.8, 0}};
  const Vec3 point[4] = {{-1, 0.2, 0}, {}, {0.2, -0.5, 0}, {0.5, -0.9, 0}};
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(record.tension()[std::min(i, 2)], pull.tension);
    CHECK_NEAR(Norm(pull.unit * wrench[i].force - force[i]), 0, 1e-14);
    CHECK_NEAR(Norm(pull.unit * wrench[i].moment - Cross(point[i], force[i])), 0, 1e-14);
  }
}

TEST(TermsOfTheAxialLaw) {
  for (bool sliding : {false, true}) {
    CableWorlds world(kRoute);
    AxialParameters& p = world.model.axial;
    p.damping = 20;
    p.transition = 0.001;
    p.reserve = 0.01;
    p.pretension = 0.004;
    p.home_length = kRouteLength - 0.1;
    world.model.sliding = sliding;
    Commanded(world, 1000, sliding ? 1e-9 : 0);
    std::vector<Motion> motions(kRoute.size());
    motions[0].linear = {-0.3, 0, 0};
    world.Place(0, kRoute, motions);
    const auto tension = [&] {
      world.Locate();
      return world.Tighten({0.05, 0.2}).tension;
    };
    // L_f = L_0 - c - p, e = L - L_f - s
    const double rest = kRouteLength - 0.1 - 0.05 - 0.004, e = kRouteLength - rest - 0.01;
    CHECK_NEAR(tension(), 1000 * (e - 0.0005) + 20 * (0.3 + 0.2), 1e-11);
    const Record record = world.RecordOf();
    CHECK_NEAR(record.rest_length(), rest, 1e-15);
    CHECK_NEAR(record.stretch(), e, 1e-15);
    CHECK_EQ(record.slack(), 0.0);
    CHECK_NEAR(record.energy(), 1000 * OnsetEnergy(e, 0.001), 1e-13);
    // the paper's form: damping on the length rate alone
    p.length_rate_only = true;
    CHECK_NEAR(tension(), 1000 * (e - 0.0005) + 20 * 0.3, 1e-11);
    // slack
    p.home_length = kRouteLength + 1;
    world.Reset();
    CHECK_EQ(tension(), 0.0);
    CHECK_EQ(record.energy(), 0.0);
    CHECK_NEAR(record.slack(), 1 - 0.05 - 0.004 + 0.01, 1e-14);
  }
}

TEST(ACableOfConstantRigidityIsStifferTheShorterItIs) {
  // the path stays, so a home that is longer stands for a cable that is taken in
  for (bool sliding : {false, true}) {
    for (double home : {1.0, 2.0, 5.0}) {
      CableWorlds world(kRoute);
      AxialParameters& p = world.model.axial;
      p.rigid = true;
      p.home_length = home * kRouteLength;
      world.model.sliding = sliding;
      const double rigidity = 2e4;
      Commanded(world, rigidity / p.home_length);
      world.Locate();
      const double in = (home - 1) * kRouteLength, step = 1e-6;
      const auto at = [&](double strain) {
        return world.Tighten({in + strain * kRouteLength}).tension;
      };
      CHECK_NEAR(at(0.01), rigidity * 0.01, 1e-9);
      CHECK_NEAR(at(0.002), rigidity * 0.002, 1e-9);
      // the energy belongs to it: its slope along the material, at a strain x, is E ln(1 - x)
      const auto energy = [&](double strain) { return at(strain), world.RecordOf().energy(); };
      const double slope = (energy(0.01 + step) - energy(0.01 - step)) / (2 * step * kRouteLength);
      CHECK_NEAR(slope, -rigidity * std::log1p(-0.01), 1e-5 * rigidity * 0.01);
    }
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
  const double rigidity = 1000 * world.model.axial.home_length;
  Losses losses;
  double tension = 0, taken = 0;
  for (int step = 0; step <= 2 * steps; ++step) {
    const double command = 0.05 + 0.03 * std::cos(2 * kPi * step / steps);
    world.Locate();
    const double now = world.Tighten({command, 0, true}).tension;
    world.Advance();
    if (step > steps) {
      const double pull = (tension + now) / 2;  // what is taken in is strained
      losses.by_work += -rigidity * std::log1p(-pull / rigidity) * (command - taken);
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

}  // namespace
}  // namespace mujocable
