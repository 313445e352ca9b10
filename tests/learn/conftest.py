"""Where torch is not installed its tests are not collected: `.ci/learn` runs them where it is."""

import importlib.util

import warp as wp

wp.config.quiet = True
wp.config.log_level = 30  # what it compiles is not what a test says

needs = {"test_rsl.py": "rsl_rl", "test_mjlab.py": "mjlab"}
collect_ignore = [file for file, name in needs.items() if importlib.util.find_spec(name) is None]
