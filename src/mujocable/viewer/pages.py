"""Pages: one HTML file with a verdict first, tables and pictures inside, nothing from elsewhere."""

import base64
import html
import io
from collections.abc import Iterable, Sequence

Table = tuple[Sequence[str], list[Sequence[str]]]  # head, rows

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ddd; padding: .25em .8em; text-align: right; }
th:first-child, td:first-child { text-align: left; }
th { border-bottom: 2px solid #888; }
img { max-width: 100%; }
.verdict { border-left: .4em solid; font-size: 1.15em; padding: .4em .8em; }
.good { background: #eef7ee; border-color: #2e7d32; }
.bad { background: #fdeeee; border-color: #c62828; }
"""


def page(title: str, verdict: str, good: bool, parts: Iterable[str]) -> str:
  """The whole file; `parts` are pieces of HTML."""
  look = "good" if good else "bad"
  head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
  body = [
    f"<h1>{html.escape(title)}</h1>",
    f'<p class="verdict {look}">{html.escape(verdict)}</p>',
    *parts,
  ]
  return (
    f"<!DOCTYPE html>\n<html><head>{head}</head>\n<body>\n{chr(10).join(body)}\n</body></html>\n"
  )


def heading(text: str, level: int = 2) -> str:
  """A heading."""
  return f"<h{level}>{html.escape(text)}</h{level}>"


def bullets(texts: Sequence[str]) -> str:
  """A list; nothing where there is nothing to say."""
  items = "".join(f"<li>{html.escape(text)}</li>" for text in texts)
  return f"<ul>{items}</ul>" if texts else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
  """A table of texts."""

  def row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

  return f"<table>{''.join([row(head, 'th'), *(row(cells, 'td') for cells in rows)])}</table>"


def picture(png: bytes, title: str) -> str:
  """A PNG file, inside the page."""
  source = "data:image/png;base64," + base64.b64encode(png).decode()
  return f'<p><img alt="{html.escape(title)}" src="{source}"></p>'


def figure(drawn, title: str) -> str:
  """A Matplotlib figure, inside the page."""
  from matplotlib.backends.backend_agg import FigureCanvasAgg

  FigureCanvasAgg(drawn)
  buffer = io.BytesIO()
  drawn.savefig(buffer, format="png", dpi=100)
  return picture(buffer.getvalue(), title)
