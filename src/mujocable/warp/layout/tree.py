"""Tree: bodies, their dofs, and where they are at qpos0."""

import mujoco


def home_pose(model: mujoco.MjModel) -> mujoco.MjData:
  """Data with the poses at qpos0; kinematics alone calls no plugin."""
  data = mujoco.MjData(model)
  mujoco.mj_kinematics(model, data)
  return data


def chain_of(model, body: int) -> list[int]:
  """A body and those that carry it, up to the world."""
  line = []
  while body > 0:
    line.append(body)
    body = int(model.body_parentid[body])
  return line


def dofs_of(model, body: int) -> set[int]:
  """The dofs that move a body."""
  return {
    int(model.body_dofadr[b]) + k
    for b in chain_of(model, body)
    for k in range(int(model.body_dofnum[b]))
  }


def moving_body(model, body: int) -> int:
  """The body that it is fixed to, if it has no dofs itself."""
  while body > 0 and model.body_dofnum[body] == 0:
    body = int(model.body_parentid[body])
  return body
