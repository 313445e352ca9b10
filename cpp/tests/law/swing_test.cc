// Segments that swing (24): the loads of random segments.

#include "core/law/swing.h"

#include <array>
#include <cmath>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

constexpr int kDofs = 3, kWidth = 4;
using Row = std::array<double, kWidth>;

struct Rig {
  std::array<Sway, kDofs> dofs;
  std::array<int, kDofs> place = {2, 0, 1};
  Swinging segment;
  double step;

  explicit Rig(Random& random) : step(random.Logarithmic(1e-4, 1e-1)) {
    for (int k = 0; k < kDofs; ++k) {
      dofs[k] = {k, random.Direction(), random.Chance(0.5) ? random.Uniform(0, 2) : 0};
    }
    const double length = random.Logarithmic(1e-3, 1);
    segment = {random.Logarithmic(0.1, 100), length * random.Direction(), 0.01 * length, kDofs,
               dofs.data()};
  }
  Row Loads(const Row& velocity) const {
    Row loads = {};
    VisitLoads(segment, place.data(), step, velocity.data(),
               [&](int column, double load) { loads[place[column]] += load; });
    return loads;
  }
  // ends go up to a few lengths
  Row Velocity(Random& random) const {
    Row velocity = {};
    const double most = 3 * Norm(segment.segment) / step;
    for (int k = 0; k < kDofs; ++k) velocity[k] = random.Uniform(-most, most);
    return velocity;
  }
};

double Product(const Row& a, const Row& b) {
  double sum = 0;
  for (int k = 0; k < kWidth; ++k) sum += a[k] * b[k];
  return sum;
}

TEST(slopes_are_those_of_the_loads) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const Rig rig(random);
    const Row velocity = rig.Velocity(random);
    std::array<double, kDofs * kWidth> slopes = {};
    AddSwingSlopes(rig.segment, rig.place.data(), rig.step, velocity.data(), 1, kWidth,
                   slopes.data());
    const double length = Norm(rig.segment.segment), small = 1e-7 * length / rig.step;
    const double stiffest = rig.step * rig.segment.tension * (1 / rig.segment.meeting + 2);
    for (int k = 0; k < kDofs; ++k) {
      Row more = velocity, less = velocity;
      more[k] += small, less[k] -= small;
      const Row up = rig.Loads(more), down = rig.Loads(less);
      for (int i = 0; i < kDofs; ++i) {
        CHECK_NEAR(slopes[i * kWidth + k], (up[i] - down[i]) / (2 * small), 1e-5 * stiffest);
      }
    }
  }
}

TEST(at_rest_they_are_nothing_and_they_take_energy) {
  Random random(2);
  for (int round = 0; round < 20000; ++round) {
    const Rig rig(random);
    const Row rest = rig.Loads({}), a = rig.Velocity(random), b = rig.Velocity(random);
    for (double load : rest) CHECK_EQ(load, 0.0);
    const Row of_a = rig.Loads(a), of_b = rig.Loads(b);
    const double size = rig.segment.tension * Norm(rig.segment.segment) / rig.step;
    CHECK(Product(of_a, a) >= -1e-12 * size);
    // of any two motions: the balance with them is one alone
    CHECK(Product(of_a, a) + Product(of_b, b) - Product(of_a, b) - Product(of_b, a) >=
          -1e-12 * size);
  }
}

// one end on a rail along the segment: what pulls is the tension, to either side
TEST(along_a_segment_it_turns_where_the_ends_pass) {
  const Sway rail = {0, {1, 0, 0}, 0};
  const int place = 0;
  const Swinging segment = {5, {0.1, 0, 0}, 1e-3, 1, &rail};
  const auto pull = [&](double way) {  // with the one along the direction before
    double load = 5;
    VisitLoads(segment, &place, 1, &way, [&](int, double more) { load += more; });
    return load;
  };
  CHECK_EQ(pull(0.3), 5.0);
  CHECK_EQ(pull(-0.09), 5.0);
  CHECK_NEAR(pull(-0.1), 0, 1e-12);
  CHECK_NEAR(pull(-0.1005), -2.5, 1e-9);
  CHECK_EQ(pull(-0.3), -5.0);
}

}  // namespace
}  // namespace mujocable
