// Warnings of MuJoCo about paths and steps: each kind once per simulation.

#include <cstdio>

#include "plugin/step/mujoco_cable.h"

namespace mujocable {
namespace {

// what there is to say of a status: before and after the element it is about; nullptr: nothing
struct Words {
  const char *before, *after, *status;
};

Words WordsFor(SolveStatus status) {
  switch (status) {
    case SolveStatus::kKept:
      return {"finds no taut path over", ": the best that was found pulls on", "kept"};
    case SolveStatus::kLetGo:
      return {"has an end inside", ", which gives way or takes no part", "let_go"};
    case SolveStatus::kSlipped:
      return {"slipped off to another path over", "", "slipped"};
    case SolveStatus::kDerailed:
      return {"left", ", out of its groove or off its end", "derailed"};
    default:  // of a number that is not finite MuJoCo tells itself
      return {};
  }
}

State StateHere(const mjModel* m, mjData* d, const Member& member) {
  return {StateOf(m, d, member), member.config->ncontact, member.config->nwrap};
}

bool Told(const State& state, int bit) { return static_cast<int>(state.told()) & bit; }

constexpr int kUnbalanced = 1 << 6;  // the statuses have the bits before

// whether this is the first time in this simulation, for any of its cables; remembers it
bool First(const mjModel* m, mjData* d, const Member& member, int bit) {
  const State own = StateHere(m, d, member);
  if (Told(own, bit)) return false;
  for (int i = 0; i < m->nplugin; ++i) {
    if (m->plugin[i] != m->plugin[member.instance]) continue;
    const Instance* instance = Lookup(d->plugin_data[i]);
    if (!instance) continue;
    for (const CableConfig& other : instance->cables) {
      const State state = StateHere(m, d, {i, &other});
      if (state.fingerprint() != other.fingerprint || !Told(state, bit)) continue;
      own.told() += bit;
      return false;
    }
  }
  own.told() += bit;
  return true;
}

void TellUnbalanced(const mjModel* m, mjData* d, const Member& member) {
  if (!First(m, d, member, kUnbalanced)) return;
  mju_warning(
      "cable '%s' finds no balance with the motion of the step: it pulls as where it was nearest;"
      " told once per simulation. Time = %.4f.",
      member.config->name.c_str(), d->time);
}

void TellStatus(const mjModel* m, mjData* d, const Member& member, const Record& record) {
  const CableConfig& c = *member.config;
  const auto status = static_cast<SolveStatus>(static_cast<int>(record.status()));
  if (!First(m, d, member, 1 << static_cast<int>(status))) return;
  const Words words = WordsFor(status);
  if (!words.before) return;
  // no memory is asked for in a step
  char element[256] = "its route";
  if (const int i = static_cast<int>(record.status_contact()) + 1; i > 0) {
    const ElementConfig& e = c.elements[i];
    const char* name = mj_id2name(m, e.ring ? mjOBJ_SITE : mjOBJ_GEOM, e.frame);
    std::snprintf(element, sizeof(element), "%s %d '%s'", e.ring ? "ring" : "wrap",
                  e.place < 0 ? i : e.place, name ? name : "");
  }
  mju_warning("cable '%s' %s %s%s (status %s); told once per simulation. Time = %.4f.",
              c.name.c_str(), words.before, element, words.after, words.status, d->time);
}

}  // namespace

void Tell(const mjModel* m, mjData* d, const Member& member, const Record& record) {
  if (record.status() != 0) TellStatus(m, d, member, record);
  if (record.solves() < 0) TellUnbalanced(m, d, member);
}

}  // namespace mujocable
