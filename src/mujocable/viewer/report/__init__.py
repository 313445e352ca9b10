"""Report: the read-outs a builder asks for, of every cable of a model."""

from mujocable.viewer.report.joints import Sweep
from mujocable.viewer.report.report import report
from mujocable.viewer.report.result import CableReport, Guide, Report, Slack

__all__ = ["CableReport", "Guide", "Report", "Slack", "Sweep", "report"]
