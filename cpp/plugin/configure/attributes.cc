#include "plugin/configure/attributes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "plugin/configure/words.h"

namespace mujocable {
namespace {

const Attribute& RowOf(std::string_view key) {
  return *std::ranges::find(kAttributes, key, &Attribute::key);
}

mjtSize CountOf(const mjModel* m, mjtObj type) {
  if (type == mjOBJ_SITE) return m->nsite;
  if (type == mjOBJ_GEOM) return m->ngeom;
  return type == mjOBJ_JOINT ? m->njnt : m->ntendon;
}

}  // namespace

std::string Attributes::Text(const char* key) const {
  const char* value = mj_getPluginConfig(m, instance, key);
  return value ? Trim(value) : "";
}

double Attributes::Number(const char* key, bool any_sign) const {
  const std::string text = Text(key);
  const Attribute& row = RowOf(key);
  const std::string_view accepted = row.accepted;
  const bool infinite = !std::strcmp(row.fallback, "inf"), any = any_sign || accepted == "any";
  double value = 0;
  if (text.empty()) {
    ParseNumber(row.fallback, value);
    return value;
  }
  const bool good = ParseNumber(text, value) && (infinite || std::isfinite(value)) &&
                    (any || value > 0 || (value == 0 && accepted == ">= 0"));
  if (!good) {
    const std::string kind = infinite ? "number" : "finite number";
    Refuse(key, " must be a ", kind, any ? "" : " " + std::string(accepted), ", got '", text, "'");
  }
  return value;
}

int Attributes::Choice(const char* key) const {
  const std::string text = Text(key);
  const std::vector<std::string> words = Split(RowOf(key).accepted, ',');
  const auto found = text.empty() ? words.begin() : std::ranges::find(words, text);
  if (found == words.end()) Refuse(key, " must be one of ", Listed(words), ", got '", text, "'");
  return static_cast<int>(found - words.begin());
}

int Attributes::Object(mjtObj type, const std::string& name, const std::string& what) const {
  // what attach put around the authored name of this instance
  std::string prefix, suffix;
  const std::string authored = Text("name");
  const std::string actual = GivenName(m, mjOBJ_PLUGIN, instance);
  // a prefix alone is the rule, and it may hold the authored name itself
  const size_t at =
      actual.ends_with(authored) ? actual.size() - authored.size() : actual.find(authored);
  if (!authored.empty() && at != std::string::npos) {
    prefix = actual.substr(0, at);
    suffix = actual.substr(at + authored.size());
  }
  for (const std::string& word : {name, Decoded(name)}) {
    int id = mj_name2id(m, type, (prefix + word + suffix).c_str());
    if (id < 0) id = mj_name2id(m, type, word.c_str());
    if (id >= 0) return id;
  }
  const std::string kind = mju_type2Str(type);
  std::vector<std::string> names;
  for (int i = 0; i < CountOf(m, type); ++i) {
    const std::string other = GivenName(m, type, i);
    if (!other.empty()) names.push_back(other);
  }
  Refuse(what, ": '", name, "' is not a ", kind, " of this model; ", kind,
         "s here: ", Listed(names));
}

int Attributes::Tuple() const {
  const char* name = mj_id2name(m, mjOBJ_PLUGIN, instance);
  return name ? mj_name2id(m, mjOBJ_TUPLE, name) : -1;
}

}  // namespace mujocable
