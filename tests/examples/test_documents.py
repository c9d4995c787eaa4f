"""The functions in README and docs/shapes.md get the verdicts that the text beside them says."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from examples.make_orders import make_orders, write
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.judge.judge_entry import ENTRY
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.support.command import in_this_process

ROOT = Path(__file__).resolve().parents[2]
_README = (ROOT / "README.md").read_text(encoding="utf-8")


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


def _told(printed: str) -> dict[str, str]:
    """What a verdict says of each check and concern, without figures, rows and line breaks: `fail precise` → …"""
    lines = re.findall(r"^(?:pass|fail|hold)  .*(?:\n      (?! ).*)*", printed, re.MULTILINE)
    words = [" ".join(re.sub(r"\([^()]* rows?[^()]*\)|\$?\d[\d.,]*", "N", line).split()) for line in lines]
    heads, _, details = zip(*(line.partition(":") for line in words), strict=True)
    return dict(zip(heads, details, strict=True))


def test_the_example_of_the_readme_is_what_the_command_prints(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same checks pass and fail, the same concerns are told, each in the same words; only examples are left out."""
    write(make_orders(rows=6000, seed=7), tmp_path)
    (tmp_path / "plain_prices.py").write_text(_function("README.md", "plain_prices"), encoding="utf-8")
    done = in_this_process(tmp_path, capfd)("verify", "plain_prices.py", "--data", "messy.csv")
    assert done.returncode == 1, done.stderr
    (block,) = re.findall(r"^\$ cleanroom verify plain_prices.py .*?^```", _README, re.MULTILINE | re.DOTALL)
    printed, shown = _told(done.stdout), _told(block)
    assert list(shown) == list(printed)
    assert {head for head in shown if head.startswith(("fail", "hold"))} == {
        "fail precise", "fail edges", "hold number-changed", "hold value-lost",
    }  # fmt: skip
    assert all(printed[head].startswith(said) for head, said in shown.items())
    assert "to settle it:" not in done.stdout + block, "no confirmation helps a function that fails"


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
