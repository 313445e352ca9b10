"""What the log-spiral experiments share.

statics   equilibrium of a planar arm under one cable, from the equations alone, by scipy
simulate  an arm stepped with plain mj_step, logged
figures   shapes, joint rotation, tension and take-up over time, tension along the cable
results   rows, targets and files
"""
