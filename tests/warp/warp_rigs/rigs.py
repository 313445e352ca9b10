"""Small models for the tests: few kinds, since kernels are compiled for each."""

import dataclasses

import mujoco
import numpy as np

import mujocable as mjc
from mujocable.spec.keys import laws

OFF = dict(contype=0, conaffinity=0)


def post(friction=0.3, left=1.0, right=1.5, timestep=1e-3, stiffness=2e5, free=False, damping=0.0):
  """Two weights over a horizontal cylinder, fixed or free to turn."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  sheave = spec.worldbody.add_body(name="sheave", pos=[0, 0, 1])
  if free:
    sheave.add_joint(name="sheave", axis=[0, 1, 0])
  round_ = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.05, 0.02, 0], quat=flat)
  sheave.add_geom(name="sheave", mass=0.1, **round_, **OFF)
  for name, side, mass in (("left", -1, left), ("right", 1, right)):
    body = spec.worldbody.add_body(name=name, pos=[0.05 * side, 0, 0.5])
    body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    body.add_geom(size=[0.02, 0, 0], mass=mass, **OFF)
    body.add_site(name=name)
  cable = mjc.Cable(
    name="rope",
    route=[mjc.Anchor("left"), mjc.Wrap("sheave", side=(0, 0.2, 0)), mjc.Anchor("right")],
    axial=mjc.Axial(EA=stiffness, damping=damping, pretension=min(left, right) * 9.81),
    friction=friction,
  )
  mjc.add_cable(spec, cable)
  return spec


def hoist(friction=0.4, mass=0.05, timestep=1e-3):
  """A tension lifts 1 kg over a hoop that is free to turn."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  sheave = spec.worldbody.add_body(name="sheave", mass=mass, inertia=[mass * 0.05**2] * 3)
  sheave.explicitinertial = True
  sheave.add_joint(name="sheave", axis=[0, 1, 0])
  round_ = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.05, 0.02, 0], quat=flat)
  sheave.add_geom(name="sheave", **round_, **OFF)
  spec.worldbody.add_site(name="motor", pos=[-1, 0, 0.05])
  body = spec.worldbody.add_body(name="load", pos=[0.05, 0, -2])
  body.add_joint(name="load", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
  body.add_geom(size=[0.02, 0, 0], mass=1.0, **OFF)
  body.add_site(name="hook")
  route = [mjc.Anchor("motor"), mjc.Wrap("sheave", side=(0, 0.2, 0)), mjc.Anchor("hook")]
  motor = mjc.TensionCommand(range=(0, 100))
  mjc.add_cable(spec, mjc.Cable("rope", route, mjc.Axial(), friction=friction, take_up=motor))
  return spec


def pivots(friction=0.3):
  """An arm whose cables run through the centers of two hinges: holes of two links in one place.

  One runs through holes alone, one over a post first, one comes out of a sheath there. Frames of
  the links are elsewhere.
  """
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  body, begin = spec.worldbody.add_body(name="base", pos=[0.7, 0.3, 0.9]), np.zeros(3)
  for name, pos in (("motor", [-0.2, 0, 0]), ("low", [-0.2, 0, -0.1]), ("over", [-0.1, 0, 0.1])):
    body.add_site(name=name, pos=pos)
  round_ = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.02, 0.02, 0], quat=flat)
  body.add_geom(name="post", pos=[-0.1, 0, -0.01], mass=0.1, **round_, **OFF)
  along, holes = np.array([0.1, 0.0, 0.01]), []
  for k in range(3):
    hinge = np.array([-0.013, 0.007, 0.003]) * (k + 1)
    aside = np.array([0.01, 0.0, 0.005]) * (k == 0)
    body.add_site(name=f"last_{k}", pos=begin + aside * [-1, 0, 1])
    body.add_site(name=f"exit_{k}", pos=begin, quat=[0.5**0.5, 0, 0.5**0.5, 0])
    body = body.add_body(name=f"link_{k}", pos=begin - hinge)
    body.add_joint(name=f"hinge_{k}", axis=[0, 1, 0], pos=hinge, stiffness=2.0, damping=0.05)
    body.add_geom(size=[0.02, 0, 0], pos=hinge + along, mass=0.2, **OFF)
    body.add_site(name=f"first_{k}", pos=hinge + aside)
    holes += [f"last_{k}", f"first_{k}"]
    begin = hinge + along
  body.add_site(name="end", pos=begin)
  guides = [mjc.Eyelet(hole) for hole in holes]
  routes = {"plain": [mjc.Anchor("motor"), *guides]}
  routes["bent"] = [mjc.Anchor("low"), mjc.Wrap("post", side="over"), *guides]
  housing = mjc.Sheath("exit_0", "exit_1", length=0.12)
  routes["housed"] = [mjc.Anchor("motor"), housing, *guides[3:]]
  for name, route in routes.items():
    cable = mjc.Cable(
      name=name,
      route=[*route, mjc.Anchor("end")],
      axial=mjc.Axial(stiffness=2e3, damping=1.0, pretension=5.0),
      friction=friction,
      take_up=mjc.LengthCommand(range=(0.0, 0.05)),
    )
    mjc.add_cable(spec, cable)
  return spec


def keepers(friction=0.2):
  """A cable over a cylinder and one over a sphere, held there by keepers; their ends move up and
  down, so that both would lift off at times."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  kinds = {"wheel": mujoco.mjtGeom.mjGEOM_CYLINDER, "ball": mujoco.mjtGeom.mjGEOM_SPHERE}
  for y, (name, kind) in enumerate(kinds.items()):
    flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
    round_ = dict(type=kind, size=[0.05, 0.02, 0], quat=flat)
    spec.worldbody.add_geom(name=name, pos=[0, y, 0], **round_, **OFF)
    for side in (-1, 1):
      body = spec.worldbody.add_body(pos=[0.2 * side, y + 0.01 * side, 0.052])
      body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], stiffness=100.0)
      body.add_geom(size=[0.02, 0, 0], mass=0.5, **OFF)
      body.add_site(name=f"{name}_{side}")
    wrap = mjc.Wrap(name, side=(0, 0.2, 0), permanent=True)
    route = [mjc.Anchor(f"{name}_-1"), wrap, mjc.Anchor(f"{name}_1")]
    axial = mjc.Axial(stiffness=2e3, damping=1.0, pretension=5.0)
    mjc.add_cable(spec, mjc.Cable(name, route, axial, friction=friction))
  return spec


def grooves(friction=0.2):
  """Cables over two wheels with grooves, a deep one and a V with a keeper; a weight on each side
  swings on a hinge, up to where the cable leaves the bottom, and the flanges."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  wheel = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.05, 0.02, 0], quat=flat)
  options = {"deep": dict(groove=0.02), "kept": dict(groove=True, half_angle=0.6, permanent=True)}
  for y, (name, option) in enumerate(options.items()):
    hub = spec.worldbody.add_body(pos=[0, y, 0])
    hub.add_joint(name=name, axis=[0, 1, 0], damping=0.01)
    hub.add_geom(name=name, mass=0.2, **wheel, **OFF)
    for side in (-1, 1):
      body = spec.worldbody.add_body(pos=[0.1 * side, y, 0.02])
      body.add_joint(axis=[0, 1, 0], stiffness=5.0, damping=0.02)
      body.add_geom(size=[0.02, 0, 0], pos=[0.1 * side, 0, 0], mass=0.5, **OFF)
      body.add_site(name=f"{name}_{side}", pos=[0.1 * side, 0, 0.01])
    wrap = mjc.Wrap(name, side=(0, 0.2, 0), **option)
    route = [mjc.Anchor(f"{name}_-1"), wrap, mjc.Anchor(f"{name}_1")]
    axial = mjc.Axial(stiffness=2e3, damping=1.0, pretension=60.0)
    mjc.add_cable(spec, mjc.Cable(name, route, axial, friction=friction))
  return spec


def kept_row(friction=0.2, permanent=(True, True, False, True)):
  """A cable over and under parallel wheels in a row, keepers on most; ends and two of the wheels
  move up and down, so that it would lift off at times."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  wheel = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.04, 0.1, 0], quat=flat)
  route = []
  for i, kept in enumerate(permanent):
    body = spec.worldbody.add_body(pos=[0.15 * i, 0.0, 0.0])
    if i % 2:
      body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], stiffness=100.0)
      body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
    body.add_geom(name=f"wheel_{i}", mass=0.5, **wheel, **OFF)
    over = 1 if i < 3 else -1
    route.append(mjc.Wrap(f"wheel_{i}", side=(0, 0.2 * over, 0), permanent=kept))
  for name, x, y in (("a", -0.2, -0.02), ("b", 0.15 * len(permanent) + 0.05, 0.03)):
    body = spec.worldbody.add_body(pos=[x, y, 0.035])
    body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1], stiffness=100.0)
    body.add_geom(size=[0.02, 0, 0], mass=0.5, **OFF)
    body.add_site(name=name)
  axial = mjc.Axial(stiffness=2e3, damping=1.0, pretension=5.0)
  cable = mjc.Cable("row", [mjc.Anchor("a"), *route, mjc.Anchor("b")], axial, friction=friction)
  mjc.add_cable(spec, cable)
  return spec


def ring(radius=0.1, tube=0.03, ends=((0.05, 0.02, 0.2), (0.1, -0.08, -0.15)), friction=0.2,
         masses=(0.1, 1.0), **axial):  # fmt: skip
  """A cable through a ring that turns about two axes; both ends move freely, held by springs."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  turn = np.array([0.8, 0.3, 0.1, -0.5]) / np.linalg.norm([0.8, 0.3, 0.1, -0.5])
  at, frame = np.array([0.3, -0.2, 0.1]), np.zeros(9)
  mujoco.mju_quat2Mat(frame, turn)
  eye = spec.worldbody.add_body(name="eye", pos=at, quat=turn)
  for axis in ([1, 0, 0], [0, 1, 0]):
    eye.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis, stiffness=1.0, damping=0.01)
  eye.add_geom(size=[0.02, 0, 0], mass=masses[0], **OFF)
  eye.add_site(name="eye")
  for name, end in zip("ab", ends, strict=True):
    body = spec.worldbody.add_body(name=name, pos=at + frame.reshape(3, 3) @ end)
    for axis in np.eye(3):
      body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis, stiffness=100.0, damping=1.0)
    body.add_geom(size=[0.01, 0, 0], mass=masses[1], **OFF)
    body.add_site(name=name)
  route = [mjc.Anchor("a"), mjc.Ring("eye", radius, tube), mjc.Anchor("b")]
  law = mjc.Axial(**{"stiffness": 500.0, "pretension": 5.0, **axial})
  mjc.add_cable(spec, mjc.Cable("cable", route, law, friction=friction))
  return spec


def sinking(friction=0.2):
  """A cable over a cylinder and one over a sphere, each with an end that can sink into it."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 1e-3
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  kinds = {"wheel": mujoco.mjtGeom.mjGEOM_CYLINDER, "ball": mujoco.mjtGeom.mjGEOM_SPHERE}
  flat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]
  for y, (name, kind) in zip((0.0, 0.3), kinds.items(), strict=True):
    spec.worldbody.add_geom(name=name, type=kind, size=[0.05, 0.2, 0], quat=flat, pos=[0, y, 0],
                            **OFF)  # fmt: skip
    for end, place in (("far", [-0.1, y - 0.01, -0.05]), ("near", [0.07, y + 0.02, -0.02])):
      body = spec.worldbody.add_body(pos=place)
      for axis in np.eye(3):
        body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
      body.add_geom(size=[0.01, 0, 0], mass=0.5, **OFF)
      body.add_site(name=f"{name}_{end}")
    route = [
      mjc.Anchor(f"{name}_far"),
      mjc.Wrap(name, side=(0, 0.2, 0)),
      mjc.Anchor(f"{name}_near"),
    ]
    axial = mjc.Axial(stiffness=5000.0, pretension=100.0)
    mjc.add_cable(spec, mjc.Cable(name, route, axial, friction=friction))
  return spec


def drop(timestep, damping, friction=0.0, slack=0.01):
  """A kilogram that falls until its rope, which runs over a guide, is taut."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.worldbody.add_site(name="wall", pos=[-0.3, 0, 1])
  spec.worldbody.add_site(name="guide", pos=[0, 0, 1])
  body = spec.worldbody.add_body(pos=[0, 0, 0.5])
  body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
  body.add_geom(size=[0.02, 0, 0], mass=1.0, **OFF)
  body.add_site(name="hook")
  route = [mjc.Anchor("wall"), mjc.Eyelet("guide"), mjc.Anchor("hook")]
  axial = mjc.Axial(stiffness=2e4, damping=damping, pretension_offset=-slack)
  mjc.add_cable(spec, mjc.Cable("rope", route, axial, friction=friction))
  return spec


def spooled():
  """Weights on cables of which half is on a spool: they are twice as stiff as at home, but for one
  that has a stiffness and nothing to rub on; one rubs on a post that it does not touch, one sets in
  over a transition."""
  spec = mujoco.MjSpec()
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  laws_of = {
    "smooth": (mjc.Axial(EA=500.0, home_length=1.2, pretension_offset=0.61), 0.0),
    "rough": (mjc.Axial(EA=500.0, home_length=1.2, pretension_offset=0.61), 0.2),
    "plain": (mjc.Axial(stiffness=400.0, home_length=1.2, pretension_offset=0.61), 0.0),
    "lifted": (mjc.Axial(stiffness=400.0, home_length=1.2, pretension_offset=0.61), 0.2),
    "gradual": (mjc.Axial(EA=500.0, home_length=1.2, pretension_offset=0.63, transition=0.05), 0.2),
  }
  for k, (name, (axial, friction)) in enumerate(laws_of.items()):
    x = 0.2 * k
    drum = spec.worldbody.add_body(pos=[x, 0.5, 1])
    drum.add_joint(name=f"spool_{name}", axis=[0, 1, 0])
    drum.add_geom(size=[0.05, 0, 0], mass=0.5, **OFF)
    body = spec.worldbody.add_body(pos=[x, 0, 0.4])
    body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    body.add_geom(size=[0.02, 0, 0], mass=1.0, **OFF)
    body.add_site(name=f"hook_{name}")
    spec.worldbody.add_site(name=f"top_{name}", pos=[x, 0, 1])
    spec.worldbody.add_site(name=f"eye_{name}", pos=[x + 0.01, 0, 0.8])
    middle = mjc.Eyelet(f"eye_{name}")
    if name == "lifted":
      upright = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, quat=[0.5**0.5, 0.5**0.5, 0, 0])
      post = dict(name="post", pos=[x + 0.1, 0, 0.7], size=[0.02, 0.05, 0])
      spec.worldbody.add_geom(**post, **upright, **OFF)
      middle = mjc.Wrap("post", side=(-0.05, 0, 0))
    route = [mjc.Anchor(f"top_{name}"), middle, mjc.Anchor(f"hook_{name}")]
    spool = mjc.SpoolJoint(f"spool_{name}", 0.01 * (1 + k))
    mjc.add_cable(spec, mjc.Cable(name, route, axial, friction=friction, take_up=spool))
  return spec


def arm(joints=3, friction=0.3, timestep=1e-3, take_up=None, **changes):
  """Hinges in a row, one cable through a guide before and one behind each."""
  spec = mujoco.MjSpec()
  spec.option.timestep = timestep
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  spec.option.gravity = [0, 0, 0]
  body, sites = spec.worldbody, []
  for i in range(joints + 1):
    if i:
      body = body.add_body(name=f"link_{i}", pos=[0, 0, 0.05])
      body.add_joint(name=f"joint_{i}", axis=[1, 0, 0], stiffness=0.05, damping=0.01)
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.01, 0.01, 0.02], pos=[0, 0, 0.025],
                  mass=0.05, **OFF)  # fmt: skip
    for k, z in enumerate((0.01, 0.04)):
      sites.append(f"hole_{i}_{k}")
      body.add_site(name=sites[-1], pos=[0, 0.012, z])
  given = dict(
    stiffness=2000.0,
    damping=0.5,
    friction=friction,
    take_up=take_up or mjc.LengthCommand(range=None),
  )
  first, *holes, last = sites
  route = [mjc.Anchor(first), *map(mjc.Eyelet, holes), mjc.Anchor(last)]
  mjc.add_cable(spec, mjc.Cable(name="tendon", route=route, **laws(**{**given, **changes})))
  return spec


def random_arm(rng, links=4, cables=3):
  """Links in a row with a small cylinder at each hinge; cables through their holes and over some of
  the cylinders, with any law, friction and take-up."""
  spec = mujoco.MjSpec()
  spec.option.timestep = 10 ** rng.uniform(-3.5, -2.5)
  spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  flat, body = [0.5**0.5, 0.5**0.5, 0.0, 0.0], spec.worldbody
  for i in range(links + 1):
    if i:
      body = body.add_body(pos=[0.12, 0, 0])
      body.add_joint(axis=[0, 1, 0], stiffness=rng.uniform(0, 2), damping=0.02)
      round_ = dict(type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[rng.uniform(0.006, 0.02), 0.02, 0])
      body.add_geom(name=f"wheel_{i}", quat=flat, mass=0.01, **round_, **OFF)
    body.add_geom(size=[0.01, 0, 0], pos=[0.06, 0, 0], mass=rng.uniform(0.02, 0.3), **OFF)
    for k, x in enumerate((0.03, 0.09)):
      for up in (-1, 1):
        height = up * rng.uniform(0.012, 0.03)
        body.add_site(name=f"hole_{i}_{k}_{up}", pos=[x, 0, height])
  for c in range(cables):
    up, last = rng.choice([-1, 1]), rng.integers(1, links + 1)
    route: list = [mjc.Anchor(f"hole_0_0_{up}"), mjc.Eyelet(f"hole_0_1_{up}")]
    for i in range(1, last + 1):
      kind = rng.integers(4)
      if kind == 0:
        wrap = mjc.Wrap(f"wheel_{i}", side=(0, 0.05 * up, 0), permanent=bool(rng.random() < 0.3))
        route.append(wrap)
      if kind > 1:
        route.append(mjc.Eyelet(f"hole_{i}_0_{up}"))
    route.append(mjc.Anchor(f"hole_{last}_1_{up}"))
    stretch = {"EA": 10 ** rng.uniform(1, 4)} if c else {"stiffness": 10 ** rng.uniform(2, 4.5)}
    law = mjc.Axial(damping=rng.uniform(0, 1), pretension=rng.uniform(0, 3), **stretch)
    take_up = [None, mjc.LengthCommand(range=None), mjc.TensionCommand(range=(0, 50))][
      rng.integers(3)
    ]
    law = mjc.Axial() if isinstance(take_up, mjc.TensionCommand) else law
    friction = float(rng.choice([0.0, 0.1, 0.4]))
    mjc.add_cable(spec, mjc.Cable(f"cable_{c}", route, law, friction=friction, take_up=take_up))
  return spec


def driven(friction=0.2):
  """The arm with a tendon through the same holes, which two motors pull, with spring, damper and
  limits. Two cables share its pull."""
  spec = arm(friction=friction)
  route = mjc.read_cables(spec)["tendon"].route
  mjc.remove_cable(spec, "tendon")
  tendon = spec.add_tendon(name="native", stiffness=[3.0, 5.0, 0], damping=[0.3, 0.1, 0])
  tendon.springlength = [0.0, 0.11]
  tendon.actfrclimited, tendon.actfrcrange = mujoco.mjtLimited.mjLIMITED_TRUE, [-1.2, 1.2]
  for element in route:
    tendon.wrap_site(element.site)
  for name, gain in (("motor", 0.6), ("winch", 1.4)):
    actuator = spec.add_actuator(name=name, target="native", gainprm=[gain] + [0.0] * 9)
    actuator.trntype, actuator.gear = mujoco.mjtTrn.mjTRN_TENDON, [-1.0, 0, 0, 0, 0, 0]
  spec.actuator("winch").forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
  spec.actuator("winch").forcerange = [0.0, 1.5]
  for name, share in (("one", 0.75), ("other", 0.25)):
    drive = mjc.TendonDrive("native", share=share)
    cable = mjc.Cable(name, route, mjc.Axial(stiffness=2000.0), friction=friction, take_up=drive)
    mjc.add_cable(spec, cable)
  return spec


def explicit(spec):
  """All cables by the law as it stands at the start of a step."""
  for name, cable in mjc.read_cables(spec).items():
    mjc.remove_cable(spec, name)
    mjc.add_cable(spec, dataclasses.replace(cable, integration="explicit"))
  return spec


def worlds_of(spec, nworld=1, **options):
  """Model, mujoco_warp's Model and Data, and the cables."""
  import mujocable.warp as mjcw

  model = spec.compile()
  m = mjcw.put_model(model)
  d = mjcw.put_data(model, nworld=nworld, **options)
  return model, m, d, mjcw.cables(d)


def write(array, values):
  """A row per world into an array of Warp."""
  array.assign(np.ascontiguousarray(np.broadcast_to(values, array.shape), dtype=np.float32))
