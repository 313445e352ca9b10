"""mujocable VERB ...: runs the module of that verb."""

import importlib
import sys

VERBS = {
  "demo": "a motor winch lifts a payload over a sheave; results in out/demo",
  "catalogue": "cable materials and friction pairs, with their sources",
  "attributes": "the configuration keys of a cable, as a Markdown table",
}


def main() -> int:
  """Runs one verb; lists them where none is given."""
  arguments = sys.argv[1:]
  if arguments and arguments[0] in VERBS:
    return importlib.import_module(f"mujocable.cli.{arguments[0]}").main(arguments[1:])
  lines = [f"  {verb:<12}{text}" for verb, text in VERBS.items()]
  helped = arguments in (["-h"], ["--help"])
  print("usage: mujocable VERB ...", *lines, sep="\n", file=sys.stdout if helped else sys.stderr)
  return 0 if helped else 2


if __name__ == "__main__":
  sys.exit(main())
