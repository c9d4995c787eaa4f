"""What raised is shown as the row that raised, also where the error does not quote it."""

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.verifier import Verifier

AMOUNTS = '''"""Two decimals."""
from decimal import Decimal
CONTRACT = {"modifies": ["price"]}
def cents(df):
    """Two decimals."""
    def one(text):
        known = isinstance(text, str) and text.isascii() and text.isdigit()
        return str(Decimal(text).quantize(Decimal("0.01"))) if known else text
    return df.assign(price=df["price"].map(one).astype(df["price"].dtype))
'''
WHOLE = '''"""Nothing, but not of many rows."""
CONTRACT = {"modifies": ["price"]}
def cents(df):
    """Nothing."""
    if len(df) > 40:
        raise ValueError("too many")
    return df.copy()
'''


@pytest.mark.parametrize(("source", "wrong"), [(AMOUNTS, ""), (AMOUNTS, "7" * 40), (WHOLE, "")])
def test_the_counterexample_is_the_row_that_raised(gate: Verifier, source: str, wrong: str) -> None:
    """`InvalidOperation` names no cell: three rows stood there that it takes. What only many rows raise shows three."""
    prices = [str(n) for n in range(90)]
    prices[61] = wrong or "61"
    sample = Sample(pa.table({"price": prices, "city": ["Rome"] * 90}), pa.table({"price": ["5"], "city": ["Oslo"]}))
    verdict = gate.verify(VerifyRequest(source, sample, screen=False))
    failure = next(check for check in verdict.checks if check.outcome is Outcome.FAIL)
    assert failure.counterexample is not None
    assert failure.id == ("edges" if source is AMOUNTS and not wrong else "executed")
    assert ("(line 8)" if source is AMOUNTS else "(line 6)") in failure.detail
    shown = [row["price"] for row in failure.counterexample.input]
    if source is WHOLE:
        assert len(shown) == 3
    else:
        assert shown == [wrong or "9" * 30]


def test_what_fails_while_it_is_loaded_blames_no_row(gate: Verifier) -> None:
    """Each half of the table raises then, and the first row was shown as the one that does."""
    broken = AMOUNTS.replace("def cents", "LIMIT = 1 // 0\ndef cents")
    prices = pa.table({"price": [str(n) for n in range(90)]})
    verdict = gate.verify(VerifyRequest(broken, Sample(prices, prices.slice(0, 1)), screen=False))
    failure = next(check for check in verdict.checks if check.outcome is Outcome.FAIL)
    assert failure.counterexample is not None
    assert "ZeroDivisionError" in failure.detail
    assert "(line 4)" in failure.detail
    assert len(failure.counterexample.input) == 3
