#include <mujoco/mjplugin.h>

#include "plugin/border/cable_plugin.h"
#include "plugin/border/exports.h"

mjPLUGIN_LIB_INIT(mujocable) { mujocable::register_error = mujocable::RegisterPlugin(); }
