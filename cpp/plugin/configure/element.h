// One element of a route as its author wrote it, with what the model says about it.

#ifndef MUJOCABLE_PLUGIN_CONFIGURE_ELEMENT_H_
#define MUJOCABLE_PLUGIN_CONFIGURE_ELEMENT_H_

#include <vector>

#include "core/mesh/field.h"
#include "core/model.h"

namespace mujocable {

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

struct ElementConfig {
  ElementKind kind = ElementKind::kAnchor;
  bool ring = false;  // a wrap whose surface is a torus about the z axis of its site
  int object = -1;    // geom of a wrap that is no ring, site of all others
  int body = 0;
  int place = 0;         // in the route as it was written
  int exit_site = -1;    // of a sheath
  bool is_exit = false;  // the other end of the sheath before it
  double length = 0;     // of a sheath                                                    [m]
  double bend = -1;      // of a sheath; negative: as its ends stand                       [rad]
  double ring_radius = 0, ring_tube = 0;  //                                             [m]
  double rounding = 0;              // of the edges of a box or mesh                         [m]
  bool guided = false;              // over a mesh: hollows are followed, not bridged
  int bearing = 0, bearings = 1;    // of the contacts that it may have with its mesh
  const MeshField* mesh = nullptr;  // of a mesh, with the cable's radius and the rounding
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

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ELEMENT_H_
