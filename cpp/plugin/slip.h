// Whether the friction of a cable needs the slip at the end of the step.

#ifndef MUJOCABLE_PLUGIN_SLIP_H_
#define MUJOCABLE_PLUGIN_SLIP_H_

#include <mujoco/mujoco.h>

#include <vector>

#include "config.h"
#include "scratch.h"

namespace mujocable {

// How far each dof of a cable can move the path beyond any contact, per unit of velocity: an upper
// bound that holds in every pose, but for slides.
std::vector<double> Levers(const mjModel* m, const CableConfig& c);

// Share of the slip at the end of the step in the friction of a cable (23), 0 where explicit
// friction is far from its limit. tension: of the source, as large as it may become in this step;
// mobility: of the levers, nullptr: still to be found; record: located, with the ratios of the
// tensions. Cheap where there is nothing to do.
template <typename Count>
double SlipWeight(const mjModel* m, const mjData* d, const CableConfig& c, const double* mu,
                  double tension, const double* mobility, const BasicRecord<Count>& record,
                  Scratch& scratch);

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_SLIP_H_
