// The state of one cable: the only memory there is, field by field, inside MuJoCo's plugin_state.

#ifndef MUJOCABLE_CORE_STATE_H_
#define MUJOCABLE_CORE_STATE_H_

#include "core/record.h"

namespace mujocable {

inline constexpr int kStateScalars = 14;  // numbers before `friction`

// A state at its place, by name.
struct State {
  double* block = nullptr;
  int ncontact = 0, nwrap = 0;

  // of the configuration that wrote this state; another value = foreign
  double& fingerprint() const { return block[0]; }
  double& step() const { return block[1]; }     // the one before, 0 after a reset         [s]
  double& take_up() const { return block[2]; }  // of the step before                      [m]
  // parameters that may differ between simulations
  double& stiffness() const { return block[3]; }    //                                     [N/m]
  double& damping() const { return block[4]; }      //                                     [N s/m]
  double& home_length() const { return block[5]; }  // L_0                                 [m]
  double& max_tension() const { return block[6]; }  //                                     [N]
  // these three follow from the model: taken in at home [m]; how much the bodies can give way to
  // the cable, and turn, as in CableModel
  double& pretension() const { return block[7]; }
  double& mobility() const { return block[8]; }
  double& turning() const { return block[9]; }
  double& derailments() const { return block[10]; }  // since the reset
  double& told() const { return block[11]; }         // sum of 2^status: which were warned about
  // of the step before: slack [m], and how fast the stretch grew [m/s]
  double& slack() const { return block[12]; }
  double& stretching() const { return block[13]; }
  double* friction() const { return block + kStateScalars; }  // per contact
  // of the step before, as in the record
  double* slip_total() const { return friction() + ncontact; }
  double* rubbing() const { return slip_total() + ncontact; }
  double* cell() const { return rubbing() + ncontact; }
  double* mark() const { return cell() + CellRoom(); }
  double* footing() const { return mark() + CellRoom() - 1; }
  double* memory() const { return footing() + kFooting * nwrap; }
  double* end() const { return memory() + kWrapMemory * nwrap; }

  int CellRoom() const { return 1 + ncontact + (kSubcontacts - 1) * nwrap; }
};

// Whether the parameters are such as a cable can have; whoever writes into a state may write
// anything.
inline bool SoundParameters(const State& s) {
  const auto finite = [](double x) -> int { return x - x == 0; };
  const auto sound = [=](double x) -> int { return (x >= 0) & finite(x); };
  int all = sound(s.stiffness()) & sound(s.damping()) & (s.max_tension() >= 0) &
            finite(s.home_length()) & (s.home_length() > 0) & finite(s.pretension());
  for (int i = 0; i < s.ncontact; ++i) all &= sound(s.friction()[i]);  // (no branches: it is short)
  return all != 0;
}

inline int StateSize(int ncontact, int nwrap) {
  const State state{nullptr, ncontact, nwrap};
  return kStateScalars + 3 * ncontact + 2 * state.CellRoom() - 1 + (kFooting + kWrapMemory) * nwrap;
}

// what is read and written from outside, by name; each has its place in the state
struct StateParameter {
  const char* name;
  int offset;
  bool per_contact;
};

inline constexpr StateParameter kStateParameters[] = {
    {"stiffness", 3, false},
    {"damping", 4, false},
    {"home_length", 5, false},
    {"max_tension", 6, false},
    {"friction", kStateScalars, true},
    {"told", 11, false},
    {"slack", 12, false},
};

// why a wrap takes no part in the route; it returns where the path is clear of it
enum class Release {
  kNo = 0,
  kLetGo = 1,     // an end of its span is inside
  kDerailed = 2,  // the cable left its groove, or ran off its end
};

// what the solver remembers of a wrap, in the frame of its surface
struct WrapMemory {
  bool touching = false;
  Release released = Release::kNo;
  Vec3 point;        // entry; of a groove that is not touched, where the cable passes it
  Vec3 tangent;      // along the string at the entry
  double arc = 0;    // length on the surface                                   [m]
  double swept = 0;  // angle about a cylinder, less what coaxial hinges explain [rad]
};

// the first number is 1 where it touches, minus the reason where it takes no part
inline WrapMemory LoadMemory(const double* p) {
  const Release released = p[0] < 0 ? static_cast<Release>(static_cast<int>(-p[0])) : Release::kNo;
  return {p[0] > 0, released, Load(p + 1), Load(p + 4), p[7], p[8]};
}
inline bool IsReleased(const double* p) { return p[0] < 0; }

inline void StoreMemory(double* p, const WrapMemory& memory) {
  p[0] = memory.touching ? 1 : -static_cast<int>(memory.released);
  Store(p + 1, memory.point);
  Store(p + 4, memory.tangent);
  p[7] = memory.arc;
  p[8] = memory.swept;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_STATE_H_
