"""Pages: one HTML file with a verdict first, tables and pictures inside, nothing from elsewhere."""

import base64
import html
import io
from collections.abc import Iterable, Sequence

Table = tuple[Sequence[str], list[Sequence[str]]]  # head, rows


class Html(str):
  """A piece of HTML that stands in a table as it is."""


_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #ddd; padding: .25em .8em; text-align: right; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
.text { text-align: left; }
figure { margin: 0; border: 1px solid #ddd; border-radius: 6px; padding: .5em .8em; }
figcaption { font-size: 13px; max-width: 600px; }
.cards { display: flex; flex-wrap: wrap; gap: 1em; }
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


def table(head: Sequence[str], rows: Iterable[Sequence[str]], words: Iterable[int] = (0,)) -> str:
  """A table of texts; columns `words` are aligned to the left."""
  left = set(words)

  def row(cells: Sequence[str], tag: str) -> str:
    texts = [cell if isinstance(cell, Html) else html.escape(cell) for cell in cells]
    looks = [' class="text"' if i in left else "" for i in range(len(texts))]
    inside = (f"<{tag}{x}>{text}</{tag}>" for x, text in zip(looks, texts, strict=True))
    return f"<tr>{''.join(inside)}</tr>"

  return f"<table>{''.join([row(head, 'th'), *(row(cells, 'td') for cells in rows)])}</table>"


def picture(png: bytes, title: str) -> str:
  """A PNG file, inside the page."""
  source = "data:image/png;base64," + base64.b64encode(png).decode()
  return f'<p><img alt="{html.escape(title)}" src="{source}"></p>'


def figure(drawn, title: str) -> str:
  """A Matplotlib figure, inside the page."""
  buffer = io.BytesIO()
  drawn.savefig(buffer, format="png", dpi=100)
  return picture(buffer.getvalue(), title)
