// What the author of a cable wrote, resolved: plain numbers, the same in every world and step.

#ifndef MUJOCABLE_CORE_MODEL_H_
#define MUJOCABLE_CORE_MODEL_H_

#include <vector>

#include "core/law/axial.h"
#include "core/law/material.h"
#include "core/law/sliding.h"
#include "core/law/takeup.h"
#include "core/path/route.h"

namespace mujocable {

// a coaxial hinge between the neighbors of a cylinder: it winds the cable
struct Hinge {
  int coordinate;
  double sign;
};

// an element of the route; indices are those of Bodies
struct Node {
  ElementKind kind = ElementKind::kAnchor;
  bool clamp_before = false, clamp_after = false;  // as in Element
  bool moves = false;                              // its body does
  int frame = -1;                                  // geom of a wrap that is no ring, else site
  int body = 0;
  int root = 0;  // reference of that body's velocity
};

enum class HintKind { kNone, kSite, kPoint };

// What more there is to a wrap: all that does not depend on poses and sizes, and what it takes to
// find these.
struct WrapNode : Wrap {
  HintKind side = HintKind::kNone;  // which of the next two says where the wanted side is
  int hint_site = -1;
  Vec3 hint_point;      // in the frame of the surface
  double rounding = 0;  // of the edges of a box or mesh                                    [m]
  std::vector<Hinge> hinges;
};

// the same of a sheath
struct SheathNode {
  double length, bend;  // as in Sheath
  int entry, exit;      // sites
};

// a moving body that the cable can load
struct BodySlot {
  int body;
  int parent;     // slot of the nearest moving ancestor, -1: none
  int first_dof;  // of its dofs, among those of all slots
  int ndof;
  int root;  // reference that moments are about
};

// One cable. What a state may hold of its own for each simulation stands here as it is after a
// reset. What a step of every cable reads comes first, up to `levers`.
struct CableModel {
  double fingerprint = 0;  // of the model that wrote a state: another one is foreign
  int ncontact = 0, nwrap = 0;
  bool sliding = false;  // friction without memory
  int sharing = 1;       // cables that load a tree which this one loads, with this one
  TakeUp take_up;
  AxialParameters axial;
  double mobility = 0;          // how much the bodies can give way to the cable, at most [1/kg]
  double turning = 0;           // sum of `turns`                                   [1/(kg m)]
  std::vector<Node> nodes;      // one per element
  std::vector<BodySlot> slots;  // parents first
  std::vector<int> slot_of_element;  // that collects its force, -1: fixed in the world
  std::vector<double> levers;        // square root of the mobility along each segment, at most
  FrictionLaw friction;
  RouteLimits limits;
  double radius = 0;  // of the cable                                                 [m]
  std::vector<WrapNode> wraps;
  std::vector<SheathNode> sheaths;
  std::vector<ContactCut> cuts;  // one per contact
  std::vector<double> mu;        // friction of each contact
  std::vector<double> turns;     // sum of mobilities times levers for each segment, at most
  std::vector<double> memory;    // of the wraps, as routed at home
};

// Cables of a family can be a bundle: they run through as many guides and nothing else, wind on no
// body of the model, and those that rub, slide, stretch and are commanded alike go through all
// stages together. -1: part of no bundle.
inline int FamilyOf(const CableModel& model) {
  // chosen: the driver takes four guides of a long route at a time, and needs less memory (no test
  // would notice)
  constexpr int kMostGuides = 64;
  if (model.nwrap > 0 || model.ncontact > kMostGuides) return -1;
  if (model.take_up.kind == TakeUpKind::kSpoolJoint) return -1;
  bool rough = false;
  for (double mu : model.mu) rough = rough || mu > 0;
  const bool kinds[] = {rough, model.sliding, model.axial.rigid, model.axial.length_rate_only,
                        model.take_up.Tension()};
  int family = model.ncontact;
  for (bool kind : kinds) family = 2 * family + kind;
  return family;
}

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_MODEL_H_
