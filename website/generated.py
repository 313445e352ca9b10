"""Generated: pages of the site that are made from the code, or written elsewhere in the tree."""

import ast
import json
from collections.abc import Iterator

from mujocable.cli import attributes, catalogue
from website import links, reference


def pages() -> Iterator[tuple[str, str, str]]:
  """(where it comes from, page of the site, Markdown) of every page that is not in docs/."""
  for source, page in links.PAGES.items():
    yield source, page, _read(source)
  yield "src", "reference/python.md", reference.page()
  yield "src", "reference/models.md", reference.models_page()
  yield "src/mujocable/models/README.md", "gallery.md", _gallery()
  yield from _examples()
  for kind, pattern in (("experiments", "*/README.md"), ("src/mujocable/models", "*/README.md")):
    for file in sorted((links.ROOT / kind).glob(pattern)):
      source = file.relative_to(links.ROOT).as_posix()
      page = links.place(source)
      assert page is not None
      yield source, page, file.read_text(encoding="utf-8")


def refresh(page: str, markdown: str) -> str:
  """A page of docs/ with the tables that the engine gives, as they are now."""
  for table in (attributes, catalogue):
    if table.BEGIN in markdown:
      markdown = table.insert(markdown)
  return markdown


def _gallery() -> str:
  parts = [
    "# Gallery\n",
    "Every model of `mujocable.models`, built from parameters and drawn at work by"
    " `python -m website.pictures gallery`. Cables are colored by their tension,"
    " gray where they are slack; the legend of each picture has the numbers.\n",
  ]
  for file in sorted((links.ROOT / "src/mujocable/models").glob("*/README.md")):
    name = file.parent.name
    title, _, text = file.read_text(encoding="utf-8").partition("\n")
    story = text.strip().partition("\n\n")[0]
    parts.append(f"## {title.lstrip('# ')}\n\n{story}\n")
    picture = links.ROOT / "docs/images/gallery" / f"{name}.webp"
    if picture.exists():
      parts.append(f"![{name}](../../../docs/images/gallery/{name}.webp)\n")
    parts.append(f"`mujocable.models.{name}` · [about this model]({name}/README.md)\n")
  return "\n".join(parts)


def _examples() -> Iterator[tuple[str, str, str]]:
  folder = links.ROOT / "examples"
  rows = []
  for file in sorted(folder.glob("*.py")):
    text = file.read_text(encoding="utf-8")
    story = ast.get_docstring(ast.parse(text)) or ""
    first, _, rest = story.partition("\n")
    companions = "".join(
      f"\n`{other.name}`:\n\n```xml\n{other.read_text(encoding='utf-8')}```\n"
      for other in sorted(folder.glob(f"{file.stem}.xml"))
    )
    body = text.partition('"""')[2].partition('"""')[2].lstrip("\n")
    markdown = (
      f"# {file.stem}\n\n{first}\n{rest}\n\n`python examples/{file.name}` runs it.\n\n"
      f"```py\n{body}```\n{companions}"
    )
    rows.append(f"- [{file.stem}]({file.stem}.md): {first}\n")
    yield f"examples/{file.name}", f"examples/{file.stem}.md", markdown
  for file in sorted(folder.glob("*.ipynb")):
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    parts = ["".join(cell["source"]) for cell in cells]
    title = parts[0].partition("\n")[0].lstrip("# ")
    parts = [
      f"```py\n{part}\n```" if cell["cell_type"] == "code" else part
      for part, cell in zip(parts, cells, strict=True)
    ]
    rows.append(f"- [{file.stem}]({file.stem}.md): {title} (a notebook)\n")
    yield f"examples/{file.name}", f"examples/{file.stem}.md", "\n\n".join(parts) + "\n"
  head = (
    "# Examples\n\nEach is one short file that uses the public surface only, and runs in CI.\n\n"
  )
  yield "examples", "examples/index.md", head + "".join(rows)


def _read(source: str) -> str:
  return (links.ROOT / source).read_text(encoding="utf-8")
