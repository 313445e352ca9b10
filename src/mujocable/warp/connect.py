"""Connect: mujoco_warp's Model and Data with cables in them."""

import dataclasses

import mujoco
import mujoco_warp
import warp as wp

from mujocable.errors import BadValue
from mujocable.spec.cable import Cable
from mujocable.warp.couple.motion import actuators_of
from mujocable.warp.describe import cables_of, strip
from mujocable.warp.worlds import CableWorlds


def put_model(
  model: mujoco.MjModel, cables: dict[str, Cable] | None = None, **options
) -> mujoco_warp.Model:
  """A Model on the current device that mujoco_warp.step steps with its cables.

  `cables`: from cables_of, for a model that was stripped; by default the model's own. Options go to
  mujoco_warp.put_model. Data for it comes from put_data.
  """
  found = cables_here(model, cables)
  bare = strip(model) if model.nplugin else model
  m = mujoco_warp.put_model(bare, **options)
  m.nsensordata = _sensor_size(bare)
  m.nactuator = _actuators(bare, found)
  _hook(m)
  return m


def put_data(
  model: mujoco.MjModel,
  data: mujoco.MjData | None = None,
  nworld: int = 1,
  cables: dict[str, Cable] | None = None,
  **options,
) -> mujoco_warp.Data:
  """Data of `nworld` worlds that start where `data` is (None: at qpos0), their cables even there.

  Options go to mujoco_warp.put_data.
  """
  found = cables_here(model, cables)
  bare = strip(model) if model.nplugin else model
  d = mujoco_warp.put_data(bare, data or mujoco.MjData(model), nworld=nworld, **options)
  if _sensor_size(bare) < bare.nsensordata:
    d.sensordata = wp.zeros((nworld, _sensor_size(bare)), dtype=float)
  d.cables = CableWorlds(model, found, nworld, d.njmax)
  return d


def attach(
  m: mujoco_warp.Model,
  d: mujoco_warp.Data,
  model: mujoco.MjModel,
  cables: dict[str, Cable] | None = None,
) -> CableWorlds:
  """Cables for a Model and Data that someone else made from a stripped model.

  `model`: the MjModel they were made from, or one with the same sites, geoms, joints and actuators;
  `cables`: as in put_model.
  """
  found = cables_here(model, cables)
  for name in ("nv", "nsite", "ngeom", "nu"):
    if getattr(m, name) != getattr(model, name):
      counts = f"{getattr(m, name)} and {getattr(model, name)}"
      raise BadValue(f"attach(m, d, model): {name} differs between m and model: {counts}")
  d.cables = CableWorlds(model, found, d.nworld, d.njmax)
  _hook(m)
  return d.cables


def cables(d: mujoco_warp.Data) -> CableWorlds:
  """The cables of a Data: parameters and results by name."""
  found = getattr(d, "cables", None)
  if found is None:
    raise BadValue("this Data has no cables; make it with put_data, or call attach")
  return found


def cables_here(model: mujoco.MjModel, cables: dict[str, Cable] | None) -> dict[str, Cable]:
  """The given cables, else the model's own; BadValue where there are none."""
  if not isinstance(model, mujoco.MjModel):
    raise BadValue(f"model must be a mujoco.MjModel, got {model!r}")
  found = cables_of(model) if cables is None else cables
  if not found:
    raise BadValue("this model has no cables; of a stripped model give cables=cables_of(original)")
  return found


def reset(m: mujoco_warp.Model, d: mujoco_warp.Data, worlds: wp.array | None = None) -> None:
  """mujoco_warp.reset_data with the cables; `worlds`: a mask, bool (nworld,); None: all."""
  mujoco_warp.reset_data(m, d, worlds)
  cables(d).forget(worlds)


def get_data_into(
  result: mujoco.MjData, model: mujoco.MjModel, d: mujoco_warp.Data, world_id: int = 0
) -> None:
  """mujoco_warp.get_data_into for a model with cables; sensors of cables read zero."""
  bare = strip(model) if model.nplugin else model
  whole = d.sensordata
  if whole.shape[1] < bare.nsensordata:
    wide = wp.zeros((whole.shape[0], bare.nsensordata), dtype=float, device=whole.device)
    if whole.shape[1]:
      wp.copy(wide[:, : whole.shape[1]], whole)
    d.sensordata = wide
  try:
    mujoco_warp.get_data_into(result, bare, d, world_id)
  finally:
    d.sensordata = whole


def _sensor_size(bare: mujoco.MjModel) -> int:
  # records of cables stay out of every world: what lies behind the last other sensor goes
  kept = bare.sensor_type != int(mujoco.mjtSensor.mjSENS_USER)
  ends = (bare.sensor_adr + bare.sensor_dim)[kept]
  return int(ends.max()) if len(ends) else 0


def _actuators(bare: mujoco.MjModel, cables: dict[str, Cable]) -> int:
  # a command without activation is read by its cable alone: behind the last other actuator, MuJoCo
  # need not compute the forces, all zero, of such
  count = bare.nactuator
  while count and not bare.actuator_actnum[count - 1]:
    if mujoco.mj_id2name(bare, mujoco.mjtObj.mjOBJ_ACTUATOR, count - 1) not in cables:
      break
    count -= 1
  return count


def _hook(m: mujoco_warp.Model) -> None:
  # after whatever the caller has put there
  if getattr(m.callback, "cables", False):
    return
  m.callback.cables = True
  before = dataclasses.replace(m.callback)
  off = bool(m.opt.disableflags & mujoco_warp.DisableBit.ACTUATION)

  def begin(m, d):
    known = not before.control and not cables(d).driven
    cables(d).begin(m, d, commanded=known, actuated=not off)

  def late(m, d) -> bool:
    # tendons pull with what their actuators do, which is known once those are; so is the motion
    return (cables(d).driven or cables(d).coupled) and actuators_of(m) > 0

  def sensor(m, d, stage):
    # the earliest place where poses are known: what follows does not wait for cables
    if stage == mujoco.mjtStage.mjSTAGE_POS:
      begin(m, d)
    if before.sensor:
      before.sensor(m, d, stage)

  def passive(m, d):
    if before.passive:
      before.passive(m, d)
    if not cables(d).begun:
      begin(m, d)
    if off:
      cables(d).end(m, d, actuated=False)

  def control(m, d):
    if before.control:
      before.control(m, d)
    if not late(m, d):
      cables(d).end(m, d)

  def act_dyn(m, d):
    if before.act_dyn:
      before.act_dyn(m, d)
    cables(d).drive(m, d)

  def act_bias(m, d):
    if before.act_bias:
      before.act_bias(m, d)
    if late(m, d):
      cables(d).end(m, d)

  m.callback.sensor, m.callback.passive, m.callback.control = sensor, passive, control
  m.callback.act_dyn, m.callback.act_bias = act_dyn, act_bias
