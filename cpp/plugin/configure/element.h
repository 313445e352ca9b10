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

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_CONFIGURE_ELEMENT_H_
