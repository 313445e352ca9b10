"""Config: what a compiled model says of its cables, however they were written."""

import mujoco

import mujocable as mjc
from mujocable.runtime.config import contact_names

SCENE = """
<mujoco>
  <worldbody>
    <site name="motor" pos="-.5 0 0"/>
    <site name="way in" pos="-.4 0 0" euler="0 90 0"/>
    <site name="out" pos="0 0 .3" euler="0 90 0"/>
    <geom name="post" type="cylinder" size=".02 .1" euler="90 0 0" pos=".2 0 .28"/>
    <site name="over" pos=".2 0 .4"/>
    <body pos=".4 0 .2">
      <joint type="slide" axis="0 0 1"/> <geom size=".02"/> <site name="end"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_contacts_have_the_names_of_their_elements():
  """As add_cable writes them, as text, and attached with a prefix."""
  whole = mujoco.MjSpec()
  for prefix, entry in (("", "way in"), ("plain/", "way_in")):
    spec = mujoco.MjSpec.from_string(SCENE.replace("way in", entry))
    route = [
      mjc.Anchor("motor"),
      mjc.Sheath(entry, "out", length=0.6),
      mjc.Wrap("post", side="over"),
      mjc.Anchor("end"),
    ]
    mjc.add_cable(spec, mjc.Cable("rope", route, mjc.Axial(stiffness=1e3)))
    assert bool(spec.plugin("rope").config.get("route")) == (" " in entry)  # a blank: as text
    assert contact_names(spec.copy().compile(), "rope", 3) == [entry, "out", "post"]
    whole.attach(spec, prefix=f"{prefix}a/", frame=whole.worldbody.add_frame())
  model = whole.compile()
  assert contact_names(model, "a/rope", 3) == ["a/way in", "a/out", "a/post"]
  assert contact_names(model, "plain/a/rope", 3) == [
    f"plain/a/{x}" for x in ("way_in", "out", "post")
  ]
