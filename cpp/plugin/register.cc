#include <mujoco/mjplugin.h>

#include "cable_plugin.h"
#include "exports.h"

mjPLUGIN_LIB_INIT(mujocable) { mujocable::register_error = mujocable::RegisterPlugin(); }
