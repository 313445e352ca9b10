"""Cables that are solved four at a time have the path, the tension and the load of one alone."""

import mujoco
import numpy as np

import mujocable as mjc

LINKS, STEPS = 4, 25
FIELDS = ["length", "length_rate", "stretch", "take_up", "tension", "wrap_angle", "slip", "cone"]
FIELDS += ["slip_rate", "slip_total", "stuck", "segment_rest", "dissipation", "energy"]


def arm():
  """A chain of balls and hinges; sites around every link."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  bodies, off = [spec.worldbody], dict(contype=0, conaffinity=0)
  for i in range(LINKS):
    body = bodies[-1].add_body(pos=[0, 0, 0.1])
    kind = mujoco.mjtJoint.mjJNT_BALL if i == 0 else mujoco.mjtJoint.mjJNT_HINGE
    body.add_joint(type=kind, axis=[1, 0, 0] if i % 2 else [0, 1, 0], damping=0.02)
    body.add_geom(size=[0.02, 0, 0], pos=[0, 0, 0.05], mass=0.2, **off)
    bodies.append(body)
  for i, body in enumerate(bodies):
    for k in range(8):
      at = [0.03 * np.cos(k * np.pi / 4), 0.03 * np.sin(k * np.pi / 4), 0.02 + 0.01 * (k % 3)]
      body.add_site(name=f"{i}:{k}", pos=at)
  return spec


def route(k: int, guides: int):
  """From the ground on along one side, and back to bodies that it has left."""
  order = [0, 1, 2, 1, 2, 3, 3, 4, 2, 4][: guides + 2]
  first, *middle, last = [f"{body}:{(k + i) % 8}" for i, body in enumerate(order)]
  return [mjc.Anchor(first), *map(mjc.Eyelet, middle), mjc.Anchor(last)]


def cables():
  """By name: every kind of law and drive, several of each with as many guides."""
  made = {}

  def add(kind, guides, count, **more):
    for k in range(count):
      name = f"{kind}_{guides}_{k}"
      made[name] = mjc.Cable(name, route(k, guides), integration="explicit", **more)

  taut = mjc.Axial(stiffness=200.0, damping=0.5, pretension_offset=0.004)
  stiff = mjc.Axial(stiffness=200.0)
  for guides in (0, 2, 5):
    add("plain", guides, 5, axial=taut)
    add("rough", guides, 5, axial=taut, friction=0.2)
    add(
      "soft", guides, 3, axial=mjc.Axial(stiffness=200.0, transition=0.01, pretension_offset=0.004)
    )
    add("sliding", guides, 3, axial=taut, friction=mjc.Sliding(0.2))
    add("slack", guides, 3, axial=mjc.Axial(stiffness=200.0, reserve=0.05), friction=0.2)
    add(
      "pulled", guides, 4, axial=stiff, friction=0.2, take_up=mjc.TensionCommand(range=(0.0, 20.0))
    )
    add("reeled", guides, 4, axial=taut, friction=0.1, take_up=mjc.LengthCommand((0.0, 0.1)))
  return made


def run(names, states=None):
  """Steps with these cables, from these states or on from each other: states, records, loads."""
  spec, made = arm(), cables()
  for name in names:
    mjc.add_cable(spec, made[name])
  model = spec.compile()
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)
  found, records, loads = [], [], []
  data.qvel[:] = np.linspace(-1, 1, model.nv)
  for step in range(STEPS):
    for name in names:
      if name.startswith("pulled"):
        data.ctrl[view[name].command] = 3 + 2 * np.sin(0.5 * step + len(name))
      if name.startswith("reeled"):
        data.ctrl[view[name].command] = 0.004 + 0.003 * np.sin(0.3 * step)
    if states is not None:
      data.qpos[:], data.qvel[:] = states[step]
    found.append((data.qpos.copy(), data.qvel.copy()))
    mujoco.mj_step(model, data)
    records.append({n: [np.copy(getattr(view[n], f)) for f in FIELDS] for n in names})
    loads.append(data.qfrc_passive + data.qfrc_actuator)
  return found, records, np.array(loads)


def test_a_cable_is_the_same_alone_and_among_others():
  names = list(cables())
  states, records, loads = run(names)
  _, _, without = run([], states)
  alone = np.zeros_like(loads)
  tight = set()
  for name in names:
    _, own, load = run([name], states)
    alone += load - without
    for step in range(STEPS):
      for field, one, many in zip(FIELDS, own[step][name], records[step][name], strict=True):
        assert np.array_equal(one, many), (name, field, step)
      if own[step][name][FIELDS.index("tension")][0] > 0:
        tight.add(name.split("_")[0])
  assert tight == {"plain", "rough", "soft", "sliding", "pulled", "reeled"}
  # sums of 81 loads in two orders
  np.testing.assert_allclose(loads - without, alone, rtol=0, atol=1e-12 * np.abs(alone).max())
