"""mujocable report-bug: what a report of a bug should say about versions, machine and model."""

import importlib.metadata
import importlib.util
import platform
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import mujoco
import typer
from rich.markup import escape

import mujocable
from mujocable.cli import console
from mujocable.errors import installed_from
from mujocable.runtime import library

_SIZES = ("nbody", "nq", "nv", "nu", "ngeom", "nsite", "ntendon", "neq", "nplugin", "nsensor")
_EXTRAS = ("gymnasium", "imageio", "matplotlib", "pyarrow", "scipy", "typer", "viser", "warp")


@console.verb
def command(
  model: Annotated[
    str | None, typer.Argument(help="the model, if the bug needs one", show_default=False)
  ] = None,
  steps: Annotated[int, typer.Option(help="steps taken to see whether it fails")] = 100,
  out: Annotated[Path | None, typer.Option("--out", "-o", help="into this file")] = None,
):
  """Prints what a **report of a bug** should say: versions, machine, model, traceback.

  Nothing is sent anywhere. Paste it into the issue, and add what you expected.

  Examples: `mujocable report-bug` · `mujocable report-bug robot.xml`
  """
  if steps < 0:
    raise console.Problem(f"--steps must not be negative, got {steps}")
  text = "\n".join([*_versions(), *(_model(model, steps) if model else [])]) + "\n"
  if out is not None:
    out.write_text(text, encoding="utf-8")
    console.out.print(f"written to {escape(str(out))}", soft_wrap=True)
  else:
    sys.stdout.write(text)


def _versions() -> Iterator[str]:
  yield f"mujocable {mujocable.__version__} from {installed_from() or 'a package index'}"
  yield f"MuJoCo {mujoco.mj_versionString()}, library {library.find().name}"
  yield f"Python {platform.python_version()}, {platform.platform()}, {platform.machine()}"
  for name in ("numpy", *_EXTRAS):
    if importlib.util.find_spec(name) is not None:
      yield f"  {name} {_version_of(name)}"


def _version_of(name: str) -> str:
  try:
    return importlib.metadata.version({"warp": "warp-lang"}.get(name, name))
  except importlib.metadata.PackageNotFoundError:
    return "of unknown version"


def _model(name: str, steps: int) -> Iterator[str]:
  yield f"model {name}"
  # whatever goes wrong is what the report is about
  try:
    model = console.load(name).compile()
    yield "  " + ", ".join(f"{size} {getattr(model, size)}" for size in _SIZES)
    integrator = mujoco.mjtIntegrator(model.opt.integrator).name
    yield f"  timestep {model.opt.timestep:g} s, {integrator}"
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=steps)
    mujoco.mj_forward(model, data)
    yield f"  after {steps} steps:"
    for view in mujocable.bind(model, data).values():
      yield f"  {view!r}"
  except console.Problem:  # there is no such model
    raise
  except Exception:
    yield traceback.format_exc().rstrip()
