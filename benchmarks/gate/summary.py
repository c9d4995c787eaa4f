"""The tables and the lists that the bench prints. Called by bench.py."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Protocol

# Broken laws that need nobody's word on what is right.
NO_ORACLE = frozenset({"rows", "shape", "other-column", "random", "mutates-input", "order-dependence", "law", "crash"})
USERS = "user's examples"
TIERS = ("detect + examples", "detect only", "examples only", "neither")
ENDS = ("pass", "hold", "fail")
TARGETS = (
    ("broken laws: passed, at most", 0.00),
    ("wrong in meaning, no witness: passed, at most", 0.05),
    ("of these, held out: passed, at most", 0.05),
    ("wrong in meaning, a user's examples: passed, at most", 0.05),
    ("mutants with detect + examples: passed, at most", 0.05),
    ("mutants with detect only: passed, at most", 0.15),
    ("good functions: failed, at most", 0.01),
    ("good functions without a witness: held, at most", 0.10),
    ("of these, of meaning and held out: held, at most", 0.10),
    ("good functions with a user's examples: held, at most", 0.00),
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
    "time-bomb": "the day that it waits for, which comes in no container",
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
    def seconds(self) -> float: ...
    @property
    def shape(self) -> str: ...
    @property
    def meaning(self) -> bool: ...
    @property
    def held_out(self) -> bool: ...


def report(results: Sequence[Judged]) -> str:
    """The whole report. What the gate says of held-out functions is counted, and not listed."""
    if not results:
        return "No function has such a name."
    good = [one for one in results if not one.wrong]
    wrong = [one for one in results if one.wrong]
    shown = [one for one in results if not one.held_out]
    missed = [one for one in shown if one.wrong and one.verdict == "pass"]
    refused = [one for one in shown if not one.wrong and one.verdict in ("fail", "hold")]
    parts = [
        _table("wrong functions", wrong, (*TIERS, USERS)),
        _table("good functions", good, (*TIERS, USERS)),
        _list("Missed", [f"{_line(one)}: {one.witness}\n      would take {_cure(one)}" for one in missed]),
        _list("Wrongly rejected", [_why(one) for one in refused if one.verdict == "fail"]),
        _list("Good, and held", [_why(one) for one in refused if one.verdict == "hold"]),
        _list("Neither passed, held nor failed", [_line(one) for one in results if one.verdict not in ENDS]),
        _times(good, wrong),
        "\n".join(_targets(good, wrong)),
    ]
    return "\n\n".join(part for part in parts if part)


def _times(good: Sequence[Judged], wrong: Sequence[Judged]) -> str:
    seconds = sorted(one.seconds for one in (*good, *wrong))
    most = seconds[9 * len(seconds) // 10]
    counts = f"{len(good)} verdicts on good functions, {len(wrong)} on wrong ones"
    return f"{counts}; {statistics.median(seconds):.2f} s per verdict, nine of ten within {most:.2f} s"


def _table(title: str, results: Sequence[Judged], tiers: Sequence[str]) -> str:
    """By class, and by shape, how many passed, were held and failed, for each tier."""
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for one in results:
        for kind in (one.kind, f"all of {one.shape}s", "all"):
            counts[kind][one.tier][one.verdict] += 1
    if not counts:
        return ""
    lines = [f"{title + ', pass/hold/fail':32}" + "".join(f"{tier:>20}" for tier in tiers)]
    for kind in sorted(counts, key=lambda kind: (kind.startswith("all"), kind)):
        cells = ["/".join(str(counts[kind][tier][end]) for end in ENDS) if counts[kind][tier] else "" for tier in tiers]
        lines.append(f"{kind:32}" + "".join(f"{cell:>20}" for cell in cells))
    return "\n".join(lines)


def _targets(good: Sequence[Judged], wrong: Sequence[Judged]) -> list[str]:
    meaning = [one for one in wrong if one.meaning and one.kind not in NO_ORACLE]
    mutants = [one for one in wrong if not one.meaning and one.kind not in NO_ORACLE]
    alone = [one for one in good if one.tier != USERS]
    shares = (
        _share("pass", [one for one in wrong if one.kind in NO_ORACLE]),
        _share("pass", [one for one in meaning if one.tier != USERS]),
        _share("pass", [one for one in meaning if one.held_out and one.tier != USERS]),
        _share("pass", [one for one in meaning if one.tier == USERS]),
        _share("pass", [one for one in mutants if one.tier == TIERS[0]]),
        _share("pass", [one for one in mutants if one.tier == TIERS[1]]),
        _share("fail", good),
        _share("hold", alone),
        _share("hold", [one for one in alone if one.held_out]),
        _share("hold", [one for one in good if one.tier == USERS]),
        _share("pass", [one for one in wrong if one.kind == "malicious"]),
    )
    return [
        f"{'met ' if share <= target else 'MISSED'}  {what:55} {share:7.1%}   target {target:.0%}"
        for (what, target), share in zip(TARGETS, shares, strict=True)
        if share is not None
    ]


def _share(verdict: str, among: Sequence[Judged]) -> float | None:
    return sum(one.verdict == verdict for one in among) / len(among) if among else None


def _list(title: str, lines: Sequence[str]) -> str:
    return "\n  ".join([f"{title} ({len(lines)})", *lines]) if lines else ""


def _line(one: Judged) -> str:
    return f"{one.name} ({one.tier})"


def _why(one: Judged) -> str:
    return f"{_line(one)}: {', '.join(one.checks)}: {one.detail}"


def _cure(one: Judged) -> str:
    return MISSED.get(one.kind, "an example, or a check of the team, that shows it")
