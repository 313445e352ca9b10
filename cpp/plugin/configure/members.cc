#include "plugin/configure/members.h"

#include <set>
#include <span>
#include <string_view>

#include "plugin/configure/words.h"

namespace mujocable {

void CheckMembers(const Attributes& a) {
  const mjModel* m = a.m;
  if (!a.shared) return;
  std::set<std::string> names;
  for (Attributes one = a; one.member < a.size(); ++one.member) {
    if (one.Text("cables").empty()) Refuse("cables has no name in place ", one.member);
    if (!names.insert(one.Name()).second) Refuse("cables names '", one.Name(), "' twice");
  }
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_plugin[i] != a.instance || a.Find(GivenName(m, mjOBJ_ACTUATOR, i)) >= 0) {
      continue;
    }
    Refuse("actuator '", NameOf(m, mjOBJ_ACTUATOR, i),
           "' drives none of its cables; name it as one of them: ",
           Listed({names.begin(), names.end()}));
  }
}

bool SensorShows(const Attributes& a, int sensor, int& member, const Field*& field) {
  const std::string name = GivenName(a.m, mjOBJ_SENSOR, sensor);
  field = nullptr;
  if ((member = a.Find(name)) >= 0) return true;
  member = 0;
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) return !a.shared;
  const std::span fields(kFields, kResultCount);
  // a cable's name with ".field" in it, before what attach put behind; names may have dots
  for (const Field& one : fields) {
    const std::string part = Joined(".", one.name);
    for (size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
      const int found = a.Find(std::string(name).erase(at, part.size()));
      if (found < 0) continue;
      member = found;
      field = &one;
      return true;
    }
  }
  if (a.shared) return false;
  // a sensor with a name of its own: the longest field name behind its last dot
  size_t longest = 0;
  for (const Field& one : fields) {
    const std::string_view word = one.name;
    if (word.size() <= longest || !name.substr(dot + 1).starts_with(word)) continue;
    field = &one;
    longest = word.size();
  }
  return field != nullptr;
}

int ActuatorOf(const Attributes& a) {
  const mjModel* m = a.m;
  const std::string name = a.Name();
  int found = -1, count = 0;
  for (int i = 0; i < m->nactuator; ++i) {
    if (m->actuator_plugin[i] != a.instance) continue;
    // of several cables each has the actuator of its name
    if (a.shared && GivenName(m, mjOBJ_ACTUATOR, i) != name) continue;
    if (count++ == 0) found = i;
  }
  if (count > 1) Refuse("one actuator may drive a cable, this one has ", count);
  return found;
}

}  // namespace mujocable
