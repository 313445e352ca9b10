// Configuration of the cables of an instance: what its strings mean in a model.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_

#include <mujoco/mujoco.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/field.h"
#include "core/model.h"

namespace mujocable {

// ---- one element of a route as its author wrote it, with what the model says about it

// what routes call their elements
struct ElementWord {
  const char* word;
  ElementKind kind;
  bool ring;
};
inline constexpr ElementWord kElementWords[] = {{"anchor", ElementKind::kAnchor, false},
                                                {"eyelet", ElementKind::kEyelet, false},
                                                {"wrap", ElementKind::kWrap, false},
                                                {"ring", ElementKind::kWrap, true},
                                                {"sheath", ElementKind::kSheath, false}};

// of a node: its place in the model; of a wrap node: what it is, `surface` but for its pose
struct ElementConfig : Node, WrapNode {
  bool ring = false;     // a wrap whose surface is a torus about the z axis of its site
  int place = 0;         // in the route as it was written
  int exit_site = -1;    // of a sheath
  bool is_exit = false;  // the other end of the sheath before it
  double length = 0;     // of a sheath                                                    [m]
  double bend = -1;      // of a sheath; negative: as its ends stand                       [rad]
  double ring_radius = 0, ring_tube = 0;  //                                             [m]
  double friction = 0;
  bool friction_given = false;
  bool held = false;  // on a drum without friction of its own: that of the cable does not count
  bool grooved = false;
  double groove = 0;      // depth of the groove; 0: as deep as is usual                     [m]
  double half_angle = 0;  // of a V groove; 0: a round one                                   [rad]

  bool IsWrap() const { return kind == ElementKind::kWrap; }
  bool OnGeom() const { return IsWrap() && !ring; }
  // an end that is clamped to a wrap next to it
  bool OnDrum() const { return kind == ElementKind::kAnchor && (clamp_before || clamp_after); }
  // as routes and messages call it
  const char* Kind() const {
    const ElementWord* w = kElementWords;
    while (w->kind != kind || w->ring != ring) ++w;
    return is_exit ? "exit of sheath" : w->word;
  }
  // of the memory of the solver, as in core/path/route.h
  int MemoryRows() const { return ring ? kRingRows : IsWrap() || kind == ElementKind::kSheath; }
};

// ---- the cable

// a sensor that shows part of the record
struct SensorCopy {
  int adr, dim;      // in sensordata
  int offset, size;  // in the record
};

// A cable of a model of MuJoCo. What a step of every cable reads comes first, up to `sensors`.
struct CableConfig : CableModel {
  int record_adr = -1;  // of the record in sensordata, -1: no such sensor
  int state_adr = 0;    // of its state in that of its instance
  int actuator = -1;
  int tendon = -1;                  // of MuJoCo, whose pull this cable carries
  int family = -1;                  // as in FamilyOf
  double shape = 0;                 // hash of which bodies its elements load, and how these hang
                                    // together
  bool may_couple = true;           // its tension may be found with the motion of the step
  bool first_on_tendon = false;     // of the cables that share it
  std::vector<int> drives;          // actuators of that tendon
  std::vector<int> dofs;            // of MuJoCo, of all slots, ascending
  std::vector<double> reach;        // of each of them: its levers on all segments, added up
  double weight = 0;                // of the model that mobility and turning follow from
  std::vector<SensorCopy> sensors;  // that show one field, or the record once more
  int act = -1, out = -1;           // places of its actuator in MuJoCo's data; act -1: it has no
                                    // memory
  int moment_adr = -1;  // of its moment row where a site carries it, -1: in the row of a tendon
  int joint_qpos = -1, joint_dof = -1;  // of a physical spool
  double joint_reference = 0;           // qpos0 of the spool
  double share = 1;                     // of the tendon's pull

  std::string name;
  std::vector<ElementConfig> elements;
  std::vector<int> bodies;  // that hold an element, and their ancestors; ascending
  double geometry = 0;      // hash of the part of the model that its numbers follow from

  // its load waits for the actuation stage
  bool Actuated() const { return actuator >= 0 || !drives.empty(); }
};

// A number that is another one where any dof of the model is as mobile as it was not: masses may be
// changed at any time.
double WeightOf(const mjModel* m);
// what `mobility` and `turning` of a cable are in this model
void FindMobility(const mjModel* m, const CableConfig& c, double& mobility, double& turning);

// the cables of a plugin instance
struct Instance {
  std::vector<CableConfig> cables;
  double fingerprint = 0;  // that of each of them
  std::string source;      // the attributes they were read from
  uint64_t signature = 0;  // of the compilation that numbered what they refer to
  double references = 0;   // hash of what they lead to there
  double structure = 0;    // hash of all but the numbers that the state holds and geometry gives
};

// one of them, in a model
struct Member {
  int instance;
  const CableConfig* config;
};

// where its state begins
inline double* StateOf(const mjModel* m, mjData* d, const Member& member) {
  return d->plugin_state + m->plugin_stateadr[member.instance] + member.config->state_adr;
}

// the record of a cable that has one in sensordata
inline Record RecordOf(const mjData* d, const CableConfig& c) {
  return {d->sensordata + c.record_adr, c.ncontact, c.nwrap};
}

// Reads and checks everything that can be checked before a step. On failure returns false and the
// reason: the cable, the element, what was accepted. sharing: of each cable, as in CableModel;
// nullptr: not known yet.
bool BuildInstance(const mjModel* m, int number, Instance& instance, std::string& error,
                   const double* sharing = nullptr);

// the attributes of an instance as the model holds them, a zero after each
inline std::string_view SourceOf(const mjModel* m, int instance) {
  const auto begin = m->plugin_attradr[instance];
  const auto end = instance + 1 < m->nplugin ? m->plugin_attradr[instance + 1] : m->npluginattr;
  return {m->plugin_attr + begin, static_cast<size_t>(end - begin)};
}

// fills source, structure, geometry and fingerprint of what is complete
void Identify(const mjModel* m, int number, Instance& instance);

// hash of the poses, sizes and mobilities that the numbers of a configuration follow from
double GeometryOf(const mjModel* m, const CableConfig& c);

// whether these attributes of the model are those an instance was read from, in such a model
inline bool SameSource(const mjModel* m, int number, const Instance& instance) {
  return m->signature == instance.signature && SourceOf(m, number) == instance.source;
}

// the same, and what they refer to has the same numbers; takes longer: not for every step
bool SameReferences(const mjModel* m, int number, const Instance& instance);

// whether an instance would be the same if it were read from this model
bool SameModel(const mjModel* m, int number, const Instance& instance);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_
