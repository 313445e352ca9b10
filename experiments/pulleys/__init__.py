"""The pulley laboratory: machines with closed forms, simulated and compared over the trajectory.

theory    taut cables over round sheaves, from the equations alone, integrated by scipy
scene     words for building rigs in an MjSpec
case      what every case has: parameters, rig, theory, textbook form, entries
paper     the seven systems of the paper (FP0 FP15 FS0 FS15 WS MP AT)
machines  public rigs with full parameters, and hoists people ask for
simulate  a rig stepped with plain mj_step, logged
study     step size, stiffness, and the evidence on AT
figures   theory and simulation overlaid, error below
report    json, csv, md, the page in docs/
run       all of it, in order
"""
