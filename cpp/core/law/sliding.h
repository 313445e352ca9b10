// The sliding law of the paper (8)-(10): Capstan friction without memory, along the slip of the
// moment. It is right while everything slides fast; at rest it creeps, and with a direction that is
// given it may drive the cable. material.h has the law that holds.

#ifndef MUJOCABLE_CORE_LAW_SLIDING_H_
#define MUJOCABLE_CORE_LAW_SLIDING_H_

#include <algorithm>
#include <cmath>

#include "core/law/kinematics.h"
#include "core/record.h"

namespace mujocable {

enum class FrictionMode { kVelocity, kForward, kReverse };

struct FrictionLaw {
  FrictionMode mode = FrictionMode::kVelocity;
  double slip_speed = 0.01;  // v_s of (10)                                        [m/s]
};

// exp of more than this is no tension any machine holds; keeps the arithmetic finite
inline constexpr double kMaxExponent = 300;

// direction of (10) at a contact: -1 while the cable is pulled toward the source
inline double SlipDirection(const FrictionLaw& law, double slip_rate) {
  // no default: the compiler names a mode that is not here
  switch (law.mode) {
    case FrictionMode::kVelocity:
      return std::tanh(slip_rate / law.slip_speed);
    case FrictionMode::kForward:
      return -1;
    case FrictionMode::kReverse:
      return 1;
  }
  return 0;
}

// what the tension is multiplied by there (8)
inline double CapstanFactor(const FrictionLaw& law, double mu, double angle, double slip_rate) {
  return std::exp(std::min(mu * angle, kMaxExponent) * SlipDirection(law, slip_rate));
}

// Fills slip_rate (9), given the stretch rate of the whole cable, and `tension` with ratios to the
// source tension (8). Reads growth.
inline void TensionRatios(const FrictionLaw& law, const double* mu, double stretch_rate,
                          const Record& record) {
  const int n = record.ncontact;
  SlipRates(stretch_rate, record);

  double ratio = record.tension()[0] = 1;
  for (int i = 0; i < n; ++i) {
    if (mu[i] != 0)
      ratio *= CapstanFactor(law, mu[i], record.wrap_angle()[i], record.slip_rate()[i]);
    record.tension()[i + 1] = ratio;
  }
}

// scales the ratios by the source tension and fills the power lost at each contact (17)
inline void ScaleTensions(double source_tension, const Record& record) {
  const int n = record.ncontact;
  for (int i = 0; i <= n; ++i) record.tension()[i] *= source_tension;
  for (int i = 0; i < n; ++i) {
    record.dissipation()[i] =
        (record.tension()[i + 1] - record.tension()[i]) * record.slip_rate()[i];
  }
  record.source_tension() = source_tension;
}

// what the record says of slip and material where the law has no memory; totals: slip_total before
inline void ShowSliding(double step, const double* totals, const Record& record) {
  const int n = record.ncontact;
  std::fill(record.rubbing(), record.memory(), 0.0);  // nothing is remembered
  const double share = record.length() > 0 ? record.rest_length() / record.length() : 0;
  for (int i = 0; i <= n; ++i) {
    double length = record.segment()[i];
    if (i > 0) length += record.arc()[i - 1] / 2;
    if (i < n) length += record.arc()[i] / 2;
    record.segment_rest()[i] = share * length;
  }
  for (int i = 0; i < n; ++i) {
    record.slip()[i] = step * record.slip_rate()[i];
    record.slip_total()[i] = totals[i] + record.slip()[i];
    record.stuck()[i] = 0;
    record.cone()[i] = record.tension()[i + 1] != record.tension()[i];
  }
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_SLIDING_H_
