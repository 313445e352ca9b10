"""Every outside-wrapping tendon of seven myo-sim models, as a passive frictionless cable.

Judge: the models' own native tendons. Each tendon is rebuilt with the same sites, wraps and side
sites, and compared over random poses inside the joint ranges, to 1e-9 (theory section 9).
Native *inside* wraps (side site inside the geom) must be refused with a message that names them.
"""

import warnings

import mujoco
import numpy as np
import pytest
from oracles import build

import mujocable as mjc

myo_sim = pytest.importorskip("myo_sim")

MODELS = ["elbow", "myoelbow_2dof", "finger", "osl", "hand", "myolegs", "myoarm"]
POSES = 12
TURNS = 60  # steps from qpos0 to a pose: far below a quarter turn of any wrap per step


def load(name):
  """The model, and itself compiled; every geom has a name a cable can refer to."""
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # myo-sim attaches with empty prefixes
    spec = myo_sim.load_spec(name)
    for i, geom in enumerate(spec.geoms):
      if not geom.name:
        geom.name = f"geom{i}"
    return spec, spec.compile()


def compile_quietly(spec):
  with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    return spec.compile()


def local(model, data, geom, point):
  """A world point in the geom's frame."""
  return data.geom_xmat[geom].reshape(3, 3).T @ (point - data.geom_xpos[geom])


def reach(model, data, geom, point):
  """Distance of a world point from a sphere's center or a cylinder's axis, over the radius."""
  p = local(model, data, geom, point)
  p = p if int(model.geom_type[geom]) == int(build.SPHERE) else p[:2]
  return np.linalg.norm(p) / model.geom_size[geom, 0]


def elements(model, tendon):
  begin = model.tendon_adr[tendon]
  rows = range(begin, begin + model.tendon_num[tendon])
  return [
    (mujoco.mjtWrap(int(model.wrap_type[i])), int(model.wrap_objid[i]), int(model.wrap_prm[i]))
    for i in rows
  ]


def classify(model, data, tendon):
  """'pulley', 'inside', 'buried' (an end inside a wrap), 'joint' or 'outside'."""
  parts = elements(model, tendon)
  kinds = [kind for kind, _, _ in parts]
  if mujoco.mjtWrap.mjWRAP_JOINT in kinds:
    return "joint"
  if mujoco.mjtWrap.mjWRAP_PULLEY in kinds:
    return "pulley"
  verdict = "outside"
  for i, (kind, geom, side) in enumerate(parts):
    if kind not in (mujoco.mjtWrap.mjWRAP_SPHERE, mujoco.mjtWrap.mjWRAP_CYLINDER):
      continue
    if side >= 0 and reach(model, data, geom, data.site_xpos[side]) < 1:
      return "inside"
    for j in (i - 1, i + 1):
      if reach(model, data, geom, data.site_xpos[parts[j][1]]) <= 1:
        verdict = "buried"
  return verdict


def as_cable(model, tendon):
  route = []
  parts = elements(model, tendon)
  for i, (kind, obj, side) in enumerate(parts):
    if kind == mujoco.mjtWrap.mjWRAP_SITE:
      make = mjc.Anchor if i in (0, len(parts) - 1) else mjc.Eyelet
      route.append(make(model.site(obj).name))
    else:
      hint = model.site(side).name if side >= 0 else None
      endless = kind == mujoco.mjtWrap.mjWRAP_CYLINDER  # as native tendons take them
      route.append(mjc.Wrap(model.geom(obj).name, side=hint, endless=endless))
  return mjc.Cable(
    name=f"cable:{model.tendon(tendon).name}", route=route, axial=mjc.Axial(stiffness=1e-3)
  )


def survey(name):
  """Classes of all tendons, and one model with all outside tendons doubled by cables."""
  spec, plain = load(name)
  data = mujoco.MjData(plain)
  mujoco.mj_forward(plain, data)
  kinds = {t: classify(plain, data, t) for t in range(plain.ntendon)}
  for t, kind in kinds.items():
    if kind == "outside":
      mjc.add_cable(spec, as_cable(plain, t))
  return kinds, plain, spec


def random_pose(model, rng):
  """A pose inside the joint ranges; joints without a range move by +-0.3."""
  qpos = model.qpos0.copy()
  for j in range(model.njnt):
    adr = model.jnt_qposadr[j]
    if int(model.jnt_type[j]) not in (int(build.HINGE), int(build.SLIDE)):
      continue
    if model.jnt_limited[j]:
      low, high = model.jnt_range[j]
    else:
      low, high = qpos[adr] - 0.3, qpos[adr] + 0.3
    qpos[adr] = rng.uniform(low, high)
  return qpos


def usable(model, data, tendon):
  """No neighbour of a wrap is inside it (native then drops the wrap, a taut cable cannot)."""
  parts = elements(model, tendon)
  for i, (kind, geom, _) in enumerate(parts):
    if kind in (mujoco.mjtWrap.mjWRAP_SPHERE, mujoco.mjtWrap.mjWRAP_CYLINDER):
      for j in (i - 1, i + 1):
        if reach(model, data, geom, data.site_xpos[parts[j][1]]) <= 1:
          return False
  return True


def compare(name):
  kinds, _, spec = survey(name)
  model = compile_quietly(spec)
  model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  rng = np.random.default_rng(len(name))
  outside = [t for t, kind in kinds.items() if kind == "outside"]
  names = {t: f"cable:{model.tendon(t).name}" for t in outside}
  compared, wrong, native_jumps, touched = 0, [], 0, 0
  for pose in range(POSES):
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    target = random_pose(model, rng)
    delta = np.zeros(model.nv)
    mujoco.mj_differentiatePos(model, delta, 1.0, model.qpos0, target)
    smooth = {t: usable(model, data, t) for t in outside}
    before = {t: (data.ten_length[t], build.tendon_jacobian(model, data, t)) for t in outside}
    for _ in range(TURNS):
      qpos = data.qpos.copy()
      mujoco.mj_integratePos(model, qpos, delta, 1.0 / TURNS)
      build.settle(model, data, qpos)
      for t in outside:
        length, arm = data.ten_length[t], build.tendon_jacobian(model, data, t)
        # a native tendon that jumps has changed class: no longer a judge of a cable with memory
        predicted = 0.5 * (arm + before[t][1]) @ delta / TURNS
        if abs(length - before[t][0] - predicted) > 2e-4 or not usable(model, data, t):
          smooth[t] = False
        before[t] = (length, arm)
    for t in outside:
      if not smooth[t]:
        native_jumps += 1
        continue
      view = views[names[t]]
      compared += 1
      surfaces = [kind != mujoco.mjtWrap.mjWRAP_SITE for kind, _, _ in elements(model, t)[1:-1]]
      touched += int(np.any(np.asarray(view.touching)[surfaces]))
      arm = build.tendon_jacobian(model, data, t)
      error = abs(view.length - data.ten_length[t]) / data.ten_length[t]
      arm_error = np.abs(view.jacobian - arm).max() / max(1e-3, np.abs(arm).max())
      if not (build.is_valid(view) and error < 1e-9 and arm_error < 1e-9):
        wrong.append((names[t], pose, int(view.status), error, arm_error))
  return len(outside), compared, native_jumps, touched, wrong


def check(name):
  outside, compared, jumps, touched, wrong = compare(name)
  print(f"{name}: {outside} tendons, {compared} comparisons, {touched} touching, {jumps} left out")
  assert outside > 0 and compared > 0.8 * outside * POSES
  assert not wrong, (len(wrong), wrong[:8])


@pytest.mark.parametrize("name", MODELS)
def test_outside_tendons_equal_native(name):
  check(name)


@pytest.mark.parametrize("name", MODELS)
def test_poses_set_at_once_equal_native(name):
  """Straight to a pose (mj_resetData, qpos, mj_forward), as a user who samples poses does."""
  kinds, _, spec = survey(name)
  model = compile_quietly(spec)
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  rng = np.random.default_rng(7)
  outside = [t for t, kind in kinds.items() if kind == "outside"]
  total, wrong = 0, []
  for _ in range(60):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = random_pose(model, rng)
    mujoco.mj_forward(model, data)
    for t in outside:
      if not usable(model, data, t):
        continue
      view = views[f"cable:{model.tendon(t).name}"]
      total += 1
      error = abs(view.length - data.ten_length[t]) / data.ten_length[t]
      if not (build.is_valid(view) and error < 1e-9):
        wrong.append((model.tendon(t).name, int(view.status), error))
  # where native itself jumps to another class on the way (3 % of the arm's poses, none or under 1 %
  # elsewhere), a cable that remembers its side may honestly differ
  allowed = 0.03 if name == "myoarm" else 0.01
  assert len(wrong) <= allowed * total, (len(wrong), total, wrong[:8])


@pytest.mark.parametrize("name", ["hand", "myoarm"])
def test_inside_wraps_equal_native(name):
  """A side site inside its wrap leads the cable through it; native's solver stops at 1e-6."""
  kinds, plain, _ = survey(name)
  data = mujoco.MjData(plain)
  mujoco.mj_forward(plain, data)
  spec, _ = load(name)
  inside = []
  for t, kind in kinds.items():
    parts = elements(plain, t)
    over = [part for part in parts if part[0] != mujoco.mjtWrap.mjWRAP_SITE]
    # of a cylinder too native takes the distance from the center
    sides = [
      np.linalg.norm(data.site_xpos[s] - data.geom_xpos[g]) / plain.geom_size[g, 0]
      for _, g, s in over
      if s >= 0
    ]
    if kind != "inside" or not any(x < 0.99 for x in sides):
      continue
    # beside the inside wraps there are no ends inside an outside one
    buried = any(
      reach(plain, data, geom, data.site_xpos[parts[j][1]]) <= 1
      for i, (kind_of, geom, side) in enumerate(parts)
      if kind_of != mujoco.mjtWrap.mjWRAP_SITE
      and not (side >= 0 and reach(plain, data, geom, data.site_xpos[side]) < 1)
      for j in (i - 1, i + 1)
    )
    if not buried and not any(0.99 < x < 1 for x in sides):
      inside.append(t)
      mjc.add_cable(spec, as_cable(plain, t))
  assert len(inside) >= 2
  model = compile_quietly(spec)
  data = mujoco.MjData(model)
  views = mjc.bind(model, data)
  rng = np.random.default_rng(11)
  touched = 0
  for _ in range(20):
    mujoco.mj_resetData(model, data)
    data.qpos[:] = random_pose(model, rng)
    mujoco.mj_forward(model, data)
    for t in inside:
      view = views[f"cable:{model.tendon(t).name}"]
      if not build.is_valid(view):
        continue  # an end inside another wrap in this pose
      touched += int(np.any(view.touching))
      assert view.length == pytest.approx(data.ten_length[t], rel=1e-6)
  assert touched > 20
