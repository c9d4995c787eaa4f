"""The table and the lists that the bench prints. Called by bench.py."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

# Broken laws that need nobody's word on what is right.
NO_ORACLE = frozenset({"rows", "shape", "other-column", "random", "mutates-input", "order-dependence", "law", "crash"})
TIERS = ("detect + examples", "detect only", "examples only", "neither")
TARGETS = (
    ("laws without an oracle: caught", 1.00),
    ("mutants with detect + examples: caught", 0.95),
    ("mutants with detect only: caught", 0.85),
    ("of these, where detect is as it was: caught", 0.85),
    ("good functions: rejected, at most", 0.02),
    ("malicious: promoted, at most", 0.00),
)
MISSED = {
    "regex": "an example, or user's rule, for the spelling that it no longer reads",
    "off-by-one": "an example that shows the digit or the bound",
    "constant": "an example that shows the word or the factor",
    "column": "an example: the columns are too much alike",
    "dropped-entry": "an example of the entry; its own detect no longer asks for it",
    "dropped-branch": "an example of the branch; its own detect no longer asks for it",
    "wrong-mapping": "an example of each entry",
    "time-bomb": "a later clock than the confirming container's",
    "swapped-day-month": "an example with a day after the twelfth",
}


class Judged(Protocol):
    """What is read of a bench.Judged."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def tier(self) -> str: ...
    @property
    def wrong(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    @property
    def checks(self) -> tuple[str, ...]: ...
    @property
    def detail(self) -> str: ...
    @property
    def witness(self) -> str: ...
    @property
    def same_detect(self) -> bool: ...
    @property
    def seconds(self) -> float: ...


def report(results: Sequence[Judged]) -> str:
    """The whole report."""
    if not results:
        return "No function has such a name."
    good = [one for one in results if not one.wrong]
    wrong = [one for one in results if one.wrong]
    parts = [
        _table(wrong),
        _list("Missed", [f"{_line(one)}: {one.witness}\n      would take {_cure(one)}" for one in _passed(wrong)]),
        _list("Wrongly rejected", [f"{_line(one)}: {', '.join(one.checks)}: {one.detail}" for one in _failed(good)]),
        _list("Neither passed nor failed", [_line(one) for one in results if one.verdict not in ("pass", "fail")]),
        _times(good, wrong),
        "\n".join(_targets(good, wrong)),
    ]
    return "\n\n".join(part for part in parts if part)


def _times(good: Sequence[Judged], wrong: Sequence[Judged]) -> str:
    seconds = sorted(one.seconds for one in (*good, *wrong))
    most = seconds[9 * len(seconds) // 10]
    counts = f"{len(good)} verdicts on good functions, {len(wrong)} on wrong ones"
    return f"{counts}; {statistics.median(seconds):.2f} s per verdict, nine of ten within {most:.2f} s"


def _table(wrong: Sequence[Judged]) -> str:
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for one in wrong:
        for kind in (one.kind, "all"):
            counts[kind][one.tier][0] += one.verdict == "fail"
            counts[kind][one.tier][1] += 1
    lines = [f"{'wrong functions caught':24}" + "".join(f"{tier:>20}" for tier in TIERS)]
    for kind in sorted(counts, key=lambda kind: (kind == "all", kind)):
        cells = [counts[kind].get(tier, [0, 0]) for tier in TIERS]
        lines.append(
            f"{kind:24}" + "".join(f"{f'{caught} of {total}' if total else '':>20}" for caught, total in cells)
        )
    return "\n".join(lines)


def _targets(good: Sequence[Judged], wrong: Sequence[Judged]) -> list[str]:
    shares = (
        _share(_failed, [one for one in wrong if one.kind in NO_ORACLE]),
        _share(_failed, [one for one in wrong if one.tier == TIERS[0]]),
        _share(_failed, [one for one in wrong if one.tier == TIERS[1]]),
        _share(_failed, [one for one in wrong if one.tier == TIERS[1] and one.same_detect]),
        _share(_failed, good),
        _share(_passed, [one for one in wrong if one.kind == "malicious"]),
    )
    lines = []
    for (what, target), share in zip(TARGETS, shares, strict=True):
        if share is None:
            continue
        met = share <= target if what.endswith("at most") else share >= target
        lines.append(f"{'met ' if met else 'MISSED'}  {what:45} {share:7.1%}   target {target:.0%}")
    return lines


def _share(count: Callable[[Sequence[Judged]], list[Judged]], among: Sequence[Judged]) -> float | None:
    return len(count(among)) / len(among) if among else None


def _failed(results: Sequence[Judged]) -> list[Judged]:
    return [one for one in results if one.verdict == "fail"]


def _passed(results: Sequence[Judged]) -> list[Judged]:
    return [one for one in results if one.verdict == "pass"]


def _list(title: str, lines: Sequence[str]) -> str:
    return "\n  ".join([f"{title} ({len(lines)})", *lines]) if lines else ""


def _line(one: Judged) -> str:
    return f"{one.name} ({one.tier})"


def _cure(one: Judged) -> str:
    return MISSED.get(one.kind, "an example, or a check of the team, that shows it")
