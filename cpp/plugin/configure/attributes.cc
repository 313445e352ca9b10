#include "plugin/configure/attributes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "plugin/configure/config.h"
#include "plugin/configure/words.h"

namespace mujocable {
namespace {

constexpr int IndexOf(std::string_view key) {
  return static_cast<int>(std::ranges::find(kAttributes, key, &Attribute::key) - kAttributes);
}

const Attribute& RowOf(std::string_view key) { return kAttributes[IndexOf(key)]; }

mjtSize CountOf(const mjModel* m, mjtObj type) {
  if (type == mjOBJ_SITE) return m->nsite;
  if (type == mjOBJ_GEOM) return m->ngeom;
  return type == mjOBJ_JOINT ? m->njnt : m->ntendon;
}

// a key of an instance as it was written, "" when absent
std::string_view TextOf(const mjModel* m, int instance, const char* key) {
  const char* text = mj_getPluginConfig(m, instance, key);
  return text ? Trimmed(text) : "";
}

constexpr int kCables = IndexOf("cables");  // its row in the table

}  // namespace

Attributes::Attributes(const mjModel* model, int number)
    : m(model), instance(number), shared(!TextOf(model, number, "cables").empty()) {
  // what attach put around the authored name, which may begin or end with a blank
  const char* text = mj_getPluginConfig(m, instance, "name");
  const std::string_view written = text ? text : "";
  const std::string actual = GivenName(m, mjOBJ_PLUGIN, instance);
  for (const std::string_view authored : {Trimmed(written), written}) {
    // a prefix alone is the rule, and it may hold the authored name itself
    const size_t at =
        actual.ends_with(authored) ? actual.size() - authored.size() : actual.find(authored);
    if (authored.empty() || at == std::string::npos) continue;
    prefix_ = actual.substr(0, at);
    suffix_ = actual.substr(at + authored.size());
  }
  if (!shared) return;
  std::string_view source = SourceOf(m, instance);
  for (int i = 0; i < kAttributeCount; ++i) {
    const size_t end = std::min(source.find('\0'), source.size());
    values_.push_back(Parts(source.substr(0, end), '|'));
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  size_ = static_cast<int>(values_[kCables].size());
}

std::string Attributes::Name() const {
  if (!shared) return GivenName(m, mjOBJ_PLUGIN, instance);
  return Joined(prefix_, values_[kCables][member], suffix_);
}

int Attributes::Find(const std::string& name) const {
  if (!shared) return name == GivenName(m, mjOBJ_PLUGIN, instance) ? 0 : -1;
  const size_t around = prefix_.size() + suffix_.size();
  if (name.size() < around || !name.starts_with(prefix_) || !name.ends_with(suffix_)) return -1;
  const std::string_view inner =
      std::string_view(name).substr(prefix_.size(), name.size() - around);
  const std::vector<std::string_view>& names = values_[kCables];
  const auto found = std::ranges::find(names, inner);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::string Attributes::Text(const char* key) const {
  if (!shared) return std::string(TextOf(m, instance, key));
  const std::vector<std::string_view>& values = values_[IndexOf(key)];
  const int count = static_cast<int>(values.size());
  if (count != 1 && count != size_) {
    Refuse(key, " has ", count, " values for ", size_,
           " cables; give one for all of them, or one each, with | between");
  }
  return std::string(values[count == 1 ? 0 : member]);
}

bool Attributes::Given(const char* key) const {
  const std::string text = Text(key);
  const std::string_view fallback = RowOf(key).fallback;
  double value, usual;
  const bool same =
      ParseNumber(text, value) && ParseNumber(fallback, usual) ? value == usual : text == fallback;
  return !text.empty() && !same;
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
  // (a name with a code in it that nobody wrote as one, last)
  for (const std::string& word : {Decoded(name), name}) {
    int id = mj_name2id(m, type, (prefix_ + word + suffix_).c_str());
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
  const std::string name = Name();
  return name.empty() ? -1 : mj_name2id(m, mjOBJ_TUPLE, name.c_str());
}

}  // namespace mujocable
