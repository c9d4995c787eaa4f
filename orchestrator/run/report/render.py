"""Renders the report: one HTML text without scripts, requests or anything that is not escaped. Called at a run's end.

The page's own policy (a Content-Security-Policy in a meta tag) forbids everything but its inline style, so that even an
escaping mistake could not run anything.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from orchestrator.core.steps import AnyStep
from orchestrator.core.steps.run_steps import RunStatus
from orchestrator.core.wording import plural
from orchestrator.run.loop.run_summary import why_it_ended
from orchestrator.run.report.advice import commands, protection, settings, shared
from orchestrator.run.report.charts import change_bars, time_bar
from orchestrator.run.report.comparison import apart, compare, differ, joined
from orchestrator.run.report.highlight import highlight
from orchestrator.run.report.summary import ReportSummary, summarize
from orchestrator.run.report.visible import cell, shown

SHOWN_COLUMNS = 60  # beyond these, columns without findings are folded away, and so are the least changed ones


def render_report(
    steps: Sequence[AnyStep], *, out: str = "", links: Sequence[tuple[str, str]] = (), authentic: bool = True
) -> str:
    """The report as HTML text. `out` is the run's folder as the commands in the report should name it.

    `links`: address and text of other pages, where the report is one of several. `authentic`: whether this machine
    has written the steps.
    """
    summary = summarize(steps)
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            summary=summary,
            authentic=authentic,
            out=out or "OUT",
            links=links,
            loud=_loud(summary),
            status=_status(summary, steps),
            protection=protection(summary.sandboxes),
            shared=shared(summary.opening, summary.models) if summary.opening else "",
            settings=list(settings(summary.opening.configuration)) if summary.opening else [],
            commands=commands(summary.opening, out) if summary.opening else [],
        )
    )


def load_templates() -> None:
    """Compile what the report is made of; a run has it done while its functions are applied."""
    for name in environment().list_templates():
        environment().get_template(name)


@cache
def environment() -> Environment:
    """The templates, compiled once in a process, with the filters that make text safe; also for the service's pages."""
    made = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        shown=shown, cell=cell, highlight=highlight, number=_number, share=_share, seconds=_seconds, moment=_moment,
        megabytes=_megabytes, plural=plural,
    )  # fmt: skip
    made.globals.update(
        apart=apart, compare=compare, joined=joined, differ=differ, change_bars=change_bars, time_bar=time_bar
    )
    return made


def _loud(summary: ReportSummary) -> list[str]:
    """Names of the columns that are shown unfolded: columns with findings, up to a maximum number."""
    telling = [column for column in summary.columns if not column.quiet]
    if len(telling) > SHOWN_COLUMNS:
        telling = sorted(telling, key=lambda c: -(c.changed or c.before.off_pattern))[:SHOWN_COLUMNS]
    return [column.name for column in telling]


def _status(summary: ReportSummary, steps: Sequence[AnyStep]) -> tuple[str, str]:
    """The text of the badge and a sentence, with the limit where one ended the run."""
    if summary.end is None:
        return "cut off", "The journal has no end: this run was killed, or is still going on."
    if summary.held and summary.end.status == "finished":
        return "finished", "The run ended by itself; a person has to decide on what is held."
    cause = why_it_ended(steps, summary.end.status).rstrip(".")
    cause = f" ({cause})" if cause else ""
    return {
        "clean": (
            RunStatus.CLEAN.shown,
            "The run ended by itself: no more proposals; no null words or stray blanks are left.",
        ),
        "finished": ("finished", f"The run ended by itself; {_left(summary)}."),
        "gave-up": ("gave up", "The run ended by itself, but no function passed for some of the issues."),
        "limit": ("limit reached", f"A limit, or answers that could not be read, ended the run early{cause}."),
        "budget": ("budget used up", f"Calls, tokens, money or time were used up before all chunks were done{cause}."),
        "interrupted": ("interrupted", "The run was interrupted; what was promoted until then is kept."),
        "failed": ("failed", "The run could not go on; what was promoted until then is kept."),
    }[summary.end.status]


def _left(summary: ReportSummary) -> str:
    """What keeps a run that proposes nothing more from being complete, where nothing is held."""
    if summary.left_cells:
        return "some null words or stray blanks were left as they are"
    if summary.left:
        return "some cells were left in another form than the usual one of their column"
    return "what was held in it is held no longer"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def _share(part: int, whole: int) -> str:
    if not whole or not part:
        return "0 %"
    share = 100 * part / whole
    return "< 0.1 %" if share < 0.1 else f"{share:.1f} %" if share < 10 else f"{share:.0f} %"


def _seconds(value: float) -> str:
    if value >= 90:
        return f"{int(value // 60)} min {int(value % 60)} s"
    return f"{value:.1f} s" if value >= 0.95 else f"{value * 1000:.0f} ms"


def _megabytes(value: int) -> str:
    return f"{value / 2**20:,.0f} MiB"


def _moment(value: datetime) -> str:
    return value.strftime("%Y-%m-%d %H:%M:%S %Z")
