// The driver: what a cable computes, in order. MuJoCo knows positions and velocities one stage
// before it knows commands, so there are two calls.

#ifndef MUJOCABLE_CORE_CABLE_H_
#define MUJOCABLE_CORE_CABLE_H_

#include "core/law/axial.h"
#include "core/law/kinematics.h"
#include "core/law/material.h"
#include "core/law/sliding.h"
#include "core/path/route.h"

namespace mujocable {

// velocity stage: the path over the surfaces as they are now, and its rates
template <typename Twists>
void Locate(const Element* elements, int count, const Twists& twists, const double* memory,
            Start start, const RouteLimits& limits, Record& record, double slack = 0) {
  SolveRoute(elements, count, memory, start, limits, record, slack);
  Rates(twists, record);
}

// Tension of the source segment, and in `record.tension()` the ratios of all segments to it.
// Reads the take-up that the caller put into the record.
inline double Pull(const AxialParameters& axial, const FrictionLaw& law, const double* mu,
                   const Record& record) {
  const double tension = AxialTension(axial, record);
  TensionRatios(law, mu, record.length_rate() + record.take_up_rate(), record);
  return tension;
}

// the same where the motor sets the tension: it takes up whatever the cable gives
inline double PullCommanded(double command, double max_tension, const FrictionLaw& law,
                            const double* mu, const Record& record) {
  record.rest_length() = record.length();
  record.stretch() = record.slack() = record.energy() = 0;
  TensionRatios(law, mu, 0, record);
  return std::min(std::max(command, 0.0), max_tension);
}

// a path that there is, with numbers, before any tension is known
inline bool Sound(const Record& record) {
  const bool valid = record.status() != static_cast<double>(SolveStatus::kInvalid);
  return valid && std::isfinite(record.stretch() + record.length_rate());
}

// every path is one to pull along; never let a bad number out
inline bool MayPull(double tension, const Record& record) {
  const bool valid = record.status() != static_cast<double>(SolveStatus::kInvalid);
  // a sum is finite only where all of it is
  const double sum =
      (tension + record.tension()[record.ncontact]) + (record.stretch() + record.length_rate());
  return valid && std::isfinite(sum);
}
inline double SafeTension(double tension, const Record& record) {
  return MayPull(tension, record) ? tension : 0;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_CABLE_H_
