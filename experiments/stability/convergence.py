"""Convergence: an arm of 18 joints, two rough cables through 19 guides, pulled at once."""

import mujoco
import numpy as np

import mujocable as mjc
from experiments.progress import bar
from experiments.robots.results import Check, table

STEPS = (5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)  # [s]
QUICK = (5e-3, 1e-3, 5e-4)
JOINTS, LINK, LEVER = 18, 0.02, 0.01  # number, [m], [m]
FRICTION, STIFFNESS = 0.3, 1e4  # [], [N/m]
PULL, RAMP, DURATION = 0.01, 0.05, 0.75  # [m] in [s], then held; [s]
WATCHED = 9  # joint
MOST_SOLVES = 1.5  # mean of a step of 0.5 ms


def build(timestep: float) -> mujoco.MjModel:
  """Links of 10 g on springs, a guide on each side of every link."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  body, guides = spec.worldbody, ([], [])
  for unit in range(JOINTS + 3):
    if 1 <= unit <= JOINTS:
      body = body.add_body(pos=[0, 0, LINK])
      body.add_joint(axis=[1, 0, 0], stiffness=0.05, damping=0.002)
      body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.005, LEVER, 0.4 * LINK], mass=0.01,
        contype=0, conaffinity=0,
      )  # fmt: skip
    # one guide on the base and on every link; ends before and behind them
    height = -LINK if unit == 0 else 0.8 * LINK if unit > JOINTS + 1 else 0.5 * LINK
    where = body if unit != 1 else spec.worldbody
    for side, sign in ((0, 1), (1, -1)):
      guides[side].append(f"{side}_{unit}")
      where.add_site(name=guides[side][-1], pos=[0, sign * LEVER, height - LINK * (unit == 1)])
  for side, (first, *holes, last) in enumerate(guides):
    cable = mjc.Cable(
      f"cable_{side}",
      [mjc.Anchor(first), *map(mjc.Eyelet, holes), mjc.Anchor(last)],
      mjc.Axial(stiffness=STIFFNESS, damping=1.0, pretension=1.0),
      friction=FRICTION,
      take_up=mjc.LengthCommand(range=(-1.0, 1.0)),
    )
    mjc.add_cable(spec, cable)
  return spec.compile()


def sweep(steps=STEPS) -> list[dict]:
  """One row per step: where the watched joint ends, linear solves of a step, how many failed."""
  rows = []
  with bar("arm", len(steps)) as progress:
    for timestep in steps:
      progress.start(f"{1e3 * timestep:g} ms")
      model = build(timestep)
      data = mujoco.MjData(model)
      view = mjc.bind(model, data)["cable_0"]
      solves = []
      for _ in range(round(DURATION / timestep)):
        pulled = PULL * min(1.0, data.time / RAMP)
        data.ctrl[:] = pulled, -pulled
        mujoco.mj_step(model, data)
        solves.append(view.solves)
      stopped = bool(data.warning.number.any())
      counts = np.abs(solves)
      rows.append(
        {
          "timestep": timestep,
          "angle": np.nan if stopped else float(data.qpos[WATCHED - 1]),
          "mean": float(counts.mean()),
          "most": int(counts.max()),
          "unbalanced": int(np.sum(np.array(solves) < 0)),
        }
      )
      progress.done()
  return rows


def checks(rows: list[dict]) -> list[Check]:
  """What must hold."""
  angles = np.array([row["angle"] for row in rows])
  usual = next(row for row in rows if row["timestep"] == 5e-4)
  # the last one as the limit: first order, so the error falls at least as the step does
  errors = np.abs(angles[:-1] - angles[-1])
  steps = np.array([row["timestep"] for row in rows[:-1]])
  order = float(np.polyfit(np.log(steps), np.log(np.maximum(errors, 1e-12)), 1)[0])
  return [
    Check("solves of the rough arm at 0.5 ms, mean", usual["mean"], MOST_SOLVES),
    Check("steps of the rough arm without balance", sum(r["unbalanced"] for r in rows), 0.0),
    Check("order of the rough arm", order, 0.9, least=True),
  ]


def text(rows: list[dict]) -> list[str]:
  """Tables of the page."""
  intro = (
    f"An arm of {JOINTS} joints, two cables of {STIFFNESS:.0e} N/m through {JOINTS + 1} guides "
    f"each, friction {FRICTION:g}; one is pulled by {1e3 * PULL:g} mm within {1e3 * RAMP:g} ms, "
    f"the other let out. Joint {WATCHED} at {DURATION:g} s, locked by friction, and linear systems "
    "solved in a step (`view.solves`; none where the tensions agree at the start):"
  )
  lines = [
    (f"{1e3 * r['timestep']:g} ms", f"{r['angle']:.4f} rad", f"{r['mean']:.2f}", f"{r['most']}")
    for r in rows
  ]
  return [intro, table(("step", "joint", "solves, mean", "most"), lines)]
