// The options of the elements of a route: one table for the parser, the checks, Python and the
// tests.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_OPTIONS_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_OPTIONS_H_

#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/path/span.h"
#include "plugin/configure/attributes.h"
#include "plugin/configure/config.h"

namespace mujocable {

struct Option {
  const char* key;
  const char* elements;  // that may have it
  const char* value;     // behind "key="; "": the word stands alone, in brackets: it may
  const char* accepted;  // for a message
  double above, below;   // bounds of a number, both excluded
  // where it goes: a count is whole; `given` is set wherever the option stands
  double ElementConfig::* number = nullptr;
  int ElementConfig::* count = nullptr;
  bool ElementConfig::* given = nullptr;
};

// turns around a cylinder at the start; chosen: more than any winch has, config_test would notice
inline constexpr int kMaxTurns = 1000;
// as an excluded bound it lets 0 itself pass
inline constexpr double kBelowZero = -std::numeric_limits<double>::denorm_min();
inline constexpr double kNoBound = std::numeric_limits<double>::infinity();  // but not reached

// in the order in which Python writes them
inline constexpr Option kOptions[] = {
    {"exit", "sheath", "SITE", "", 0, 0},
    {"radius", "ring", "NUMBER", "a finite number > 0", 0, kNoBound, &ElementConfig::ring_radius},
    {"tube", "ring", "NUMBER", "a finite number > 0", 0, kNoBound, &ElementConfig::ring_tube},
    {"length", "sheath", "NUMBER", "a finite number > 0", 0, kNoBound, &ElementConfig::length},
    {"bend", "sheath", "RADIANS", "a finite number >= 0 in radians", kBelowZero, kNoBound,
     &ElementConfig::bend},
    {"friction", "eyelet wrap ring sheath", "NUMBER", "a finite number >= 0", kBelowZero, kNoBound,
     &ElementConfig::friction, nullptr, &ElementConfig::friction_given},
    {"side", "wrap ring", "SITE, side=x,y,z", "", 0, 0},
    {"permanent", "wrap", "", "", 0, 0, nullptr, nullptr, &ElementConfig::permanent},
    {"rounding", "wrap", "NUMBER", "a finite number > 0", 0, kNoBound, &ElementConfig::rounding},
    {"turns", "wrap", "COUNT", "a whole number from 0", -1, kMaxTurns + 1, nullptr,
     &ElementConfig::turns},
    {"mode", "wrap", "obstacle, mode=guided", "obstacle or guided", 0, 0, nullptr, nullptr,
     &ElementConfig::guided},
    {"contacts", "wrap", "COUNT", "a whole number from 1", 0, kMaxSpanWraps + 1, nullptr,
     &ElementConfig::bearings},
    {"groove", "wrap", "[DEPTH]", "a depth > 0 or nothing", 0, kNoBound, &ElementConfig::groove,
     nullptr, &ElementConfig::grooved},
    {"half_angle", "wrap", "RADIANS", "between 0 and pi / 2", 0, std::numbers::pi / 2,
     &ElementConfig::half_angle},
    {"endless", "wrap", "", "", 0, 0, nullptr, nullptr, &ElementConfig::endless},
};

// options of a wrap that need certain geoms
struct GeomRule {
  const char* options;
  const char* geoms;
  const char* refusal;  // for the others
};

inline constexpr GeomRule kGeomRules[] = {
    {"permanent", "cylinder sphere",
     "permanent holds a cable in the groove of a cylinder or sphere only"},
    {"groove half_angle endless", "cylinder", "groove, half_angle and endless are for cylinders"},
    {"turns", "cylinder", "turns are wound around a cylinder only"},
    {"rounding", "box mesh", "rounding is for the edges of a box or mesh"},
    {"mode contacts", "mesh", "mode and contacts are for meshes"},
};

// the rule that an option is in, nullptr: none
const GeomRule* RuleOf(const Option& option);

// The words of one contact from `first` on, as in "friction=x side=s permanent"; `who` opens a
// message.
void ReadOptions(const Attributes& a, const std::vector<std::string>& words, size_t first,
                 const std::string& who, ElementConfig& e);

// refuses a geom that no cable wraps over, and options that need another one
void CheckOptions(const mjModel* m, const ElementConfig& e, const std::string& who);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_OPTIONS_H_
