// Take-up (12): what the motor does -> cable taken in, and how fast.

#ifndef MUJOCABLE_CORE_LAW_TAKEUP_H_
#define MUJOCABLE_CORE_LAW_TAKEUP_H_

#include <algorithm>
#include <cmath>

namespace mujocable {

enum class TakeUpKind { kFixed, kLength, kSpoolAngle, kSpoolRate, kSpoolJoint, kTension, kTendon };

struct TakeUp {
  TakeUpKind kind = TakeUpKind::kFixed;
  double radius = 1;      // of a spool; negative: it pays out as the joint turns    [m]
  double lag = 0;         // time constant of the motor                              [s]
  double rate_limit = 0;  // of the take-up; 0 = none                                [m/s]
  double timestep = 0;    // of the model                                            [s]
  double follow = 0;      // FollowRate there                                        [1/s]

  // by an actuator of its own
  bool Commanded() const {
    return kind != TakeUpKind::kFixed && kind != TakeUpKind::kSpoolJoint &&
           kind != TakeUpKind::kTendon;
  }
  // the tension is given, not the length
  bool Tension() const { return kind == TakeUpKind::kTension || kind == TakeUpKind::kTendon; }
  bool Spool() const { return kind >= TakeUpKind::kSpoolAngle && kind <= TakeUpKind::kSpoolJoint; }
  bool Filtered() const { return lag > 0 || rate_limit > 0; }
  // take-up per unit of command
  double Gain() const { return Spool() ? radius : 1; }
};

// Rate at which a lagging motor goes toward a constant command, per unit of the way that is left,
// on average over one step: exact for a first-order lag.
inline double FollowRate(double lag, double timestep) {
  return (lag > 0 ? -std::expm1(-timestep / lag) : 1) / timestep;
}

// Rate at which the motor follows its command: the lag, then the limit. now: it is asked for as it
// is at this moment, by an integrator that asks several times in a step.
inline double MotorRate(const TakeUp& t, double command, double position, double timestep,
                        bool now = false) {
  double follow = timestep == t.timestep ? t.follow : FollowRate(t.lag, timestep);
  if (now && timestep < t.lag) follow = 1 / t.lag;  // (with a longer step it would not be stable)
  const double rate = (command - position) * follow;
  if (t.rate_limit <= 0) return rate;
  const double limit = t.rate_limit / t.Gain();
  return std::clamp(rate, -limit, limit);
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_LAW_TAKEUP_H_
