// The configuration keys of a cable: one table for the parser, the documentation and the tests; and
// what one instance has for them.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ATTRIBUTES_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ATTRIBUTES_H_

#include <mujoco/mujoco.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mujocable {

inline constexpr char kPluginName[] = "mujocable.cable";

struct Attribute {
  const char* key;
  const char* unit;
  const char* fallback;  // value when the key is absent; "inf": the key may be infinite
  const char* accepted;  // a number: "> 0", ">= 0" or "any"; words: the first is the default
  const char* help;
};

inline constexpr Attribute kAttributes[] = {
    {"name", "", "", "text",
     "authored name; lets route, seed, surfaces and cables survive an attach prefix"},
    {"cables", "", "", "cable names",
     "several cables in one instance: their names with vertical bars between; every other key but "
     "name then has one value for all of them, or one each with vertical bars between"},
    {"route", "", "", "elements",
     "explicit route: anchor S; wrap G side=S friction=x; ring S radius=x tube=x; sheath S exit=S "
     "length=x; eyelet S; anchor "
     "S"},
    {"seed", "", "", "tendon name",
     "spatial tendon whose sites in order (user 1, 2, 3) are the route"},
    {"surfaces", "", "", "geom names", "with seed: the surfaces in order, one per hint site"},
    {"contacts", "", "", "options",
     "options of each Wrap and Eyelet in route order, separated by ;"},
    {"stiffness", "N/m", "", "> 0", "axial stiffness of the whole cable"},
    {"EA", "N", "", "> 0", "axial rigidity, at every length; stiffness = EA / length"},
    {"damping", "N s/m", "0", ">= 0", "axial damping"},
    {"damping_rate", "", "stretch", "stretch, length",
     "what damping acts on: stretch rate or length rate"},
    {"transition", "m", "0", ">= 0", "stretch over which stiffness and damping set in"},
    {"reserve", "m", "0", ">= 0", "dead band before the cable pulls"},
    {"pretension", "N", "0", ">= 0", "tension at the home length"},
    {"pretension_offset", "m", "0", "any", "cable taken in at home; negative is slack"},
    {"max_tension", "N", "inf", "> 0", "tension limit"},
    {"home_length", "m", "", "> 0",
     "length of the unstretched cable at zero take-up; absent: routed at qpos0"},
    {"radius", "m", "0", ">= 0", "cable radius, added to every surface"},
    {"friction", "", "0", ">= 0", "Capstan coefficient of every contact that has none of its own"},
    {"friction_law", "", "memory", "memory, sliding",
     "memory: the cable sticks and slides; sliding: the law of the paper, which never sticks"},
    {"friction_mode", "", "velocity", "velocity, forward, reverse",
     "with friction_law sliding: direction of friction"},
    {"slip_speed", "m/s", "0.01", "> 0",
     "with friction_law sliding: slip at which velocity friction saturates"},
    {"take_up", "", "fixed", "fixed, length, spool_angle, spool_rate, spool_joint, tension, tendon",
     "what shortens the cable"},
    {"spool_radius", "m", "", "> 0; with spool_joint also < 0",
     "radius of the spool; negative: wound the other way"},
    {"spool_joint", "", "", "joint name", "hinge or slide of a physical spool"},
    {"tendon", "", "", "tendon name",
     "with take_up tendon: the cable pulls as MuJoCo's tendon of this name would"},
    {"share", "", "1", "> 0",
     "with take_up tendon: part of the tendon's force that this cable carries"},
    {"lag", "s", "0", ">= 0", "time constant of the motor"},
    {"rate_limit", "m/s", "inf", "> 0", "largest take-up speed"},
    {"integration", "", "auto", "auto, explicit",
     "auto: a cable that is stiff for the step is solved together with the motion"},
    {"max_smoothness", "rad", "1e-6", "> 0", "a path with a larger kink is not accepted"},
    {"max_penetration", "m", "", ">= 0",
     "a path that cuts deeper into a listed surface is not accepted; absent: 1e-6 radii"},
};

inline constexpr int kAttributeCount = std::size(kAttributes);  // rows

// What the cables of a plugin instance have for the keys, of which one at a time is looked at. A
// value that is not accepted is a ConfigError.
class Attributes {
 public:
  Attributes(const mjModel* m, int instance);

  const mjModel* const m;
  const int instance;
  int member = 0;                     // the one that is looked at
  const bool shared;                  // the instance names its cables, be it one
  int size() const { return size_; }  // how many cables there are

  // the name of the cable as the model has it, "" when it has none; and which one has it, -1: none
  std::string Name() const;
  int Find(const std::string& name) const;

  // as it was written, "" when absent
  std::string Text(const char* key) const;

  // whether it was written, and as something else than its default
  bool Given(const char* key) const;

  // Its default when absent, 0 where it has none. any_sign: whatever the table says, any finite
  // one.
  double Number(const char* key, bool any_sign = false) const;

  // which of the accepted words
  int Choice(const char* key) const;

  // Id of a named object of MuJoCo, trying the prefix and suffix that an attach gave this instance;
  // names the existing ones when there is none.
  int Object(mjtObj type, const std::string& name, const std::string& what) const;

  // the tuple that holds its route by reference, -1: none
  int Tuple() const;

 private:
  int size_ = 1;
  // what attach put before and behind the authored name of the instance; where it is shared, the
  // values of each key, one each or one for all
  std::string prefix_, suffix_;
  std::vector<std::vector<std::string_view>> values_;
};

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ATTRIBUTES_H_
