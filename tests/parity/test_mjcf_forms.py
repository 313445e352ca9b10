"""One cable written in four ways gives the same bits: Python, route text, tuple, seed tendon."""

import mujoco
import numpy as np
import pytest

import mujocable as mjc
from mujocable.spec.keys import laws

WORLD = """
  <option timestep="1e-3" integrator="implicitfast"/>
  <size nuser_site="1"/>
  <worldbody>
    <site name="motor" pos="-0.3 0 0.32" user="1"/>
    <site name="hint" pos="0 0 0.5" user="2"/>
    <site name="guide" pos="0.2 0.01 0.25" user="3"/>
    <body name="sheave" pos="0 0 0.3">
      <joint name="axle" axis="0 1 0"/>
      <geom name="rim" type="cylinder" size="0.05 0.02" zaxis="0 1 0" mass="0.1" contype="0"
            conaffinity="0"/>
    </body>
    <body name="payload" pos="0.2 0 -0.1">
      <freejoint/>
      <geom size="0.03" mass="0.3" contype="0" conaffinity="0"/>
      <site name="hook" pos="0 0 0.03" user="1"/>
    </body>
  </worldbody>
"""
PARAMETERS = {
  "stiffness": "2000.0",
  "damping": "3.0",
  "friction": "0.15",
  "pretension": "3.0",
}


def document(config, more=""):
  keys = "".join(
    f'<config key="{key}" value="{value}"/>' for key, value in (PARAMETERS | config).items()
  )
  return f"""<mujoco>
  <extension><plugin plugin="mujocable.cable"><instance name="hoist">{keys}</instance></plugin>
  </extension>{WORLD}{more}
  <sensor><plugin name="hoist" plugin="mujocable.cable" instance="hoist"/></sensor>
</mujoco>"""


ROUTE = "anchor motor; wrap rim side=hint; eyelet guide; anchor hook"
TUPLE = """<custom><tuple name="hoist">
  <element objtype="site" objname="motor" prm="0"/><element objtype="geom" objname="rim" prm="0"/>
  <element objtype="site" objname="hint" prm="1"/><element objtype="site" objname="guide" prm="0"/>
  <element objtype="site" objname="hook" prm="0"/></tuple></custom>"""
SEED = """<tendon><spatial name="thread"><site site="motor"/><site site="hint"/><site site="guide"/>
  <site site="hook"/></spatial></tendon>"""


def from_python():
  spec = mujoco.MjSpec.from_string(f"<mujoco>{WORLD}</mujoco>")
  route = [mjc.Anchor("motor"), mjc.Wrap("rim", side="hint"), mjc.Eyelet("guide")]
  route.append(mjc.Anchor("hook"))
  parameters = {key: float(value) for key, value in PARAMETERS.items()}
  mjc.add_cable(spec, mjc.Cable(name="hoist", route=route, **laws(**parameters)))
  return spec.compile()


FORMS = {
  "route": lambda: mujoco.MjModel.from_xml_string(document({"route": ROUTE})),
  "tuple": lambda: mujoco.MjModel.from_xml_string(document({"contacts": "wrap; eyelet"}, TUPLE)),
  "seed": lambda: mujoco.MjModel.from_xml_string(
    document({"seed": "thread", "surfaces": "rim"}, SEED)
  ),
}


def trajectory(model):
  data = mujoco.MjData(model)
  view = mjc.bind(model, data)["hoist"]
  rows = []
  for _ in range(300):
    mujoco.mj_step(model, data)
    rows.append([*data.qpos, view.length, *view.tension, *view.wrap_angle])
  return np.array(rows)


@pytest.mark.parametrize("form", FORMS)
def test_the_form_does_not_change_a_bit(form):
  assert np.array_equal(trajectory(FORMS[form]()), trajectory(from_python()))
