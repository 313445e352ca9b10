"""Mathematics: LaTeX into SVG while the site is built, so that pages need no script and no font."""

import html
import re
from functools import lru_cache

import ziamath

_SIZE = 17  # of display formulas [px]; text has 16
_WRAPPED = re.compile(
  r'<(?P<tag>div|span) class="arithmatex">\\[\[(](?P<latex>.*?)\\[\])]</(?P=tag)>', re.DOTALL
)
_TAG = re.compile(r"\\tag\{(\d+)\}")


def render(page: str) -> str:
  """A page of HTML with every formula that arithmatex marked drawn as SVG."""
  return _WRAPPED.sub(_replace, page)


def _replace(found: re.Match) -> str:
  latex = html.unescape(found["latex"]).strip()
  if found["tag"] == "span":
    return f'<span class="formula">{_svg(latex, True)}</span>'
  number = _TAG.search(latex)
  drawn = f'<span class="formula">{_svg(_TAG.sub("", latex), False)}</span>'
  if number is None:
    return f'<div class="equation">{drawn}</div>'
  tag = f'<span class="number">({number[1]})</span>'
  return f'<div class="equation" id="eq-{number[1]}">{drawn}{tag}</div>'


@lru_cache(maxsize=1000)
def _svg(latex: str, inline: bool) -> str:
  text = " ".join(latex.split())
  drawn = ziamath.Latex(text, size=_SIZE, color="currentColor", inline=inline)
  svg = drawn.svg()
  if inline:  # on the line of the text
    svg = svg.replace("<svg ", f'<svg style="vertical-align:{drawn.getyofst():.2f}px" ', 1)
  label = html.escape(text, quote=True)
  return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
