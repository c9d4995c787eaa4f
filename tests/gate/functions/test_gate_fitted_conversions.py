"""Numbers that a fitted function converts by what it learnt, and numbers that it overrules."""

import pyarrow as pa

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.gate.checks.changed_columns.overruled import overruled
from orchestrator.gate.verifier import Verifier

SCALE = '''"""Weights have other ranges."""
CONTRACT = {"shape": "fitted", "modifies": ["weight"]}


def fit(df):
    good = [int(text) for text in df["weight"].tolist() if _is_whole(text)]
    return [min(good), max(good)] if good else []


def merge(one, other):
    both = [*one, *other]
    return [min(both), max(both)] if both else []


def scale_weight(df, state):
    """Write the weight from 0 to 1."""
    def right(text):
        if not _is_whole(text) or not state or state[0] == state[1]:
            return text
        return f"{(int(text) - state[0]) / (state[1] - state[0]):.2f}"
    return df.assign(weight=[right(text) for text in df["weight"].tolist()])


def _is_whole(text):
    return isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 9
'''
SHOWN = (("40", "0.00"), ("63", "0.39"), ("99", "1.00"))


def judged(gate: Verifier, source: str) -> Verdict:
    table = pa.table({"weight": [str(40 + 7 * row % 60) for row in range(120)]})
    shown = tuple(Example(input={"weight": one}, output={"weight": other}) for one, other in SHOWN)
    return gate.verify(VerifyRequest(source, Sample(table.slice(0, 90), table.slice(90)), examples=shown, quick=True))


def test_a_scale_that_examples_show_is_believed(gate: Verifier) -> None:
    """The same conversion of the others overrules no answer; a number that is not on it does."""
    assert judged(gate, SCALE).passed
    wrong = SCALE.replace(
        "        return f", '        if text in ("47", "54"):\n            return "0.90"\n        return f'
    )
    assert "value-overruled" in {concern.kind for concern in judged(gate, wrong).concerns}


def test_numbers_off_the_line_of_those_shown_are_overruled() -> None:
    """Three numbers on one line show a conversion, with the places that they are rounded to; fewer, or others, none."""
    assert overruled([("50", "0.17"), ("60", "0.34")], [0, 1], SHOWN) is None
    for shown in (SHOWN[:2], (*SHOWN, ("70", "0.9")), (("69", "75"), ("46", "67"), ("84", "76"))):
        found = overruled([("50", "0.17"), ("50", "71")], [0, 1], shown)
        assert found is not None, shown
    assert overruled([("50", "0.57")], [0], SHOWN) is not None
    assert overruled([("Rome", "Oslo")], [0], SHOWN) is not None
