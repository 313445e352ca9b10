"""Messages: the texts of every error that the package can raise, read from its source.

What a message says about the case at hand is written as an ellipsis.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from mujocable import errors
from mujocable.spec.tables import OPTIONS
from website.links import ROOT

_CLASSES = inspect.getmembers(errors, inspect.isclass)
_ERRORS = {name for name, value in _CLASSES if issubclass(value, Exception)}

_LITERAL = r'"((?:[^"\\]|\\.)*)"'


def python_messages(folder: Path = ROOT / "src") -> Iterator[tuple[str, str]]:
  """(where, text) of every message of our own exceptions in Python."""
  for file in sorted(folder.rglob("*.py")):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    named = {
      target.id: node.value
      for node in ast.walk(tree)
      if isinstance(node, ast.Assign) and isinstance(node.value, ast.JoinedStr)
      for target in node.targets
      if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
      if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        continue
      if node.func.id in _ERRORS and node.args:
        yield f"{file.relative_to(ROOT)}:{node.lineno}", _template(node.args[0], named)


def plugin_messages(folder: Path = ROOT / "cpp" / "plugin") -> Iterator[tuple[str, str]]:
  """(where, text) of every refusal of the plugin."""
  for file in sorted(folder.rglob("*.cc")):
    text = file.read_text(encoding="utf-8")
    for found in re.finditer(r"\bRefuse\((.*?)\);\n", text, re.DOTALL):
      line = text.count("\n", 0, found.start()) + 1
      code = re.sub(r'"\s*\n\s*"', "", found[1])  # adjacent literals are one
      code = re.sub(r"ConfigValue\([^)]*\)", "", code)
      literals = [part.replace('\\"', '"') for part in re.findall(_LITERAL, code)]
      choice = re.fullmatch(rf"[^\"?]*\?\s*{_LITERAL}\s*:\s*{_LITERAL}", code)  # one or the other
      for words in literals if choice else ["…".join(literals)]:
        yield f"{file.relative_to(ROOT)}:{line}", words
    # where an instance is built; what is told in a step has a heading of its own
    for found in re.finditer(rf"\bmju_warning\({_LITERAL},\s*built", text):
      line = text.count("\n", 0, found.start()) + 1
      yield f"{file.relative_to(ROOT)}:{line}", found[1].replace("%s", "…")
  for row in OPTIONS:
    refusal = row.rpartition("|")[2]
    yield "cpp/plugin/configure/options.h", f"…: {refusal}" if refusal else ""


def same(template: str, text: str) -> bool:
  """Whether a text of the page stands for a template: one has what is constant in the other."""
  return _contains(text, template) or _contains(template, text)


def _contains(text: str, template: str) -> bool:
  constant = [part.strip() for part in template.split("…")]
  pattern = ".*".join(re.escape(part) for part in constant if part)
  return bool(pattern) and re.fullmatch(f".*{pattern}.*", text.replace("…", "")) is not None


def _template(node: ast.expr, named: dict[str, ast.JoinedStr]) -> str:
  if isinstance(node, ast.Constant):
    return str(node.value)
  if isinstance(node, ast.JoinedStr):
    return "".join(_template(part, {}) for part in node.values)
  if isinstance(node, ast.BinOp):
    return _template(node.left, named) + _template(node.right, named)
  if isinstance(node, ast.Name) and node.id in named:
    return _template(named[node.id], {})
  return "…"
