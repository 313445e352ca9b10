"""python -m website.notebooks [FILE ...]: runs notebooks and stores what they show.

Stored results make a notebook worth reading where nothing runs it; a test compares their text with
a new run.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples"


def run(path: Path):
  """The notebook after a run from top to bottom, without what changes from run to run."""
  import nbclient
  import nbformat

  notebook = nbformat.read(path, as_version=4)
  nbformat.validate(notebook)
  nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
  notebook.metadata["language_info"] = {"name": "python"}
  for cell in notebook.cells:
    cell.metadata.pop("execution", None)
  return notebook


def texts(notebook) -> list[str]:
  """What the cells print, each cell by itself."""
  outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
  return [o["text"] for o in outputs if o["output_type"] == "stream"]


def main(arguments: Sequence[str]) -> int:
  import nbformat

  for path in map(Path, arguments or sorted(FOLDER.glob("*.ipynb"))):
    nbformat.write(run(path), path)
    print(path)
  return 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
