"""Report page: a report as text, as figures, as one HTML file."""

from collections.abc import Sequence

import numpy as np

from mujocable.viewer import pages
from mujocable.viewer.pages import Table
from mujocable.viewer.report.result import CableReport, Report


def text(report: Report) -> str:
  """Plain tables."""
  parts = [f"cables of {report.model}", report.verdict]
  parts += [f"  {one.kind}: {one}" for one in report.troubles]
  parts += [f"  note: {note}" for note in report.notes]
  parts.append(_plain(_main_table(report)))
  for one in report.cables.values():
    for title, table in _tables(one):
      parts += [f"\n{one.name}: {title}", _plain(table)]
  return "\n".join(parts)


def html(report: Report) -> str:
  """One page; figures are inside."""
  figures = plots(report)
  said = [f"{one.kind}: {one}" for one in report.troubles] + list(report.notes)
  parts = [pages.bullets(said)]
  parts += [pages.picture(png, title) for title, png in report.pictures.items()]
  parts.append(pages.table(*_main_table(report)))
  for one in report.cables.values():
    parts.append(pages.heading(one.name))
    for title, table in _tables(one):
      parts += [pages.heading(title, 3), pages.table(*table)]
    for name, figure in figures.items():
      if name.split(": ")[0] == one.name:
        parts.append(pages.figure(figure, name))
  title = f"Cables of {report.model}"
  return pages.page(title, report.verdict, not report.troubles, parts)


# ---- tables --------------------------------------------------------------------------------------


def _main_table(report: Report) -> Table:
  rows = report.rows()
  return list(rows[0]) if rows else ["no cables"], [[_cell(v) for v in r.values()] for r in rows]


def _tables(one: CableReport) -> list[tuple[str, Table]]:
  tables = []
  if one.guides and one.peak > 0:
    head = ("guide", "before [N]", "behind [N]", "loss [%]", "turn [deg]", "most [N]", "heat [J]")
    rows = [
      [g.name, *map(_cell, (g.before, g.behind, 100 * g.loss, np.rad2deg(g.turn), g.peak, g.lost))]
      for g in one.guides
    ]
    title = f"guides at {one.row_time:.3g} s, the row in which the source pulls hardest"
    tables.append((title, (head, rows)))
  if one.account and one.account.work_in > 0:
    tables.append(("where the energy went, all steps", _energy(one.account)))
  if one.sweeps:
    head = ("joint", "range", "stroke [mm]", "smallest arm [mm]", "largest arm [mm]")
    rows = []
    for s in one.sweeps:
      low, high = (np.rad2deg(s.position) if s.unit == "rad" else 1e3 * s.position)[[0, -1]]
      unit = "deg" if s.unit == "rad" else "mm"
      arms = (1e3 * s.stroke, 1e3 * s.arm.min(), 1e3 * s.arm.max())
      rows.append([s.joint, f"{low:.4g} to {high:.4g} {unit}", *map(_cell, arms)])
    tables.append(("joints over their range", (head, rows)))
  if one.slack:
    rows = [[_cell(s.begin), _cell(s.end), _cell(1e3 * s.most)] for s in one.slack]
    tables.append(("slack", (("from [s]", "to [s]", "at most [mm]"), rows)))
  return tables


def _energy(account) -> Table:
  whole = account.work_in
  rows = [
    ("put in, at either end", account.work_in),
    ("came out, at either end", account.work_out),
    ("of it by the motor, net", account.motor_work),
    ("stored in the cable, gained", account.stored),
    *((f"rubbed off at {name}", heat) for name, heat in account.friction.items() if heat),
    ("damped in the cable", account.damping),
    ("not accounted for", account.residual),
  ]
  shown: list[Sequence[str]] = [
    [name, _cell(value), f"{value / whole:.2%}"] for name, value in rows
  ]
  return ("energy", "[J]", "of the work in"), shown


def _cell(value: object) -> str:
  if isinstance(value, float):
    return "" if np.isnan(value) else f"{value:.4g}"
  return str(value)


def _plain(table: Table) -> str:
  lines = [list(table[0]), *map(list, table[1])]
  widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]

  def line(row: Sequence[str]) -> str:
    first, *rest = (
      cell.ljust(w) if i == 0 else cell.rjust(w)
      for i, (cell, w) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join([first, *rest])

  head, *rows = map(line, lines)
  return "\n".join([head, "-" * len(head), *rows])


# ---- figures -------------------------------------------------------------------------------------


def plots(report: Report) -> dict:
  """Figures by `cable: what`."""
  found = {}
  for one in report.cables.values():
    if one.time.size > 1:
      found[f"{one.name}: over time"] = _over_time(one)
    if one.guides and one.peak > 0:
      found[f"{one.name}: along the cable"] = _along(one)
    if one.sweeps:
      found[f"{one.name}: moment arms"] = _arms(one)
  return found


def _over_time(one: CableReport):
  from mujocable.viewer.plots import plot_panels

  ends = {"source": one.tension[:, 0], "distal end": one.tension[:, -1]}
  panels: list = [("tension [N]", ends)]
  if np.ptp(one.take_up) > 0:
    panels.append(("take-up [mm]", {"take-up": 1e3 * one.take_up}))
  what = " and ".join(label.partition(" [")[0] for label, _ in panels)
  note = " (gray: slack)" if one.slack else ""
  figure = plot_panels(one.time, panels, title=f"{one.name}: {what}{note}")
  for axes in figure.axes:
    for event in one.slack:
      axes.axvspan(event.begin, event.end, color="#bbbbbb", alpha=0.3, lw=0)
  return figure


def _along(one: CableReport):
  from mujocable.viewer.plots import blank

  figure, ((axes,),) = blank((8, 3.6))
  row = one.tension[one.hardest]
  edges = np.arange(row.size + 1) - 0.5
  axes.stairs(row, edges, fill=True, color="#0072b2", alpha=0.08)
  axes.stairs(row, edges, baseline=None, color="#0072b2", linewidth=1.8)
  names = [guide.name for guide in one.guides]
  short = len(names) <= 12
  every = 1 if short else -(-len(names) // 12)
  at = np.arange(len(names))[::every] + 0.5
  axes.set_xticks(at, names[::every], rotation=40, ha="right", fontsize=8)
  axes.set(ylabel="tension [N]", ylim=(0, 1.08 * max(row.max(), 1e-12)))
  axes.set_title(f"{one.name}: tension between the guides at {one.row_time:.3g} s")
  return figure


def _arms(one: CableReport):
  from mujocable.viewer.plots import blank, look

  figure, ((axes, right),) = blank((8, 3.6), 1, 2)
  for i, s in enumerate(one.sweeps):
    across = np.linspace(0, 100, s.position.size)
    line = look(i, len(one.sweeps))
    axes.plot(across, 1e3 * s.arm, label=s.joint, **line)
    right.plot(across, 1e3 * (s.length - s.length[0]), **line)
  axes.set_ylabel("moment arm [mm/rad or mm/mm]")
  right.set_ylabel("change of the path [mm]")
  for each in (axes, right):
    each.set_xlabel("joint, from the start to the end of its range [%]")
  columns = 1 if len(one.sweeps) <= 10 else 2
  figure.legend(loc="outside right center", fontsize=8, frameon=False, ncols=columns)
  figure.suptitle(f"{one.name}: joints over their range, one at a time")
  return figure
