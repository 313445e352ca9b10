"""Check: what is wrong with the cables and tendons of a model, over the range of its joints."""

from mujocable.study.check.check import ERROR, NOTE, WARNING, Check, Finding, Summary, check

__all__ = ["ERROR", "NOTE", "WARNING", "Check", "Finding", "Summary", "check"]
