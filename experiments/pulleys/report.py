"""Report: the results as json and csv, and as a page with figures."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from experiments.pulleys.case import ROUNDING
from experiments.pulleys.result import Measured, Result
from experiments.pulleys.study import Convergence, Landing

COMMAND = "python -m experiments pulleys"


@dataclass
class Report:
  """Everything that was found."""

  paper: list[Result] = field(default_factory=list)
  machines: list[Result] = field(default_factory=list)
  steps: list[Convergence] = field(default_factory=list)
  stiffness: list[Convergence] = field(default_factory=list)
  by_friction: list[Landing] = field(default_factory=list)
  other_causes: list[Landing] = field(default_factory=list)
  fitted: Landing | None = None

  @property
  def results(self) -> list[Result]:
    return self.paper + self.machines

  @property
  def met(self) -> bool:
    return all(result.met for result in self.results)


def slug(name: str) -> str:
  """A file name: `wheel and axle` -> `wheel_and_axle`."""
  return name.replace(" ", "_").lower()


# ---- json and csv --------------------------------------------------------------------------------


def write_json(report: Report, file: Path) -> None:
  """One object per case: its errors, the validity of its routes, the published errors beside."""
  cases = {result.case.name: _case_object(result) for result in report.results}
  file.write_text(json.dumps(cases, indent=2) + "\n", encoding="utf-8")


def _case_object(result: Result) -> dict:
  measured = {one.entry.key: one for one in result.measured}

  def column(value) -> dict:
    return {key: _number(value(one)) for key, one in measured.items()}

  facts = {
    fact.name: {
      "value": _number(fact.value),
      "theory": _number(fact.theory),
      "published": _number(fact.published),
    }
    for fact in result.facts
  }
  return {
    **column(lambda one: one.error),
    **result.health,
    "paper": {k: one.entry.paper for k, one in measured.items() if one.entry.paper is not None},
    "times_smaller_than_paper": {
      k: _number(one.better) for k, one in measured.items() if one.entry.paper is not None
    },
    "percent": column(lambda one: one.percent),
    "bound": column(lambda one: one.bound),
    "textbook": column(lambda one: one.textbook_error),
    "facts": facts,
    "timestep_s": result.case.timestep,
    "integrator": result.case.integrator,
    "steps": result.steps,
    "met": result.met,
  }


def write_studies(report: Report, file: Path) -> None:
  """Sweeps over step, stiffness and friction."""

  def sweep(one: Convergence) -> dict:
    return {
      "case": one.case,
      "entry": one.key,
      "values": one.values,
      "errors": [_number(error) for error in one.errors],
      "scale": one.scale,
      "order": _number(one.order),
    }

  studies = {
    "step_s": [sweep(one) for one in report.steps],
    "stiffness_N_m": [sweep(one) for one in report.stiffness],
    "AT": {
      "by_friction": [_landing_object(one) for one in report.by_friction],
      "other_causes": [_landing_object(one) for one in report.other_causes],
      "fitted": _landing_object(report.fitted) if report.fitted else None,
    },
  }
  file.write_text(json.dumps(studies, indent=2) + "\n", encoding="utf-8")


def _landing_object(one: Landing) -> dict:
  return {
    "what": one.what,
    "friction": one.friction,
    "contact_time_error_s": float(one.time_error),
    "speed_rmse_m_s": float(one.speed_rmse),
    "elastic_theory_time_error_s": float(one.theory_time_error),
    "rim_over_cable_speed": float(one.rolling),
  }


def _number(value: float | None) -> float | None:
  return None if value is None or not np.isfinite(value) else float(value)


def write_csv(report: Report, file: Path) -> None:
  """One line per entry."""
  with file.open("w", newline="", encoding="utf-8") as stream:
    table = csv.writer(stream)
    table.writerow(
      ["case", "entry", "error", "paper", "times_smaller", "bound", "met", "percent", "textbook"]
    )
    for result in report.results:
      for one in result.measured:
        row = [one.error, one.entry.paper, one.better, one.bound, one.met, one.percent]
        cells = (_cell(value) for value in (*row, one.textbook_error))
        table.writerow([result.case.name, one.entry.key, *cells])


def _cell(value: float | bool | None) -> str:
  if isinstance(value, bool):
    return str(value).lower()
  return "" if value is None or not np.isfinite(value) else f"{value:.6g}"


def write_motion(result: Result, file: Path) -> None:
  """Every signal over time: theory, simulation."""
  signals = result.case.signals()
  names = ["time [s]"]
  columns = [result.sim.time]
  for signal in signals:
    label = f"{signal.name} [{signal.unit}]" if signal.unit else signal.name
    names += [f"{label} theory", f"{label} simulation"]
    columns += [signal.of(result.theory), signal.of(result.sim)]
  header = ",".join(names)
  np.savetxt(file, np.stack(columns, axis=1), "%.9g", ",", header=header, comments="")


# ---- tables --------------------------------------------------------------------------------------


def entry_table(results: Iterable[Result], published: bool) -> str:
  """Errors beside the published ones, or beside their bound."""
  if published:
    rows = ["| case | error | here | paper | times smaller | against the rigid textbook form |"]
    rows.append("|---|---|--:|--:|--:|--:|")
  else:
    rows = ["| machine | error | here | % of the theory's peak | against the rigid textbook form |"]
    rows.append("|---|---|--:|--:|--:|")
  for result in results:
    for one in result.measured:
      if published and one.entry.paper is None:
        continue
      here, book = _with_unit(one.error, one), _with_unit(one.textbook_error, one)
      name = f"| {result.case.name} | `{one.entry.key}` | {here} |"
      if published:
        better = "rounding" if one.entry.target == ROUNDING else _times(one.better)
        rows.append(f"{name} {_with_unit(one.entry.paper, one, 3)} | {better} | {book} |")
      else:
        rows.append(f"{name} {one.percent:.2g} | {book} |")
  return "\n".join(rows)


def _with_unit(value: float | None, one: Measured, digits: int = 2) -> str:
  if value is None or not np.isfinite(value):
    return ""
  unit = "s" if one.entry.kind == "event" else one.entry.signal.unit
  return f"{_short(value, digits)} {unit}".strip()


def _short(value: float, digits: int = 2) -> str:
  if value == 0:
    return "0"
  if 1e-3 <= abs(value) < 1e4:
    return f"{value:.{digits}g}"
  mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
  return f"{mantissa}e{int(exponent)}"


def _times(value: float) -> str:
  if value > 1e9:
    return "> 1e9"
  return f"{float(f'{value:.2g}'):,.0f}"


def health_table(results: Iterable[Result]) -> str:
  """Validity over every step."""
  rows = ["| case | steps | route valid | largest kink [rad] | largest surface error [m] |"]
  rows.append("|---|--:|--:|--:|--:|")
  for result in results:
    h = result.health
    rows.append(
      f"| {result.case.name} | {result.steps} | {100 * h['route_valid_fraction']:g} % |"
      f" {h['max_smoothness_rad']:.1e} | {h['max_surface_error_m']:.1e} |"
    )
  return "\n".join(rows)


def fact_table(results: Iterable[Result]) -> str:
  """Single figures beside their closed forms."""
  rows = ["| machine | figure | here | closed form or theory | published elsewhere |"]
  rows.append("|---|---|--:|--:|--:|")
  for result in results:
    for fact in result.facts:
      published = "" if fact.published is None else f"{fact.published:.6g} {fact.unit}".strip()
      here, theory = (f"{v:.7g} {fact.unit}".strip() for v in (fact.value, fact.theory))
      rows.append(f"| {result.case.name} | {fact.name} | {here} | {theory} | {published} |")
  return "\n".join(rows)


def order_table(steps: Sequence[Convergence], stiffness: Sequence[Convergence]) -> str:
  """Observed orders."""
  stiff = {(one.case, one.key): one for one in stiffness}
  rows = ["| case | error | order in the step | order in the stiffness |", "|---|---|--:|--:|"]
  for one in steps:
    other = stiff.get((one.case, one.key))
    cells = (_order(one), _order(other) if other else "")
    rows.append(f"| {one.case} | `{one.key}` | {cells[0]} | {cells[1]} |")
  return "\n".join(rows)


def _order(one: Convergence) -> str:
  if np.isfinite(one.order):
    return f"{one.order:.2f}"
  return f"all below {_short(max(np.abs(one.errors)))}"


def landing_table(landings: Iterable[Landing]) -> str:
  """Variants of the Atwood machine, measured as the paper did."""
  rows = ["| what | error of the landing | speed RMSE | rim / cable speed at landing |"]
  rows.append("|---|--:|--:|--:|")
  for one in landings:
    rows.append(
      f"| {one.what} | {1e3 * one.time_error:.2f} ms | {one.speed_rmse:.4f} m/s |"
      f" {abs(one.rolling):.3f} |"
    )
  return "\n".join(rows)
