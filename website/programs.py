"""Programs: the Python blocks of a page are one program; its `text` blocks show what it prints.

python -m website.programs docs/tutorials/*.md     # writes what they print now
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"(^```(?:python|text)\n.*?^```$)", re.MULTILINE | re.DOTALL)
_MARK = "----- end of block -----"


def run(text: str, folder: Path, timeout: float = 120.0) -> list[str]:
  """What each Python block of a page prints, run in a folder; RuntimeError where it fails."""
  parts = [part.partition("\n")[2][:-3] for part in _parts(text) if part.startswith("```python")]
  program = "\n".join(f"{part}\nprint({_MARK!r}, flush=True)\n" for part in parts)
  file = folder / "page.py"
  file.write_text(program, encoding="utf-8")
  command = [sys.executable, "-W", "error", str(file)]
  done = subprocess.run(
    command, capture_output=True, text=True, check=False, timeout=timeout, cwd=folder
  )
  if done.returncode != 0:
    raise RuntimeError(done.stderr)
  return done.stdout.split(f"{_MARK}\n")[:-1]


def shown(text: str, printed: list[str]) -> str:
  """The page with each `text` block filled by what the Python block before it prints."""
  result, index = [], -1
  for part in _parts(text):
    if part.startswith("```python"):
      index += 1
    elif part.startswith("```text") and index >= 0:
      part = f"```text\n{printed[index]}```"
    result.append(part)
  return "".join(result)


def _parts(text: str) -> list[str]:
  return _BLOCK.split(text)


def main() -> int:
  """Rewrites the pages that are named."""
  for name in sys.argv[1:]:
    page = Path(name)
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
      printed = run(text, Path(folder))
    page.write_text(shown(text, printed), encoding="utf-8")
    print(page)
  return 0


if __name__ == "__main__":
  raise SystemExit(main())
