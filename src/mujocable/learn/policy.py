"""Policy: what was learned, as plain numbers that need no learning library."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Policy:
  """Layers of `weights` (out, in) and `biases`, ELU between them, on normalized observations."""

  weights: tuple[np.ndarray, ...]
  biases: tuple[np.ndarray, ...]
  mean: np.ndarray
  spread: np.ndarray

  def __call__(self, observations: np.ndarray) -> np.ndarray:
    """Actions (n, action_size) of observations (n, observation_size)."""
    x = (np.asarray(observations, float) - self.mean) / self.spread
    for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
      x = x @ weight.T + bias
      if i + 1 < len(self.weights):
        x = np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
    return np.clip(x, -1.0, 1.0)

  def save(self, path: Path | str) -> None:
    """As .npz."""
    layers = {f"weight_{i}": w for i, w in enumerate(self.weights)}
    layers |= {f"bias_{i}": b for i, b in enumerate(self.biases)}
    np.savez_compressed(path, mean=self.mean, spread=self.spread, **layers)  # pyright: ignore

  @staticmethod
  def load(path: Path | str) -> "Policy":
    """What `save` wrote."""
    with np.load(path) as file:
      count = sum(name.startswith("weight_") for name in file.files)
      weights = tuple(file[f"weight_{i}"] for i in range(count))
      biases = tuple(file[f"bias_{i}"] for i in range(count))
      return Policy(weights, biases, file["mean"], file["spread"])
