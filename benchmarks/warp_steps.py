"""Steps: the arm with friction on Warp's device at several steps, against the engine.

  python -m benchmarks.warp_steps

The 18-joint arm is pulled by 40 mm in 0.3 s, 2 mm are given back at 0.5 s; shown are the angle of
joint 9, the sum of all angles and the tension at the source, at 0.3 s and at 1 s. Then two weights
over a free sheave, all three in trees of their own, and over one that is blocked, where the cable
slides: their acceleration over that of rigid cable.
"""

import mujoco
import mujoco_warp as mjw
import numpy as np
import warp as wp

import mujocable as mjc
import mujocable.warp as mjcw
from mujocable.models import atwood, spirob
from mujocable.models.atwood.model import GRAVITY

FINE, STEPS = 1e-4, (5e-4, 2e-3, 5e-3)
WHEN = (0.3, 1.0)  # [s]


def command(time: float) -> np.ndarray:
  """Length taken in by both cables [m]; the second hangs loose."""
  back = 0.002 * min(max(time - 0.5, 0.0) / 0.05, 1.0)
  return np.array([0.04 * min(time / 0.3, 1.0) - back, -0.12])


def build(timestep: float) -> mujoco.MjModel:
  return spirob.build(spirob.Spirob(friction=0.3, timestep=timestep)).compile()


def engine(timestep: float) -> list:
  """The plugin: joint 9, all joints, tension; at each time."""
  model = build(timestep)
  data = mujoco.MjData(model)
  rows = []
  for k in range(round(WHEN[-1] / timestep)):
    data.ctrl[:] = command(k * timestep)
    mujoco.mj_step(model, data)
    if any(k + 1 == round(t / timestep) for t in WHEN):
      tension = mjc.bind(model, data)["cable_0"].source_tension
      rows.append((data.qpos[8], data.qpos.sum(), tension))
  return rows


def worlds(timestep: float) -> list:
  """The same on Warp's device."""
  model = build(timestep)
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  rows = []
  for k in range(round(WHEN[-1] / timestep)):
    d.ctrl.assign(command(k * timestep)[None].astype(np.float32))
    mjw.step(m, d)
    if any(k + 1 == round(t / timestep) for t in WHEN):
      angles = d.qpos.numpy()[0]
      tension = mjcw.cables(d).array("tension", "cable_0").numpy()[0, 0]
      rows.append((angles[8], angles.sum(), tension))
  return rows


def acceleration(timestep: float, blocked: bool) -> tuple[float, float]:
  """Of two weights in 0.1 s from rest, on Warp's device and on the engine, over the closed form."""
  machine = atwood.Atwood(floor=False, timestep=timestep, friction=0.05 if blocked else 0.15)
  expected = machine.acceleration
  spec = atwood.build(machine)
  if blocked:
    spec.delete(spec.joint("sheave"))
    lifted = machine.left * np.exp(0.05 * np.pi)
    expected = GRAVITY * (machine.right - lifted) / (machine.right + lifted)
  model = spec.compile()
  data = mujoco.MjData(model)
  m, d = mjcw.put_model(model), mjcw.put_data(model)
  steps = round(0.1 / timestep)
  for _ in range(steps):
    mjw.step(m, d)
    mujoco.mj_step(model, data)
  fall = model.jnt_dofadr[model.joint("right").id]
  speeds = -float(d.qvel.numpy()[0, fall]), -data.qvel[fall]
  return tuple(speed / (steps * timestep * expected) for speed in speeds)


def main() -> None:
  wp.config.quiet = True
  print("| | step | joint 9 [rad] | all [rad] | tension [N] | at 1 s: joint 9 | all | tension |")
  print("|---|---|---|---|---|---|---|---|")
  both = [(who, run, h) for h in STEPS for who, run in (("engine", engine), ("worlds", worlds))]
  for who, run, step in [("engine", engine, FINE), *both]:
    cells = [f"{x:.4f}" for row in run(step) for x in row]
    print(f"| {who} | {1e3 * step:g} ms | " + " | ".join(cells) + " |")
  print("\n| step | free sheave: worlds | engine | blocked, the cable slides: worlds | engine |")
  print("|---|---|---|---|---|")
  for step in (FINE, *STEPS):
    cells = [f"{x:.3f}" for blocked in (False, True) for x in acceleration(step, blocked)]
    print(f"| {1e3 * step:g} ms | " + " | ".join(cells) + " |")


if __name__ == "__main__":
  main()
