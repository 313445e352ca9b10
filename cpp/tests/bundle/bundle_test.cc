// A bundle of cables against the driver, one by one: the same bits in every record, wrench and
// state, step after step.

#include "core/bundle/bundle.h"

#include <cstring>
#include <limits>
#include <memory>

#include "tests/kit/cable_world.h"
#include "tests/kit/check.h"

namespace mujocable {
namespace {

using test::AnchorAt;
using test::CableWorlds;
using test::EyeletAt;
using test::Motion;
using test::Node;
using test::Random;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// what may differ from bundle to bundle
struct Case {
  int guides;
  double friction;    // of all guides; negative: of some
  bool commanded;     // by tension
  double transition;  // of the axial law
  double pretension;  // taken in at home; negative: slack
};

std::vector<Node> RandomRoute(Random& random, int guides) {
  std::vector<Node> nodes;
  for (int i = 0; i <= guides + 1; ++i) {
    const Vec3 at{0.1 * i, random.Uniform(-0.05, 0.05), random.Uniform(-0.05, 0.05)};
    nodes.push_back(i == 0 || i > guides ? AnchorAt(at) : EyeletAt(at));
  }
  return nodes;
}

// a cable, twice: one of them goes the driver's way, the other in a bundle
struct Twin {
  Twin(Random& random, const Case& c) : route(RandomRoute(random, c.guides)) {
    for (auto* world : {&single, &bundled}) {
      *world = std::make_unique<CableWorlds>(route);
      CableModel& model = (*world)->model;
      model.take_up.kind = c.commanded ? TakeUpKind::kTension : TakeUpKind::kLength;
    }
    const double stiffness = random.Uniform(100, 1000), damping = random.Uniform(0, 1);
    std::vector<double> mu(c.guides, c.friction);
    for (double& x : mu) {
      if (c.friction < 0) x = random.Uniform(-1, 1) < 0 ? 0 : 0.2;
    }
    for (auto* world : {&single, &bundled}) {
      CableModel& model = (*world)->model;
      model.axial.stiffness = stiffness;
      model.axial.damping = damping;
      model.axial.transition = c.transition;
      model.axial.pretension = c.pretension;
      model.axial.max_tension = 50;
      model.mu = mu;
      (*world)->Reset();
    }
    for (int i = 0; i <= c.guides + 1; ++i) motions.push_back(RandomMotion(random, 0.3));
  }

  void Place(double time) {
    std::vector<Node> moved;
    for (size_t i = 0; i < route.size(); ++i) moved.push_back(Moved(route[i], motions[i], time));
    single->Place(0, moved, motions);
    bundled->Place(0, moved, motions);
  }

  std::vector<Node> route;
  std::vector<Motion> motions;
  std::unique_ptr<CableWorlds> single, bundled;
};

bool SameBits(const double* a, const double* b, size_t n) {
  return std::memcmp(a, b, n * sizeof(double)) == 0;
}

// a cable of the second kind, with all that it stands on
struct Stand {
  explicit Stand(CableWorlds& world)
      : bodies(world.View().World(0)),
        workspace(memory.data()),
        cable(world.model, bodies, world.StateOf(), world.RecordOf(), workspace) {}

  Bodies bodies;
  std::vector<double> memory = std::vector<double>(20000);
  BlockWorkspace workspace;
  Cable cable;
};

// keeps the wrenches of a bundle as those of its cables
struct WrenchesOfAll final : BundleOwner {
  WrenchesOfAll(int lanes, int slots, bool alike, Wrench* const* to)
      : lanes(lanes), slots(slots), alike(alike), to(to) {}

  bool Alike() const override { return alike; }
  Wrench* WrenchesOf(int j) override { return to[j]; }
  Lanes Project(const LaneWrenches& wrench, const Lanes&, const bool* alone) override {
    for (int k = 0; k < lanes; ++k) {
      for (int s = 0; s < slots && !alone[k]; ++s) {
        to[k][s] = {wrench.force[s][k], wrench.moment[s][k]};
      }
    }
    return All<Lanes>(0);
  }

  const int lanes, slots;
  const bool alike;
  Wrench* const* to;
};

void Compare(const Case& c, int lanes, unsigned seed) {
  Random random(seed);
  std::vector<std::unique_ptr<Twin>> twins;
  for (int k = 0; k < lanes; ++k) twins.push_back(std::make_unique<Twin>(random, c));
  for (int step = 0; step < 30; ++step) {
    std::vector<std::unique_ptr<Stand>> stands;
    Cable* cable[kLanes];
    Command command[kLanes];
    Coupling* coupling[kLanes] = {};
    std::vector<Wrench> wrench[kLanes], expected[kLanes];
    Wrench* at[kLanes];
    Pull pull[kLanes], found[kLanes];
    for (int k = 0; k < lanes; ++k) {
      Twin& twin = *twins[k];
      twin.Place(1e-3 * step);
      // now and then a number that is none, or a pose
      if (step == 20 && k == 1) command[k].value = kNaN;
      command[k].value += c.commanded ? random.Uniform(-1, 10) : random.Uniform(0, 1e-4);
      command[k].rate = random.Uniform(-0.1, 0.1);
      if (step == 25 && k == 0) {
        twin.route[0].pos.x = kNaN;
        twin.Place(0);
        twin.route[0].pos.x = 0;
      }
      expected[k].resize(c.guides + 2);
      wrench[k].resize(c.guides + 2);
      at[k] = wrench[k].data();
      twin.single->Locate();
      pull[k] = twin.single->Tighten(command[k], expected[k].data());
      stands.push_back(std::make_unique<Stand>(*twin.bundled));
      cable[k] = &stands[k]->cable;
    }
    Bundle bundle(cable, lanes);
    bundle.Locate();
    // their slots are alike: wrenches one by one, or at once
    WrenchesOfAll owner{lanes, c.guides + 2, step % 2 == 1, at};
    const Command* given[kLanes];
    for (int k = 0; k < kLanes; ++k) given[k] = &command[k < lanes ? k : 0];
    bundle.Tighten(given, coupling, owner, found);
    for (int k = 0; k < lanes; ++k) {
      Twin& twin = *twins[k];
      twin.single->Advance();
      twin.bundled->Advance();
      CHECK(SameBits(twin.single->record.data(), twin.bundled->record.data(),
                     twin.single->record.size()));
      CHECK(SameBits(twin.single->state.data(), twin.bundled->state.data(),
                     twin.single->state.size()));
      CHECK(!(pull[k].tension > 0) ||
            SameBits(&expected[k][0].force.x, &wrench[k][0].force.x, 6 * expected[k].size()));
      CHECK(SameBits(&pull[k].tension, &found[k].tension, 1));
      CHECK(SameBits(&pull[k].unit, &found[k].unit, 1));
    }
  }
}

TEST(ABundleIsTheDriver) {
  unsigned seed = 1;
  for (int guides : {0, 1, 2, 3, 5, 9}) {
    for (double friction : {0.0, 0.05, 0.5, -1.0}) {
      for (bool commanded : {false, true}) {
        for (double transition : {0.0, 1e-3}) {
          for (double pretension : {0.01, -0.001}) {
            for (int lanes : {2, 3, 4}) {
              Compare({guides, friction, commanded, transition, pretension}, lanes, seed++);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mujocable
