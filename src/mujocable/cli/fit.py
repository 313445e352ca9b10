"""mujocable fit: which friction, stiffness, damping, pretension and lag does my machine have?"""

from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from mujocable.cli import console, options
from mujocable.cli.console import Problem
from mujocable.cli.options import JsonOption, ModelArgument
from mujocable.study.fit import Fit
from mujocable.study.fit import fit as fit_spec
from mujocable.study.jobs.workers import cores


@console.verb
def command(
  model: ModelArgument,
  data: Annotated[
    list[Path], typer.Argument(help="CSV files: time [s], commands, what was measured")
  ],
  find: Annotated[
    list[str],
    typer.Option("--find", help="a parameter: flexor.friction, flexor.friction[2], flexor.lag ..."),
  ],
  start: Annotated[
    list[str] | None, typer.Option(help="PARAMETER=VALUE to begin with (default: the model's)")
  ] = None,
  bounds: Annotated[list[str] | None, typer.Option(help="PARAMETER=LOW:HIGH")] = None,
  noise: Annotated[
    list[str] | None, typer.Option(help="COLUMN=DEVIATION (default: from what is left over)")
  ] = None,
  settle: Annotated[
    float, typer.Option(help="hold the first command so long before the data begin [s]")
  ] = 0.0,
  keyframe: options.KeyframeOption = None,
  folds: Annotated[
    int, typer.Option(help="blocks of rows that are left out in turn and predicted; 0: none")
  ] = 3,
  seed: Annotated[int, typer.Option(help="of the starts that are tried")] = 0,
  out: options.OutOption = Path("out/fit"),
  workers: options.WorkersOption = None,
  cluster: options.ClusterOption = None,
  json: JsonOption = False,
):
  """Finds the **parameters of a machine** from what was measured on it, and says what the data
  cannot tell.

  Columns are named as `mujocable run` names them: commands by their actuator, `flexor.tension[0]`
  at the motor, `qpos.JOINT`, `force.ACTUATOR`, `sensor.SENSOR`. Writes fitted.xml, fit.json and
  report.html; ends with 1 where the data do not determine a parameter.

  Examples: `mujocable fit finger.xml pull.csv --find flexor.friction --find flexor.stiffness` ·
  `mujocable fit arm.xml a.csv b.csv --find '*.friction' --bounds '*.friction=0:0.5'`
  """
  spec = console.load(model)
  compiled = console.compiled(spec)
  if folds < 0 or folds == 1:
    raise Problem(f"--folds must be 0, or at least 2, got {folds}")
  with console.extra("fit"):
    import scipy  # noqa: F401
  with console.extra("ray"):
    result = fit_spec(
      spec,
      data,
      find,
      start={name: _number("--start", name, x) for name, x in _pairs("--start", start)},
      bounds=dict(_bounds(bounds)),
      noise={name: _number("--noise", name, x) for name, x in _pairs("--noise", noise)},
      keyframe=options.keyframe_of(compiled, keyframe),
      settle=settle,
      folds=folds,
      seed=seed,
      workers=(cores() if len(find) > 2 else 1) if workers is None else workers,
      cluster=cluster,
      progress=console.progress("fitting"),
    )
  folder = console.fresh_folder(out)
  written = _write(result, folder)
  if json:
    console.print_json(result.to_dict(), folder, written)
  else:
    _print(result)
    console.tell_files(folder, written)
  return 0 if result.told else console.FOUND


def _pairs(option: str, texts: list[str] | None):
  for text in texts or ():
    name, equals, value = text.rpartition("=")
    if not equals:
      raise Problem(f"{option} takes NAME=VALUE, got {text!r}")
    yield name, value


def _number(option: str, name: str, value: str) -> float:
  try:
    return float(value)
  except ValueError:
    raise Problem(f"{option} {name}: {value!r} is not a number") from None


def _bounds(texts: list[str] | None):
  for name, value in _pairs("--bounds", texts):
    low, colon, high = value.partition(":")
    if not colon:
      raise Problem(f"--bounds takes PARAMETER=LOW:HIGH, got {name}={value}")
    yield name, (_number("--bounds", name, low), _number("--bounds", name, high))


def _write(result: Fit, folder: Path) -> list[str]:
  (folder / "fitted.xml").write_text(result.spec.to_xml(), encoding="utf-8")
  (folder / "fit.json").write_text(dumps(result.to_dict(), indent=2) + "\n", encoding="utf-8")
  with console.extra("viewer"):
    from mujocable.viewer import fits, plots
  (folder / "report.html").write_text(fits.fit_page(result), encoding="utf-8")
  plots.save(fits.plot_fit(result.columns), folder / "fit.svg")
  return ["fitted.xml", "fit.json", "report.html", "fit.svg"]


def _print(result: Fit) -> None:
  color = "green" if result.told else "red"
  console.out.print(f"[bold {color}]{escape(result.verdict)}[/]", soft_wrap=True)
  for text in result.together:
    console.out.print(f"[red]not told:[/] {escape(text)}", soft_wrap=True)
  table = Table()
  for title in ("parameter", "value", "95 % interval", "started at"):
    table.add_column(title, justify="left" if title == "parameter" else "right", overflow="fold")
  for one in result.values.values():
    known = f"{one.low:.4g} to {one.high:.4g}" if one.told else "-"
    table.add_row(escape(one.name), f"{one.value:.5g}", known, f"{one.start:.4g}")
  console.out.print(table)
