// Take-up (12): the motor that follows a command.

#include "core/law/takeup.h"

#include "tests/kit/check.h"
#include "tests/kit/random.h"

namespace mujocable {
namespace {

using test::Random;

TakeUp Motor(TakeUpKind kind, double lag, double rate_limit, double radius = 1) {
  TakeUp t;
  t.kind = kind;
  t.lag = lag;
  t.rate_limit = rate_limit;
  t.radius = radius;
  return t;
}

TEST(LagIsExactAtAnyTimeStep) {
  // act += rate * h, as MuJoCo integrates it, gives u (1 - exp(-t / lag)) at every step size
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double lag = random.Logarithmic(1e-4, 10), h = lag * random.Logarithmic(1e-3, 10);
    const double start = random.Uniform(-1, 1), command = random.Uniform(-1, 1);
    const TakeUp t = Motor(TakeUpKind::kLength, lag, 0);
    double position = start;
    for (int k = 1; k <= 100; ++k) {
      position += h * MotorRate(t, command, position, h);
      const double exact = command + (start - command) * std::exp(-k * h / lag);
      // each step rounds once: 100 * 1e-16
      CHECK_NEAR(position, exact, 1e-13);
    }
  }
}

TEST(WithoutLagTheCommandIsReachedInOneStep) {
  const TakeUp t = Motor(TakeUpKind::kLength, 0, 0);
  const double h = 0.002;
  CHECK_NEAR(0.1 + h * MotorRate(t, 0.35, 0.1, h), 0.35, 1e-16 * 4);
  CHECK_EQ(MotorRate(t, 0.25, 0.25, h), 0.0);
}

TEST(RateLimitIsInMetersOfCable) {
  const double h = 0.001;
  // a length: directly
  CHECK_EQ(MotorRate(Motor(TakeUpKind::kLength, 0, 0.5), 10, 0, h), 0.5);
  CHECK_EQ(MotorRate(Motor(TakeUpKind::kLength, 0, 0.5), -10, 0, h), -0.5);
  // a spool: radians are turned to meters by its radius
  CHECK_EQ(MotorRate(Motor(TakeUpKind::kSpoolAngle, 0, 0.5, 0.25), 10, 0, h), 2.0);
  CHECK_EQ(MotorRate(Motor(TakeUpKind::kSpoolAngle, 0, 0.5, 0.25), -10, 0, h), -2.0);
  // below the limit it is not felt
  const double slow = MotorRate(Motor(TakeUpKind::kLength, 0.1, 0), 0.001, 0, h);
  CHECK_EQ(MotorRate(Motor(TakeUpKind::kLength, 0.1, 1e9), 0.001, 0, h), slow);
}

TEST(LimitedMotorArrivesOnTime) {
  // a ramp at the limit, then the exact end, never beyond it
  const TakeUp t = Motor(TakeUpKind::kLength, 0, 0.2);
  const double h = 0.01;
  double position = 0;
  for (int k = 1; k <= 100; ++k) {
    position += h * MotorRate(t, 0.1, position, h);
    CHECK_NEAR(position, std::min(0.1, 0.2 * h * k), 1e-15);
  }
}

TEST(LimitAndLagTogether) {
  // as long as the lag asks for more than the limit: a ramp; then an exponential from there
  const double lag = 0.05, limit = 0.2, h = 0.001;
  const TakeUp t = Motor(TakeUpKind::kLength, lag, limit);
  double position = 0;
  for (int k = 0; k < 2000; ++k) {
    const double before = position;
    position += h * MotorRate(t, 0.1, position, h);
    CHECK(position >= before);
    CHECK(position <= 0.1);
    CHECK(position - before <= limit * h * (1 + 1e-12));
    const double wanted = (0.1 - before) * -std::expm1(-h / lag);
    CHECK_NEAR(position - before, std::min(wanted, limit * h), 1e-16);
  }
  CHECK_NEAR(position, 0.1, 1e-15);
}

TEST(KindsOfTakeUp) {
  for (TakeUpKind kind : {TakeUpKind::kFixed, TakeUpKind::kLength, TakeUpKind::kSpoolAngle,
                          TakeUpKind::kSpoolRate, TakeUpKind::kSpoolJoint, TakeUpKind::kTension}) {
    const TakeUp t = Motor(kind, 0, 0, 0.25);
    const bool spool = kind == TakeUpKind::kSpoolAngle || kind == TakeUpKind::kSpoolRate ||
                       kind == TakeUpKind::kSpoolJoint;
    CHECK_EQ(t.Spool(), spool);
    CHECK_EQ(t.Gain(), spool ? 0.25 : 1.0);
    CHECK_EQ(t.Commanded(), kind != TakeUpKind::kFixed && kind != TakeUpKind::kSpoolJoint);
    CHECK(!t.Filtered());
    CHECK(Motor(kind, 0.1, 0).Filtered());
    CHECK(Motor(kind, 0, 0.1).Filtered());
  }
}

}  // namespace
}  // namespace mujocable
