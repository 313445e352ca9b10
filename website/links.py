"""Links: a page that reads well in the repository also reads well on the site.

Pages link to files by their place in the repository. On the site some of these files have another
place, and some have none.
"""

import os
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_LINK = re.compile(r"(?P<bang>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
_FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)

# pages of the site that are written elsewhere in the repository
PAGES = {
  "README.md": "index.md",
  "ARCHITECTURE.md": "project/architecture.md",
  "CONTRIBUTING.md": "project/contributing.md",
  "CHANGELOG.md": "project/changelog.md",
  "CODE_OF_CONDUCT.md": "project/code_of_conduct.md",
  "SECURITY.md": "project/security.md",
}


def place(source: str) -> str | None:
  """Where a file of the repository is on the site; None where it is not."""
  if source in PAGES:
    return PAGES[source]
  parts = source.split("/")
  if parts[0] == "docs" and len(parts) > 1:
    return "/".join(parts[1:])
  if parts[0] == "examples":
    return "examples/" + (Path(source).stem if len(parts) > 1 else "index") + ".md"
  if len(parts) == 3 and parts[0] == "experiments" and parts[2] == "README.md":
    return f"experiments/{parts[1]}.md"
  if parts[:3] == ["src", "mujocable", "models"] and parts[-1] == "README.md":
    return f"models/{parts[3]}.md"
  return None


def rewrite(markdown: str, source: str, page: str) -> str:
  """The text of `source` (in the repository) with links that hold at `page` (on the site)."""

  def replace(found: re.Match) -> str:
    target, _, anchor = found["target"].partition("#")
    if not target or re.match(r"[a-z]+:", target):
      return found[0]
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    new = place(file)
    if new is None:  # a file that is not shown: say its name
      if not (ROOT / file).exists():
        return found[0]  # MkDocs will complain
      return found["text"] if file in found["text"] else f"{found['text']} (`{file}`)"
    new = os.path.relpath(new, posixpath.dirname(page) or ".")
    anchor = f"#{anchor}" if anchor else ""
    return f"{found['bang']}[{found['text']}]({new}{anchor})"

  pieces = _FENCE.split(markdown)  # code stays as it is
  return "".join(
    piece if piece.startswith("```") else _LINK.sub(replace, piece) for piece in pieces
  )
