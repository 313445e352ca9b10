"""Hand-written MJCF: one cable in both forms, explicit and seeded, with identical results."""

from pathlib import Path

import mujoco
import numpy as np

import mujocable as mjc

FILE = Path(__file__).with_name("hand_written.xml")


def pull(name: str) -> np.ndarray:
  """Lets the finger curl, then extends it, with one of the two cables; returns what happened."""
  spec = mujoco.MjSpec.from_file(str(FILE))
  other = {"explicit": "seeded", "seeded": "explicit"}[name]
  mjc.remove_cable(spec, other)
  model = spec.compile()
  data = mujoco.MjData(model)
  cable = mjc.bind(model, data)[name]
  rows = []
  while data.time < 1.0:
    data.actuator(name).ctrl = -0.02 if data.time < 0.5 else -0.01  # cable taken in [m]
    mujoco.mj_step(model, data)
    rows.append([*data.qpos, cable.length, *cable.tension, *cable.wrap_angle])
  knuckle, joint = np.rad2deg(data.qpos)
  print(f"{name:<9} knuckle {knuckle:6.2f} deg, joint {joint:6.2f} deg", end=", ")
  print("tension", " ".join(f"{t:.3f}" for t in cable.tension), "N")
  return np.array(rows)


def main() -> tuple[np.ndarray, np.ndarray]:
  """Runs both; the two trajectories agree in every bit."""
  for name, cable in mjc.read_cables(mujoco.MjSpec.from_file(str(FILE))).items():
    print(f"{name:<9}", " -> ".join(type(element).__name__ for element in cable.route))
  explicit, seeded = pull("explicit"), pull("seeded")
  print("identical in every bit:", np.array_equal(explicit, seeded))
  return explicit, seeded


if __name__ == "__main__":
  explicit, seeded = main()
