"""`python -m experiments NAME`: runs an experiment and writes its results to out/reproduce/."""

import argparse
import importlib
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
  """Every folder here that has a `run` module."""
  return sorted(file.parent.name for file in HERE.glob("*/run.py"))


def main() -> int:
  """Parses the command line and runs what it names."""
  parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
  parser.add_argument("name", nargs="*", help=f"what to run: {', '.join(names())} (default: all)")
  parser.add_argument("--out", type=Path, default=Path("out/reproduce"), help="folder for results")
  parser.add_argument("--quick", action="store_true", help="the short version, without studies")
  parser.add_argument(
    "--docs", action="store_true", help="also rewrite the page and the figures in docs/"
  )
  arguments = parser.parse_args()
  for name in arguments.name:
    if name not in names():
      parser.error(f"experiment {name!r} is not here; experiments: {', '.join(names())}")
  failed = [
    name
    for name in arguments.name or names()
    if importlib.import_module(f"experiments.{name}.run").main(arguments) != 0
  ]
  if failed:
    print(f"targets missed: {', '.join(failed)}")
  return 1 if failed else 0


if __name__ == "__main__":
  raise SystemExit(main())
