"""The two walks through a step: which files of C++ one opens to follow it.

    cmake -B build/lines -DCMAKE_CXX_FLAGS=-g1 && cmake --build build/lines
    MUJOCABLE_LIBRARY=build/lines/libmujocable.so python -m website.house --walks

A file is counted where a line of it runs inside mj_step, by valgrind's callgrind and the line
numbers of the library; headers without code are not. A header and its source are one module.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco

ROOT = Path(__file__).resolve().parents[1]
WALKS = {
  "one cable over one cylinder": ("cylinder",),
  "cylinder, ellipsoid and mesh in one span, friction, coupled": ("cylinder", "ellipsoid", "mesh"),
}
# steps before each dump: the first one searches, the last ones follow
STEPS = {"the first step": 1, "": 30, "a later step": 5}
_MARK = "mju_Halton"  # nothing in a step draws such numbers: where one count ends


def table() -> str:
  """How many files and modules each walk has, and which; needs valgrind and line numbers."""
  lines, cure = [], f"the library needs line numbers; how it gets them:\n{__doc__}"
  if not os.environ.get("MUJOCABLE_LIBRARY"):
    sys.exit(cure)
  with tempfile.TemporaryDirectory() as folder:
    command = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--toggle-collect=mj_step"]
    command += [f"--callgrind-out-file={folder}/walk", f"--dump-before={_MARK}"]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    command += [sys.executable, "-m", "website.walks"]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True)
    names = [(walk, step) for walk in WALKS for step in STEPS]
    for i, (walk, step) in enumerate(names):
      dump = Path(folder, f"walk.{i + 1}").read_text(encoding="utf-8")
      files = sorted(set(re.findall(r"^f[lie]=.*/cpp/(.+)$", dump, re.MULTILINE)))
      if not files:
        sys.exit(cure)
      modules = {file.rpartition(".")[0] for file in files}
      if step:
        lines.append(f"{walk}; {step}: {len(files)} files, {len(modules)} modules")
        lines.append("  " + " ".join(files))
  return "\n".join(lines)


def _model(kinds: tuple[str, ...]) -> mujoco.MjModel:
  import mujocable as mjc

  # over and under them by turns: each is in the way of the straight line
  posts = "".join(
    f"<geom name='{kind}' type='{kind}' {shape} pos='{0.2 * i} 0 {-0.01 * up}' zaxis='0 1 0'/>"
    f"<site name='at_{kind}' pos='{0.2 * i} 0 {0.1 * up}'/>"
    for i, kind in enumerate(kinds)
    for up, shape in [(1 - 2 * (i % 2), "mesh='egg'" if kind == "mesh" else "size='.05 .05 .12'")]
  )
  spec = mujoco.MjSpec.from_string(f"""<mujoco>
    <asset><mesh name="egg" builtin="sphere" params="3" scale=".05 .05 .12"/></asset>
    <worldbody>
      <site name="source" pos="-.2 0 0"/> {posts}
      <body pos="{0.2 * len(kinds)} 0 0">
        <joint type="slide" axis="1 0 0" stiffness="500"/> <geom size=".02"/> <site name="end"/>
      </body>
    </worldbody></mujoco>""")
  wraps = [mjc.Wrap(kind, side=f"at_{kind}") for kind in kinds]
  route = [mjc.Anchor("source"), *wraps, mjc.Anchor("end")]
  stiffness, friction = (1e3, 0) if len(kinds) == 1 else (1e5, 0.1)  # 1e5: coupled
  axial, take_up = mjc.Axial(stiffness=stiffness, pretension=10), mjc.LengthCommand((-0.1, 0.1))
  mjc.add_cable(spec, mjc.Cable("cable", route, axial, friction=friction, take_up=take_up))
  return spec.compile()


if __name__ == "__main__":
  # what runs under valgrind
  for shapes in WALKS.values():
    model = _model(shapes)
    data = mujoco.MjData(model)
    for steps in STEPS.values():
      mujoco.mj_step(model, data, nstep=steps)
      mujoco.mju_Halton(1, 2)
