"""Every message that can be raised has its cause and its cure on the page of errors."""

import re
from pathlib import Path

from website import messages

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errors.md"


def texts():
  """The messages of the page, whole."""
  return re.findall(r"^- `(.*)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def found():
  """(where, template); a message that is made elsewhere has no words of its own."""
  both = [*messages.python_messages(), *messages.plugin_messages()]
  return [(where, template) for where, template in both if template.strip("…: ")]


def test_the_source_has_messages():
  assert len([*messages.python_messages()]) > 50
  assert len([*messages.plugin_messages()]) > 40


def test_every_message_is_on_the_page():
  page = texts()
  missing = [
    f"{where}: {template}"
    for where, template in found()
    if not any(messages.same(template, text) for text in page)
  ]
  assert not missing, "docs/errors.md has no entry for\n" + "\n".join(missing)


def test_every_entry_of_the_page_can_be_raised():
  source = [template for _, template in found()]
  gone = [text for text in texts() if not any(messages.same(one, text) for one in source)]
  assert not gone, "no source raises\n" + "\n".join(gone)


def test_every_group_says_cause_and_cure():
  text = PAGE.read_text(encoding="utf-8")
  groups = re.findall(r"(?:^- `.*`\n)+\n((?:.+\n)+)", text, re.MULTILINE)
  assert len(groups) > 25
  for group in groups:
    assert group.startswith("**Cause.**") and "**Cure.**" in group, group
