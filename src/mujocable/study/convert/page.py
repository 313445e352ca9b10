"""Conversion page: one HTML file that shows what became of every tendon, with pictures."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path

import numpy as np

from mujocable.study.convert.conversion import KINDS, Conversion, Converted
from mujocable.study.convert.cost import step_cost
from mujocable.study.convert.pictures import Artist

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; font-size: 14px; }
th, td { border-bottom: 1px solid #ddd; padding: .25em .7em; text-align: right; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
td { white-space: nowrap; }
td.text, th.text { text-align: left; white-space: normal; }
.same { color: #1e7b34; } .changed { color: #9a6200; } .native { color: #b03a2e; }
.cards { display: flex; flex-wrap: wrap; gap: 1em; }
figure { margin: 0; border: 1px solid #ddd; border-radius: 6px; padding: .5em .8em; }
figcaption { font-size: 13px; max-width: 600px; }
summary { cursor: pointer; }
"""
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
  title = escape(f"From tendon to cable: {conversion.spec.modelname or 'a model'}")
  body = [
    f"<h1>{title}</h1>",
    f"<p>{_sentence(conversion)}</p>",
    _states(conversion),
    _reasons(conversion),
    "<h2>What friction takes</h2>",
    _postures(conversion),
    "<h2>Every tendon</h2>",
    _tendons(conversion),
    "<h2>What a step costs</h2>",
    _cost(conversion),
    "<h2>Before and after</h2>",
    "<p>At home. Left: MuJoCo's own path. Right: the cable; red and thick where all of the tension"
    " arrives, blue and thin where friction has taken most of it. Wraps are yellow.</p>",
    f'<div class="cards">{"".join(_cards(conversion, progress))}</div>',
  ]
  head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
  content = "\n".join(part for part in body if part)
  return f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{content}\n</body></html>\n"


def state(one: Converted) -> str:
  """One of "same" and "changed"."""
  return "changed" if one.changed else "same"


# ------------------------------------ tables


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], texts: Iterable[int] = (0,)) -> str:
  # cells are HTML already; columns `texts` are words
  left = set(texts)

  def row(cells: Sequence[str], tag: str) -> str:
    return (
      "<tr>"
      + "".join(
        f'<{tag} class="text">{c}</{tag}>' if i in left else f"<{tag}>{c}</{tag}>"
        for i, c in enumerate(cells)
      )
      + "</tr>"
    )

  return f"<table>{row(head, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def _sentence(conversion: Conversion) -> str:
  total = len(conversion.converted) + len(conversion.kept)
  named = [name for name in conversion.pose_names if not name.startswith("random")]
  text = (
    f"{len(conversion.converted)} of {total} spatial tendons became cables with friction"
    f" {conversion.friction:g}. Both were compared in {conversion.poses} poses that limits and"
    f" equalities allow: {escape(', '.join(named))} and {conversion.poses - len(named)} random."
  )
  return f"{text} {escape(conversion.left_alone())}"


def _states(conversion: Conversion) -> str:
  counts = dict.fromkeys(_STATES, 0)
  for one in conversion.converted:
    counts[state(one)] += 1
  counts["native"] = len(conversion.kept)
  rows = [[f'<b class="{key}">{key}</b>', what, str(counts[key])] for key, what in _STATES.items()]
  return _table(("", "", "tendons"), rows, (0, 1))


def _reasons(conversion: Conversion) -> str:
  parts = []
  if conversion.kept:
    rows = [
      [escape(KINDS.get(kind, kind)), str(len(names)), escape(_few(names))]
      for kind, names in conversion.refusals().items()
    ]
    parts += ["<h2>Why tendons stay native</h2>", _table(("reason", "tendons", ""), rows, (0, 2))]
  notes = conversion.notes()
  if notes:
    rows = [[escape(note), str(len(names)), escape(_few(names))] for note, names in notes.items()]
    parts += ["<h2>What is different</h2>", _table(("what", "tendons", ""), rows, (0, 2))]
  differ = conversion.reasons()
  if differ:
    rows = [[escape(why), str(count)] for why, count in differ.items()]
    parts += [
      "<h3>Where the paths part</h3>",
      _table(("reason", "poses of tendons"), rows),
    ]
  return "".join(parts)


def _few(names: Sequence[str]) -> str:
  return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


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
        escape(name),
        f"{np.rad2deg(bends[known].mean()):.0f}",
        f"{loss[known].mean():.1%}",
        f"{np.rad2deg(bends[worst]):.0f}",
        f"{loss[worst]:.1%}",
        escape(conversion.converted[worst].tendon),
      ]
    )
  head = ("posture", "mean turn [deg]", "mean loss", "largest turn [deg]", "its loss", "of tendon")
  text = (
    "<p>A cable that turns by φ in all loses 1 - exp(-μ φ) of its tension between its ends while it"
    f" is pulled; here μ = {conversion.friction:g}.</p>"
  )
  return text + _table(head, rows, (0, 5))


def _tendons(conversion: Conversion) -> str:
  columns = postures(conversion) if conversion.converted else {}
  rows = []
  for i, one in enumerate(conversion.converted):
    key = state(one)
    turns = [_turn(column[i], conversion.friction) for column in columns.values()]
    rows.append(
      [
        escape(one.tendon),
        f'<span class="{key}">{key}</span>',
        escape(", ".join(one.actuators)),
        f"{1e3 * one.length_error:.2g}",
        f"{1e3 * one.arm_error:.2g}",
        *turns,
        escape("; ".join(one.notes)),
      ]
    )
  blank = [""] * (2 + len(columns))
  for one in conversion.kept:
    label = '<span class="native">native</span>'
    rows.append([escape(one.tendon), label, "", *blank, escape(one.reason)])
  turn = [f"{escape(name)}:<br>turn, loss" for name in columns]
  head = ("tendon", "", "pulled by", "length off [mm]", "moment arm off [mm/rad]", *turn, "why")
  return _table(head, rows, (0, 1, 2, len(head) - 1))


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
    _table(("model", "step [µs]"), rows)
    + f"<p>{ratio:.2f} times a native step, measured here while this page was written.</p>"
  )


# ------------------------------------ pictures


def _cards(conversion: Conversion, progress: Progress) -> Iterable[str]:
  artist = Artist(conversion)
  every = [*conversion.converted, *conversion.kept]
  for index in progress(range(len(every))):
    one = every[index]
    pictures = artist.before(one.tendon)
    if isinstance(one, Converted):
      pictures += artist.after(one)
      arrives = 1 - one.loss(conversion.friction)[0]
      words = [f"{arrives:.0%} of the tension arrives at the end" if arrives == arrives else ""]
      words += one.notes
      key = state(one)
      if one.differing and one.worst:
        artist.pose(one.worst)
        pictures += f"<br>{artist.before(one.tendon)}{artist.after(one)}"
        artist.pose(0)
        words.append(f"below: {conversion.pose_names[one.worst]}, where they differ most")
    else:
      words, key = [one.reason], "native"
    caption = f'<b class="{key}">{escape(one.tendon)}</b>: {escape("; ".join(filter(None, words)))}'
    yield f"<figure>{pictures}<figcaption>{caption}</figcaption></figure>"
