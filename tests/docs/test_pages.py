"""The pages: Python blocks run, MJCF blocks compile, links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest

import mujocable as mjc

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, language):
  """The fenced blocks of a page in one language."""
  text = page.read_text(encoding="utf-8")
  return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def names(pages):
  return [str(page.relative_to(ROOT)) for page in pages]


# ---- what is shown works -------------------------------------------------------------------------


# tutorials are run by test_site.py, which also compares what they print
PROGRAMS = [page for page in PAGES if page.parent.name != "tutorials"]


@pytest.mark.parametrize("page", PROGRAMS, ids=names(PROGRAMS))
def test_python_blocks_run_in_order(page, tmp_path):
  code = blocks(page, "python")
  if page.name in ("README.md", "quick_start.md"):
    assert code
  if not code:
    return
  program = tmp_path / "page.py"
  program.write_text("\n".join(code), encoding="utf-8")
  command = [sys.executable, "-W", "error", str(program)]
  done = subprocess.run(
    command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path
  )
  assert done.returncode == 0, done.stderr


def models():
  for page in PAGES:
    for number, block in enumerate(blocks(page, "xml")):
      yield pytest.param(block, id=f"{page.stem}-{number}")


@pytest.mark.parametrize("xml", list(models()))
def test_mjcf_blocks_compile_and_run(xml):
  model = mujoco.MjModel.from_xml_string(xml)
  data = mujoco.MjData(model)
  cables = mjc.bind(model, data)
  for _ in range(50):
    mujoco.mj_step(model, data)
  for cable in cables.values():
    assert cable.status == mjc.SolveStatus.VALID
    assert cable.touching.any() or not cable.touching.size
  assert list(cables) == list(mjc.read_cables(mujoco.MjSpec.from_string(xml))) != []


def test_both_forms_of_the_page_are_the_same_cable():
  explicit, seeded, *_ = blocks(ROOT / "docs" / "mjcf.md", "xml")
  results = []
  for xml in (explicit, seeded):
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    guy = mjc.bind(model, data)["guy"]
    for _ in range(200):
      mujoco.mj_step(model, data)
    results.append((data.qpos[0], guy.length, *guy.tension, *guy.wrap_angle))
  assert results[0] == results[1]


# ---- what is said is there -----------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page):
  text = page.read_text(encoding="utf-8")
  anchors = {
    re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)", text, re.M)
  }
  for target in re.findall(r"\]\(([^)]+)\)", text):
    if target.startswith("http"):
      continue
    path, _, anchor = target.partition("#")
    if path == "reference/python.md":  # written while the site is built
      continue
    assert not path or (page.parent / path).exists(), target
    assert path or anchor in anchors, target


def test_named_files_exist():
  for page in PAGES:
    for name in re.findall(r"`((?:tests|examples|docs|cpp|src)/[\w/.]+)`", page.read_text("utf-8")):
      assert (ROOT / name).exists(), f"{page.name} names {name}"


def test_the_front_page_opens_with_what_it_is_a_picture_and_two_commands():
  opening = README.read_text(encoding="utf-8").partition("\n## ")[0]
  picture, commands = opening.index("!["), opening.index("make demo       ")
  # the first words say what it is, before anything else
  assert re.match(r"# MuJoCable\n\nMuJoCable [a-z]", opening)
  assert picture < commands < opening.index("make test       ")
  assert opening.count("![") == 1


def test_the_picture_is_small_and_a_picture():
  picture = ROOT / "docs" / "images" / "gallery" / "front.webp"
  assert picture.read_bytes()[8:12] == b"WEBP"
  assert picture.stat().st_size < 500_000


def test_the_readme_shows_the_first_example():
  example = (ROOT / "examples" / "hello_cable.py").read_text(encoding="utf-8")
  assert blocks(README, "python")[0] == example.partition('"""\n\n')[2]


def test_the_theory_has_its_equations_in_order():
  tags = re.findall(r"\\tag\{(\d+)\}", (ROOT / "docs" / "theory.md").read_text(encoding="utf-8"))
  assert tags == [str(number) for number in range(1, 25)]
