"""Two hands: 40 cables in one scene, stepped in a batch on two threads, each with its own friction.

One finger is written once; five make a hand, two hands a scene, all by attaching with prefixes.
"""

import mujoco
import mujoco.batch
import numpy as np

import mujocable as mjc

NSIM, STEPS = 8, 400
DIGITS = ("thumb_", "index_", "middle_", "ring_", "little_")
HANDS = ("left_", "right_")

FINGER = """
<mujoco model="finger">
  <default>
    <geom contype="0" conaffinity="0"/>
    <joint axis="1 0 0" stiffness=".02" damping=".002" range="0 90"/>
  </default>
  <worldbody>
    <body name="base">
      <geom type="capsule" fromto="0 0 -.03 0 0 0" size=".006"/>
      <site name="f0" pos="0 -.009 -.03"/> <site name="f1" pos="0 -.009 -.008"/>
      <site name="e0" pos="0 .009 -.03"/>
      <site name="l0" pos=".004 .004 -.01"/> <site name="r0" pos="-.004 .004 -.01"/>
      <geom name="knuckle" type="cylinder" size=".007 .006" euler="0 90 0"/>
      <site name="back" pos="0 .02 0"/>
      <body name="proximal">
        <joint name="mcp"/>
        <geom type="capsule" fromto="0 0 0 0 0 .04" size=".006" mass=".02"/>
        <site name="f2" pos="0 -.009 .008"/> <site name="f3" pos="0 -.009 .032"/>
        <site name="e1" pos="0 .009 .02"/>
        <body name="distal" pos="0 0 .04">
          <joint name="pip"/>
          <geom type="capsule" fromto="0 0 0 0 0 .03" size=".005" mass=".01"/>
          <site name="f4" pos="0 -.009 .008"/> <site name="f5" pos="0 -.006 .02"/>
          <site name="e2" pos="0 .008 .01"/>
          <site name="l1" pos=".004 .004 .01"/> <site name="r1" pos="-.004 .004 .01"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def finger() -> mujoco.MjSpec:
  """A finger with a flexor, an extensor over its knuckle and two elastic ligaments."""
  spec = mujoco.MjSpec.from_string(FINGER)
  guides = [mjc.Eyelet(f"f{i}") for i in range(1, 5)]
  back = [mjc.Wrap("knuckle", side="back"), mjc.Eyelet("e1")]
  motor = mjc.LengthCommand(range=(-0.05, 0.05))
  law = mjc.Axial(stiffness=2000.0, damping=0.5, max_tension=20.0)
  cables = [
    mjc.Cable("flexor", [mjc.Anchor("f0"), *guides, mjc.Anchor("f5")], law, take_up=motor),
    mjc.Cable("extensor", [mjc.Anchor("e0"), *back, mjc.Anchor("e2")], law, take_up=motor),
    mjc.Cable(
      "ligament_l", [mjc.Anchor("l0"), mjc.Anchor("l1")], mjc.Axial(stiffness=20.0, damping=0.02)
    ),
    mjc.Cable(
      "ligament_r", [mjc.Anchor("r0"), mjc.Anchor("r1")], mjc.Axial(stiffness=20.0, damping=0.02)
    ),
  ]
  for cable in cables:
    mjc.add_cable(spec, cable)
  return spec


def attached(child, prefixes: tuple[str, ...], pitch: float) -> mujoco.MjSpec:
  """Copies of a model side by side, each with its prefix."""
  spec = mujoco.MjSpec()
  for i, prefix in enumerate(prefixes):
    spec.attach(child(), prefix=prefix, frame=spec.worldbody.add_frame(pos=[pitch * i, 0, 0]))
  return spec


def hand() -> mujoco.MjSpec:
  return attached(finger, DIGITS, 0.02)


def build() -> mujoco.MjModel:
  """Both hands: cables are called left_index_flexor, right_thumb_extensor and so on."""
  scene = attached(hand, HANDS, 0.3)
  scene.option.timestep = 5e-4
  scene.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
  return scene.compile()


def commands(model: mujoco.MjModel) -> np.ndarray:
  """Flexors take in 12 mm, extensors pay out 16 mm."""
  names = [model.actuator(k).name for k in range(model.nu)]
  return np.array([0.012 if name.endswith("flexor") else -0.016 for name in names])


def main() -> tuple[mujoco.MjModel, np.ndarray, mujoco.batch.Batch]:
  """Closes both hands in every simulation; returns the model, the frictions and the batch."""
  model = build()
  cables = list(mjc.bind(model, mujoco.MjData(model)))
  print(f"{len(cables)} cables, {NSIM} simulations, 2 threads")
  frictions = np.random.default_rng(0).uniform(0.0, 0.5, (NSIM, len(cables)))
  batch = mujoco.batch.Batch(model, nsim=NSIM, nthread=2)
  for k, name in enumerate(cables):
    where = mjc.parameter_slice(model, name, "friction")
    batch.bind("plugin_state")[:, where] = frictions[:, k, None]
  batch.ctrl = commands(model)
  batch.step(nstep=STEPS)
  for sim, angles in enumerate(np.rad2deg(batch.qpos)):
    mean = frictions[sim].mean()
    print(f"mean friction {mean:4.2f}: joints at {angles.min():5.1f} to {angles.max():5.1f} deg")
  return model, frictions, batch


if __name__ == "__main__":
  model, frictions, batch = main()
