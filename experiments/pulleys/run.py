"""Run: the pulley laboratory from the first case to the last figure."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from experiments.progress import bar
from experiments.pulleys import machines, paper, report, result, study
from experiments.pulleys.atwood import AT
from experiments.pulleys.case import ROUNDING
from experiments.pulleys.page import page
from experiments.pulleys.report import Report, slug
from experiments.pulleys.simulate import simulate

DOCS = Path(__file__).resolve().parents[2] / "docs"


def main(arguments: Namespace) -> int:
  """Runs everything, writes everything; 0 when all targets are met."""
  quick = arguments.quick
  if quick and arguments.docs:
    print("--docs needs the whole run, --quick is half of it: the page in docs/ stays as it is")
  found, jobs = Report(), _jobs(quick)
  with bar("pulleys", len(jobs) + 1) as progress:
    for what, job in jobs:
      progress.start(what)
      job(found)
      progress.done()
    progress.start("figures")
    found.paper = _with_borrowed_scale(found.paper)
    write(found, arguments.out, quick)
    if arguments.docs and not quick:
      _write_page(found, DOCS / "pulleys.md", DOCS / "images" / "pulleys")
    progress.done()
  _print(found, arguments.out)
  return 0 if found.met else 1


def _jobs(quick: bool) -> list[tuple[str, Callable[[Report], None]]]:
  """What to do, in order: each job adds to the report."""

  def run(case, where):
    return f"{case.name}", lambda found: getattr(found, where).append(result.run(case))

  jobs = [run(case, "paper") for case in paper.CASES]
  if quick:
    return jobs
  jobs += [run(case, "machines") for case in machines.CASES]

  def sweep(case):
    def job(found):
      (one,) = (r for r in found.results if r.case.name == case.name)
      found.steps += study.by_step(case, one.theory)
      found.stiffness += study.by_stiffness(case)

    return f"{case.name}, step and stiffness", job

  # the free payload repeats FP0
  jobs += [sweep(case) for case in paper.CASES + machines.CASES if case.name != "FP0 free"]

  def evidence(found):
    found.by_friction, found.other_causes = study.by_friction(), study.other_causes()
    found.fitted = study.landing("masses fitted to the paper", study.fitted())

  return [*jobs, ("AT, evidence", evidence)]


def _with_borrowed_scale(results):
  by_name = {one.case.name: one for one in results}
  by_name["FS0"] = result.borrow_scale(by_name["FS0"], by_name["FS15"])
  return list(by_name.values())


def write(found: Report, out: Path, quick: bool) -> None:
  """Numbers, motions, page and figures into the folder `out`."""
  folder = out / "pulleys"
  folder.mkdir(parents=True, exist_ok=True)
  report.write_json(found, out / "pulleys.json")
  report.write_csv(found, out / "pulleys.csv")
  for one in found.results:
    report.write_motion(one, folder / f"{slug(one.case.name)}.csv")
  if not quick:
    report.write_studies(found, folder / "studies.json")
  _write_page(found, out / "pulleys.md", folder)


def _write_page(found: Report, file: Path, images: Path) -> None:
  seen_from_page = images.relative_to(file.parent).as_posix()
  file.write_text(page(found, seen_from_page), encoding="utf-8")
  _draw(found, images)


def _draw(found: Report, images: Path) -> None:
  # matplotlib is loaded late: numbers need none of it
  from experiments.pulleys import figures

  figures.save(figures.agreement(found.paper), images / "agreement.png")
  for one in found.results:
    if one.case.name != "FP0 free":
      figures.save(figures.case_figure(one), images / f"{slug(one.case.name)}.png")
  if not found.steps:
    return
  first = {one.case.name: _shown(one) for one in found.results}
  figures.save(
    figures.convergence(
      [one for one in found.steps if first[one.case] == one.key],
      [one for one in found.stiffness if first[one.case] == one.key],
    ),
    images / "convergence.png",
  )
  driven = next(one for one in found.paper if one.case.name == "AT")
  sliding = simulate(replace(AT, friction=0.0)).motion
  assert found.fitted is not None
  drawn = figures.evidence(driven, sliding, found.fitted, found.by_friction)
  figures.save(drawn, images / "at_evidence.png")
  figures.save(figures.rigs(found.results), images / "rigs.png")


def _shown(one: result.Result) -> str:
  """The entry that stands for a case in the figure of convergence; final errors are rounding."""
  chosen = {"FS0": "", "AT": "speed_rmse_m_s", "Weston": "lift_against_axle_rmse_m"}
  default = next(m.entry.key for m in one.measured if m.entry.kind in ("rmse", "peak"))
  return chosen.get(one.case.name, default)


def _print(found: Report, out: Path) -> None:
  for one in found.results:
    for measured in one.measured:
      note = ""
      if measured.entry.paper is not None and measured.entry.target == ROUNDING:
        note = f"  rounding, like the paper's {measured.entry.paper:g}"
      elif measured.entry.paper is not None:
        note = f"{measured.better:10.3g} times below the paper"
      mark = "" if measured.met else "  MISSED"
      key = f"{one.case.name:15s} {measured.entry.key:26s}"
      print(f"{key} {measured.error: .2e}  {note}{mark}")
    if one.health["route_valid_fraction"] < 1:
      print(
        f"{one.case.name:15s} routes valid in {one.health['route_valid_fraction']:.4f} of steps"
      )
  print(f"results: {out}/pulleys.json, .csv, .md and {out}/pulleys/")
