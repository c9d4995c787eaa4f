"""The functions in README and docs/shapes.md get the verdicts that the text beside them says."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def gate() -> Iterator[Verifier]:
    with LocalSandbox() as sandbox, DisposableProcess(ENTRY) as judge, closing(Verifier(sandbox, judge)) as gate:
        yield gate


def _function(document: str, name: str) -> str:
    """The block of Python in the document that defines the function."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (found,) = [block for block in blocks if f"def {name}(" in block]
    return found


def _any_values(sentence: str) -> str:
    """A pattern for the sentence with any numbers and prices: other rows have others."""
    return re.sub(r"(\\\$)?\d+(\\\.\d+)?", r"[$0-9.,]+", re.escape(sentence))


def test_the_function_in_the_readme_fails_as_it_says(gate: Verifier) -> None:
    """It loses the decimal mark: one check fails, another has a concern, in the words that the README quotes."""
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    prices = [f"${n}.{n % 80 + 10}" if n % 2 else f"{n}.{n % 80 + 10}" for n in range(80)]
    rows = pa.table({"unit_price": prices})
    sample = Sample(rows.slice(0, 60), rows.slice(60))
    verdict = gate.verify(VerifyRequest(_function("README.md", "plain_prices"), sample, quick=True))
    assert verdict.verdict is Outcome.FAIL
    outcomes = {check.id: check.outcome for check in verdict.checks}
    assert outcomes["precise"] is Outcome.FAIL
    assert outcomes["keeps-information"] is Outcome.HOLD
    (precise,) = [check for check in verdict.failures if check.id == "precise"]
    assert re.search(_any_values(f"fail precise: {precise.detail}"), readme)
    assert precise.counterexample is not None
    assert f"wanted: {precise.counterexample.wanted}" in readme
    (lost,) = [concern for concern in verdict.concerns if concern.kind == "value-lost"]
    assert lost.check == "keeps-information"
    assert f"hold {lost.kind}: {lost.detail}" in readme
    assert "to settle it:" not in readme, "no confirmation helps a function that fails"


@pytest.mark.parametrize(
    ("name", "row"), [("strip_tags", {"tags": [" a", "b "], "id": 1}), ("strip_city", {"city": " Rome", "id": 1})]
)
def test_the_functions_in_shapes_pass(gate: Verifier, name: str, row: dict[str, object]) -> None:
    """The example of each shape is one that the gate promotes."""
    clean = {"tags": ["a", "c"], "city": "Bonn", "id": 2}
    rows = table_of([row_of(row if n % 2 else {key: clean[key] for key in row}) for n in range(60)], tuple(row))
    sample = Sample(rows.slice(0, 45), rows.slice(45))
    verdict = gate.verify(VerifyRequest(_function("docs/shapes.md", name), sample, quick=True))
    assert verdict.verdict is Outcome.PASS, verdict.failures
