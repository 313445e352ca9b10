"""Other units: a scene knows no meter, kilogram or second.

Random scenes are run again with units that are powers of two of the old. No number is rounded by
that, so whatever is not the same has been measured by a constant with a unit.
"""

import dataclasses

import mujoco
import numpy as np
import pytest
from oracles import random_scene
from oracles.units import Units, convert, converted

import mujocable as mjc

SCENES = 60
STEPS = 100
OTHERS = {
  "small and light": Units(length=2.0**-5, mass=2.0**-10),
  "large": Units(length=2.0**5),
  "heavy": Units(mass=2.0**15),
  "slow": Units(time=2.0**6),
  "fast": Units(time=2.0**-6),
}

# of qpos, those that are lengths
PLACES = {int(mujoco.mjtJoint.mjJNT_SLIDE): 1, int(mujoco.mjtJoint.mjJNT_FREE): 3}


def holder(model, element):
  """The body that an element of a route is fixed to; the world is one."""
  geom = getattr(element, "geom", None)
  place = model.geom(geom) if geom else model.site(element.site)
  return int(model.body_weldid[place.bodyid[0]])


def run(seed, units):
  """Positions, tensions, length, contacts and status of each step in the old units.

  None where a scene is refused, or where all of the cable is fixed to one body: there is no mass to
  measure by.
  """
  rng = np.random.default_rng([seed, 77])
  spec, cable, scale = random_scene.scene(rng)
  friction = float(rng.choice([0.0, rng.uniform(0.05, 0.6)]))
  spec.option.timestep = float(rng.choice([5e-4, 2e-3, 5e-3]))
  integrator = rng.choice(["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"])
  spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator}")
  convert(spec, units)
  try:
    mjc.add_cable(spec, converted(dataclasses.replace(cable, friction=friction), units))
    model = spec.compile()
  except (mjc.CableError, ValueError):
    return None
  data = mujoco.MjData(model)
  mjc.hush(model, data)
  view = mjc.bind(model, data)["cable"]
  if len({holder(model, element) for element in cable.route}) == 1:
    return None
  linear = np.zeros(model.nq, bool)
  for kind, first in zip(model.jnt_type, model.jnt_qposadr, strict=True):
    linear[first : first + PLACES.get(int(kind), 0)] = True
  rows = []
  for k in range(STEPS):
    random_scene.drive(model, data, view, k)
    mujoco.mj_step(model, data)
    places = data.qpos / np.where(linear, units.length * scale, 1.0)
    tensions = np.asarray(view.tension) / (9.81 * scale * units.force)
    length = view.length / (units.length * scale)
    rows.append([*places, *tensions, length, view.solves, int(view.status), *view.touching])
  return np.array(rows)


@pytest.mark.parametrize("other", OTHERS)
def test_a_scene_knows_no_meter_kilogram_or_second(other):
  ran = 0
  for seed in range(SCENES):
    here, there = run(seed, Units()), run(seed, OTHERS[other])
    assert (here is None) == (there is None), seed
    if here is None:
      continue
    ran += 1
    # bit for bit, but for the few places where MuJoCo has a least number of its own
    assert np.abs(there - here).max() < 1e-9, seed
  assert ran > 0.6 * SCENES
