"""A cable over a mesh: a bone of 3,700 triangles that turns, its moment arm, and its fit."""

import mujoco
import numpy as np

import mujocable as mjc


def bone(rings=39, around=48):
  """Vertices and faces of a bar that is thicker at its ends, about z."""
  u = np.linspace(0, np.pi, rings + 2)[1:-1, None]
  v = np.linspace(0, 2 * np.pi, around, endpoint=False)[None]
  radius = (0.019 + 0.026 * np.cos(u) ** 2) * np.sin(u) ** 0.6
  rim = np.stack([radius * np.cos(v), radius * np.sin(v), -0.09 * np.cos(u) + 0 * v], -1)
  vertices = np.vstack([rim.reshape(-1, 3), [[0, 0, -0.09], [0, 0, 0.09]]])
  low, high, last = rings * around, rings * around + 1, (rings - 1) * around
  faces = []
  for i in range(around):
    j = (i + 1) % around
    faces += [[low, j, i], [high, last + i, last + j]]
    for k in range(0, last, around):
      faces += [[k + i, k + j, k + around + j], [k + i, k + around + j, k + around + i]]
  return vertices, np.array(faces)


spec = mujoco.MjSpec()
vertices, faces = bone()
spec.add_mesh(name="bone", uservert=vertices.ravel(), userface=faces.ravel())
limb = spec.worldbody.add_body(name="limb")
limb.add_joint(name="elbow", axis=[0, 1, 0], damping=0.05, stiffness=2.0)
limb.add_geom(
  name="bone",
  type=mujoco.mjtGeom.mjGEOM_MESH,
  meshname="bone",
  contype=0,
  conaffinity=0,
)
spec.worldbody.add_site(name="muscle", pos=[0.022, 0.0, 0.12])
spec.worldbody.add_site(name="hand", pos=[0.022, 0.005, -0.12])
spec.worldbody.add_site(name="front", pos=[0.06, 0.0, 0.0])
# the string bridges the hollow in the middle: two places to bear on
route = [mjc.Anchor("muscle"), mjc.Wrap("bone", side="front", contacts=2), mjc.Anchor("hand")]
mjc.add_cable(
  spec, mjc.Cable("biceps", route, mjc.Axial(stiffness=2000.0, pretension=10.0), radius=0.001)
)

model = spec.compile()
data = mujoco.MjData(model)
biceps = mjc.bind(model, data)["biceps"]

angles, lengths, arms, touching = np.linspace(0.0, 0.2, 101), [], [], []
for angle in angles:
  data.qpos[0], data.qvel[0] = angle, 0
  mujoco.mj_forward(model, data)
  lengths.append(biceps.length)
  arms.append(biceps.jacobian[0])
  touching.append(int(biceps.touching.sum()))
  mujoco.mj_step(model, data)  # the string remembers where it lies

fit = biceps.mesh_fit[0]
print(f"{fit.faces} faces, fitted within {1e6 * fit.deviation:.1f} um of every vertex")
print(f"moment arm from {1e3 * arms[0]:.2f} to {1e3 * arms[-1]:.2f} mm")
print(f"places where it bears: {min(touching)} to {max(touching)}")
