// Configuration of one cable: what the strings of a plugin instance mean in a model.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_CONFIG_H_

#include <mujoco/mujoco.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/mesh/field.h"
#include "core/model.h"
#include "plugin/configure/bytes.h"

namespace mujocable {

inline constexpr int kMaxElements = 256;

struct ElementConfig {
  ElementKind kind = ElementKind::kAnchor;
  int object = -1;       // site of an anchor, eyelet, ring or sheath, geom of a wrap
  int exit_site = -1;    // of a sheath
  bool is_exit = false;  // the other end of the sheath before it
  double length = 0;     // of a sheath                                                    [m]
  double bend = -1;      // of a sheath; negative: as its ends stand                       [rad]
  bool ring = false;     // a wrap whose surface is a torus about the z axis of its site
  double ring_radius = 0, ring_tube = 0;  //                                             [m]
  double rounding = 0;  // of the edges of a box or mesh                                  [m]
  bool guided = false;  // over a mesh: hollows are followed, not bridged
  int member = 0, members = 1;      // of the contacts that it may have with its mesh
  int place = -1;                   // in the route as it was written
  const MeshField* mesh = nullptr;  // of a mesh, with the cable's radius and the rounding
  int body = 0;
  double friction = 0;
  bool friction_given = false;
  HintKind hint = HintKind::kNone;
  int hint_site = -1;
  Vec3 hint_point;  // in the geom's frame
  bool permanent = false;
  bool inside = false;   // the side site asks for an inside wrap
  bool endless = false;  // a cylinder that the cable cannot run off
  bool grooved = false;
  double groove = 0;      // depth of the groove; 0: as deep as is usual                     [m]
  double half_angle = 0;  // of a V groove; 0: a round one                                   [rad]
  int turns = 0;          // around a cylinder at the start
  bool clamp_before = false, clamp_after = false;
  std::vector<Hinge> hinges;
};

// a sensor that shows part of the record
struct SensorCopy {
  int adr, dim;      // in sensordata
  int offset, size;  // in the record
};

// A cable of a model of MuJoCo. What a step reads comes first, close together.
struct CableConfig : CableModel {
  std::string source;   // the attributes it was read from
  int record_adr = -1;  // of the record in sensordata, -1: no such sensor
  int actuator = -1;
  int ctrl = -1, act = -1, out = -1;  // its places in MuJoCo's data; act -1: it has no memory
  int moment_adr = -1;      // of its moment row where a site carries it, -1: in the row of a tendon
  bool implicit = true;     // integration="auto"
  bool last = false;        // no cable of the model comes after it
  bool only_cable = false;  // nor before it
  bool first_on_tendon = false;         // of the cables that share it
  int tendon = -1;                      // of MuJoCo, whose pull this cable carries
  int joint_qpos = -1, joint_dof = -1;  // of a physical spool
  std::vector<int> drives;              // actuators of that tendon
  std::vector<int> dofs;                // of MuJoCo, of all slots, ascending
  std::vector<SensorCopy> sensors;      // that show one field, or the record once more
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

// hash of the poses and sizes that the numbers of a configuration follow from
double GeometryOf(const mjModel* m, const CableConfig& c);

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
