"""ASK: the command `mujocable VERB`; one module per verb, or `python -m mujocable.cli.VERB`."""
