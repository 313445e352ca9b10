// Model and bodies -> the route where it is now: elements at their poses, velocities.

#ifndef MUJOCABLE_CORE_POSE_H_
#define MUJOCABLE_CORE_POSE_H_

#include "core/bodies.h"
#include "core/law/kinematics.h"
#include "core/model.h"

namespace mujocable {

// Sizes of a surface from those of its geom: of a cylinder, sphere or capsule radius and half
// length, of an ellipsoid or box half of each side. The cable's center runs on the parallel surface
// at its radius. A groove keeps its depth, rings and meshes their sizes.
void SetSizes(const double* size, double cable_radius, double rounding, Surface& s);

// Elements of a cable where its bodies are now. wraps, sheaths: memory that holds nothing yet, for
// all that the model has; the elements point there. hints: whether anybody asks for them, nobody
// does where the path of the step before is followed.
void PoseElements(const CableModel& model, const Bodies& bodies, Wrap* wraps, Sheath* sheaths,
                  Element* elements, bool hints = true);

// velocities of the bodies that hold the elements
struct Velocities {
  const Bodies& bodies;
  const Node* nodes;
  MUJOCABLE_INLINE Twist operator[](int i) const {
    const Node& node = nodes[i];
    if (!node.moves) return {nullptr, nullptr, nullptr};
    const double* velocity = bodies.velocity + 6 * node.body;
    return {velocity, velocity + 3, bodies.reference + 3 * node.root};
  }
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_POSE_H_
