#include "plugin/configure/options.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "plugin/configure/words.h"

namespace mujocable {
namespace {

bool Among(const std::string& word, const std::string& words) {
  return std::ranges::count(Words(words), word) > 0;
}

// the options that an element may have, for a message
std::string AcceptedBy(const ElementConfig& e) {
  std::vector<std::string> all;
  for (const Option& option : kOptions) {
    if (!Among(e.Kind(), option.elements)) continue;
    const std::string key = option.key, value = option.value;
    const bool alone = value.empty() || value.front() == '[';
    if (alone) all.push_back(key);
    if (!value.empty())
      all.push_back(key + "=" + (alone ? value.substr(1, value.size() - 2) : value));
  }
  return Listed(all, all.size());
}

void ReadSide(const Attributes& a, const std::string& value, const std::string& who,
              ElementConfig& e) {
  const std::vector<std::string> parts = Split(value, ',');
  double x[3];
  if (parts.size() == 3 && ParseNumber(parts[0], x[0]) && ParseNumber(parts[1], x[1]) &&
      ParseNumber(parts[2], x[2])) {
    e.side = HintKind::kPoint;
    e.hint_point = Load(x);
    if (!Finite(e.hint_point)) Refuse(who, ": side has an infinite coordinate");
  } else {
    e.side = HintKind::kSite;
    e.hint_site = a.Object(mjOBJ_SITE, value, who + ": side");
  }
}

// a number, or one of two words; whether it is accepted
bool ReadValue(const Option& option, const std::string& value, ElementConfig& e) {
  if (option.given == &ElementConfig::guided) {
    e.guided = value == "guided";
    return e.guided || value == "obstacle";
  }
  double x;
  if (!ParseNumber(value, x) || !(x > option.above && x < option.below)) return false;
  if (option.count) {
    e.*option.count = static_cast<int>(x);
    return x == std::floor(x);
  }
  e.*option.number = x;
  return true;
}

// whether an element has an option with an effect
bool Uses(const ElementConfig& e, const Option& option) {
  static const ElementConfig none;
  return (option.number && e.*option.number != none.*option.number) ||
         (option.count && e.*option.count != none.*option.count) ||
         (option.given && e.*option.given);
}

}  // namespace

void ReadOptions(const Attributes& a, const std::vector<std::string>& words, size_t first,
                 const std::string& who, ElementConfig& e) {
  std::set<std::string> seen;
  for (size_t i = first; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string key = words[i].substr(0, equals);
    const bool alone = equals == std::string::npos;
    const std::string value = alone ? "" : words[i].substr(equals + 1);
    const Option* option = std::ranges::find_if(kOptions, [&](const Option& o) {
      return key == o.key && Among(e.Kind(), o.elements) && (alone || *o.value);
    });
    if (option == std::end(kOptions)) {
      Refuse(who, ": unknown option '", words[i], "'; accepted: ", AcceptedBy(e));
    }
    if (!seen.insert(key).second) Refuse(who, ": ", key, " is given twice; give it once");
    if (option->given) e.*option->given = true;
    if (alone && (!*option->value || *option->value == '[')) continue;
    if (key == "side") {
      ReadSide(a, value, who, e);
    } else if (key == "exit") {
      e.exit_site = a.Object(mjOBJ_SITE, value, who + ": exit");
    } else if (!ReadValue(*option, value, e)) {
      const std::string most =
          option->count ? " to " + std::to_string(static_cast<int>(option->below) - 1) : "";
      Refuse(who, ": ", key, " must be ", option->accepted, most, ", got '", value, "'");
    }
  }
}

const GeomRule* RuleOf(const Option& option) {
  for (const GeomRule& rule : kGeomRules) {
    if (Among(option.key, rule.options)) return &rule;
  }
  return nullptr;
}

void CheckOptions(const mjModel* m, const ElementConfig& e, const std::string& who) {
  static const char* names[] = {"plane",     "height field", "sphere", "capsule",
                                "ellipsoid", "cylinder",     "box",    "mesh"};
  const int type = m->geom_type[e.frame];
  if (type < mjGEOM_SPHERE || type > mjGEOM_MESH) {
    const std::string name =
        type < mjGEOM_SPHERE ? std::string("a ") + names[type] : "another type";
    Refuse(who,
           ": a cable can wrap over cylinder, sphere, ellipsoid, capsule, box and mesh geoms, this "
           "is ",
           name);
  }
  // a model may be changed after it was compiled
  static const int sizes[] = {0, 0, 1, 2, 3, 2, 3, 0};  // that a type has
  for (int i = 0; i < sizes[type]; ++i) {
    const double size = m->geom_size[3 * e.frame + i];
    if (size > 0 && std::isfinite(size)) continue;
    Refuse(who, ": size ", i, " of the geom must be a finite number > 0, got ", size);
  }
  for (const Option& option : kOptions) {
    const GeomRule* rule = RuleOf(option);
    if (rule && Uses(e, option) && !Among(names[type], rule->geoms)) {
      Refuse(who, ": ", rule->refusal);
    }
  }
  if (e.half_angle > 0 && !e.grooved) Refuse(who, ": half_angle is of a groove; give groove too");
}

}  // namespace mujocable
