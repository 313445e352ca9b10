// The step of coupled cables: masses on a line, tied to each other by the cells of one cable.

#include "core/law/couple.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/math/angle.h"
#include "core/math/dense.h"
#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

// cell j leads from mass j - 1 (the wall, for the first) to mass j
struct Line {
  int n, width;
  double h, stiffness, damping;
  std::vector<double> mass, velocity, base, force, start, room, row, scratch;
  std::vector<Range> range;
  std::vector<int> piece, place;
  CoupledCable cable;
  CoupledCable* only = &cable;
  CoupledMotion motion;

  Line(Random& random, int count, bool damped) : n(count), width(Padded(count)) {
    h = random.Logarithmic(1e-4, 1e-2);
    stiffness = random.Logarithmic(1e2, 1e6);
    damping = damped ? random.Logarithmic(1e-3, 1) * stiffness * h : 0;
    const int cells = n;
    room.resize(MaterialRoom(cells));
    Material& m = cable.material = TakeMaterial(room.data(), cells);
    m.n = cells;
    mass.resize(n), velocity.resize(n), base.resize(n * width), force.resize(width);
    start.resize(width), row.resize(cells * width);
    range.resize(cells), piece.resize(cells), place.resize(width);
    std::iota(place.begin(), place.end(), 0);
    double length = 0, total = 0;
    for (int j = 0; j < cells; ++j) {
      mass[j] = random.Logarithmic(1e-2, 1);
      velocity[j] = random.Uniform(-1, 1);
      base[j * width + j] = mass[j];
      force[j] = random.Uniform(-20, 20);
      m.length[j] = random.Uniform(0.1, 1);
      m.rest[j] = m.length[j] * (1 + random.Uniform(-1e-3, 1e-3));
      length += m.length[j];
      total += m.rest[j];
      row[j * width + j] = 1;
      if (j > 0) row[j * width + j - 1] = -1;
      range[j] = {std::max(j - 1, 0), j + 1};
      piece[j] = j;
    }
    for (int j = 0; j < cells; ++j) m.rate[j] = velocity[j] - (j > 0 ? velocity[j - 1] : 0);
    for (int j = 0; j + 1 < cells; ++j) {
      m.ratio[j] = std::exp(random.Uniform(0, 0.5));
      m.inverse[j] = 1 / m.ratio[j];
    }
    cable.step.axial.stiffness = stiffness;
    cable.step.axial.damping = damping;
    cable.step.axial.max_tension = INFINITY;
    cable.step.step = h;
    cable.step.looks_ahead = true;
    cable.step.length = length;
    cable.step.total = total;
    cable.ahead = random.Chance(0.5) ? 1 : random.Uniform(0, 1);
    cable.average = Average(cable.ahead);
    cable.pieces = cells;
    cable.columns = width;
    cable.place = place.data();
    cable.row = row.data();
    cable.range = range.data();
    cable.piece = piece.data();
    motion.n = n;
    motion.width = width;
    motion.step = h;
    motion.base = base.data();
    motion.force = force.data();
    motion.start = start.data();
    motion.cables = &only;
    motion.ncable = 1;
    scratch.resize(CoupledScratch(n));
  }
  int Solve() { return SolveCoupled(motion, scratch.data()); }

  // acceleration that the tensions found lead to
  double Acceleration(int j) const {
    const Material& m = cable.material;
    return (force[j] - m.tension[j] + (j + 1 < n ? m.tension[j + 1] : 0)) / mass[j];
  }
  // where the length of cell j is evaluated (19), without its present length
  double Longer(int j) const {
    const double before = j > 0 ? Acceleration(j - 1) : 0;
    const double change = h * (Acceleration(j) - before);
    return h * (cable.ahead * (cable.material.rate[j] + change) + cable.average * change);
  }
};

TEST(tensions_and_motion_belong_together) {
  Random random(1);
  int slipping = 0, sticking = 0, slack = 0, solves = 0;
  constexpr int kRounds = 5000;
  for (int round = 0; round < kRounds; ++round) {
    Line line(random, 2 + random.Index(6), false);
    const int count = line.Solve();
    CHECK(count >= 0);
    solves += count;
    const Material& m = line.cable.material;
    // the law (13)-(16) at the lengths that these tensions lead to: the conditions are the judge
    double stretch = 0, largest = 0;
    for (int j = 0; j < line.n; ++j) {
      stretch += m.length[j] - m.rest[j] + line.Longer(j);
      largest = std::max(largest, m.tension[j]);
      CHECK(m.tension[j] >= 0);
    }
    const double rigidity = line.stiffness * line.cable.step.length;
    const double near = 1e-6 * (largest + 20);
    if (largest == 0) {
      CHECK(stretch <= near / line.stiffness);
      ++slack;
      continue;
    }
    double passed = 0;  // material that has crossed the boundary before a cell, from the distal end
    for (int j = line.n - 1; j >= 0; --j) {
      const double material = m.length[j] + line.Longer(j) - m.tension[j] * m.length[j] / rigidity;
      passed += material - m.rest[j];
      if (j == 0) break;
      const double up = m.ratio[j - 1] * m.tension[j - 1], down = m.tension[j - 1] / m.ratio[j - 1];
      CHECK(m.tension[j] <= up + near && m.tension[j] >= down - near);
      // it moves toward the higher tension, and only on the cone
      const double moved = near * m.length[j] / rigidity;
      if (m.slip[j - 1] == 0) CHECK(std::abs(passed) <= moved * 10);
      if (passed > moved * 10) CHECK(std::abs(m.tension[j] - up) <= 10 * near);
      if (passed < -moved * 10) CHECK(std::abs(m.tension[j] - down) <= 10 * near);
      ++(m.slip[j - 1] == 0 ? sticking : slipping);
    }
    CHECK(std::abs(passed) <= 10 * near * line.cable.step.length / rigidity);  // none is lost
  }
  CHECK(slipping > 500 && sticking > 500 && slack > 500);
  CHECK(solves < 4 * kRounds);
}

// with damping a cable that becomes taut within the step must not jump
TEST(a_damped_cable_finds_its_balance) {
  Random random(2);
  int caught = 0, unbalanced = 0;
  for (int round = 0; round < 20000; ++round) {
    Line line(random, 1 + random.Index(4), true);
    Material& m = line.cable.material;
    double stretch = 0, rate = 0;
    for (int j = 0; j < line.n; ++j) {
      stretch += m.length[j] - m.rest[j];
      rate += m.rate[j];
    }
    line.cable.ahead = LookAhead(0, stretch, line.h * rate);
    line.cable.average = Average(line.cable.ahead);
    unbalanced += line.Solve() < 0;
    caught += stretch < 0 && m.tension[0] > 0;
  }
  CHECK(caught > 500);
  // cells that grow and shrink ten times as fast as the cable may take turns; the rest may not
  CHECK(unbalanced <= 4);
}

// one mass on one damped cell: the balance by bisection
TEST(one_mass_moves_as_bisection_says) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    Line line(random, 1, true);
    CHECK(line.Solve() >= 0);
    const double found = line.Acceleration(0);
    double low = -1e9, high = 1e9, load[8] = {}, at[8] = {};
    for (int k = 0; k < 200; ++k) {
      at[0] = (low + high) / 2;
      load[0] = 0;
      EvaluateCables(line.motion, at, load);
      (line.mass[0] * at[0] + load[0] > line.force[0] ? high : low) = at[0];
    }
    // the solver stops at 1e-9 of all forces, here up to 20 N beside the inertia
    CHECK_NEAR(found, at[0], 1e-8 * (std::abs(at[0]) + 20 / line.mass[0]));
  }
}

// a commanded cable that has just become shorter than its material, where nothing moves
TEST(a_commanded_cable_may_be_too_long_and_stand_still) {
  Random random(5);
  for (int round = 0; round < 1000; ++round) {
    Line line(random, 2 + random.Index(4), true);
    Material& m = line.cable.material;
    for (int j = 0; j < line.n; ++j) {
      m.rest[j] = 1.05 * m.length[j];
      m.rate[j] = line.force[j] = 0;
    }
    line.cable.step.commanded = true;
    line.cable.step.command = random.Uniform(0, 10);
    CHECK(line.Solve() >= 0);
    CHECK_EQ(m.tension[0], line.cable.step.command);
    for (int j = 0; j < line.n; ++j) CHECK(std::isfinite(m.tension[j]));
  }
}

// A mass between springs that hold each other, as stars of three or more do: what is left is the
// rounding of their tensions, far below them and yet above any share of their sum, which is none.
TEST(cables_that_hold_each_other_are_in_balance) {
  Random random(4);
  for (int round = 0; round < 1000; ++round) {
    constexpr int kMost = 6, kWidth = Padded(2);
    const int n = 3 + random.Index(kMost - 2);
    const double mass = random.Logarithmic(1e-3, 1), turn = random.Uniform(0, 2 * kPi);
    const double stretch = random.Logarithmic(1e-5, 1e-2);
    CoupledCable cables[kMost], *all[kMost];
    std::vector<double> room(n * MaterialRoom(1)), row(n * kWidth), scratch(CoupledScratch(2));
    double base[2 * kWidth] = {mass, 0, 0, 0, 0, mass}, force[kWidth] = {}, start[kWidth] = {};
    int piece = 0, place[kWidth] = {0, 1, 2, 3};
    const Range range{0, 2};
    for (int i = 0; i < n; ++i) {
      CoupledCable& c = *(all[i] = &cables[i]);
      const double angle = turn + 2 * kPi * i / n;
      row[i * kWidth] = std::cos(angle), row[i * kWidth + 1] = std::sin(angle);
      Material& m = c.material = TakeMaterial(room.data() + i * MaterialRoom(1), 1);
      m.n = 1;
      m.length[0] = 1;
      m.rest[0] = 1 - stretch;
      c.step.axial.stiffness = 1e4;
      c.step.axial.max_tension = INFINITY;
      c.step.step = 1e-3;
      c.step.looks_ahead = true;
      c.step.length = 1;
      c.step.total = m.rest[0];
      c.ahead = 1, c.average = 0;
      c.pieces = 1, c.columns = kWidth;
      c.row = row.data() + i * kWidth;
      c.place = place, c.range = &range, c.piece = &piece;
    }
    CoupledMotion motion;
    motion.n = 2, motion.width = kWidth, motion.step = 1e-3;
    motion.base = base, motion.force = force, motion.start = start;
    motion.cables = all, motion.ncable = n;
    const int solves = SolveCoupled(motion, scratch.data());
    CHECK(solves >= 0 && solves < 5);
    for (int i = 0; i < n; ++i) CHECK_NEAR(cables[i].material.tension[0], 1e4 * stretch, 1e-10);
  }
}

}  // namespace
}  // namespace mujocable
