"""Law: take-up, path and material of the step before -> tensions and material.

Given the material there is one set of tensions such that neighbors differ by no more than the ratio
of the contact between them, and material has moved, toward the higher tension, only where they
differ by just that (cone.py).
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import functools

import warp as wp

from mujocable.warp.cone import PATIENCE, ROUNDS, heads, trial
from mujocable.warp.exact import exact
from mujocable.warp.layout import CONTROL
from mujocable.warp.record import Cables, Memory, Parameters, Path, Results, TakeUps
from mujocable.warp.slack import write_even, write_slack
from mujocable.warp.string import LEAST, String, make_lines
from mujocable.warp.takeup import read_takeup
from mujocable.warp.weigh import join_groups, mobilities, write_weights

# threads of a block and blocks at once: registers for no more, or half of 32,768 worlds would wait;
# chosen by benchmarks.warp_worlds
_BOUNDS = (128, 4)
BALANCE = wp.constant(0.25)  # b of the step where nothing looks ahead: keeps amplitudes
MAX_EXPONENTS = wp.constant(40.0)  # of all ratios of a cable together: what numbers can hold
_CONTROL = wp.constant(CONTROL)


@functools.cache
def law(gradual: bool, marked: bool):
  """Kernel: one cable in one world. `gradual`: stiffness may set in gradually; `marked`: contacts
  may have several marks."""
  block_heads, try_tensions, exact_ways = heads(gradual), trial(gradual, marked), exact(gradual)

  @wp.kernel(module="unique", enable_backward=False, launch_bounds=_BOUNDS)
  def law_kernel(
    cables: Cables,
    takeups: TakeUps,
    parameters: Parameters,
    timestep: wp.array(dtype=float),
    qpos: wp.array2d(dtype=float),
    qvel: wp.array2d(dtype=float),
    ctrl: wp.array2d(dtype=float),
    act: wp.array2d(dtype=float),
    actuated: int,  # 0: commands are switched off
    path: Path,
    memory: Memory,
    head: wp.array2d(dtype=float),  # scratch, by cell
    pieces: wp.array3d(dtype=wp.vec3),  # scratch, for two cells and more each
    results: Results,
  ):
    c, w = wp.tid()
    s = String()
    s.old = memory.side[w]
    new = 1 - s.old
    s.fresh = memory.fresh[s.old, w]
    h = timestep[w % timestep.shape[0]]
    s.step = h
    segment = cables.segment[c]
    contact = cables.contact[c]
    s.first = cables.cell[c]
    s.cells = cables.cells[c]
    totals = wp.vec3()
    for i in range(cables.totals[c, 0], cables.totals[c, 1]):
      totals += path.totals[i, w]
    total = totals[0]
    growth = totals[1]
    powers = totals[2]
    s.least = LEAST * total

    # take-up
    kind = takeups.kind[c]
    position, motor, off = read_takeup(c, w, h, actuated, takeups, qpos, qvel, ctrl, act, path)
    s.motor = motor
    commanded = takeups.tension[c]
    taken = float(0.0)
    if commanded == 0:
      taken = takeups.gain[c] * position
      s.motor *= takeups.gain[c]
    home = parameters.home_length[c, w]
    rest = home - taken - parameters.pretension[c, w] + cables.reserve[c]
    results.length[c, w] = total
    results.take_up[c, w] = taken
    results.rest_length[c, w] = rest - cables.reserve[c]

    # the axial law
    k = parameters.stiffness[c, w]
    d = parameters.damping[c, w]
    transition = cables.transition[c]
    if powers > 0.0 and home > 0.0 and total > 0.0:
      # where it rubs, a piece that sticks keeps its tension however long the others become
      k *= home / total
      transition *= total / home
    most = parameters.max_tension[c, w]
    stretch = total - rest
    s.rigidity = k * total
    s.scale = 1.0
    if powers > MAX_EXPONENTS:
      s.scale = MAX_EXPONENTS / powers
    command = float(0.0)
    hold = float(0.0)
    if commanded == 1:
      s.motor = 0.0
      if wp.isfinite(position):
        command = wp.clamp(position, 0.0, most)
      if k <= 0.0:
        # as an explicit step can follow, and numbers can tell
        hold = cables.firmest[c]
        if cables.lever[c] > 0.0:
          hold = wp.min(hold, 1.0 / (h * h * cables.lever[c]))
      if s.fresh == 1:
        s.per_length = 1.0
        if k <= 0.0:
          s.offset = -command / hold
        else:
          s.per_length = 1.0 - command / s.rigidity
    else:
      s.alpha = transition / total
      if s.fresh == 1:
        s.per_length = rest / total
        if kind == _CONTROL:
          s.motor = 0.0
      else:
        was = memory.rest[s.old, c, w]
        s.per_length = (was - memory.sum[s.old, c, w]) / total  # what rounding lost
        s.given = rest - was
        if kind == _CONTROL:
          s.motor = taken - memory.taken[s.old, c, w]
    if cables.length_rate[c] == 1:
      s.motor = 0.0
    memory.taken[new, c, w] = taken
    memory.rest[new, c, w] = rest

    # a of the step: how far toward its end, where the step cannot resolve the cable, or where the
    # cable becomes taut within it
    lean = float(0.0)
    heavy = int(0)
    grows = s.motor + h * growth
    may_weigh = 1 - cables.at_start[c]
    if commanded == 1 and (k <= 0.0 or powers <= 0.0):
      may_weigh = 0
    if commanded == 0 and wp.max(stretch, stretch + grows) <= 0.0:
      may_weigh = 0
    if may_weigh == 1:
      join_groups(s, w, segment, contact, cables.contact_marks, path, results)
      loose, firm = mobilities(c, w, cables, path, results)
      if float(cables.shared[c]) * h * (h * k + 2.0 * d) * total * firm > 2.0:
        heavy = 1
        omega = h * h * k * loose
        if omega > 4.0:
          lean = 1.0 - 4.0 / omega
        if grows > 0.0 and commanded == 0:
          lean = wp.max(lean, wp.clamp(1.0 - stretch / grows, 0.0, 1.0))
    s.ahead = lean * h
    ahead = stretch + lean * grows

    # the damper, where the string is seen: no more growth than there is stretch, if that is ahead
    damper = float(0.0)  # per length grown in the step
    part = float(1.0)
    if commanded == 0 and ahead > 0.0:
      damper = d / h
      if ahead < transition:
        damper *= ahead / transition
      if heavy == 1 and grows > ahead:
        part = ahead / grows
    s.viscous = part * damper * total
    s = make_lines(s, hold)

    # tensions
    taut = int(0)
    sum = float(0.0)
    round = int(0)
    if off == 1:
      taut = -1
    elif commanded == 0 and powers <= 0.0:
      t = float(0.0)
      if ahead > 0.0:
        t = k * (ahead - 0.5 * transition)
        if ahead < transition:
          t = 0.5 * k * ahead * ahead / transition
        t = wp.clamp(t + damper * part * grows, 0.0, most)
      if not (t > 0.0):
        heavy = 0
      if wp.isfinite(t):
        taut = 1
        even = rest / total
        sum = write_even(
          s, w, t, even, segment, contact, cables.contact_marks, path, memory, results
        )
      else:
        taut = -1
    elif (commanded == 0 and ahead > 0.0) or command > 0.0:
      again = int(0)
      certain = int(0)
      while round < ROUNDS:
        lack, give = block_heads(s, w, again, path, memory, head)
        source = lack / give
        open = commanded
        keeps = int(0)
        if commanded == 1:
          source = command
        elif source > most:
          # the source gives way, and takes back what it gave
          source = most
          open = 1
          keeps = 1
        wrong, strained, sum_now = try_tensions(
          s,
          w,
          again,
          certain,
          source,
          open,
          keeps,
          lack,
          give,
          segment,
          contact,
          cables.contact_marks,
          path,
          memory,
          head,
          results,
        )
        sum = sum_now
        taut = 0
        if source > 0.0 and wp.isfinite(source):
          taut = 1
        elif not wp.isfinite(source):
          taut = -1
        again = 1
        round += 1
        if wrong == 0 and strained == 0:
          break
        certain = 0
        if wrong > 0 and round >= PATIENCE:
          stack = 2 * (s.first + c)
          exact_ways(s, w, stack, commanded, command, most, path, memory, head, pieces)
          certain = 1
    if taut <= 0:
      fills = int(1)
      if commanded == 1:
        fills = 2
      if taut < 0:
        fills = 0
      sum = write_slack(s, w, fills, segment, contact, cables.contact_marks, path, memory, results)
      heavy = 0
    memory.sum[new, c, w] = sum
    results.rounds[c, w] = round
    results.heavy[c, w] = heavy
    if heavy == 1:
      rigidity = s.rigidity
      viscous = s.viscous
      if part < 1.0 and powers <= 0.0:
        # what is damped is the stretch: it adds to the stiffness
        rigidity += damper * total
        viscous = 0.0
      factor = h * h * (lean + BALANCE * (1.0 - lean))
      segments = cables.contacts[c] + 1
      write_weights(w, segment, segments, factor, rigidity, s.alpha, h * h * viscous, results)

  return law_kernel
