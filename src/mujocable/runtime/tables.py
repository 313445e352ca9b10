"""Tables: what the engine says of its config keys, of the options of a route, and of its record.

`python -m mujocable.runtime.tables src/mujocable/spec/tables.py` writes that file: cables are
written and read without the engine too.
"""

import sys
from ctypes import c_char_p
from functools import lru_cache
from pathlib import Path

from mujocable.runtime.library import library


@lru_cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
  """A table of the engine, row by row.

  `attributes`: the config keys; `options`: of the elements of a route; `fields`: of the record, by
  name, that views and sensors show.
  """
  function = getattr(library(), f"mujocable_{name}")
  function.restype = c_char_p
  return tuple(tuple(line.split("|")) for line in function().decode().splitlines())


def module() -> str:
  """The text of `spec/tables.py`."""
  rows = {name: "\n".join(f'  "{"|".join(row)}",' for row in table(name)) for name in _TABLES}
  return _MODULE.format(**rows)


_TABLES = ("fields", "options")
_MODULE = '''# ruff: noqa: E501
"""Tables of the engine, written by `python -m mujocable.runtime.tables`: not by hand."""

# of the record, as views and sensors show them
FIELDS = (
{fields}
)

# Of the elements of a route: key|elements that may have it|how its value is written, in brackets
# where it may be left out|geoms that it needs|what is said for others.
OPTIONS = (
{options}
)
'''

if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit("usage: python -m mujocable.runtime.tables src/mujocable/spec/tables.py")
  # not through the shell, which would empty the file before this package imports it
  Path(sys.argv[1]).write_text(module(), encoding="utf-8")
