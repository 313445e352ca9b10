// Friction with memory (14), (16): the conditions themselves are the judge.

#include "core/law/coulomb.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

struct Scene {
  std::vector<double> rest, reach, give, ratio, inverse, free;
  CoulombString string;
  std::vector<double> tension, scratch;
  std::vector<int> slip;

  explicit Scene(int n) : rest(n), reach(n), give(n), ratio(std::max(n - 1, 1)) {
    tension.resize(n);
    slip.resize(n);
    scratch.resize(CoulombScratch(n));
  }
  void Solve() {
    string.n = static_cast<int>(rest.size());
    free.resize(rest.size());
    for (size_t j = 0; j < rest.size(); ++j) free[j] = (reach[j] - rest[j]) / give[j];
    inverse = ratio;
    for (double& x : inverse) x = 1 / x;
    string.free = free.data();
    string.inverse = inverse.data();
    string.give = give.data();
    string.ratio = ratio.data();
    SolveCoulomb(string, scratch.data(), tension.data(), slip.data());
  }
  double Rest(int j) const { return reach[j] - give[j] * tension[j]; }
};

Scene RandomScene(Random& random, int n) {
  Scene scene(n);
  const double strength = random.Logarithmic(1e-4, 3);
  for (int j = 0; j < n; ++j) {
    const double length = random.Logarithmic(1e-3, 1);
    scene.reach[j] = length;
    scene.give[j] = length / 2e4;
    scene.rest[j] = length * (1 - random.Uniform(-0.2, 1) * 1e-2);
  }
  for (int i = 0; i + 1 < n; ++i) {
    scene.ratio[i] = random.Chance(0.1) ? 1 : std::exp(random.Uniform(0, strength));
  }
  scene.string.most = random.Chance(0.7) ? INFINITY : random.Logarithmic(1, 300);
  return scene;
}

TEST(the_conditions_hold_at_random) {
  Random random(1);
  int slipping[3] = {}, slack = 0, limited = 0;
  for (int round = 0; round < 20000; ++round) {
    const int n = 1 + random.Index(20);
    Scene s = RandomScene(random, n);
    s.Solve();
    const double material = std::accumulate(s.rest.begin(), s.rest.end(), 0.0);
    const double room = std::accumulate(s.reach.begin(), s.reach.end(), 0.0);
    if (material >= room) {
      ++slack;
      for (double t : s.tension) CHECK_EQ(t, 0.0);
      continue;
    }
    // what has moved across each contact, counted from the distal end
    double moved = 0, scale = 0;
    for (double t : s.tension) scale = std::max(scale, t);
    for (int j = n - 1; j >= 0; --j) {
      CHECK(s.tension[j] > 0);
      moved += s.Rest(j) - s.rest[j];
      if (j == 0) break;
      const double b = s.ratio[j - 1], before = s.tension[j - 1], after = s.tension[j];
      CHECK(after <= b * before * (1 + 1e-12) && before <= b * after * (1 + 1e-12));
      ++slipping[s.slip[j - 1] + 1];
      if (s.slip[j - 1] == 0) CHECK_NEAR(moved, 0, 1e-14);
      if (b == 1) continue;
      if (s.slip[j - 1] > 0) CHECK(moved >= -1e-14 && std::abs(after / before / b - 1) < 1e-12);
      if (s.slip[j - 1] < 0) CHECK(moved <= 1e-14 && std::abs(before / after / b - 1) < 1e-12);
    }
    // nothing is lost, but for what the limit lets in
    CHECK(moved >= -1e-14 && s.tension[0] <= s.string.most * (1 + 1e-14));
    const bool limit = s.tension[0] >= s.string.most * (1 - 1e-14);
    if (!limit) CHECK_NEAR(moved, 0, 1e-14);
    limited += limit;
  }
  CHECK(slipping[0] > 10000 && slipping[1] > 10000 && slipping[2] > 10000);
  CHECK(slack > 100 && limited > 100);
}

TEST(a_commanded_tension_is_kept) {
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const int n = 2 + random.Index(10);
    Scene s = RandomScene(random, n);
    s.string.commanded = true;
    s.string.command = random.Logarithmic(0.1, 100);
    s.Solve();
    CHECK_NEAR(s.tension[0], std::min(s.string.command, s.string.most), 1e-12 * s.tension[0]);
    double moved = 0;
    for (int j = n - 1; j > 0; --j) {
      moved += s.Rest(j) - s.rest[j];
      const double b = s.ratio[j - 1], before = s.tension[j - 1], after = s.tension[j];
      CHECK(after <= b * before * (1 + 1e-12) && before <= b * after * (1 + 1e-12));
      if (s.slip[j - 1] == 0) CHECK_NEAR(moved, 0, 1e-14);
      if (s.slip[j - 1] > 0 && b > 1) CHECK(moved >= -1e-14);
      if (s.slip[j - 1] < 0 && b > 1) CHECK(moved <= 1e-14);
    }
  }
}

// pulled through, the product of all ratios; reversed, its inverse
TEST(a_row_of_guides_slides_as_the_capstan_equation_says) {
  const int n = 11;
  Scene s(n);
  for (int j = 0; j < n; ++j) s.reach[j] = 0.08, s.give[j] = 0.08 / 2e4, s.rest[j] = 0.0799;
  double product = 1;
  for (int i = 0; i + 1 < n; ++i) product *= s.ratio[i] = std::exp(0.15 * 0.7);
  s.string.most = INFINITY;
  for (const double pull : {1.0, -1.0}) {
    for (int step = 0; step < 200; ++step) {
      s.rest[0] -= pull * 2e-5;
      s.Solve();
      for (int j = 0; j < n; ++j) s.rest[j] = s.Rest(j);
    }
    const double expected = pull > 0 ? product : 1 / product;
    CHECK_NEAR(s.tension[0] / s.tension[n - 1], expected, 1e-12 * expected);
  }
}

// enormous ratios and very short cells neither overflow nor lose the conditions
TEST(extreme_ratios) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    const int n = 2 + random.Index(30);
    Scene s(n);
    for (int j = 0; j < n; ++j) {
      const double length = random.Logarithmic(1e-9, 1);
      s.reach[j] = length;
      s.give[j] = length / 1e5;
      s.rest[j] = length * (1 - random.Uniform(0.1, 1) * 1e-3);
    }
    for (int i = 0; i + 1 < n; ++i) s.ratio[i] = std::exp(random.Uniform(0, 20));
    s.string.most = INFINITY;
    s.Solve();
    for (int j = 0; j < n; ++j) CHECK(s.tension[j] > 0 && std::isfinite(s.tension[j]));
    for (int i = 0; i + 1 < n; ++i) {
      const double b = s.ratio[i] * (1 + 1e-9);
      CHECK(s.tension[i + 1] <= b * s.tension[i] && s.tension[i] <= b * s.tension[i + 1]);
    }
  }
}

}  // namespace
}  // namespace mujocable
