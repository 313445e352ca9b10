"""Navigation: pages that mkdocs.yml does not name are listed all the same, in their own section."""

from collections.abc import Iterable


def complete(nav: list, pages: Iterable[str]) -> list:
  """The navigation with every page that it does not name appended."""
  known = set(_named(nav))
  missing = sorted(page for page in pages if page not in known)
  sections: dict[str, list[str]] = {}
  for page in missing:
    folder = page.rpartition("/")[0]
    sections.setdefault(folder.replace("/", " ").capitalize() or "More", []).append(page)
  for pages_of_section in sections.values():  # an index opens its section
    pages_of_section.sort(key=lambda page: (not page.endswith("index.md"), page))
  return [*nav, *({title: listed} for title, listed in sections.items())]


def _named(nav) -> Iterable[str]:
  if isinstance(nav, str):
    yield nav
  elif isinstance(nav, dict):
    for value in nav.values():
      yield from _named(value)
  else:
    for value in nav:
      yield from _named(value)
