"""Verdicts as a person reads them in the terminal: the checks, the counterexample as a small before/after table, and
one summary over many files. Changed cells carry an arrow as well as a colour. Called by `cleanroom verify`.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table

from orchestrator.cli.console import plain, show_weakened, stdout
from orchestrator.cli.views.question_view import show_changes, show_questions
from orchestrator.core.verdict import Outcome
from orchestrator.core.wording import WITH_HELD_OUT, WITHOUT_HELD_OUT, counted, plural
from orchestrator.data.text import visible_text

if TYPE_CHECKING:
    from orchestrator.core.verdict import CheckResult, Concern, Counterexample, Verdict
    from orchestrator.run.verify.verify import VerifiedCandidate

_STYLE = {
    Outcome.PASS: "green",
    Outcome.HOLD: "magenta",
    Outcome.FAIL: "red",
    Outcome.SKIP: "dim",
    Outcome.INFRA: "yellow",
}
_ENDS = {
    Outcome.PASS: "passed",
    Outcome.HOLD: "held",
    Outcome.FAIL: "rejected",
    Outcome.INFRA: "not judged, the infrastructure failed",
}
_CELL = 40
_COLUMNS = 6
_ROWS = 3
_QUESTIONS = 10
_ADVICE = "; --questions FILE writes them, to be answered and given back as --examples"
_INDENT = 6
_NO_ROW = "[dim](no row)[/]"

ShownRow = dict[str, Any]


def show_verdict(verdict: "Verdict", file: str = "", *, brief: bool = False) -> None:
    """Print one verdict on stdout, with the file that `verify` has judged. `brief` leaves out what went well."""
    style = _STYLE[verdict.verdict]
    box = verdict.sandbox
    where = f"{box.engine}/{box.runtime}, {box.isolation}" if box.image else "not run"
    digest = verdict.candidate.sha256[:12]
    if not brief:
        stdout().print(_well(verdict))
    for check in verdict.checks:
        if check.outcome in (Outcome.FAIL, Outcome.INFRA):
            _show_failure(check, verdict.candidate.modifies or ())
    show_concerns(verdict)
    show_questions(verdict, _QUESTIONS, _ADVICE if file and not brief else "")  # `registry` has no --questions
    place = f" {escape(plain(file))}" if file else ""
    stdout().print(
        f"[bold {style}]{verdict.verdict}[/] [bold]{escape(plain(verdict.candidate.name))}[/]{place} "
        f"[dim]{escape(plain(f'{digest} · {where}'))} · {verdict.timings.total_s:.2f} s[/]"
    )
    if not brief:
        for name, sha256 in sorted(verdict.helpers.items()):
            stdout().print(f"[dim]proved with {escape(plain(f'{name} {sha256[:12]}'))}[/]")
        show_weakened(verdict.weakened)
        _show_settled(verdict)
    if brief and verdict.verdict is not Outcome.PASS:
        stdout().print()


def _show_settled(verdict: "Verdict") -> None:
    """What a model's answers settled, if any did, with the concerns that there were."""
    if verdict.settled is not None:
        stdout().print(f"[magenta]{escape(plain(verdict.settled.who))}[/]")
        for concern in verdict.settled.concerns:
            stdout().print(f"  [magenta]{escape(plain(concern.kind))}[/] {escape(plain(concern.detail))}")


def show_concerns(verdict: "Verdict", *, asked: bool = False) -> None:
    """Print the concerns of a verdict, by their kind. `asked`: without an example that a question repeats.

    What would settle several concerns about the same cell is said once; of a verdict that failed it is not said, as
    no confirmation helps it.
    """
    settle = verdict.verdict is not Outcome.FAIL
    told = {repr((one.column, *one.cells)) for one in verdict.questions} if asked else set()
    said = set[str]()
    for concern in sorted(verdict.concerns, key=lambda one: one.kind):
        key = _key(concern)
        rows, again = key not in told, key in said
        _show_concern(concern, verdict.candidate.modifies or (), again=again, rows=rows, settle=settle)
        said |= {key} - {""}


def show_samples(verdict: "Verdict", source: str) -> None:
    """Print rows that the function with this source changes, about which there need be no concern."""
    paired = [one for one in verdict.samples if len(one.input) == len(one.output)][:_ROWS]
    rows = f"{counted(verdict.rows_changed, 'row')} of the sample {plural(verdict.rows_changed, 'changes', 'change')}"
    rows += f", {WITHOUT_HELD_OUT}"
    if verdict.changes:
        show_changes(verdict, rows, source)
        return
    stdout().print(f"[dim]{rows}{'; for example:' if paired else ''}[/]")
    for example in paired:
        stdout().print(Padding(_rows(example, verdict.candidate.modifies or ()), (0, 0, 0, _INDENT)))


def show_summary(judged: Sequence["VerifiedCandidate"], seconds: float) -> None:
    """Print one line per file and a count."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("verdict", no_wrap=True)
    for title in ("file", "function", "why"):
        table.add_column(title, overflow="fold")
    for one in judged:
        verdict = one.verdict
        style = _STYLE[verdict.verdict]
        cells = (str(one.source.path), verdict.candidate.name, _why(verdict))
        table.add_row(f"[{style}]{verdict.verdict}[/]", *(escape(plain(cell)) for cell in cells))
    counts = Counter(one.verdict.verdict for one in judged)
    said = ", ".join(f"[{_STYLE[end]}]{counts[end]} {_ENDS[end]}[/]" for end in _ENDS if counts[end])
    stdout().print()
    stdout().print(table)
    stdout().print(f"[bold]{counted(len(judged), 'function')}:[/] {said} [dim]· {seconds:.1f} s[/]")
    show_weakened(list(dict.fromkeys(layer for one in judged for layer in one.verdict.weakened)))


def _why(verdict: "Verdict") -> str:
    """The first check that decided, and how many others have something against the function."""
    bad = [check for check in verdict.checks if check.outcome not in (Outcome.PASS, Outcome.SKIP)]
    if not bad:
        return ""
    bad.sort(key=lambda check: check.outcome is not verdict.verdict)  # a concern decides nothing beside a failure
    detail = bad[0].detail if len(bad[0].detail) <= 100 else f"{bad[0].detail[:99]}…"
    return f"{bad[0].id}: {detail}" + (f" (and {len(bad) - 1} more)" if len(bad) > 1 else "")


def _well(verdict: "Verdict") -> Table:
    """What passed and what was skipped; checks about which the same is to be said share a line."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for outcome in (Outcome.PASS, Outcome.SKIP):
        said: dict[str, list[str]] = {}
        for check in verdict.checks:
            if check.outcome is outcome:
                said.setdefault(check.detail, []).append(check.id)
        for detail, ids in said.items():
            text = f"[bold]{escape(plain(', '.join(ids)))}[/]" + (f": {escape(plain(detail))}" if detail else "")
            table.add_row(f"[{_STYLE[outcome]}]{outcome}[/]", text)
    return table


def _show_failure(check: "CheckResult", modifies: Sequence[str]) -> None:
    """What is wrong, what the law wanted, and the rows that show it."""
    said = f"[bold]{escape(plain(check.id))}[/]: {escape(plain(check.detail))}"
    example = check.counterexample
    if example is not None and example.wanted:
        said += f"\nwanted: {escape(plain(example.wanted))}"
    _show_beside(check.outcome, said)
    if example is not None and (example.input or example.output):
        stdout().print(Padding(_rows(example, modifies), (0, 0, 0, _INDENT)))


def _show_concern(concern: "Concern", modifies: Sequence[str], *, again: bool, rows: bool, settle: bool) -> None:
    """What changed, what would settle it, and the `rows` that show it; `again`: the cell of a concern shown before."""
    often = f" [dim]({concern.rows:,} rows, {WITH_HELD_OUT})[/]" if concern.rows > 1 else ""
    said = f"[bold]{escape(plain(concern.kind))}[/]: {escape(plain(concern.detail))}{often}"
    if again:
        said += ", in the same cell"
    elif settle:
        said += f"\nto settle it: {escape(plain(concern.settles))}"
    _show_beside(Outcome.HOLD, said)
    example = concern.counterexample
    if example is not None and (example.input or example.output) and rows and not again:
        stdout().print(Padding(_rows(example, concern.columns or modifies), (0, 0, 0, _INDENT)))


def _key(concern: "Concern") -> str:
    """The column and the cells of a concern about one of each; "" for others."""
    example = concern.counterexample
    if example is None or len(concern.columns) != 1 or not (len(example.input) == len(example.output) == 1):
        return ""
    (name,) = concern.columns
    return repr((name, example.input[0].get(name), example.output[0].get(name)))


def _show_beside(outcome: Outcome, said: str) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(f"[{_STYLE[outcome]}]{outcome}[/]", said)
    stdout().print(table)


def _rows(example: "Counterexample", modifies: Sequence[str]) -> Table:
    """Rows before and after, changed cells marked; a line per column where they would not fit side by side."""
    columns = _telling_columns(example, modifies)
    table = Table(box=None, pad_edge=False, header_style="dim underline")
    table.add_column("", no_wrap=True, style="dim")
    for name in columns:
        table.add_column(escape(visible_text(name)), overflow="fold")
    for before, after in _pairs(example):
        if not example.output:
            table.add_row("input", *(_cell((before or {}).get(c)) for c in columns))
            continue
        table.add_row("before", *([_NO_ROW] if before is None else [_cell(before.get(c), after, c) for c in columns]))
        table.add_row("after", *([_NO_ROW] if after is None else [_marked(before, after, c) for c in columns]))
    natural = Measurement.get(stdout(), stdout().options.update(max_width=10_000), table).maximum
    return table if natural + _INDENT <= stdout().width else _turned(table)


def _turned(table: Table) -> Table:
    """The same table with a line per column."""
    turned = Table(box=None, pad_edge=False, header_style="dim underline")
    turned.add_column("", style="bold", overflow="fold")
    cells = [list(column.cells) for column in table.columns]
    for title in cells[0]:
        turned.add_column(str(title), overflow="fold")
    for column, values in zip(table.columns[1:], cells[1:], strict=True):
        turned.add_row(column.header, *values)
    return turned


def _pairs(example: "Counterexample") -> list[tuple[ShownRow | None, ShownRow | None]]:
    length = max(len(example.input), len(example.output))
    return [
        (example.input[i] if i < len(example.input) else None, example.output[i] if i < len(example.output) else None)
        for i in range(min(length, _ROWS))
    ]


def _telling_columns(example: "Counterexample", modifies: Sequence[str]) -> list[str]:
    """The columns with a change, those of `modifies` in front; where none has one, those, or else the first ones.

    Behind a column that is new stand those that it may be made of.
    """
    names = list(dict.fromkeys(name for row in (*example.input, *example.output) for name in row))
    pairs = [(b, a) for b, a in _pairs(example) if b is not None and a is not None]
    changed = [name for name in names if any(not _same(b, a, name) for b, a in pairs)]
    rest = [name for name in modifies if name in names] or names
    shown = sorted(changed, key=lambda name: name not in modifies) or rest
    new = any(name not in before for before, _ in pairs for name in changed)
    return list(dict.fromkeys([*shown, *(names if new else ())]))[:_COLUMNS]


def _same(before: ShownRow, after: ShownRow, column: str) -> bool:
    if (column in before) is not (column in after):
        return False
    one, other = before.get(column), after.get(column)
    return type(one) is type(other) and one == other


def _marked(before: ShownRow | None, after: ShownRow, column: str) -> str:
    if before is None or _same(before, after, column):
        return _cell(after.get(column))
    if column not in after:
        return "[bold yellow]→ (no column)[/]"
    return f"[bold yellow]→ {_cell(after[column], before, column)}[/]"


def _cell(value: Any, other: ShownRow | None = None, column: str = "") -> str:
    """One cell; written with quotes where it would otherwise look like the other side's."""
    if value is None:
        return "[italic]null[/]"
    text = value if isinstance(value, str) else repr(value)
    rival = None if other is None else other.get(column)
    alike = rival is not None and type(rival) is not type(value) and str(rival) == str(value)
    if isinstance(value, str) and (alike or not text or text != text.strip() or "  " in text):
        text = f"'{text}'"
    return escape(visible_text(_cut(text, rival)))


def _cut(text: str, rival: Any) -> str:
    """A long text around the place where it begins to differ from the other side's."""
    if len(text) <= _CELL:
        return text
    same = 0
    if isinstance(rival, str):
        pairs = zip(text.removeprefix("'"), rival, strict=False)
        same = next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(text), len(rival)))
    start = max(0, same - _CELL // 2)
    end = start + _CELL
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")
