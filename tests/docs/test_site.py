"""The site: builds without a warning, leads nowhere wrong, and needs nothing from elsewhere."""

import ast
import dataclasses
import html.parser
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import mujocable
from website import links, navigation, programs, reference

ROOT = Path(__file__).resolve().parents[2]


class Page(html.parser.HTMLParser):
  """Links, assets and anchors of one page."""

  def __init__(self, path):
    super().__init__()
    self.links, self.assets, self.anchors = [], [], set()
    self.feed(path.read_text(encoding="utf-8"))

  def handle_starttag(self, tag, attrs):
    attributes = dict(attrs)
    self.anchors |= {attributes.get("id"), attributes.get("name")}
    if tag == "a" and attributes.get("href"):
      self.links.append(attributes["href"])
    if tag in ("img", "script", "iframe", "source", "video") and attributes.get("src"):
      self.assets.append(attributes["src"])
    if tag == "link" and attributes.get("rel") != "canonical":
      self.assets.append(attributes["href"])


@pytest.fixture(scope="session")
def site(tmp_path_factory):
  """The folder of the built site."""
  folder = tmp_path_factory.mktemp("site")
  command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
  environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
  done = subprocess.run(
    command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300
  )
  assert done.returncode == 0, done.stderr
  assert "WARNING" not in done.stderr, done.stderr
  return folder


@pytest.fixture(scope="session")
def pages(site):
  found = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
  assert len(found) > 25
  return found


def test_every_link_and_picture_of_the_site_leads_somewhere(site, pages):
  wrong = []
  for path, page in pages.items():
    for link in [*page.links, *page.assets]:
      parts = urlsplit(link)
      if parts.scheme or parts.netloc:
        continue
      target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
      anchor = unquote(parts.fragment)
      if target.is_dir():
        target = target / "index.html"
      if not target.exists():
        wrong.append(f"{path.relative_to(site)}: {link}")
      elif anchor and target in pages and anchor not in pages[target].anchors:
        wrong.append(f"{path.relative_to(site)}: {link} (no such place)")
  assert not wrong, "\n".join(wrong)


def test_no_page_loads_anything_from_elsewhere(site, pages):
  outside = {
    f"{path.relative_to(site)}: {asset}"
    for path, page in pages.items()
    for asset in page.assets
    if urlsplit(asset).netloc
  }
  for style in site.rglob("*.css"):
    for address in re.findall(r"url\(([^)]*)\)", style.read_text(encoding="utf-8")):
      if address.strip("\"'").startswith(("http", "//")):
        outside.add(f"{style.relative_to(site)}: {address}")
  assert not outside


def test_every_formula_is_drawn(site):
  text = (site / "theory.html").read_text(encoding="utf-8")
  drawn = re.findall(r'<div class="equation" id="eq-(\d+)"><span class="formula"><svg ', text)
  source = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
  assert len(drawn) >= 18 and drawn == re.findall(r"\\tag\{(\d+)\}", source)
  assert len(re.findall(r'<span class="formula"><svg ', text)) > 80
  for path in site.rglob("*.html"):
    assert 'class="arithmatex"' not in path.read_text(encoding="utf-8"), path.name


def test_every_page_of_the_repository_is_on_the_site(site):
  for file in (ROOT / "docs").rglob("*.md"):
    assert (site / file.relative_to(ROOT / "docs").with_suffix(".html")).exists()
  for example in (ROOT / "examples").glob("*.py"):
    assert (site / "examples" / f"{example.stem}.html").exists()


def test_pages_that_no_one_listed_are_listed():
  nav = [{"Home": "index.md"}, {"More": ["a.md", {"B": "b/b.md"}]}]
  assert navigation.complete(nav, ["index.md", "a.md", "b/b.md"]) == nav
  full = navigation.complete(
    nav, ["index.md", "a.md", "b/b.md", "new.md", "x/two.md", "x/index.md"]
  )
  assert full == [*nav, {"More": ["new.md"]}, {"X": ["x/index.md", "x/two.md"]}]


# ---- links between the repository and the site ---------------------------------------------------


@pytest.mark.parametrize(
  ("source", "page", "link", "wanted"),
  [
    ("docs/mjcf.md", "mjcf.md", "[x](../examples/capstan.py)", "[x](examples/capstan.md)"),
    ("README.md", "index.md", "![x](docs/images/demo.png)", "![x](images/demo.png)"),
    ("README.md", "index.md", "[x](docs/mjcf.md#sensors)", "[x](mjcf.md#sensors)"),
    ("docs/tutorials/a.md", "tutorials/a.md", "[x](../mjcf.md)", "[x](../mjcf.md)"),
    ("docs/a.md", "a.md", "[x](https://mujoco.org)", "[x](https://mujoco.org)"),
    ("README.md", "index.md", "[License](LICENSE)", "License (`LICENSE`)"),
  ],
)
def test_links_are_those_of_the_site(source, page, link, wanted):
  assert links.rewrite(link, source, page) == wanted
  assert links.rewrite(f"```\n{link}\n```\n", source, page) == f"```\n{link}\n```\n"


# ---- the reference -------------------------------------------------------------------------------


def documented():
  for module in reference.MODULES:
    found = reference.names(__import__(module, fromlist=["x"]))
    for name, value in found:
      if not inspect.isclass(value) and not inspect.isfunction(value):
        continue
      yield pytest.param(name, value, id=f"{module}.{name}")


@pytest.mark.parametrize(("name", "value"), list(documented()))
def test_everything_public_is_documented(name, value):
  assert inspect.getdoc(value), name
  if not inspect.isclass(value):
    return
  assert value.__dict__.get("__doc__") and not value.__doc__.startswith(f"{name}(")
  for key, member in vars(value).items():
    if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
      assert inspect.getdoc(member), f"{name}.{key}"
  if dataclasses.is_dataclass(value):
    comments = reference.field_comments(value)
    bare = [field.name for field in dataclasses.fields(value) if field.name not in comments]
    assert not bare, f"fields of {name} without a comment: {bare}"


def test_the_reference_names_the_whole_public_surface():
  text = reference.page()
  for name in mujocable.__all__:
    assert f"### `{name}`" in text


def test_every_module_of_the_package_opens_with_a_docstring():
  for file in (ROOT / "src").rglob("*.py"):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), file
    for node in tree.body:
      public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
      assert not public or ast.get_docstring(node), f"{file}: {node.name}"


# ---- tutorials -----------------------------------------------------------------------------------

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_tutorials_run_and_print_what_they_show(page, tmp_path):
  text = page.read_text(encoding="utf-8")
  now = programs.shown(text, programs.run(text, tmp_path))
  assert now == text, f"cure: python -m website.programs {page.relative_to(ROOT)}"
  # commands of the page find the files that its program left
  for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    run_shell(block, tmp_path)


def run_shell(block, folder):
  command = folder / "bin" / "mujocable"  # also where the package runs from its source tree
  command.parent.mkdir(exist_ok=True)
  command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mujocable.cli "$@"\n', "utf-8")
  command.chmod(0o755)
  path = os.pathsep.join(
    [str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
  )
  done = subprocess.run(
    ["bash", "-euc", block],
    cwd=folder,
    env={**os.environ, "PATH": path},
    capture_output=True,
    text=True,
    check=False,
    timeout=300,
  )
  assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"


def test_commands_that_pages_name_exist():
  makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
  targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
  for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md"]:
    for name in re.findall(r"(?:^|`)make ([a-z]+)\b", page.read_text("utf-8"), re.MULTILINE):
      assert name in targets, f"{page.name}: make {name}"


def shell_lines(page):
  """The lines of the blocks without a language, or of shell."""
  language = None
  for line in page.read_text(encoding="utf-8").splitlines():
    if line.startswith("```"):
      language = line[3:] if language is None else None
    elif language in ("", "sh"):
      yield line


def test_commands_can_be_copied_with_what_is_said_about_them():
  for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
    for line in shell_lines(page):
      if re.match(r"(make|mujocable|pip|python)\b", line):
        assert not re.search(r"\S  +[^\s#]", line.partition("#")[0]), f"{page.name}: {line}"


@pytest.mark.slow
def test_the_commands_of_the_front_page_run(tmp_path):
  tutorial = (ROOT / "docs/tutorials/conversion.md").read_text(encoding="utf-8")
  model = re.search(r"^FINGER = \"\"\"\n(.*?)\"\"\"", tutorial, re.MULTILINE | re.DOTALL)
  assert model
  (tmp_path / "robot.xml").write_text(model[1], encoding="utf-8")
  commands = [line for line in shell_lines(ROOT / "README.md") if line.startswith("mujocable ")]
  assert len(commands) >= 4
  for command in commands:
    # a view stays open; what was measured and what is searched for is the user's own: the page of
    # the command line has both, and tests/cli runs them
    if not command.startswith(("mujocable view", "mujocable fit", "mujocable design")):
      # fewer pictures than a user gets: without a GPU each takes a tenth of a second
      run_shell(
        f"{command.partition('#')[0]} {'--fps 4' if '--video' in command else ''}", tmp_path
      )
  assert (tmp_path / "out/run/report.html").exists() and (tmp_path / "out/run/video.mp4").exists()
