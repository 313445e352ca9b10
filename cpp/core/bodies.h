// The bodies that a cable runs along, as they are now: a view of arrays that others own.

#ifndef MUJOCABLE_CORE_BODIES_H_
#define MUJOCABLE_CORE_BODIES_H_

namespace mujocable {

// One world: poses and velocities by index, and the step that the world is about to take.
struct Bodies {
  const double* site_pos;         // of each site, world                                 [3] [m]
  const double* site_rot;         //                                                     [9]
  const double* geom_pos;         // of each geom, world                                 [3] [m]
  const double* geom_rot;         //                                                     [9]
  const double* geom_size;        // as in SetSizes                                      [3] [m]
  const double* body_pos;         // of each body, world                                 [3] [m]
  const double* body_rot;         //                                                     [9]
  const double* velocity;         // of each body: rotation, and its point at its reference  [6]
  const double* reference;        // points that velocities and moments are about         [3] [m]
  const double* coordinate;       // of each joint that may wind a cable                  [rad]
  const double* home_coordinate;  // the same where the cable was routed                  [rad]
  double timestep;                //                                                     [s]
};

}  // namespace mujocable

#endif  // MUJOCABLE_CORE_BODIES_H_
