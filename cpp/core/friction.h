// Capstan friction (8)-(14): tension ratios along the cable, slip, dissipation.

#ifndef MUJOCABLE_CORE_FRICTION_H_
#define MUJOCABLE_CORE_FRICTION_H_

#include <algorithm>
#include <cmath>

#include "lanes.h"
#include "record.h"

namespace mujocable {

enum class FrictionMode { kVelocity, kForward, kReverse };

struct FrictionLaw {
  FrictionMode mode = FrictionMode::kVelocity;
  double slip_speed = 0.01;  // v_s of (10)                                        [m/s]
};

// exp of more than this is no tension any machine holds; keeps the arithmetic finite
inline constexpr double kMaxExponent = 300;

// direction of (10): -1 while the cable is pulled toward the source
inline double SlipDirection(const FrictionLaw& law, double slip_rate) {
  if (law.mode == FrictionMode::kVelocity) return std::tanh(slip_rate / law.slip_speed);
  return law.mode == FrictionMode::kForward ? -1 : 1;
}

// the same for four contacts
inline Lanes SlipDirections(const FrictionLaw& law, const double* slip_rate) {
  if (law.mode == FrictionMode::kVelocity) {
    return Tanh(LoadLanes(slip_rate) / AllLanes(law.slip_speed));
  }
  return AllLanes(law.mode == FrictionMode::kForward ? -1 : 1);
}

// Fills slip_rate (9), given the stretch rate of the whole cable, and `tension` with ratios to the
// source tension (13). Reads growth.
inline void TensionRatios(const FrictionLaw& law, const double* mu, double stretch_rate,
                          Record& record) {
  const int n = record.ncontact;
  const double strain_rate = *record.length > 0 ? stretch_rate / *record.length : 0;

  // slip, from the distal end: `beyond` is the cable between contact and distal end
  double beyond = record.segment[n];
  for (int i = n - 1; i >= 0; --i) {
    record.slip_rate[i] =
        record.Touching(i) ? record.growth[i] - (beyond + record.arc[i] / 2) * strain_rate : 0;
    beyond += record.arc[i] + record.segment[i];
  }

  // ratios, from the source: four contacts at a time, then the rest
  double ratio = record.tension[0] = 1;
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    if (mu[i] == 0 && mu[i + 1] == 0 && mu[i + 2] == 0 && mu[i + 3] == 0) {
      for (int j = 1; j <= kLanes; ++j) record.tension[i + j] = ratio;
      continue;
    }
    const Lanes exponent = LoadLanes(mu + i) * LoadLanes(record.wrap_angle + i);
    const Lanes most = AllLanes(kMaxExponent);
    const Lanes factor =
        Exp(Select(exponent - most, exponent, most) * SlipDirections(law, record.slip_rate + i));
    for (int j = 0; j < kLanes; ++j) record.tension[i + j + 1] = ratio *= factor[j];
  }
  for (; i < n; ++i) {
    if (mu[i] != 0 && record.wrap_angle[i] != 0) {
      const double exponent = std::min(mu[i] * record.wrap_angle[i], kMaxExponent);
      ratio *= std::exp(SlipDirection(law, record.slip_rate[i]) * exponent);
    }
    record.tension[i + 1] = ratio;
  }
}

// scales the ratios by the source tension and fills the power lost at each contact (14)
inline void ScaleTensions(double source_tension, Record& record) {
  const int n = record.ncontact;
  for (int i = 0; i <= n; ++i) record.tension[i] *= source_tension;
  for (int i = 0; i < n; ++i) {
    record.dissipation[i] = (record.tension[i + 1] - record.tension[i]) * record.slip_rate[i];
  }
  *record.source_tension = source_tension;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_FRICTION_H_
