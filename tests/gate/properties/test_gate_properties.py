"""Drawn rows find what the sample does not show, and the example that is told is small."""

from collections.abc import Callable

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.gate.feedback import feedback
from orchestrator.gate.verifier import Verifier

# name: (law that breaks, source); all of them pass every other check on the sample of conftest.py.
WRONG = {
    "a day that no month has": (
        "no exception",
        '''
import re
from datetime import datetime
CONTRACT = {"modifies": ["date"]}
def iso(df):
    """ISO dates."""
    def one(v):
        if isinstance(v, str) and re.fullmatch(r"[0-9]{2}/[0-9]{2}/[0-9]{4}", v) and v != "31/02/2024":
            return datetime.strptime(v, "%m/%d/%Y").date().isoformat()
        return v
    return df.assign(date=df["date"].map(one))
''',
    ),
    "words that are not in the list vanish": (
        "unseen",
        '''
_MAP = {"shipped": "shipped", "shiped": "shipped", "pending": "pending", "cancelled": "cancelled",
        "canceled": "cancelled", "returned": "returned"}
CONTRACT = {"modifies": ["status"]}
def status(df):
    """Known words only."""
    known = df["status"].str.strip().str.lower()
    return df.assign(status=known.map(_MAP).where(known.notna(), df["status"]))
''',
    ),
    "words that are not in the list become one": (
        "unseen",
        '''
_KNOWN = {"shipped", "shiped", "pending", "cancelled", "canceled", "returned"}
CONTRACT = {"modifies": ["status"]}
def status(df):
    """Everything else is other."""
    def one(v):
        if not isinstance(v, str) or not v.strip():
            return v
        word = v.strip().lower()
        return word if word in _KNOWN else "other"
    return df.assign(status=df["status"].map(one))
''',
    ),
    "a map before the blanks are gone": (
        "idempotent",
        '''
CONTRACT = {"modifies": ["status"]}
def status(df):
    """One spelling."""
    spelled = df["status"].replace({"SHIPED": "shipped", "canceled": "cancelled", "Pending ": "Pending"})
    return df.assign(status=spelled.str.strip())
''',
    ),
    "detect counts rows": (
        "alone",
        '''
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip()) & (len(df) > 7)
def trim(df):
    """Strip."""
    out = df.copy()
    out.loc[detect(out), "city"] = out["city"].str.strip()
    return out
''',
    ),
    "more than a thousand rows": (
        "alone",
        '''
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip."""
    out = df.assign(city=df["city"].str.strip())
    return out if len(df) < 1000 else out.assign(city=out["city"].str.upper())
''',
    ),
    "detect is narrower than the function": (
        "precise",
        '''
CONTRACT = {"modifies": ["city"]}
def detect(df):
    return df["city"].str.contains(r"^\\s| $", regex=True, na=False) | df["city"].str.fullmatch(r"\\s+", na=False)
def trim(df):
    """Strip, but leave blank cells."""
    out = df.copy()
    out["city"] = out["city"].str.strip().where(out["city"].str.strip() != "", "")
    return out
''',
    ),
}


def outcome(verdict: Verdict, check: str) -> CheckResult:
    return next(c for c in verdict.checks if c.id == check)


@pytest.mark.parametrize(("law", "source"), WRONG.values(), ids=WRONG.keys())
def test_what_the_sample_does_not_show_is_found(law: str, source: str, judge: Callable[..., Verdict]) -> None:
    """The properties alone fail, name the law, and show one row."""
    verdict = judge(f'"""An issue."""{source}', quick=False)
    assert [check.id for check in verdict.failures] == ["properties"], feedback(verdict)
    check = verdict.failures[0]
    assert check.detail.startswith(f"{law}: ")
    assert check.counterexample is not None
    assert len(check.counterexample.input) == 1


def test_a_cell_is_made_small(judge: Callable[..., Verdict]) -> None:
    """What is left of a failing cell is what the law needs to break."""
    _, source = WRONG["detect is narrower than the function"]
    check = outcome(judge(f'"""An issue."""{source}', quick=False), "properties")
    assert check.counterexample is not None
    assert len(check.counterexample.input[0]["city"]) <= 3


GENERAL = '''"""Digits only."""
import re
CONTRACT = {"modifies": ["phone"]}
def digits(df):
    """Digits only where there are ten."""
    def one(v):
        bare = re.sub(r"[^0-9]", "", v) if isinstance(v, str) else ""
        return bare if len(bare) == 10 else v
    return df.assign(phone=df["phone"].map(one))
'''


def test_a_function_that_knows_the_whole_sample_is_found(gate: Verifier, sample: Sample) -> None:
    """Even one that was told the held-out rows does nothing to a number with other digits; the general one passes."""
    texts = {*sample.working.column("phone").to_pylist(), *sample.holdout.column("phone").to_pylist()}
    known = {v: "".join(c for c in v if c.isdigit()) for v in sorted(texts - {None}) if not v.isdigit()}
    source = f'''"""Digits only."""
_KNOWN = {known!r}
CONTRACT = {{"modifies": ["phone"]}}
def digits(df):
    """Digits only."""
    return df.assign(phone=df["phone"].replace(_KNOWN))
'''
    verdict = gate.verify(VerifyRequest(source, sample))
    assert [check.id for check in verdict.failures] == ["properties"], feedback(verdict)
    assert "by heart" in verdict.failures[0].detail
    assert gate.verify(VerifyRequest(GENERAL, sample)).passed


def test_cost_that_grows_with_the_square_is_found(gate: Verifier, sample: Sample) -> None:
    """Eight times the rows may not cost sixty-four times as much; the figures are told."""
    source = '''"""Blanks."""
CONTRACT = {"modifies": ["city"]}
def trim(df):
    """Strip, and look at every other row for nothing."""
    cells = df["city"].tolist()
    out = []
    for cell in cells:
        same = sum(1 for other in cells if other is None)
        out.append(cell.strip() if isinstance(cell, str) and same >= 0 else cell)
    return df.assign(city=out)
'''
    verdict = gate.verify(VerifyRequest(source, sample))
    check = outcome(verdict, "resources")
    assert [c.id for c in verdict.failures] == ["resources"], feedback(verdict)
    assert "grows faster than the rows" in check.detail or "stopped after" in check.detail


def test_quick_leaves_out_what_takes_long(gate: Verifier, sample: Sample) -> None:
    """A quick verdict says what it left out, and passes without it."""
    verdict = gate.verify(VerifyRequest(GENERAL, sample, quick=True))
    assert verdict.passed
    for name in ("properties", "resources"):
        assert outcome(verdict, name).outcome is Outcome.SKIP
        assert "quick" in outcome(verdict, name).detail


def test_records_and_texts_are_drawn_too(gate: Verifier, sample: Sample) -> None:
    """Functions of one record and of one text meet drawn values as those of tables do."""
    good = '''"""Blanks."""
CONTRACT = {"shape": "text", "modifies": ["city"]}
def trim(text):
    """Strip."""
    return text.strip()
'''
    verdict = gate.verify(VerifyRequest(good, sample))
    assert verdict.passed, feedback(verdict)
    assert "rows drawn" in outcome(verdict, "properties").detail
    bad = '''"""Dates."""
import re
from datetime import datetime
CONTRACT = {"shape": "record", "modifies": ["date"]}
def iso(record):
    """ISO dates."""
    value = record.get("date")
    known = isinstance(value, str) and re.fullmatch(r"[0-9]{2}/[0-9]{2}/[0-9]{4}", value) and value != "31/02/2024"
    return {**record, "date": datetime.strptime(value, "%m/%d/%Y").date().isoformat()} if known else dict(record)
'''
    verdict = gate.verify(VerifyRequest(bad, sample))
    assert [check.id for check in verdict.failures] == ["properties"], feedback(verdict)


WHOLE = '''"""Weights have decimals."""
CONTRACT = {"modifies": ["weight"]}
def whole(df):
    """Whole kilos."""
    return df.assign(weight=df["weight"].str.replace(r"^([0-9]+)\\.[0-9]+ kg$", r"\\1 kg", regex=True))
'''


def test_lost_decimals_of_drawn_numbers_hold_and_a_witness_settles_them(gate: Verifier) -> None:
    """Somebody may want whole numbers: no drawn input shows that the law is broken."""
    table = pa.table({"weight": [f"{n}.5 kg" for n in range(160)]})
    sample = Sample(table.slice(0, 120), table.slice(120))
    held = gate.verify(VerifyRequest(WHOLE, sample))
    assert held.held
    assert outcome(held, "properties").outcome is Outcome.HOLD
    assert "precision-lost" in {concern.kind for concern in held.concerns}
    shown = Example(input={"weight": "12.7 kg"}, output={"weight": "12 kg"})
    assert gate.verify(VerifyRequest(WHOLE, sample, examples=[shown])).passed
