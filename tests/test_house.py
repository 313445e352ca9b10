"""The house rules that a machine can check: who may import whom, what the package promises pip."""

import ast
import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import mujoco
import pytest
import tomllib

import mujocable

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "mujocable"

# room -> rooms it may import; "mujocable" is the public surface itself
MAY_IMPORT = {
  "mujocable": {"errors", "spec", "runtime"},
  "errors": set(),
  "spec": {"errors"},
  "runtime": {"errors", "spec"},
  "models": {"errors", "spec", "study"},
  "study": {"errors", "spec", "runtime", "viewer"},
  "warp": {"errors", "spec", "runtime"},
  "gym": {"errors", "spec", "runtime", "models", "viewer"},
  "learn": {"errors", "spec", "gym", "warp"},
  "viewer": {"errors", "spec", "runtime", "mujocable"},
  "cli": {"errors", "spec", "runtime", "models", "study", "viewer", "mujocable"},
}

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
  """`mujocable.spec.route` -> `spec`; `mujocable` -> `mujocable`."""
  parts = module.split(".")
  return parts[1] if len(parts) > 1 else parts[0]


def imported_rooms(file, module):
  """Rooms of this package that a file imports, at its top or inside a function."""
  package = module if file.name == "__init__.py" else module.rpartition(".")[0]
  for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
    names = []
    if isinstance(node, ast.Import):
      names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
      base = node.module or ""
      if node.level:
        above = package.split(".")[: len(package.split(".")) - node.level + 1]
        base = ".".join([*above, *([base] if base else [])])
      # `from mujocable import spec` names a room, `from mujocable import Cable` the surface
      is_surface = base == "mujocable"
      for alias in node.names:
        names.append(f"{base}.{alias.name}" if is_surface and alias.name in MAY_IMPORT else base)
    for name in names:
      if name.split(".")[0] == "mujocable":
        yield node.lineno, room_of(name)


def includes(folder, pattern="*"):
  """Every #include of a C++ folder as (file:line, name)."""
  for file in sorted((ROOT / "cpp" / folder).glob(pattern)):
    if file.suffix not in {".h", ".cc"}:
      continue
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
      if found := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
        yield f"{file.relative_to(ROOT)}:{number}", found[1]


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


def test_core_knows_neither_mujoco_nor_the_plugin():
  found = list(includes("core"))
  assert found, "cpp/core has no #include at all: is this the right folder?"
  wrong = [f"{where} includes {name}" for where, name in found if re.match(r"mujoco|plugin/", name)]
  assert not wrong


def test_only_tests_of_the_plugin_know_mujoco():
  found = [(w, n) for w, n in includes("tests") if not Path(w).name.startswith("plugin_")]
  assert found
  wrong = [f"{where} includes {name}" for where, name in found if re.match(r"mujoco|plugin/", name)]
  assert not wrong


def test_rooms_import_one_way():
  wrong = []
  for file, module in modules():
    room = room_of(module)
    where = file.relative_to(ROOT)
    if room not in MAY_IMPORT:
      wrong.append(f"{where}: room '{room}' is new; add it to MAY_IMPORT and ARCHITECTURE.md")
      continue
    for line, other in imported_rooms(file, module):
      if other != room and other not in MAY_IMPORT[room]:
        allowed = ", ".join(sorted(MAY_IMPORT[room])) or "nothing"
        wrong.append(f"{where}:{line}: '{room}' imports '{other}'; it may import {allowed}")
  assert not wrong, "\n".join(wrong)


def test_no_room_for_odds_and_ends():
  banned = {"utils", "util", "common", "helpers", "misc", "scripts"}
  rooms = [p for top in ("cpp", "src", "tests") for p in (ROOT / top).rglob("*")]
  assert not [str(p.relative_to(ROOT)) for p in rooms if p.stem in banned]


def test_import_is_light():
  code = f"import sys, mujocable; print(*[m for m in {HEAVY!r} if m in sys.modules])"
  assert in_fresh_process(code) == ""


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
