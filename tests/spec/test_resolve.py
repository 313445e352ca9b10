"""add_cable refuses what the model cannot carry, and then leaves the spec untouched."""

import mujoco
import pytest

import mujocable as mjc
from mujocable.errors import BadRoute, RepeatedName, UnknownName
from mujocable.spec.keys import laws
from mujocable.spec.resolve import SURFACES


def cable(*inner, name="c", ends=("motor", "hook"), **given) -> mjc.Cable:
  route = [mjc.Anchor(ends[0]), *inner, mjc.Anchor(ends[1])]
  return mjc.Cable(name, route, **laws(**{"stiffness": 1.0, **given}))


def contents(spec: mujoco.MjSpec) -> list:
  groups = (spec.plugins, spec.tuples, spec.tendons, spec.actuators, spec.sensors, spec.sites)
  return [[element.name for element in group] for group in groups]


@pytest.mark.parametrize(
  ("bad", "message"),
  [
    (
      cable(ends=("moto", "hook")),
      "anchor 0 'moto' is not a site of this model; sites here: 'motor'",
    ),
    (cable(ends=("moto", "hook")), r"; did you mean 'motor'\?"),
    (cable(ends=("motor", "zzz")), "anchor 1 'zzz' is not a site of this model"),
    (
      cable(ends=("motor", "ball")),
      r"anchor 1 'ball' is not a site of this model \(a geom has this",
    ),
    (cable(mjc.Eyelet("gide")), r"eyelet 1 'gide' is not a site .* did you mean 'guide'\?"),
    (
      cable(mjc.Wrap("pulley_a")),
      "wrap 1 'pulley_a' is not a geom of this model; geoms here: 'crate', 'floor'",
    ),
    (
      cable(mjc.Wrap("hint")),
      r"wrap 1 'hint' is not a geom of this model \(a site has this name\)",
    ),
    (cable(mjc.Wrap("ball", side="nope")), "wrap 1 'ball' side 'nope' is not a site of this model"),
    (
      cable(mjc.Wrap("floor")),
      "wrap 1 'floor' is a geom of type plane; accepted types: cylinder, sphere, ellipsoid,"
      " capsule, box",
    ),
    (cable(mjc.Ring("rim", 0.1, 0.01)), "ring 1 'rim' is not a site of this model"),
    (
      cable(mjc.Ring("guide", 0.1, 0.01, side="nope")),
      "ring 1 'guide' side 'nope' is not a site of this model",
    ),
    (
      cable(take_up=mjc.SpoolJoint("drumm", 0.1)),
      "take_up joint 'drumm' is not a joint of this model",
    ),
    (
      cable(take_up=mjc.SpoolJoint("gimbal", 0.1)),
      "is a joint of type ball; accepted types: hinge, slide",
    ),
  ],
)
def test_bad_names_and_types(spec, bad, message):
  before = contents(spec)
  with pytest.raises(UnknownName, match=f"cable 'c': .*{message}"):
    mjc.add_cable(spec, bad)
  assert contents(spec) == before


def test_bad_order_is_refused_by_add_cable(spec):
  with pytest.raises(
    BadRoute, match="cable 'c': anchor 0 'motor' and anchor 1 'motor' make a zero"
  ):
    mjc.add_cable(spec, cable(ends=("motor", "motor")))


def test_every_accepted_surface_is_accepted(spec):
  assert set(SURFACES.values()) == {"cylinder", "sphere", "ellipsoid", "capsule", "box", "mesh"}
  for name in ("sheave", "ball", "egg", "pill"):
    mjc.add_cable(spec, cable(mjc.Wrap(name), name=name + "_cable"))
  mjc.add_cable(spec, cable(mjc.Wrap("crate", rounding=0.002), name="crate_cable"))
  mjc.add_cable(spec, cable(mjc.Ring("guide", 0.1, 0.01), name="ring_cable"))


@pytest.mark.parametrize(
  ("element", "message"),
  [
    (mjc.Wrap("crate"), "wrap 1 'crate': a cable cannot bend around the sharp edges of a box"),
    (mjc.Wrap("egg", permanent=True), "permanent holds a cable in the groove of a cylinder"),
    (mjc.Wrap("egg", turns=2), "turns are wound around a cylinder only"),
    (mjc.Wrap("ball", rounding=0.01), "rounding is for the edges of a box"),
  ],
)
def test_what_a_surface_cannot_have(spec, element, message):
  with pytest.raises(BadRoute, match=message):
    mjc.add_cable(spec, cable(element))


def test_a_ring_that_the_cable_fills(spec):
  with pytest.raises(BadRoute, match=r"ring 1 'guide': no hole is left: tube 0\.01 and cable"):
    mjc.add_cable(spec, cable(mjc.Ring("guide", 0.02, 0.01), radius=0.01))


def test_long_lists_are_cut_short(spec):
  for i in range(40):
    spec.worldbody.add_site(name=f"s{i}")
  with pytest.raises(UnknownName) as error:
    mjc.add_cable(spec, cable(ends=("motor", "zzz")))
  assert "and 38 more" in str(error.value)
  assert len(str(error.value)) < 250


def test_unnamed_elements_are_not_listed():
  empty = mujoco.MjSpec()
  empty.worldbody.add_site()
  with pytest.raises(UnknownName, match="no named sites here"):
    mjc.add_cable(empty, cable())


def test_repeated_names(spec):
  mjc.add_cable(spec, cable(name="one"))
  spec.add_tendon(name="t").wrap_site("motor")
  spec.add_actuator(name="u")
  spec.add_sensor(name="v")
  spec.add_tuple(name="w")
  before = contents(spec)
  kinds = {"one": "a cable", "t": "a tendon", "u": "an actuator", "v": "a sensor", "w": "a tuple"}
  for name, kind in kinds.items():
    with pytest.raises(
      RepeatedName, match=f"cable '{name}': {kind} of this model already has this"
    ):
      mjc.add_cable(spec, cable(name=name))
  assert contents(spec) == before


@pytest.mark.parametrize("ends", [("drum_end", "far"), ("far", "drum_end")])
@pytest.mark.parametrize("geom", ["drum", "rim"])
def test_a_drum_is_counted_once(spec, geom, ends):
  twice = cable(mjc.Wrap(geom), ends=ends, take_up=mjc.SpoolJoint("drum", 0.05))
  message = f"take_up joint 'drum' turns wrap '{geom}', which also holds anchor . 'drum_end'"
  with pytest.raises(BadRoute, match=f"cable 'c': {message}.*counted twice.*drop the take-up"):
    mjc.add_cable(spec, twice)


def test_a_spool_that_is_not_in_the_route_is_fine(spec):
  mjc.add_cable(spec, cable(mjc.Wrap("sheave"), take_up=mjc.SpoolJoint("drum", 0.05)))
  # the drum guides the cable, but its end is elsewhere
  mjc.add_cable(spec, cable(mjc.Wrap("drum"), name="d", take_up=mjc.SpoolJoint("drum", 0.05)))
  # a drum with the end on it and no take-up winds by itself
  mjc.add_cable(spec, cable(mjc.Wrap("drum"), name="e", ends=("drum_end", "far")))


def test_wrong_arguments(spec):
  with pytest.raises(mjc.CableError, match="spec must be a mujoco"):
    mjc.add_cable("scene.xml", cable())  # pyright: ignore
  with pytest.raises(mjc.CableError, match=r"cable must be a mujocable\.Cable, got 'hoist'"):
    mjc.add_cable(spec, "hoist")  # pyright: ignore
  with pytest.raises(
    mjc.CableError, match=r"replace_cable.*: cable must be a mujocable\.Cable, got"
  ):
    mjc.replace_cable(spec, "hoist")  # pyright: ignore


@pytest.mark.parametrize(
  "call",
  [
    lambda model: mjc.read_cables(model),
    lambda model: mjc.add_sensor(model, "c", "tension"),
    lambda model: mjc.remove_cable(model, "c"),
    lambda model: mjc.replace_cable(model, cable()),
  ],
  ids=["read_cables", "add_sensor", "remove_cable", "replace_cable"],
)
def test_a_compiled_model_is_no_spec(spec, call, request):
  mjc.add_cable(spec, cable())
  name = request.node.callspec.id
  with pytest.raises(
    mjc.CableError, match=rf"{name}\(spec.*\): spec must be .*MjSpec, got MjModel"
  ):
    call(spec.compile())
  with pytest.raises(mjc.CableError, match=rf"{name}\(spec.*\): spec must be .*MjSpec, got None"):
    call(None)


def test_nothing_is_left_half_written(spec, monkeypatch):
  def fail(*_):
    raise RuntimeError("no sensor today")

  winch = cable(take_up=mjc.LengthCommand((0, 1)))
  before = contents(spec)
  monkeypatch.setattr("mujocable.spec.write._add_record", fail)
  with pytest.raises(RuntimeError, match="no sensor today"):
    mjc.add_cable(spec, winch)
  assert contents(spec) == before
  monkeypatch.undo()
  mjc.add_cable(spec, winch)
  assert mjc.read_cables(spec) == {"c": winch}
