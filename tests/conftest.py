"""One small scene for all rooms: a payload under a sheave, with a drum and odd parts beside."""

import importlib.util
import os

import mujoco
import pytest

import mujocable as mjc

# MuJoCo before 3.17 has no mujoco.batch, and cannot run what is about it
if importlib.util.find_spec("mujoco.batch") is None:
  collect_ignore = [
    "runtime/test_parameters.py",
    "stage/test_batch.py",
    "stage/test_sleeping_trees.py",
    "stage/test_two_hands.py",
  ]

SCENE = """
<mujoco model="hoist">
  <worldbody>
    <site name="motor" pos="-0.3 0 0"/>
    <site name="hint" pos="0 0 1.2"/>
    <site name="guide" pos="0.05 0 0.6"/>
    <site name="far" pos="0.3 0 0.2"/>
    <site pos="3 0 0"/>
    <geom name="crate" type="box" size="0.01 0.01 0.01" pos="2 0 0"/>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -5"/>
    <geom name="egg" type="ellipsoid" size="0.05 0.06 0.07" pos="2 1 1"/>
    <geom name="pill" type="capsule" size="0.05 0.06" pos="2 2 1"/>
    <geom name="ball" type="sphere" size="0.05" pos="2 0 1"/>
    <body name="sheave" pos="0 0 1">
      <joint name="axle" type="hinge" axis="0 1 0"/>
      <geom name="sheave" type="cylinder" size="0.05 0.02" euler="90 0 0"/>
    </body>
    <body name="payload" pos="0.05 0 0.2">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom name="weight" type="box" size="0.02 0.02 0.02"/>
      <site name="hook"/>
    </body>
    <body name="rig" pos="1 0 0">
      <body name="drum">
        <joint name="drum" type="hinge" axis="0 1 0"/>
        <geom name="drum" type="cylinder" size="0.05 0.02" euler="90 0 0"/>
        <body name="cheek">
          <geom name="rim" type="cylinder" size="0.05 0.02" euler="90 0 0"/>
          <site name="drum_end" pos="-0.05 0 0"/>
        </body>
      </body>
      <body name="gimbal" pos="0 0 2">
        <joint name="gimbal" type="ball"/>
        <geom name="knob" type="sphere" size="0.01"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def pytest_collection_modifyitems(config, items):
  """Before MuJoCo 3.16 cables refuse the integrator "discrete": its tests are not for that one."""
  if mujoco.mj_version() >= 3016000:
    return
  kept, left = [], []
  for item in items:
    values = str(getattr(getattr(item, "callspec", None), "params", "")) + item.originalname
    (left if "'discrete'" in values or "_under_discrete" in values else kept).append(item)
  config.hook.pytest_deselected(items=left)
  items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
  """With MUJOCABLE_NO_SKIP=1, as in CI, a test that skips itself fails."""
  return _no_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
  """The same for a file of tests that skips itself."""
  return _no_skip((yield))


def _no_skip(report):
  if report.skipped and os.environ.get("MUJOCABLE_NO_SKIP") == "1":
    reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{reason}\nMUJOCABLE_NO_SKIP=1: what it needs must be installed"
  return report


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path, monkeypatch):
  """MuJoCo writes MUJOCO_LOG.TXT where it stands: not into the repository."""
  monkeypatch.chdir(tmp_path)


@pytest.fixture
def spec() -> mujoco.MjSpec:
  return mujoco.MjSpec.from_string(SCENE)


@pytest.fixture
def hoist() -> mjc.Cable:
  """motor -> over the sheave -> through the guide -> hook, with a winch."""
  return mjc.Cable(
    name="hoist",
    route=[
      mjc.Anchor("motor"),
      mjc.Wrap("sheave", side="hint"),
      mjc.Eyelet("guide", friction=0.1),
      mjc.Anchor("hook"),
    ],
    axial=mjc.Axial(stiffness=2000.0, damping=1.0, max_tension=50.0),
    friction=0.15,
    take_up=mjc.LengthCommand(range=(0.0, 0.1)),
  )
