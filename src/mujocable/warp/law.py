"""Law: friction with memory. Material crosses a contact only on the Coulomb cone.

Cells hold material; what one takes in is lack - give * tension. Given the material before the step
there is one set of tensions such that neighbors differ by no more than the ratio of the contact
between them, and material has moved, toward the higher tension, only where they differ by just
that. It is found exactly: one pass toward the distal end, one back.
"""

# pyright: reportInvalidTypeForm=false, reportOperatorIssue=false

import functools

import warp as wp

from mujocable.warp.layout import ACTIVATION, CONTROL, JOINT
from mujocable.warp.precision import Precision
from mujocable.warp.takeup import motor_rate

BALANCE = 0.25  # b of the step where nothing looks ahead: keeps amplitudes
MAX_EXPONENT = 30.0  # friction times angle of a contact: more is more than any cable holds
ROUNDS = 20  # at most, of Newton's method where stiffness sets in gradually


@functools.cache
def law(p: Precision):
  """Kernel: one cable in one world."""
  real, rate_of_motor = p.real, motor_rate(p)
  zero, half, one, two, four = real(0.0), real(0.5), real(1.0), real(2.0), real(4.0)
  huge, tiny = real(1e30), real(1e-30)
  edge, spread = real(p.edge), real(p.spread)
  balance, exponent, exponents = real(BALANCE), real(MAX_EXPONENT), real(p.exponents)
  converged = real(100.0 * p.edge)
  floor = real(1e-3)
  least = real(1e-9)  # of a cell, in lengths of the cable
  activation, control, joint, rounds = ACTIVATION, CONTROL, JOINT, ROUNDS

  @wp.kernel(module="unique", enable_backward=False)
  def law_kernel(
    # layout
    cable_segment: wp.array(dtype=int),
    cable_contact: wp.array(dtype=int),
    cable_contacts: wp.array(dtype=int),
    cable_cell: wp.array(dtype=int),
    cable_wrapped: wp.array(dtype=int),  # its cells are not its segments
    cable_rows: wp.array2d(dtype=int),  # begin, end
    cable_shared: wp.array(dtype=int),
    cable_lever: wp.array(dtype=p.real),  # most mobility along it, of all that share its bodies
    cable_firmest: wp.array(dtype=p.real),  # stiffness at which lengths still show tensions
    cable_explicit: wp.array(dtype=int),
    cable_length_rate: wp.array(dtype=int),  # damping does not see the motor
    cable_transition: wp.array(dtype=p.real),
    cable_reserve: wp.array(dtype=p.real),
    contact_marks: wp.array(dtype=int),
    row_segment: wp.array(dtype=int),
    row_dof: wp.array(dtype=int),
    row_constant: wp.array(dtype=p.real),
    row_mobility: wp.array(dtype=p.real),
    takeup_kind: wp.array(dtype=int),
    takeup_address: wp.array(dtype=int),
    takeup_gain: wp.array(dtype=p.real),
    takeup_reference: wp.array(dtype=p.real),
    takeup_limits: wp.array2d(dtype=p.real),
    takeup_tension: wp.array(dtype=int),
    takeup_motor: wp.array(dtype=int),  # 1: act follows the control, 2: it integrates that
    takeup_control: wp.array(dtype=int),
    takeup_lag: wp.array(dtype=p.real),
    takeup_rate: wp.array(dtype=p.real),  # limit of the activation; 0: none
    takeup_dof: wp.array(dtype=int),
    # parameters
    stiffness: wp.array2d(dtype=p.real),
    damping: wp.array2d(dtype=p.real),
    home_length: wp.array2d(dtype=p.real),
    pretension: wp.array2d(dtype=p.real),
    max_tension: wp.array2d(dtype=p.real),
    friction: wp.array2d(dtype=p.real),
    # world
    timestep: wp.array(dtype=p.real),
    qpos: wp.array2d(dtype=p.real),
    qvel: wp.array2d(dtype=p.real),
    ctrl: wp.array2d(dtype=p.real),
    act: wp.array2d(dtype=p.real),
    actuated: int,  # 0: commands are switched off
    # path
    length: wp.array2d(dtype=p.real),
    arc: wp.array2d(dtype=p.real),
    angle: wp.array2d(dtype=p.real),
    touching: wp.array2d(dtype=int),
    gradient: wp.array2d(dtype=p.real),
    cell: wp.array2d(dtype=p.real),
    material: wp.array2d(dtype=p.real),
    # memory
    side: wp.array(dtype=int),
    fresh: wp.array2d(dtype=int),
    memory_rest: wp.array3d(dtype=p.real),
    memory_total: wp.array3d(dtype=p.real),
    memory_taken: wp.array3d(dtype=p.real),
    # scratch
    far: wp.array3d(dtype=p.real),
    slope: wp.array3d(dtype=p.real),
    jump: wp.array3d(dtype=p.real),
    root: wp.array2d(dtype=p.real),
    ratio: wp.array2d(dtype=p.real),
    lack: wp.array2d(dtype=p.real),
    give: wp.array2d(dtype=p.real),
    pool: wp.array2d(dtype=p.real),
    rate: wp.array2d(dtype=p.real),
    held: wp.array2d(dtype=p.real),
    strain: wp.array2d(dtype=p.real),
    # results
    total_length: wp.array2d(dtype=p.real),
    rest_length: wp.array2d(dtype=p.real),
    take_up: wp.array2d(dtype=p.real),
    tension: wp.array2d(dtype=p.real),
    mass: wp.array2d(dtype=p.real),  # by segment: what a product of gradients weighs in the step
    group: wp.array2d(dtype=int),  # by segment: same number, same tension
    slip: wp.array2d(dtype=p.real),
    stuck: wp.array2d(dtype=int),
    dissipation: wp.array2d(dtype=p.real),
  ):
    c, w = wp.tid()
    old = side[w]
    new = 1 - old
    h = timestep[w % timestep.shape[0]]
    seg = cable_segment[c]
    con = cable_contact[c]
    n = cable_contacts[c]
    c0 = cable_cell[c]
    base = c0  # of the groups
    stack = 2 * c0 + 4 * c
    wrapped = cable_wrapped[c]
    alpha_length = cable_transition[c]

    # take-up
    kind = takeup_kind[c]
    position = zero
    motor = zero  # what it takes in within the step, for damping
    is_fresh = fresh[old, w]
    if kind == wp.static(joint):
      position = qpos[w, takeup_address[c]] - takeup_reference[c]
      motor = h * qvel[w, takeup_dof[c]]
    elif kind == wp.static(activation):
      position = act[w, takeup_address[c]]
      goal = wp.clamp(ctrl[w, takeup_control[c]], takeup_limits[c, 0], takeup_limits[c, 1])
      if takeup_motor[c] == 2:
        motor = h * goal
      else:
        motor = h * rate_of_motor(goal, position, takeup_lag[c], takeup_rate[c], h)
    elif kind == wp.static(control):
      position = wp.clamp(ctrl[w, takeup_address[c]], takeup_limits[c, 0], takeup_limits[c, 1])
    taken = zero
    if takeup_tension[c] == 0:
      taken = takeup_gain[c] * position
      motor *= takeup_gain[c]
    off = int(0)
    if actuated == 0 and (kind == wp.static(activation) or kind == wp.static(control)):
      off = 1

    # length, and which segments share one tension
    total = length[seg, w]
    g = int(0)
    group[seg, w] = 0
    for i in range(n):
      a = arc[con + i, w]
      size = length[seg + i + 1, w]
      total += a + size
      # marks cut inside the arc: only its outer parts belong to the segments
      if touching[con + i, w] == 1 and friction[con + i, w] > zero:
        g += contact_marks[con + i]
      group[seg + i + 1, w] = g
    rest = home_length[c, w] - taken - pretension[c, w] + cable_reserve[c]
    total_length[c, w] = total
    take_up[c, w] = taken
    rest_length[c, w] = rest - cable_reserve[c]

    k = stiffness[c, w]
    d = damping[c, w]
    rigidity = k * total
    stretch = total - rest
    gate = zero
    if stretch > zero:
      gate = one
      if stretch < alpha_length:
        gate = stretch / alpha_length
    alpha = alpha_length / total
    viscous = d * gate * total / h  # of a cell per its length

    # groups: their lengths, and the material in them before any slips
    was = memory_total[old, c, w]
    sum = zero
    cells = int(1)
    for i in range(n):
      cells += contact_marks[con + i]
    for j in range(cells):
      if wrapped == 1:
        sum += material[c0 + j, w]
      else:
        sum += memory_rest[old, c0 + j, w]
    fix = (was - sum) / total  # what rounding lost
    give_in = rest - was  # to the first cell
    commanded = takeup_tension[c]
    # of a cell without stiffness of its own: as an explicit step can follow, and numbers can tell
    most_hold = zero
    position = wp.where(wp.isfinite(position), position, zero)
    most = max_tension[c, w]
    command = wp.clamp(position, zero, most)
    if commanded == 1:
      fix = zero
      give_in = zero
      motor = zero
      viscous = zero
      alpha_length = zero
      alpha = zero
      if k <= zero:
        most_hold = cable_firmest[c]
        if cable_lever[c] > zero:
          most_hold = wp.min(most_hold, one / (h * h * cable_lever[c]))
    if is_fresh == 1:
      give_in = zero
    if kind == wp.static(control) and commanded == 0:
      motor = -give_in
      if is_fresh == 0:
        motor = taken - memory_taken[old, c, w]
    memory_taken[new, c, w] = taken
    if cable_length_rate[c] == 1:
      motor = zero
    memory_total[new, c, w] = rest

    # how the length of each group changes in the step, and whether the step resolves that
    rows_begin = cable_rows[c, 0]
    rows_end = cable_rows[c, 1]

    # pool cells into groups
    j = int(0)
    gi = int(0)
    l_sum = zero
    m_sum = zero
    powers = zero
    for i in range(n + 1):
      marks = int(1)
      cut = int(0)
      if i < n:
        marks = contact_marks[con + i]
        if touching[con + i, w] == 1 and friction[con + i, w] > zero:
          cut = 1
      for q in range(marks):
        size = zero
        mat = zero
        if wrapped == 1:
          size = cell[c0 + j, w]
          mat = material[c0 + j, w]
        else:
          size = length[seg + j, w]
          mat = memory_rest[old, c0 + j, w]
        l_sum += size
        m_sum += mat
        if cut == 1 or i == n:
          pool[base + gi, w] = wp.max(l_sum, least * total)
          if is_fresh == 1:
            m_sum = rest * l_sum / total
            if commanded == 1:
              m_sum = l_sum - command * l_sum / wp.max(rigidity, tiny)
              if k <= zero:
                m_sum = l_sum - command / most_hold
          else:
            m_sum += fix * l_sum
          held[base + gi, w] = m_sum
          power = zero
          if i < n:
            power = wp.min(friction[con + i, w] * angle[con + i, w], exponent) / real(marks)
            powers += power
          ratio[base + gi, w] = power
          rate[base + gi, w] = zero
          gi += 1
          l_sum = zero
          m_sum = zero
        j += 1
    groups = gi
    scale = one
    if powers > exponents:
      scale = exponents / powers
    for gi0 in range(groups):
      ratio[base + gi0, w] = wp.exp(scale * ratio[base + gi0, w])

    # rates and mobilities; a group's gradient is the sum over its segments
    loose = zero
    stiff = zero
    dof = int(-1)
    whole = zero
    part = zero
    here = int(-1)
    mobility = zero
    for r in range(rows_begin, rows_end):
      s = row_segment[r]
      gs = group[s, w]
      x = gradient[r, w]
      if row_dof[r] != dof or gs != here:
        if here >= 0:
          stiff += part * part * mobility / pool[base + here, w]
        part = zero
        here = gs
      if row_dof[r] != dof:
        loose += whole * whole * mobility
        whole = zero
        dof = row_dof[r]
        mobility = row_mobility[r]
      whole += x
      part += x
      if row_constant[r] == zero:
        rate[base + gs, w] = rate[base + gs, w] + x * qvel[w, row_dof[r]]
    if here >= 0:
      stiff += part * part * mobility / pool[base + here, w]
    loose += whole * whole * mobility
    grows = motor
    for gi1 in range(groups):
      grows += h * rate[base + gi1, w]
    undone = real(cable_shared[c]) * h * (h * k + two * d)
    implicit = int(1)
    if cable_explicit[c] == 1 or (commanded == 1 and (groups == 1 or k <= zero)):
      implicit = 0
    elif undone * total * stiff <= two or wp.max(stretch, stretch + grows) <= zero:
      implicit = 0
    # a of the step: how far toward its end, where the step cannot resolve the cable, or where the
    # cable becomes taut within it
    lean = zero
    if implicit == 1:
      omega = h * h * k * loose
      if omega > four:
        lean = balance * (one - four / omega)
      if grows > zero and commanded == 0:
        lean = wp.max(lean, wp.clamp(one - stretch / grows, zero, one))

    turns = int(1)
    if alpha_length > zero and groups > 1:
      turns = wp.static(rounds)
    round = int(0)
    while round < turns:
      # the law of each group, a line: rest = reach - give * tension
      for gi2 in range(groups):
        size = pool[base + gi2, w]
        mat = held[base + gi2, w]
        before = mat
        if gi2 == 0:
          mat += give_in
          before = mat + motor
        grow = h * rate[base + gi2, w]
        stretched = (size - mat) + lean * grow
        tangent = rigidity
        if k <= zero:
          tangent = most_hold * size
        lift = zero
        if alpha_length > zero:
          x = alpha
          if round > 0:
            x = wp.clamp((stretched - lack[base + gi2, w]) / size, zero, alpha)
          x = wp.max(x, floor * alpha)
          tangent = rigidity * x / alpha
          lift = -half * tangent * x
          strain[base + gi2, w] = x
        sum_k = tangent + viscous
        give[base + gi2, w] = size / sum_k
        missing = tangent * stretched + viscous * (grow + (before - mat)) + size * lift
        lack[base + gi2, w] = missing / sum_k

      # toward the distal end: D(T), the material that must leave this and all cells before it; its
      # two sides as stacks of pieces, seen from the root
      nb = int(0)
      na = int(0)
      sb = one
      sa = one
      ab = zero
      aa = zero
      m0 = zero
      if commanded == 1:
        m0 = command
        far[0, stack, w] = m0
        far[1, stack, w] = m0
        slope[0, stack, w] = zero
        slope[1, stack, w] = zero
        jump[0, stack, w] = huge
        jump[1, stack, w] = huge
        nb = 1
        na = 1
      else:
        b = give[base, w]
        free = lack[base, w] / b
        m0 = wp.min(wp.max(free, zero), most)
        far[0, stack, w] = zero
        slope[0, stack, w] = zero
        jump[0, stack, w] = huge
        nb = 1
        far[1, stack, w] = most
        slope[1, stack, w] = zero
        jump[1, stack, w] = huge
        na = 1
        if m0 > zero:
          far[0, stack + 1, w] = zero
          slope[0, stack + 1, w] = b
          jump[0, stack + 1, w] = wp.max(zero, (free - m0) * b)
          nb = 2
        if m0 < most:
          far[1, stack + 1, w] = most
          slope[1, stack + 1, w] = b
          jump[1, stack + 1, w] = wp.max(zero, (m0 - free) * b)
          na = 2
      root[base, w] = m0
      for gi3 in range(1, groups):
        beta = ratio[base + gi3 - 1, w]
        b = give[base + gi3, w]
        excess = -lack[base + gi3, w]
        low = m0 / beta
        high = m0 * beta
        sb = sb / beta
        ab += b * sb
        sa = sa * beta
        aa += b * sa
        if sb * spread < one:
          for v in range(nb):
            far[0, stack + v, w] = far[0, stack + v, w] * sb
            slope[0, stack + v, w] = (slope[0, stack + v, w] + ab) / sb
          sb = one
          ab = zero
        if sa > spread:
          for v in range(na):
            far[1, stack + v, w] = far[1, stack + v, w] * sa
            slope[1, stack + v, w] = (slope[1, stack + v, w] + aa) / sa
          sa = one
          aa = zero
        at_low = excess + b * low
        at_high = excess + b * high
        if at_low > zero:
          # the root lies below: pieces that are passed go to the other side
          far[1, stack + na, w] = high / sa
          slope[1, stack + na, w] = b * sa - aa
          jump[1, stack + na, w] = zero
          na += 1
          value = at_low
          at = low
          searching = int(1)
          while searching == 1:
            top = stack + nb - 1
            edge_jump = jump[0, top, w]
            if value <= edge_jump or nb == 1:
              jump[0, top, w] = edge_jump - value
              jump[1, stack + na - 1, w] = jump[1, stack + na - 1, w] + value
              searching = 0
            else:
              value -= edge_jump
              jump[1, stack + na - 1, w] = jump[1, stack + na - 1, w] + edge_jump
              f = far[0, top, w] * sb
              sl = (slope[0, top, w] + ab) / sb
              rise = sl * wp.max(at - f, zero)
              far[1, stack + na, w] = at / sa
              slope[1, stack + na, w] = sl * sa - aa
              jump[1, stack + na, w] = zero
              na += 1
              if value <= rise:
                jump[0, top, w] = zero
                at = at - value / sl
                searching = 0
              else:
                value -= rise
                at = f
                nb -= 1
          m0 = at
        elif at_high < zero:
          far[0, stack + nb, w] = low / sb
          slope[0, stack + nb, w] = b * sb - ab
          jump[0, stack + nb, w] = zero
          nb += 1
          value = -at_high
          at = high
          searching = int(1)
          while searching == 1:
            top = stack + na - 1
            edge_jump = jump[1, top, w]
            if value <= edge_jump or na == 1:
              jump[1, top, w] = edge_jump - value
              jump[0, stack + nb - 1, w] = jump[0, stack + nb - 1, w] + value
              searching = 0
            else:
              value -= edge_jump
              jump[0, stack + nb - 1, w] = jump[0, stack + nb - 1, w] + edge_jump
              f = far[1, top, w] * sa
              sl = (slope[1, top, w] + aa) / sa
              rise = sl * wp.max(f - at, zero)
              far[0, stack + nb, w] = at / sb
              slope[0, stack + nb, w] = sl * sb - ab
              jump[0, stack + nb, w] = zero
              nb += 1
              if value <= rise:
                jump[1, top, w] = zero
                at = at + value / sl
                searching = 0
              else:
                value -= rise
                at = f
                na -= 1
          m0 = at
        else:
          m0 = wp.min(wp.max(-excess / b, low), high)
          far[0, stack + nb, w] = low / sb
          slope[0, stack + nb, w] = b * sb - ab
          jump[0, stack + nb, w] = zero
          nb += 1
          far[1, stack + na, w] = high / sa
          slope[1, stack + na, w] = b * sa - aa
          jump[1, stack + na, w] = zero
          na += 1
        root[base + gi3, w] = m0

      # back: every tension is the root or as near to it as its neighbor allows
      t = m0
      far_off = int(0)
      for step in range(groups):
        gi4 = groups - 1 - step
        if step > 0:
          low = t / ratio[base + gi4, w]
          high = t * ratio[base + gi4, w]
          m = root[base + gi4, w]
          t = wp.min(wp.max(m, low), high)
        root[base + gi4, w] = t
        if turns > 1:
          # whether the line was right there
          size = pool[base + gi4, w]
          stretched = (size - held[base + gi4, w]) + lean * h * rate[base + gi4, w]
          if gi4 == 0:
            stretched -= give_in
          taken_in = lack[base + gi4, w] - give[base + gi4, w] * t
          x = wp.clamp((stretched - taken_in) / size, zero, alpha)
          if wp.abs(wp.max(x, floor * alpha) - strain[base + gi4, w]) > converged * alpha:
            far_off = 1
      round += 1
      if far_off == 0:
        turns = round
      elif round < turns:
        for gi6 in range(groups):
          lack[base + gi6, w] = lack[base + gi6, w] - give[base + gi6, w] * root[base + gi6, w]

    # one cell: the axial law as it stands
    if groups == 1 and commanded == 0:
      grow = h * rate[base, w]
      e = (pool[base, w] - held[base, w] - give_in) + lean * grow
      t = zero
      if e > zero:
        drag = d / h
        t = k * (e - half * alpha_length)
        if e < alpha_length:
          t = half * k * e * e / alpha_length
          drag *= e / alpha_length
        t = wp.clamp(t + drag * (grow + motor), zero, most)
      root[base, w] = t

    # slack: what a cell has too little of, it takes from those that have too much
    need = zero
    spare = zero
    ahead = zero
    for gi5 in range(groups):
      over = held[base + gi5, w] - pool[base + gi5, w]
      if gi5 == 0:
        over += give_in
      ahead += lean * h * rate[base + gi5, w] - over
      need += wp.max(-over, zero)
      spare += wp.max(over, zero)
    slack = int(0)
    if not (root[base, w] > zero) or (commanded == 0 and not (ahead > zero)):
      slack = 1
    if off == 1 or not wp.isfinite(root[base, w]):
      slack = 2
    fill = zero
    if spare > zero and commanded == 0:
      fill = wp.min(need / spare, one)
    j = cells - 1
    gi = groups - 1
    moved = zero
    t = root[base + gi, w]
    for step in range(n + 1):
      i = n - step  # the contact before segment i is i - 1
      # the tension and the weight of the segment
      if slack > 0:
        t = zero
      else:
        t = root[base + gi, w]
      tension[seg + i, w] = t
      weight = zero
      if t > zero and implicit == 1:
        tangent = rigidity
        if two * t < rigidity * alpha:
          tangent = wp.sqrt(two * rigidity * t / alpha)
        weight = h * h * ((lean + balance) * tangent + viscous) / pool[base + gi, w]
      mass[seg + i, w] = weight
      marks = int(1)
      cut = int(0)
      if i > 0:
        marks = contact_marks[con + i - 1]
        if touching[con + i - 1, w] == 1 and friction[con + i - 1, w] > zero:
          cut = 1
      lost = zero
      slid = zero
      holds = int(0)
      for q in range(marks):
        # cell j, the nearer one of mark q
        size = zero
        if wrapped == 1:
          size = cell[c0 + j, w]
        else:
          size = length[seg + j, w]
        mat = held[base + gi, w]
        if gi == 0:
          mat += give_in
        was_mat = mat
        if slack == 1:
          over = mat - pool[base + gi, w]
          if over > zero:
            mat -= over * fill
          elif commanded == 1 or spare >= need:
            mat = pool[base + gi, w]
        elif slack == 0 and commanded == 1 and gi == 0:
          mat += lack[base, w] - give[base, w] * root[base, w]
        elif slack == 0 and gi == 0 and root[base, w] >= most * (one - edge):
          # the source gives way, and takes back what it gave
          mat -= moved
        elif slack == 0:
          # a cell between contacts that stick keeps what it has, to the bit
          slides = int(0)
          tg = root[base + gi, w]
          if gi > 0:
            b1 = ratio[base + gi - 1, w]
            tl = root[base + gi - 1, w]
            if tg >= tl * b1 * (one - edge) or tl >= tg * b1 * (one - edge):
              slides = 1
          if gi < groups - 1:
            b2 = ratio[base + gi, w]
            tr = root[base + gi + 1, w]
            if tr >= tg * b2 * (one - edge) or tg >= tr * b2 * (one - edge):
              slides = 1
          if slides == 1:
            mat += lack[base + gi, w] - give[base + gi, w] * tg
        share = one
        if pool[base + gi, w] > zero:
          share = size / pool[base + gi, w]
        memory_rest[new, c0 + j, w] = mat * share
        if cut == 1:
          # all of the group has been seen: what crossed its nearer mark
          moved += mat - was_mat
          tn = root[base + gi, w]
          tp = root[base + gi - 1, w]
          bn = ratio[base + gi - 1, w] * (one - edge)
          if slack == 0 and tn < tp * bn and tp < tn * bn:
            holds = 1
            moved = zero
          lost += wp.max((root[base + gi, w] - root[base + gi - 1, w]) * moved, zero)
          slid += moved
          gi -= 1
        j -= 1
      if i > 0:
        stuck[con + i - 1, w] = holds
        slip[con + i - 1, w] = slid / (real(marks) * h)
        dissipation[con + i - 1, w] = lost / h
        if slack > 0:
          dissipation[con + i - 1, w] = zero

  return law_kernel
