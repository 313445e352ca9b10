"""Hooks: what MkDocs calls while it builds the site (mkdocs.yml names this file)."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # MkDocs loads this file by its path

from website import generated, links, mathematics, navigation

_sources: dict[str, str] = {}  # page of the site -> file of the repository


def on_files(files: Files, config: MkDocsConfig) -> Files:
  """Adds the generated pages and completes the navigation."""
  _sources.clear()
  for source, page, markdown in generated.pages():
    _sources[page] = source
    files.append(File.generated(config, page, content=markdown))
  pages = [file.src_uri for file in files.documentation_pages()]
  config.nav = navigation.complete(config.nav or [], pages)
  return files


def on_page_markdown(markdown: str, page: Page, **_) -> str:
  """Tables of the engine, links of the site."""
  uri = page.file.src_uri
  source = _sources.get(uri, f"docs/{uri}")
  return links.rewrite(generated.refresh(uri, markdown), source, uri)


def on_page_content(html: str, **_) -> str:
  """Formulas as pictures."""
  return mathematics.render(html)
