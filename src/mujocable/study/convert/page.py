"""Conversion page: one HTML file that shows what became of every tendon, with pictures."""

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

import numpy as np

from mujocable.study.convert.conversion import KINDS, Conversion, Converted, Kept, few
from mujocable.study.convert.cost import step_cost
from mujocable.study.convert.pictures import Artist
from mujocable.viewer import pages

_COLORS = {"same": "#1e7b34", "changed": "#9a6200", "native": "#b03a2e"}
_STATES = {
  "same": "a cable, the same physics without friction",
  "changed": "a cable, with a difference that is named",
  "native": "stays a native tendon",
}

Progress = Callable[[Iterable[int]], Iterable[int]]


def write_page(conversion: Conversion, path: Path, progress: Progress = iter) -> None:
  """Writes the page; measures what a step costs before and after."""
  path.write_text(page(conversion, progress), encoding="utf-8")


def page(conversion: Conversion, progress: Progress = iter) -> str:
  """The page as text: table, reasons, postures, cost, pictures."""
  parts = [
    _states(conversion),
    *_reasons(conversion),
    pages.heading("What friction takes"),
    _postures(conversion),
    pages.heading("Every tendon"),
    _tendons(conversion),
    pages.heading("What a step costs"),
    _cost(conversion),
    pages.heading("Before and after"),
    "<p>At home. Left: MuJoCo's own path. Right: the cable; red and thick where all of the tension"
    " arrives, blue and thin where friction has taken most of it. Wraps are yellow.</p>",
    f'<div class="cards">{"".join(_cards(conversion, progress))}</div>',
  ]
  title = f"From tendon to cable: {conversion.spec.modelname or 'a model'}"
  return pages.page(title, _sentence(conversion), not conversion.kept, parts)


def _state(one: Converted | Kept) -> str:
  if isinstance(one, Kept):
    return "native"
  return "changed" if one.changed else "same"


def _colored(state: str, text: str) -> pages.Html:
  return pages.Html(f'<b style="color: {_COLORS[state]}">{escape(text)}</b>')


# ------------------------------------ tables


def _sentence(conversion: Conversion) -> str:
  total = len(conversion.converted) + len(conversion.kept)
  named = [name for name in conversion.pose_names if not name.startswith("random")]
  return (
    f"{len(conversion.converted)} of {total} spatial tendons became cables with friction"
    f" {conversion.friction:g}. Both were compared in {conversion.poses} poses that limits and"
    f" equalities allow: {', '.join(named)} and {conversion.poses - len(named)} random."
    f" {conversion.left_alone()}"
  )


def _states(conversion: Conversion) -> str:
  found = [_state(one) for one in (*conversion.converted, *conversion.kept)]
  rows = [[_colored(key, key), what, str(found.count(key))] for key, what in _STATES.items()]
  return pages.table(("", "", "tendons"), rows, (0, 1))


def _reasons(conversion: Conversion) -> Iterable[str]:
  kinds = {KINDS.get(kind, kind): names for kind, names in conversion.refusals().items()}
  lists = {"Why tendons stay native": kinds, "What is different": conversion.notes()}
  for title, found in lists.items():
    if found:
      rows = [[why, str(len(names)), few(names)] for why, names in found.items()]
      yield pages.heading(title)
      yield pages.table(("reason", "tendons", ""), rows, (0, 2))
  if differ := conversion.reasons():
    yield pages.heading("Where the paths part", 3)
    rows = [[why, str(count)] for why, count in differ.items()]
    yield pages.table(("reason", "poses of tendons"), rows)


def postures(conversion: Conversion) -> dict[str, np.ndarray]:
  """Turn of every converted tendon [rad] by posture: named ones, middle and most of the rest."""
  bends = np.array([one.bends for one in conversion.converted]).reshape(
    len(conversion.converted), -1
  )
  names = conversion.pose_names
  found = {n: bends[:, i] for i, n in enumerate(names) if not n.startswith("random")}
  rest = bends[:, [n.startswith("random") for n in names]]
  if rest.size:
    known = ~np.isnan(rest).all(axis=1)
    for name, pick in (("random, middle", np.nanmedian), ("random, most", np.nanmax)):
      column = np.full(len(rest), np.nan)
      if known.any():
        column[known] = pick(rest[known], axis=1)
      found[name] = column
  return found


def _postures(conversion: Conversion) -> str:
  if not conversion.converted:
    return "<p>No tendon became a cable.</p>"
  rows = []
  for name, bends in postures(conversion).items():
    known = np.flatnonzero(~np.isnan(bends))
    if not known.size:
      continue
    loss = -np.expm1(-conversion.friction * bends)
    worst = known[bends[known].argmax()]
    rows.append(
      [
        name,
        f"{np.rad2deg(bends[known].mean()):.0f}",
        f"{loss[known].mean():.1%}",
        f"{np.rad2deg(bends[worst]):.0f}",
        f"{loss[worst]:.1%}",
        conversion.converted[worst].tendon,
      ]
    )
  head = ("posture", "mean turn [deg]", "mean loss", "largest turn [deg]", "its loss", "of tendon")
  text = (
    "<p>A cable that turns by φ in all loses 1 - exp(-μ φ) of its tension between its ends while it"
    f" is pulled; here μ = {conversion.friction:g}.</p>"
  )
  return text + pages.table(head, rows, (0, 5))


def _tendons(conversion: Conversion) -> str:
  columns = postures(conversion) if conversion.converted else {}
  rows = []
  for i, one in enumerate(conversion.converted):
    rows.append(
      [
        one.tendon,
        _colored(_state(one), _state(one)),
        ", ".join(one.actuators),
        f"{1e3 * one.length_error:.2g}",
        f"{1e3 * one.arm_error:.2g}",
        *(_turn(column[i], conversion.friction) for column in columns.values()),
        "; ".join(one.notes),
      ]
    )
  blank = [""] * (3 + len(columns))
  rows += [
    [one.tendon, _colored("native", "native"), *blank, one.reason] for one in conversion.kept
  ]
  turn = [f"{name}: turn, loss" for name in columns]
  head = ("tendon", "", "pulled by", "length off [mm]", "moment arm off [mm/rad]", *turn, "why")
  return pages.table(head, rows, (0, 1, 2, len(head) - 1))


def _turn(bend: float, friction: float) -> str:
  if np.isnan(bend):
    return "no path"
  return f"{np.rad2deg(bend):.0f}°, {-np.expm1(-friction * bend):.1%}"


def _cost(conversion: Conversion) -> str:
  if conversion.native is None or not conversion.converted:
    return "<p>Nothing changed.</p>"
  cost = step_cost({"native": conversion.native, "cables": conversion.spec.compile()})
  rows = [[name, f"{1e6 * seconds:.1f}"] for name, seconds in cost.items()]
  ratio = cost["cables"] / cost["native"]
  return (
    pages.table(("model", "step [µs]"), rows)
    + f"<p>{ratio:.2f} times a native step, measured here while this page was written.</p>"
  )


# ------------------------------------ pictures


def _cards(conversion: Conversion, progress: Progress) -> Iterable[str]:
  artist = Artist(conversion)
  every = [*conversion.converted, *conversion.kept]
  for index in progress(range(len(every))):
    one = every[index]
    pictures = artist.before(one.tendon)
    words: list[str] = []
    if isinstance(one, Kept):
      words = [one.reason]
    else:
      pictures += artist.after(one)
      arrives = 1 - one.loss(conversion.friction)[0]
      if arrives == arrives:
        words.append(f"{arrives:.0%} of the tension arrives at the end")
      words += one.notes
      if one.differing and one.worst:
        artist.pose(one.worst)
        pictures += f"<br>{artist.before(one.tendon)}{artist.after(one)}"
        artist.pose(0)
        words.append(f"below: {conversion.pose_names[one.worst]}, where they differ most")
    caption = f"{_colored(_state(one), one.tendon)}: {escape('; '.join(words))}"
    yield f"<figure>{pictures}<figcaption>{caption}</figcaption></figure>"
