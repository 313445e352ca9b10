"""Studio: the sky and the light that robots with recipes are shown in, as MJCF."""

STUDIO = """
  <visual>
    <global offwidth="1280" offheight="960"/>
    <headlight ambient=".4 .4 .4" diffuse=".45 .45 .45" specular=".1 .1 .1"/>
    <rgba haze=".93 .95 .97 1"/>
  </visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".96 .97 .98" rgb2=".78 .84 .89"
      width="128" height="768"/>
  </asset>
"""
