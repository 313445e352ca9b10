"""mujocable VERB ...: the command."""

import platform
import sys
from collections.abc import Sequence
from typing import Annotated

import mujoco

import mujocable

try:
  import typer
except ImportError as error:  # pip install --no-deps
  sys.exit(f"{error}; the command line needs it: pip install typer")

from mujocable.cli import (
  attributes,
  catalogue,
  check,
  console,
  convert,
  demo,
  design,
  fit,
  report_bug,
  run,
  sweep,
  view,
)
from mujocable.errors import suggestion

HELP = """**Cables for MuJoCo** that pull, wrap, rub and go slack: look at them, check them, convert
to them.

Exit codes: 0 all is well, 1 something was found wrong, 2 bad input, 3 an extra is not installed,
4 a run left its valid path, flew, saturated or diverged.
"""
START = "Start with: `mujocable demo winch`, then `mujocable check your_robot.xml`."

# in the order in which a newcomer needs them
VERBS = {
  "demo": demo.command,
  "view": view.command,
  "check": check.command,
  "convert": convert.command,
  "run": run.command,
  "sweep": sweep.command,
  "fit": fit.command,
  "design": design.command,
  "catalogue": catalogue.command,
  "attributes": attributes.command,
  "report-bug": report_bug.command,
}

app = typer.Typer(
  name="mujocable",
  help=HELP,
  epilog=START,
  no_args_is_help=True,
  add_completion=False,
  rich_markup_mode="markdown",
  pretty_exceptions_show_locals=False,
  context_settings={"help_option_names": ["-h", "--help"]},
)
for name, command in VERBS.items():
  app.command(name)(command)


@app.callback()
def options(
  version: Annotated[
    bool, typer.Option("--version", is_eager=True, help="print versions and stop")
  ] = False,
) -> None:
  """Options without a verb."""
  del version  # answered in main


def main(arguments: Sequence[str] | None = None) -> int:
  """Runs one verb; lists them where none is given."""
  given = list(sys.argv[1:] if arguments is None else arguments)
  if given[:1] == ["--version"]:
    running = mujoco.mj_versionString()
    print(
      f"mujocable {mujocable.__version__}, MuJoCo {running}, Python {platform.python_version()}"
    )
    return 0
  if given and not given[0].startswith("-") and given[0] not in VERBS:
    hint = suggestion(given[0], VERBS)
    console.say(f"no verb {given[0]!r}; verbs: {', '.join(VERBS)}{hint}")
    return console.USAGE
  return console.run(app, given)


if __name__ == "__main__":
  sys.exit(main())
