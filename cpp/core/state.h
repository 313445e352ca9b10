// The state of one cable: the only memory there is, field by field, inside MuJoCo's plugin_state.

#ifndef MUJOCABLE_CORE_STATE_H_
#define MUJOCABLE_CORE_STATE_H_

#include "record.h"

namespace mujocable {

struct State {
  double* fingerprint;  // of the configuration that wrote this state; another value = foreign
  double* steps;        // 0 after a reset, 1 once a step has been taken
  double* take_up;      // of the step before                                  [m]
  double* stiffness;    // parameters that may differ between simulations      [N/m]
  double* damping;      //                                                     [N s/m]
  double* home_length;  // L_0                                                 [m]
  double* max_tension;  //                                                     [N]
  double* pretension;   // taken in at home; follows from the model at reset   [m]
  double* friction;     // per contact                                         shape [n]
  double* memory;       // of each wrap, two of a ring                         shape [nwrap, 9]
};

inline constexpr int kStateScalars = 8;

inline int StateSize(int ncontact, int nwrap) {
  return kStateScalars + ncontact + kWrapMemory * nwrap;
}

inline State StateAt(double* block, int ncontact) {
  double* friction = block + kStateScalars;
  return {block,     block + 1, block + 2, block + 3, block + 4,
          block + 5, block + 6, block + 7, friction,  friction + ncontact};
}

// parameters by the name users know them by; each has its place in the state
struct StateParameter {
  const char* name;
  double* State::* pointer;
  bool per_contact;
};

inline constexpr StateParameter kStateParameters[] = {
    {"stiffness", &State::stiffness, false},     {"damping", &State::damping, false},
    {"home_length", &State::home_length, false}, {"max_tension", &State::max_tension, false},
    {"friction", &State::friction, true},
};

// what the solver remembers of a wrap, in the frame of its surface
struct WrapMemory {
  bool touching = false;
  Vec3 point;        // entry
  Vec3 tangent;      // along the string at the entry
  double arc = 0;    // length on the surface                                   [m]
  double swept = 0;  // angle about a cylinder, less what coaxial hinges explain [rad]
};

inline WrapMemory LoadMemory(const double* p) {
  return {p[0] != 0, Load(p + 1), Load(p + 4), p[7], p[8]};
}

inline void StoreMemory(double* p, const WrapMemory& memory) {
  p[0] = memory.touching;
  Store(p + 1, memory.point);
  Store(p + 4, memory.tangent);
  p[7] = memory.arc;
  p[8] = memory.swept;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_STATE_H_
