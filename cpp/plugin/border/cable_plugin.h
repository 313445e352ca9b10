// Registration of the engine plugin.

#ifndef MUJOCABLE_PLUGIN_BORDER_CABLE_PLUGIN_H_
#define MUJOCABLE_PLUGIN_BORDER_CABLE_PLUGIN_H_

namespace mujocable {

// registers with MuJoCo; returns why not, "" on success
const char* RegisterPlugin();

}  // namespace mujocable

#endif  // MUJOCABLE_PLUGIN_BORDER_CABLE_PLUGIN_H_
