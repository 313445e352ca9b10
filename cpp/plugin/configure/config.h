// Configuration of one cable: what the strings of a plugin instance mean in a model.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_

#include <mujoco/mujoco.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/math/simd.h"
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
  std::string source;   // the attributes it was read from
  int record_adr = -1;  // of the record in sensordata, -1: no such sensor
  int actuator = -1;
  int tendon = -1;                    // of MuJoCo, whose pull this cable carries
  int family = -1;                    // as in FamilyOf
  double shape = 0;                   // hash of which bodies its elements load, and how these hang
                                      // together
  bool may_couple = true;             // its tension may be found with the motion of the step
  bool first_on_tendon = false;       // of the cables that share it
  std::vector<int> drives;            // actuators of that tendon
  std::vector<int> dofs;              // of MuJoCo, of all slots, ascending
  std::vector<SensorCopy> sensors;    // that show one field, or the record once more
  int ctrl = -1, act = -1, out = -1;  // places of its actuator in MuJoCo's data; act -1: it has no
                                      // memory
  int moment_adr = -1;  // of its moment row where a site carries it, -1: in the row of a tendon
  int joint_qpos = -1, joint_dof = -1;  // of a physical spool
  double joint_reference = 0;           // qpos0 of the spool
  double share = 1;                     // of the tendon's pull

  std::string name;
  std::vector<ElementConfig> elements;
  std::vector<int> bodies;  // that hold an element, and their ancestors; ascending
  double structure = 0;     // hash of all but the numbers that the state holds and geometry gives
  double geometry = 0;      // hash of the part of the model that those follow from

  // its load waits for the actuation stage
  bool Actuated() const { return actuator >= 0 || !drives.empty(); }
};

// the record of a cable that has one in sensordata
inline Record RecordOf(const mjData* d, const CableConfig& c) {
  return {d->sensordata + c.record_adr, c.ncontact, c.nwrap};
}

// Reads and checks everything that can be checked before a step. On failure returns false and the
// reason: the cable, the element, what was accepted. sharing: as in CableConfig, 0: not known yet.
bool BuildConfig(const mjModel* m, int instance, CableConfig& config, std::string& error,
                 int sharing = 0);

// the attributes of an instance as the model holds them
inline std::string_view SourceOf(const mjModel* m, int instance) {
  const auto begin = m->plugin_attradr[instance];
  const auto end = instance + 1 < m->nplugin ? m->plugin_attradr[instance + 1] : m->npluginattr;
  return {m->plugin_attr + begin, static_cast<size_t>(end - begin)};
}

// fills source, structure, geometry and fingerprint of a configuration that is complete
void Identify(const mjModel* m, int instance, CableConfig& c);

// hash of the poses, sizes and mobilities that the numbers of a configuration follow from
double GeometryOf(const mjModel* m, const CableConfig& c);

// whether two blocks are the same, for a step: in place, without a call
inline bool SameBytes(const char* a, const char* b, size_t size) {
  constexpr size_t kBlock = sizeof(LaneBits);  // as many at once
  if (size < kBlock) return std::memcmp(a, b, size) == 0;
  const auto difference = [&](size_t at) {
    LaneBits x, y;
    std::memcpy(&x, a + at, kBlock);
    std::memcpy(&y, b + at, kBlock);
    return x ^ y;
  };
  LaneBits all = difference(size - kBlock);  // the end, which may overlap the last whole block
  for (size_t at = 0; at + kBlock < size; at += kBlock) all = all | difference(at);
  return AllZero(all);
}

// whether these attributes of the model are those a configuration was read from
inline bool SameSource(const mjModel* m, int instance, const CableConfig& c) {
  const std::string_view source = SourceOf(m, instance);
  if (source.size() != c.source.size()) return false;
  return SameBytes(source.data(), c.source.data(), source.size());
}

// whether a configuration would be the same if it were read from this model
bool SameModel(const mjModel* m, int instance, const CableConfig& c);

// contacts and wraps of an instance, from its route alone; false when there is no route
bool CountElements(const mjModel* m, int instance, int& ncontact, int& nwrap);

// the field a sensor shows: nullptr for the whole record
bool SensorField(const mjModel* m, int sensor, const Field*& field);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_
