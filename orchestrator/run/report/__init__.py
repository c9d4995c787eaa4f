"""The report of a run: one HTML file made from its steps, that works offline, without scripts, on hostile data."""

from orchestrator.run.report.render import render_report

__all__ = ["render_report"]
