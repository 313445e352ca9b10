"""Run: the grid of links, cables and steps; the order; the native tendon; friction."""

import itertools
from argparse import Namespace
from collections.abc import Sequence

import mujoco
import numpy as np

import mujocable as mjc
from experiments.progress import bar
from experiments.robots import results
from experiments.robots.results import Check, Report
from experiments.stability import convergence, friction, page, swing

MASSES = (1e-3, 3e-3, 1e-2)  # [kg]
STIFFNESSES = (1e3, 1e4, 1e5, 1e6, 1e7)  # [N/m]
STEPS = (5e-4, 1e-3, 2e-3, 5e-3, 1e-2)  # [s]
INTEGRATORS = ("Euler", "implicitfast", "discrete")
KINDS = ("passive", "commanded", "explicit", "native")
QUICK = ((1e-3, 1e-2), (1e3, 1e7), (5e-4, 1e-2))
QUICK_ROUGH = (("Euler", "discrete"), (0.6,), (1e-3, 1e-2))
DURATION, DROP = 3.0, 0.01  # [s], [m]
GRAVITY = 9.81
ROUNDING = 2e-16  # of a length of 1 m [m]

HEAD = '<mujoco><option timestep="{}" integrator="{}" tolerance="1e-12" iterations="200"/>'
LINK = """<worldbody><site name="a" pos="0 0 1"/>
  <body><joint type="slide" axis="0 0 1" damping="{oil}"/><geom size=".02" mass="{mass}"/>
  <site name="b"/></body></worldbody>"""
SCENE = """<worldbody><geom type="plane" size="2 2 .1"/><site name="a" pos="0 0 .6"/>
  <body pos=".3 0 .3"><freejoint/><geom type="box" size=".03 .02 .04" mass=".02"/>
    <site name="b" pos="0 0 .04"/></body>
  <body pos=".25 .02 .1"><freejoint/><geom size=".03" mass=".02"/></body></worldbody>"""


def main(arguments: Namespace) -> int:
  """Runs and writes everything."""
  grid = QUICK if arguments.quick else (MASSES, STIFFNESSES, STEPS)
  rough = QUICK_ROUGH if arguments.quick else (INTEGRATORS, friction.FRICTIONS, STEPS)
  found = report(
    sweep(*grid),
    order(),
    beside_native(),
    friction.sweep(*rough),
    friction.arm(),
    convergence.sweep(convergence.QUICK if arguments.quick else convergence.STEPS),
    swing.sweep(),
  )
  status = results.finish(found, Namespace(**{**vars(arguments), "docs": False}))
  if arguments.docs and not arguments.quick:
    page.write(found)
  return status


def build(
  world: str,
  kind: str,
  timestep: float,
  integrator: str,
  home: float,
  stiffness: float,
  damping: float,
) -> tuple[mujoco.MjModel, mujoco.MjData]:
  """The world with a cable, or with MuJoCo's own tendon, between its sites a and b."""
  tendon = ""
  if kind == "native":
    tendon = f"""<tendon><spatial stiffness="{stiffness!r}" springlength="0 {home!r}"
      damping="{damping!r}"><site site="a"/><site site="b"/></spatial></tendon>"""
  text = HEAD.format(timestep, integrator) + world + tendon + "</mujoco>"
  spec = mujoco.MjSpec.from_string(text)
  if kind != "native":
    route = [mjc.Anchor("a"), mjc.Anchor("b")]
    take_up = mjc.LengthCommand(range=(-1, 1)) if kind == "commanded" else None
    integration = "explicit" if kind == "explicit" else "auto"
    cable = mjc.Cable(
      "c",
      route,
      mjc.Axial(stiffness=stiffness, damping=damping, home_length=home),
      take_up=take_up,
      integration=integration,
    )
    mjc.add_cable(spec, cable)
  model = spec.compile()
  return model, mujoco.MjData(model)


def sweep(
  masses: Sequence[float], stiffnesses: Sequence[float], steps: Sequence[float]
) -> list[dict]:
  """One row per link, cable, step and integrator: for each kind the stretch at rest, or nan."""
  rows = []
  cases = list(itertools.product(INTEGRATORS, masses, stiffnesses, steps))
  with bar("stability", len(cases)) as progress:
    for integrator, mass, stiffness, timestep in cases:
      progress.start(f"{integrator} {mass:g} kg {stiffness:g} N/m {timestep:g} s")
      row = {"integrator": integrator, "mass": mass, "stiffness": stiffness, "timestep": timestep}
      want = mass * GRAVITY / stiffness
      for kind in KINDS:
        stretch = fall(kind, mass, stiffness, timestep, integrator)
        row[f"{kind}_error"] = abs(stretch - want) / (want + 1e6 * ROUNDING)
      rows.append(row)
      progress.done()
  return rows


def fall(kind: str, mass: float, stiffness: float, timestep: float, integrator: str) -> float:
  """Stretch at rest after the fall [m]; nan where the motion is not stable."""
  damping = 0.2 * float(np.sqrt(stiffness * mass))  # a tenth of critical
  world = LINK.format(mass=mass, oil=0)
  model, data = build(world, kind, timestep, integrator, 1.0, stiffness, damping)
  data.qpos[0] = DROP
  bound = 1.2 * np.sqrt(2 * GRAVITY * DROP) + GRAVITY * timestep
  for _ in range(round(DURATION / timestep)):
    mujoco.mj_step(model, data)
    if not abs(data.qvel[0]) < bound or data.warning.number.any():
      return np.nan
  return -float(data.qpos[0]) if abs(data.qvel[0]) < 1e-6 else np.nan


def order() -> list[dict]:
  """Largest error of a link that sinks in oil, over the step, implicit and explicit."""
  mass, stiffness, oil = 1e-3, 1e3, 5.0
  rest = -mass * GRAVITY / stiffness
  slow = max(np.roots([mass, oil, stiffness]))

  def error(timestep: float, kind: str, integrator: str) -> float:
    world = LINK.format(mass=mass, oil=oil)
    model, data = build(world, kind, timestep, integrator, 1.0, stiffness, 0.0)
    data.qvel[0], worst = -rest * slow, 0.0
    while data.time < 0.02:
      mujoco.mj_step(model, data)
      worst = max(worst, abs(data.qpos[0] - rest * -np.expm1(slow * data.time)))
    return worst / abs(rest)

  return [
    {"integrator": integrator, "timestep": timestep}
    | {kind: error(timestep, kind, integrator) for kind in ("passive", "explicit", "native")}
    for integrator in INTEGRATORS
    for timestep in (1e-3, 5e-4, 2.5e-4, 1.25e-4)
  ]


def beside_native() -> dict:
  """Cable and native tendon under discrete, with contacts: the largest difference of any number."""
  home = float(np.hypot(0.3, 0.26))
  worst, touching = 0.0, 0
  for stiffness, damping in ((1e4, 5.0), (1e5, 0.0), (1e6, 0.0)):
    pairs = {
      kind: build(SCENE, kind, 5e-3, "discrete", home, stiffness, damping)
      for kind in KINDS
      if kind != "explicit"
    }
    for _ in range(500):
      for model, data in pairs.values():
        mujoco.mj_step(model, data)
      native = pairs["native"][1]
      touching += native.ncon > 0
      for _, data in pairs.values():
        apart = np.abs(np.concatenate([data.qpos - native.qpos, data.qvel - native.qvel]))
        worst = max(worst, float(apart.max()))
  return {"steps": 1500, "steps_with_contact": touching, "apart": worst}


def report(
  rows: list[dict],
  orders: list[dict],
  native: dict,
  sheaves: list[dict],
  arm: dict,
  pulled: list[dict],
  swinging: list[dict],
) -> Report:
  """Rows, checks, page."""
  found = Report("stability", "Stiff cables, light links, long steps")
  found.rows = rows
  found.more = {
    "order": orders, "native": native, "sheaves": sheaves, "arm": arm, "pulled": pulled,
    "swing": swinging,
  }  # fmt: skip
  ours = [row[f"{kind}_error"] for row in rows for kind in ("passive", "commanded")]
  cells = len(ours)
  # one slope over all steps
  slopes = []
  for integrator in INTEGRATORS:
    here = [row for row in orders if row["integrator"] == integrator]
    log = np.log([[row["timestep"], row["passive"]] for row in here])
    slopes.append(float(np.polyfit(log[:, 0], log[:, 1], 1)[0]))
  found.checks = [
    Check("cables that are stable", float(np.sum(np.isfinite(ours))), cells, "", least=True),
    Check("stretch at rest, relative", float(np.nanmax(ours)), 1e-6),
    Check("order of convergence", min(slopes), 0.9, least=True),
    Check("cable and native tendon under discrete, apart", native["apart"], 1e-10),
    *friction.checks(sheaves, arm),
    *convergence.checks(pulled),
    *swing.checks(swinging),
  ]
  found.text = page.text(found)
  return found
