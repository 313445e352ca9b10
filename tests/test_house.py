"""The house rules that a machine can check: who may import whom, what the package promises pip."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest
import tomllib

import mujocable
from website import house as house_in_numbers

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "mujocable"


def house():
  """Room -> rooms it may use: the table of ARCHITECTURE.md."""
  page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
  rows = re.findall(r"^\| `([\w./]+)` \|.*\|(.*)\|$", page.split("## Who may import whom")[1], re.M)
  found = {room: set(re.findall(r"`([^`]+)`", allowed)) for room, allowed in rows}
  # rooms of Python are named without the package; `study.*` is a room with those in it
  for room, allowed in found.items():
    if room.startswith("mujocable"):
      allowed = {a if a == "mujocable" else f"mujocable.{a}" for a in allowed}
    stars = tuple(a[:-2] for a in allowed if a.endswith("*"))
    inside = {
      r for r in found for star in stars if r == star or r.startswith((f"{star}/", f"{star}."))
    }
    found[room] = {a for a in allowed if not a.endswith("*")} | inside - {room}
  return found


HOUSE = house()

# loaded late or never: `import mujocable` must stay light
HEAVY = (
  "gymnasium",
  "imageio",
  "matplotlib",
  "mujoco.viewer",
  "mujocable.cli",
  "mujocable.gym",
  "mujocable.learn",
  "mujocable.models",
  "mujocable.study",
  "mujocable.viewer",
  "mujocable.warp",
  "optuna",
  "pyarrow",
  "ray",
  "rich",
  "scipy",
  "torch",
  "typer",
  "viser",
  "warp",
)


def modules():
  """Every Python file of the package as (file, dotted module name)."""
  for file in sorted(PACKAGE.rglob("*.py")):
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    yield file, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module):
  """The most special row of the table that holds a module.

  The row of the package holds itself alone.
  """
  rooms = [row for row in HOUSE if f"{module}.".startswith(f"{row}.") and row != "mujocable"]
  return max(rooms, key=len, default=".".join(module.split(".")[:2]))


def imported_rooms(file, module):
  """Rooms of this package that a file imports, at its top or inside a function."""
  package = module if file.name == "__init__.py" else module.rpartition(".")[0]
  tree = ast.parse(file.read_text(encoding="utf-8"))
  # what only type checkers read is not imported
  blocks = [
    n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"
  ]
  unread = {node for block in blocks for node in ast.walk(block)}
  for node in ast.walk(tree):
    if node in unread:
      continue
    names = []
    if isinstance(node, ast.Import):
      names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
      base = node.module or ""
      if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, *([base] if base else [])])
      # `from mujocable import spec` names a room, `from mujocable import Cable` the surface
      for alias in node.names:
        names.append(f"{base}.{alias.name}" if f"{base}.{alias.name}" in HOUSE else base)
    for name in names:
      if name.split(".")[0] == "mujocable":
        yield node.lineno, room_of(name)


def includes(folder):
  """Every #include of a C++ folder and the folders in it as (file, line, name)."""
  for file in sorted((ROOT / "cpp" / folder).rglob("*")):
    if file.suffix not in {".h", ".cc"}:
      continue
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
      if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
        yield file.relative_to(ROOT / "cpp"), number, found[1]


def cpp_room(file):
  """The room of a C++ file, relative to cpp: the most special row of the table that holds it."""
  path = str(Path(file).with_suffix(""))
  rooms = [room for room in HOUSE if path == room or path.startswith(f"{room}/")]
  return max(rooms, key=len, default=None)


def in_fresh_process(code):
  """Standard output of a Python process of its own, which must have nothing to complain about."""
  done = subprocess.run(
    [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
  )
  assert done.returncode == 0, done.stderr
  assert not done.stderr
  return done.stdout.strip()


@pytest.fixture(scope="module")
def project():
  return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


# ---- who may import whom -------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["core", "plugin"])
def test_rooms_include_one_way(folder):
  wrong, seen = [], set()
  for file, line, name in includes(folder):
    room = cpp_room(file)
    assert room, f"cpp/{file} is in no room of ARCHITECTURE.md"
    seen.add(room)
    if not name.startswith(("core/", "plugin/")):
      if folder == "core" and name.startswith("mujoco"):
        wrong.append(f"cpp/{file}:{line}: the core includes {name}")
      continue
    other = cpp_room(name)
    if other not in HOUSE[room] | {room}:
      wrong.append(f"cpp/{file}:{line}: '{room}' includes {name} of '{other}'")
  assert not wrong, "\n".join(wrong)
  # a row without a file is a room that is gone
  files = [p.relative_to(ROOT / "cpp") for p in (ROOT / "cpp" / folder).rglob("*.h")]
  assert not {room for room in HOUSE if room.startswith(folder)} - seen - set(map(cpp_room, files))


def test_rooms_of_the_table_have_an_order():
  """Nobody reaches itself through the rooms that it may use."""
  done = set()
  while len(done) < len(HOUSE):
    ready = {r for r in HOUSE if r not in done and HOUSE[r] <= done}
    # verbs use the public names, which load studies late
    assert ready, f"these rooms use each other, or one that is not there: {set(HOUSE) - done}"
    done |= ready


def test_only_tests_of_the_plugin_know_mujoco():
  found = [(f, n) for f, _, n in includes("tests") if f.parts[1] != "plugin"]
  assert found
  assert not [
    f"{file} includes {name}" for file, name in found if re.match(r"mujoco|plugin/", name)
  ]


def test_tests_stand_in_the_room_of_what_they_test():
  """`core/path/route.h` is tested in `tests/path/route_test.cc`."""
  tests = ROOT / "cpp" / "tests"
  headers = {}
  for file in (ROOT / "cpp" / "core").rglob("*.h"):
    headers.setdefault(file.stem, []).append(file.parent.relative_to(ROOT / "cpp" / "core"))
  stems = [file.stem.removesuffix("_test") for file in tests.rglob("*_test.cc")]
  assert len(stems) > 30 and len(stems) == len(set(stems)), "one program has one name"
  for file in tests.rglob("*_test.cc"):
    room = file.parent.relative_to(tests)
    if str(room) == "plugin":
      continue
    homes = headers.get(file.stem.removesuffix("_test"), [])
    assert room in homes or (not homes and (ROOT / "cpp" / "core" / room).is_dir()), file
    assert homes or room.parts, f"{file} is named after no header: it belongs into a room"


def test_rooms_import_one_way():
  wrong, seen = [], set()
  for file, module in modules():
    room, where = room_of(module), file.relative_to(ROOT)
    seen.add(room)
    if room not in HOUSE:
      wrong.append(f"{where}: room '{room}' is new; add it to the table of ARCHITECTURE.md")
      continue
    for line, other in imported_rooms(file, module):
      if other not in HOUSE[room] | {room}:
        listed = ", ".join(sorted(HOUSE[room])) or "nothing"
        wrong.append(f"{where}:{line}: '{room}' imports '{other}'; it may import {listed}")
  assert not wrong, "\n".join(wrong)
  assert not {room for room in HOUSE if room.startswith("mujocable")} - seen, "a room that is gone"


def test_no_room_for_odds_and_ends():
  banned = {"utils", "util", "common", "helpers", "misc", "scripts"}
  rooms = [p for top in ("cpp", "src", "tests") for p in (ROOT / top).rglob("*")]
  assert not [str(p.relative_to(ROOT)) for p in rooms if p.stem in banned]


def test_import_is_light():
  code = f"import sys, mujocable; print(*[m for m in {HEAVY!r} if m in sys.modules])"
  assert in_fresh_process(code) == ""


def test_every_public_name_is_listed_and_arrives():
  """Also what arrives late, with a type for the reader of the source."""
  code = """
import mujocable
early = set(vars(mujocable))
from mujocable import *
late = [name for name in mujocable.__all__ if name not in early]
print(*late, all(name in dir(mujocable) and name in globals() for name in mujocable.__all__))
print({"sys", "Path", "importlib", "announce"} & {*dir(mujocable)} or "clean")
"""
  *late, whole, tidy = in_fresh_process(code).split()
  assert (whole, tidy) == ("True", "clean")
  assert {*late} == {"check", "convert", "design", "fit", "report", "sizing", "sweep"}
  tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
  (typed,) = [
    n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"
  ]
  declared = {
    (n.module, a.name) for n in typed.body if isinstance(n, ast.ImportFrom) for a in n.names
  }
  assert declared == {(module, name) for name, module in mujocable._LATE.items()}


def test_a_skip_fails_in_ci(tmp_path):
  """MUJOCABLE_NO_SKIP=1: a test that skips itself, and a file that does."""
  (tmp_path / "test_one.py").write_text("import pytest\ndef test_it(): pytest.skip('no tool')\n")
  (tmp_path / "test_two.py").write_text("import pytest\npytest.importorskip('no_such_thing')\n")
  command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-q", str(tmp_path)]
  command += ["-c", str(ROOT / "pyproject.toml"), "--continue-on-collection-errors"]
  for flag, code, words in (("0", 0, "2 skipped"), ("1", 1, "1 failed, 1 error")):
    environment = os.environ | {"MUJOCABLE_NO_SKIP": flag}
    done = subprocess.run(
      command, capture_output=True, text=True, timeout=120, env=environment, cwd=ROOT
    )
    assert done.returncode == code and words in done.stdout, done.stdout + done.stderr


# ---- what a reader may count on -----------------------------------------------------------------


def test_numbers_of_the_geometry_have_reasons_and_its_functions_are_short():
  """`python -m website.house --list` names what is wrong."""
  rooms = house_in_numbers.rooms()
  parts = [rooms[f"core/{name}"] for name in ("math", "mesh", "surface", "path")]
  assert sum(room.argued + room.chosen for room in parts) > 200
  assert not [bare for room in parts for bare in room.bare]
  assert not [f for room in parts for f in room.functions if f[0] > house_in_numbers.LONG]


def test_kernels_are_short():
  """But for a row of cylinders, whose vectors would be copied: its docstring says so."""
  found = house_in_numbers.rooms()
  rooms = [room for name, room in found.items() if name.startswith("mujocable.warp")]
  long = [where for room in rooms for n, where in room.functions if n > house_in_numbers.LONG]
  assert len(rooms) == 5 and not [large for room in rooms for large in room.large]
  assert {where.split()[0] for where in long} == {"over_cylinders", "wrap_cylinders"}


def test_the_numbers_of_the_house_are_counted():
  text = """
constexpr int kBare = 3;

// ten times what is common; chosen, some_test
constexpr double kChosen = 1e-3;
int Two(int x) {
  const auto twice = [&](int y) { return 2 * y; };
  return twice(x);
}
"""
  assert list(house_in_numbers.cpp_functions(text)) == [("Two", 6, 4)]
  lines = text.splitlines()
  assert house_in_numbers._reason(lines, 1) == "" and "chosen" in house_in_numbers._reason(lines, 4)


# ---- what the package promises pip ---------------------------------------------------------------


def test_entry_point_is_declared_and_loads(project):
  declared = project["project"]["entry-points"]["mujoco.plugins"]["mujocable"]
  assert declared == "mujocable.runtime.library:register"
  entry = importlib.metadata.EntryPoint("mujocable", declared, "mujoco.plugins")
  assert callable(entry.load())


# mujoco calls the entry point while mujocable may itself be half imported, and only warns when that
# fails; under pytest even the warning is lost, hence processes of their own and a silent stderr
@pytest.mark.parametrize(
  "first",
  [
    "import mujoco",
    "import mujocable, mujoco",
    "import mujoco, mujocable",
    "import mujocable.runtime.library, mujoco",
    "import mujocable.spec, mujoco",
  ],
)
def test_any_import_registers_the_plugin(first):
  installed = importlib.metadata.entry_points(group="mujoco.plugins", name="mujocable")
  assert installed, "mujocable is not installed in this environment: make build"
  xml = "<mujoco><extension><plugin plugin='mujocable.cable'/></extension></mujoco>"
  code = f"{first}; print(mujoco.MjModel.from_xml_string({xml!r}).nq)"
  assert in_fresh_process(code) == "0"


def test_installed_library_names_no_folder_of_this_machine():
  files = importlib.metadata.files("mujocable") or []
  libraries = [f for f in files if f.parts[:2] == ("mujocable", "_lib")]
  assert any(mujoco.mj_versionString() in f.name for f in libraries), libraries
  for library in libraries:
    for folder in (ROOT, Path(mujoco.__file__).parent):
      assert str(folder).encode() not in library.read_binary()


def test_versions_agree(project):
  version = project["project"]["version"]
  assert mujocable.__version__ == version
  assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
  assert f"[{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_differs_between_releases_of_mujoco_stands_in_one_file():
  """Names that not every supported release has are used by cpp/plugin/engine.h alone."""
  new = r"\b(mjINT_DISCRETE|mj_effShift|efm_ck|efm_tid|efm_ts|nefmT|tendon_plasticadr)\b"
  files = [f for f in (ROOT / "cpp").rglob("*.[ch]*") if f.name != "engine.h"]
  found = [f.name for f in files if re.search(new, f.read_text(encoding="utf-8"))]
  assert len(files) > 100 and not found
