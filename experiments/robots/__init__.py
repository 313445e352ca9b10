"""What the robot experiments share.

statics   equilibrium of a planar chain of joints on one cable, from the equations alone, by scipy
simulate  a robot stepped with plain mj_step, logged
figures   shapes, joint rotation, tension and take-up over time, tension along the cable, strips
results   checks, json, csv, md, and the section of a robot in docs/robots.md
"""
