"""The pulley laboratory: machines with closed forms, simulated and compared over the trajectory.

theory    taut cables over round sheaves, from the equations alone, integrated by scipy
scene     words for building rigs in an MjSpec
case      what every case has: parameters, rig, theory, textbook form, entries
paper     the seven systems of the paper: FP0 FP15 FS0 FS15 WS MP, and AT in atwood
machines  public rigs with full parameters (public), and hoists people ask for (hoists)
simulate  a rig stepped with plain mj_step, logged; result: measured
study     step size, stiffness, and the evidence on AT
figures   theory and simulation overlaid, error below
report    json and csv, tables; page: the page in docs/
run       all of it, in order
"""
