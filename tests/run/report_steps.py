"""Steps of runs that never happened, for the tests of the report: a usual one, and one whose every text is hostile."""

from datetime import UTC, datetime, timedelta
from typing import Any

from orchestrator.core.candidate import Example
from orchestrator.core.columns import ColumnChange, ColumnQuality, FunctionChange, ValueChange
from orchestrator.core.exchanges import Exchange, ModelRole, TokenUsage
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.proposals import ChunkStatus, Issue, Merger, ProbeFinding
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    CandidateStep,
    ChunkStep,
    EndStep,
    MergerStep,
    PlanningStep,
    PromotionStep,
    RepairStep,
    RunStatus,
    RunStep,
    VerificationStep,
)
from orchestrator.core.steps.run_steps import DataDrift
from orchestrator.core.verdict import (
    CandidateInfo,
    CheckResult,
    Counterexample,
    Outcome,
    ResourceUsage,
    Timings,
    Verdict,
)

START = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)
SANDBOX = SandboxInfo(image="sha256:4f1c0a5a94b2", runtime="runc")
CHECKS = (
    "screen", "executed", "returns-shape", "rows-kept", "columns-kept", "dtypes-kept", "touches-only-declared",
    "effective", "precise", "keeps-information", "idempotent", "deterministic", "split-invariant",
    "order-equivariant", "pure", "examples", "edges", "properties", "holdout",
    "composes", "resources", "confirmed",
)  # fmt: skip

SOURCE = '''"""{issue}"""
import re

CONTRACT = {{
    "shape": "table",
    "modifies": ["{column}"],
    "examples": [{{"input": {{"{column}": " a "}}, "output": {{"{column}": "a"}}}}],
}}

_PATTERN = re.compile(r"\\s+")  # learnt from the column


def _tidy(value):
    """One blank between words, none at the ends."""
    return _PATTERN.sub(" ", value).strip() if isinstance(value, str) else value


def detect(df):
    return df["{column}"].map(_tidy) != df["{column}"]


def {name}(df):
    """{issue}"""
    out = df.copy()
    out["{column}"] = out["{column}"].map(_tidy)
    return out
'''


def source(name: str, column: str, issue: str) -> str:
    return SOURCE.format(name=name, column=column, issue=issue)


class Script:
    """Writes steps in the order in which a loop would, a second apart."""

    def __init__(self) -> None:
        self.steps: list[AnyStep] = []
        self.iteration = 0

    def add(self, kind: type[Any], **fields: Any) -> None:
        at = START + timedelta(seconds=len(self.steps))
        self.steps.append(kind(**({"at": at, "seconds": 0.4} | fields)))

    def open(self, columns: dict[str, ColumnQuality], **more: Any) -> None:
        fields: dict[str, Any] = {
            "run_id": "c0ffee123456", "data": "data/messy.csv", "data_sha256": "ab" * 32, "data_format": "csv",
            "columns": tuple(columns), "rows": 6000, "proposer": "builtin", "quality": tuple(columns.values()),
            "configuration": {"out": "messy-cleaned", "chunk_rows": 4000, "sampling": "random", "seed": 0},
        }  # fmt: skip
        self.add(RunStep, **(fields | more))
        self.add(ChunkStep, chunk=0, rows=4000, holdout=1000, seconds=0.0)

    def candidate(self, name: str, text: str, verdict: Verdict, attempt: int = 0, issue: str = "") -> None:
        """A candidate with its verdict, promoted when it passed."""
        if attempt:
            self.add(RepairStep, chunk=0, iteration=self.iteration, attempt=attempt, proposed=True)
        else:
            self.iteration += 1
            issues = (Issue(id=str(self.iteration), description=issue or name, columns=("city",)),)
            self.add(AnalysisStep, chunk=0, iteration=self.iteration, issues=issues, proposed=True, seconds=0.2)
        at = {"chunk": 0, "iteration": self.iteration, "attempt": attempt}
        self.add(CandidateStep, name=name, source=text, **at)
        self.add(VerificationStep, verdict=verdict, seconds=verdict.timings.total_s, **at)
        if verdict.passed:
            self.add(
                PromotionStep,
                chunk=0,
                iteration=self.iteration,
                name=name,
                sha256=verdict.candidate.sha256,
                seconds=0.01,
            )

    def close(self, status: RunStatus = RunStatus.CLEAN, **more: Any) -> None:
        self.iteration += 1
        self.add(AnalysisStep, chunk=0, iteration=self.iteration, chunk_status=ChunkStatus.CLEAN)
        self.add(EndStep, **({"status": status, "seconds": 21.7} | more))


def verdict(
    name: str,
    *,
    fails: dict[str, CheckResult] | None = None,
    samples: tuple[Counterexample, ...] = (),
    rows_changed: int = 0,
) -> Verdict:
    found = fails or {}
    checks = []
    for check in CHECKS:
        if check in found:
            checks.append(found[check])
            break
        skipped = check == "examples"
        detail = "No examples were given." if skipped else ""
        checks.append(CheckResult(id=check, outcome=Outcome.SKIP if skipped else Outcome.PASS, detail=detail, cases=3))
    return Verdict(
        candidate=CandidateInfo(name=name, sha256="cd" * 32),
        verdict=Outcome.FAIL if found else Outcome.PASS,
        checks=tuple(checks),
        sandbox=SANDBOX,
        usage=ResourceUsage(cpu_s=0.31, peak_bytes=96 * 2**20),
        timings=Timings(screen_s=0.01, wait_s=0.02, sandbox_s=0.35, judge_s=0.12, total_s=0.5),
        samples=samples,
        rows_changed=rows_changed,
    )


CITY_CHANGES = (
    ValueChange(before=" New York", after="New York", count=120),
    ValueChange(before="n/a", after=None, count=52),
)


def usual() -> list[AnyStep]:
    """Four promoted functions, one of them after a repair, one candidate given up, applied to everything."""
    script = Script()
    names = ("order_id", "order_date", "customer_name", "email", "city", "unit_price", "status", "notes", "newsletter")
    before = {
        n: ColumnQuality(name=n, cells=6000, distinct=5800 if n == "order_id" else 240, patterns=9) for n in names
    }
    before["city"] = ColumnQuality(name="city", cells=6000, untrimmed=212, off_pattern=305, distinct=371, patterns=40)
    before["order_date"] = ColumnQuality(name="order_date", cells=6000, off_pattern=715, distinct=1280, patterns=8)
    before["unit_price"] = ColumnQuality(name="unit_price", cells=6000, off_pattern=636, distinct=420, patterns=12)
    before["notes"] = ColumnQuality(name="notes", cells=6000, missing=3950, null_tokens=413, untrimmed=75, distinct=60)
    script.open(before)
    city = tuple(
        Counterexample(
            input=({"order_id": f"ORD-{n}", "city": a, "state": "NY"},),
            output=({"order_id": f"ORD-{n}", "city": b, "state": "NY"},),
        )
        for n, (a, b) in enumerate(
            (("  New York ", "New York"), ("San\u00a0Diego", "San Diego"), ("Los   Angeles\t", "Los Angeles"))
        )
    )
    issue = "City names carry stray and repeated blanks."
    script.candidate(
        "trim_city",
        source("trim_city", "city", issue),
        verdict("trim_city", samples=city, rows_changed=141),
        issue=issue,
    )
    fault = CheckResult(
        id="precise",
        outcome=Outcome.FAIL,
        detail="3 of the 120 rows that changed were right before: detect does not name them.",
        counterexample=Counterexample(
            input=({"order_id": "ORD-7", "order_date": "03/04/2025"},),
            output=({"order_id": "ORD-7", "order_date": "2025-03-04"},),
            wanted="order_date stays '03/04/2025', or becomes 2025-04-03 as every other day-first date of the column",
        ),
    )
    issue = "Dates are written in five ways; most are ISO."
    text = source("iso_order_date", "order_date", issue)
    script.candidate("iso_order_date", text, verdict("iso_order_date", fails={"precise": fault}), issue=issue)
    dates = tuple(
        Counterexample(input=({"order_date": a},), output=({"order_date": b},))
        for a, b in (("25/08/2024", "2024-08-25"), ("March 3, 2025", "2025-03-03"), ("01-Sep-2024", "2024-09-01"))
    )
    script.candidate("iso_order_date", text, verdict("iso_order_date", samples=dates, rows_changed=478), attempt=1)
    prices = (Counterexample(input=({"unit_price": "$1,249.00"},), output=({"unit_price": "1249.00"},)),)
    issue = "Prices carry currency signs, thousands separators and decimal commas."
    script.candidate(
        "plain_unit_price",
        source("plain_unit_price", "unit_price", issue),
        verdict("plain_unit_price", samples=prices, rows_changed=424),
        issue=issue,
    )
    lost = CheckResult(
        id="keeps-information",
        outcome=Outcome.FAIL,
        detail="12 cells held something before and hold nothing after.",
        counterexample=Counterexample(
            input=({"notes": "unknown buzzer, call first"},), output=({"notes": None},), wanted="a value"
        ),
    )
    issue = "Notes hold words that stand for nothing."
    script.candidate(
        "blank_notes",
        source("blank_notes", "notes", issue),
        verdict("blank_notes", fails={"keeps-information": lost}),
        issue=issue,
    )
    changed = {"city": 212, "order_date": 715, "unit_price": 637}
    after = {
        n: q.model_copy(update={"untrimmed": 0, "off_pattern": 0} if n in changed else {}) for n, q in before.items()
    }
    after["city"] = after["city"].model_copy(update={"off_pattern": 61, "distinct": 290})
    after["order_date"] = after["order_date"].model_copy(update={"distinct": 540})
    script.add(
        ApplyStep, rows_in=6000, rows_out=6000, output="messy-cleaned/cleaned.csv", seconds=1.9,
        quality=tuple(after.values()),
        columns=tuple(
            ColumnChange(name=n, changed=c, values=CITY_CHANGES if n == "city" else ()) for n, c in changed.items()
        ),
        functions=(
            FunctionChange(name="trim_city", changed={"city": 212}),
            FunctionChange(name="iso_order_date", changed={"order_date": 715}),
            FunctionChange(name="plain_unit_price", changed={"unit_price": 637}),
        ),
    )  # fmt: skip
    script.close(promoted=3, rejected=1)
    return script.steps


def exchange(role: ModelRole, cost: float | None, error: str | None = None, model: str = "gpt-4o") -> Exchange:
    usage = TokenUsage(calls=1, prompt_tokens=1000, completion_tokens=200, cost_usd=cost, seconds=1.5)
    return Exchange(role=role, model=model, about="a question", usage=usage, error=error)


def asked(*exchanges: Exchange) -> dict[str, Any]:
    """What a step says of the questions behind it."""
    return {"exchanges": exchanges, "usage": sum((one.usage for one in exchanges), TokenUsage())}


def with_roles() -> list[AnyStep]:
    """All roles play: two functions become one, one merger is refused by the gate, one by a row, one is nonsense."""
    script = Script()
    script.open({"city": ColumnQuality(name="city", cells=6000, untrimmed=212)}, proposer="openai/gpt-4o")
    for name in ("trim_city", "squeeze_city"):
        script.candidate(name, source(name, "city", f"{name}: stray blanks."), verdict(name))
    analysis = next(n for n, step in enumerate(script.steps) if step.kind == "analysis")
    script.steps[analysis] = script.steps[analysis].model_copy(
        update={
            "tests": (Example(input={"city": " Zwickau"}, output={"city": "Zwickau"}),),
            "findings": (ProbeFinding(question="Which blanks?", code="print(df.city[0])", output="{'PROBED'}"),),
            **asked(
                exchange("explorer", 0.001), exchange("proposer", 0.01, "unreadable"), exchange("proposer", 0.01),
                exchange("tester", None, model="local/tiny"),
            ),
        }
    )  # fmt: skip
    both = ("trim_city", "squeeze_city")
    merged, sly = source("tidy_city", "city", "Blanks."), source("sly_city", "city", "Sly.")
    mergers = (
        Merger(replaces=both, source=source("bad_city", "city", "Bad.")),
        Merger(replaces=both, source=sly),
        Merger(replaces=("trim_city", "nobody"), source=source("lost_city", "city", "Lost.")),
        Merger(replaces=both, source=merged),
    )
    script.add(PlanningStep, chunk=0, mergers=mergers, **asked(exchange("planner", 0.02)))
    fault = CheckResult(id="precise", outcome=Outcome.FAIL, detail="2 rows were right before.")
    decisions: tuple[tuple[str, tuple[str, ...], str], ...] = (
        ("bad_city", both, "precise: 2 rows were right before."),
        ("sly_city", both, "compared with the functions that it would replace, 1 of 4000 rows differ, in 'city'"),
        ("lost_city", ("trim_city", "nobody"), "it would replace nobody, which is not in use"),
        ("tidy_city", both, ""),
    )
    for number, (name, replaces, reason) in enumerate(decisions):
        at = {"chunk": 0, "iteration": 0, "attempt": number}
        if name != "lost_city":
            script.add(CandidateStep, name=name, source=mergers[number].source, **at)
            judged = verdict(name, fails={"precise": fault} if name == "bad_city" else None)
            info = judged.candidate.model_copy(update={"sha256": "ef" * 32})
            script.add(VerificationStep, verdict=judged.model_copy(update={"candidate": info}), **at)
        shown = Counterexample(input=({"city": " Gera  "},), output=({"city": "Gera "},), wanted="city: 'Gera'")
        example = shown if name == "sly_city" else None
        script.add(
            MergerStep, chunk=0, attempt=number, name=name, replaces=replaces, adopted=not reason, reason=reason,
            counterexample=example,
        )  # fmt: skip
    script.add(PromotionStep, chunk=0, iteration=0, name="tidy_city", sha256="ef" * 32)
    script.add(PlanningStep, chunk=4, error="The planner cannot be reached.", again=True)
    change = ColumnChange(name="city", changed=212)
    script.add(
        ApplyStep, rows_in=6000, rows_out=6000, columns=(change,),
        functions=(FunctionChange(name="tidy_city", changed={"city": 212}),),
    )  # fmt: skip
    script.close(promoted=1)
    return script.steps


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></title></pre><iframe src=https://example.com>",
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31mred\x1b[0m\x1b]8;;https://example.com\x07link",
    "\u202egnp.exe\u2066\u200b\ufeff",
    '=HYPERLINK("https://example.com")',
    "a\x00b\rc\x85\ud800",
    "javascript:alert(1)",
    "x" * 100_000,
    "Z" + "\u0301" * 500,
)


def hostile() -> list[AnyStep]:
    """Every text that can come from data, model or candidate is an attack on the page."""
    script = Script()
    cells: tuple[Any, ...] = (*HOSTILE, None, "", 3, 2.5, True, ["<b>"], {"<i>": "</td>"})
    columns = {text: ColumnQuality(name=text, cells=10, untrimmed=3) for text in HOSTILE}
    script.open(
        columns, data="data/" + HOSTILE[0], instruction="\n".join(HOSTILE), proposer=HOSTILE[1], run_id=HOSTILE[2],
        configuration={HOSTILE[0]: HOSTILE[1], "out": HOSTILE[2]}, data_format=HOSTILE[3],
    )  # fmt: skip
    for number, text in enumerate(HOSTILE):
        rows = tuple({text: value, "other": 1} for value in cells)
        example = Counterexample(input=rows, output=tuple(reversed(rows)), wanted=text)
        bad = CheckResult(id=text, outcome=Outcome.FAIL, detail=text, counterexample=example)
        code = f"# {text}\nCONTRACT = {{'modifies': [{text!r}]}}\ndef f{number}(df):\n    '''{text}'''\n    return df\n"
        made = verdict("f", samples=(example,), rows_changed=3)
        script.candidate(f"f{number}", code, made, issue=text)
        failing = verdict("f")
        failing = failing.model_copy(update={"verdict": Outcome.FAIL, "checks": (*failing.checks, bad)})
        script.candidate(text, text, failing, issue=text)
        script.add(
            AnalysisStep, chunk=0, iteration=script.iteration + 1,
            findings=(ProbeFinding(question=text, code=text, output=text),),
            tests=(Example(input=text, output={text: text}),) if text.isascii() else (),
            exchanges=(exchange("planner", None, text, text),),
        )  # fmt: skip
        script.add(CandidateStep, chunk=0, iteration=script.iteration + 1, name=text, source=text)
        script.iteration += 1
        merger = Merger(replaces=(text, "f0"), source=text)
        script.add(PlanningStep, chunk=number, mergers=(merger,), error=text)
        script.add(
            MergerStep, chunk=number, attempt=0, name=text, replaces=merger.replaces, adopted=False, reason=text,
            counterexample=example,
        )  # fmt: skip
    functions = tuple(FunctionChange(name=f"f{n}", changed={text: 5}) for n, text in enumerate(HOSTILE))
    script.add(
        ApplyStep, output=HOSTILE[1], functions=functions, new_columns=HOSTILE,
        data_drift=tuple(DataDrift(function=t, kind=t, column=t, before=(0, 1), now=(1, 1), said=t) for t in HOSTILE),
        columns=tuple(
            ColumnChange(name=t, changed=5, values=(ValueChange(before=t, after=t[::-1], count=2),)) for t in HOSTILE
        ),
    )  # fmt: skip
    script.close(
        RunStatus.FAILED, error=HOSTILE[0] + HOSTILE[4], usage=TokenUsage(calls=3, prompt_tokens=5, cost_usd=0.01)
    )
    return script.steps
