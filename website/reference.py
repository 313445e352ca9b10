"""Reference: the public Python surface as Markdown, from signatures, docstrings and comments.

Fields of dataclasses are documented in the section "Fields" of the docstring, or by the comment on
the line where they are declared.
"""

import ast
import dataclasses
import enum
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import mujocable.models

# module -> what stands above its names; names come from __all__, or are what the module defines
MODULES = {
  "mujocable": "The public surface: `import mujocable as mjc`.",
  "mujocable.errors": "What is raised.",
  "mujocable.catalogue": "Materials and friction pairs, with their sources.",
  "mujocable.study.convert": "Native tendons into cables: `mujocable.convert`.",
  "mujocable.study.check": "What is wrong with cables and tendons: `mujocable.check`.",
  "mujocable.viewer.offscreen": "Pictures and videos without a display.",
  "mujocable.viewer.plots": "Plots with matplotlib.",
  "mujocable.viewer.recording": "Values over time.",
  "mujocable.viewer.report": "What a builder asks of a simulation: `mujocable.report`.",
  "mujocable.viewer.native": "MuJoCo's own window, with figures.",
  "mujocable.viewer.web": "The viewer in a browser.",
  "mujocable.gym": "Gymnasium environments.",
  "mujocable.learn": "The same tasks in thousands of worlds.",
}


def page() -> str:
  """The reference of the package."""
  head = (
    "# Python reference\n\nMade from the signatures, docstrings and comments of the package. SI"
    " units. Lists are ordered from the source to the distal end.\n"
  )
  return "\n".join([head, *(_module(name, words) for name, words in MODULES.items())])


def models_page() -> str:
  """The reference of the robots and machines."""
  head = (
    "# Models in Python\n\nEach module of `mujocable.models` has a class of parameters and `build`,"
    " which makes an `MjSpec` from them. Pictures are in the [gallery](../gallery.md).\n"
  )
  folder = Path(mujocable.models.__file__).parent
  found = sorted(file.parent.name for file in folder.glob("*/model.py"))
  modules = [f"mujocable.models.{name}" for name in found]
  told = [importlib.import_module(name).__doc__ or "" for name in modules]
  return "\n".join([head, *(_module(n, words) for n, words in zip(modules, told, strict=True))])


def _module(name: str, words: str) -> str:
  module = importlib.import_module(name)
  entries = [
    _entry(key, value)
    for key, value in names(module)
    if inspect.isclass(value) or inspect.isfunction(value)
  ]
  return "\n".join([f"## {name}\n\n{words}\n", *entries])


def names(module: ModuleType) -> Iterator[tuple[str, object]]:
  """The public names of a module with what they are, in reading order."""
  if hasattr(module, "__all__"):
    listed = [(name, getattr(module, name)) for name in module.__all__]
    yield from sorted(listed, key=lambda item: (not inspect.isclass(item[1]), item[0].lower()))
    return
  for name, value in vars(module).items():
    own = getattr(value, "__module__", None) == module.__name__
    if own and not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value)):
      yield name, value


_FIELDS = re.compile(r"^Fields[^\n]*:\n((?:(?:  .*)?(?:\n|$))+)", re.M)


def field_comments(cls: type) -> dict[str, str]:
  """What is said about each field: in the docstring, or on its line (inherited ones too)."""
  comments: dict[str, str] = {}
  for base in reversed(cls.__mro__):
    try:
      source = inspect.getsource(base)
    except (OSError, TypeError):
      continue
    lines = textwrap.dedent(source).splitlines()
    tree = ast.parse("\n".join(lines)).body[0]
    if not isinstance(tree, ast.ClassDef):
      continue
    for node in tree.body:
      if isinstance(node, ast.AnnAssign | ast.Assign):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        found = re.search(r"#\s*(.+)$", lines[(node.end_lineno or 1) - 1])
        if isinstance(target, ast.Name) and found:
          comments[target.id] = found[1]
  section = _FIELDS.search(inspect.getdoc(cls) or "")
  said = re.findall(r"^  (\w+): ((?:.+\n?)(?:    .+\n?)*)", section[1] if section else "", re.M)
  return comments | dict(said)


def _entry(name: str, value: object) -> str:
  if inspect.isclass(value):
    return _class(name, value)
  return f"### `{name}`\n\n```py\n{name}{_signature(value)}\n```\n\n{inspect.getdoc(value)}\n"


def _class(name: str, cls: type) -> str:
  parts = [f"### `{name}`\n", _own_doc(cls) + "\n"]
  comments = field_comments(cls)
  if issubclass(cls, enum.Enum):
    rows = [f"| `{m.name}` | `{m.value!r}` | {_cell(comments.get(m.name, ''))} |" for m in cls]
    parts.append("\n".join(["| name | value | meaning |", "|---|---|---|", *rows]) + "\n")
  elif dataclasses.is_dataclass(cls):
    parts.append(_fields(cls, comments))
  properties = [
    f"| `{key}` | {_cell(inspect.getdoc(value) or '')} |"
    for key, value in _members(cls)
    if inspect.isdatadescriptor(value)
  ]
  if properties:
    parts.append("\n".join(["| value | |", "|---|---|", *properties]) + "\n")
  for key, value in _members(cls):
    if inspect.isfunction(value) or isinstance(value, classmethod | staticmethod):
      function = value if inspect.isfunction(value) else value.__func__
      doc = inspect.getdoc(function) or ""
      parts.append(f"**`{key}{_signature(function)}`** {doc}\n")
  return "\n".join(parts)


def _fields(cls: type, comments: dict[str, str]) -> str:
  rows = ["| field | type | default | meaning |", "|---|---|---|---|"]
  for field in dataclasses.fields(cls):
    if dataclasses.is_dataclass(field.default):
      default = f"`{type(field.default).__name__}()`"
    elif field.default is not dataclasses.MISSING:
      default = f"`{field.default!r}`"
    else:
      made = field.default_factory is not dataclasses.MISSING
      default = f"`{field.default_factory()!r}`" if made else ""
    kind = field.type if isinstance(field.type, str) else inspect.formatannotation(field.type)
    kind = re.sub(r"\b(?:mujocable|collections|typing|numpy)\.(?:\w+\.)*", "", kind)
    meaning = _cell(comments.get(field.name, ""))
    rows.append(f"| `{field.name}` | {_code(kind)} | {_code(default)} | {meaning} |")
  return "\n".join(rows) + "\n" if len(rows) > 2 else ""


def _members(cls: type) -> Iterator[tuple[str, object]]:
  for key, value in vars(cls).items():
    if not key.startswith("_"):
      yield key, value


def _own_doc(cls: type) -> str:
  doc = cls.__dict__.get("__doc__") or ""
  # dataclasses write their signature where there is no docstring
  return (
    _FIELDS.sub("", inspect.cleandoc(doc)).rstrip()
    if not doc.startswith(f"{cls.__name__}(")
    else ""
  )


def _signature(function) -> str:
  try:
    text = str(inspect.signature(function))
  except (TypeError, ValueError):
    return "(...)"
  text = re.sub(r"<(\w+)[^>]*>", r"\1", text)
  text = re.sub(r"\b(?:mujocable|collections|typing)\.(?:\w+\.)*", "", text)
  text = re.sub(r"mujoco\._\w+\.", "mujoco.", text)
  return text.replace("(self, ", "(").replace("(self)", "()").replace("(cls, ", "(")


def _cell(text: str) -> str:
  return " ".join(text.split()).replace("|", "\\|")


def _code(text: str) -> str:
  text = text.strip("`")
  return f"`{text}`" if text else ""
