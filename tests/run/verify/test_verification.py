"""What `verify` finds out before anything is started, and how it goes through many functions with one sandbox."""

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from orchestrator.core.errors import DataError, UsageError
from orchestrator.core.policy import ContainerPolicy, Policy
from orchestrator.core.ports import VerifyRequest
from orchestrator.core.verdict import CheckResult, Outcome, Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.services import Services
from orchestrator.run.verify.candidate_files import named_sources
from orchestrator.run.verify.verify import Verification
from orchestrator.sandbox.containers.local import LocalSandbox

SOURCE = '''"""i"""
CONTRACT = {{"modifies": ["city"]}}
def {name}(df):
    """d"""
    return df.assign(city=df["city"].str.strip())
'''
DATA = "city,n\n" + "".join(f" Bonn{i},{i}\n" for i in range(20))


class SlowGate(ScriptedGate):
    """Judges by name; remembers how many it judged at once and what was promoted by then.

    Where it is `patient`, the first one is not done before the last one is.
    """

    def __init__(self, script: dict[str, Outcome]) -> None:
        super().__init__(script)
        self.patient = False
        self._last = threading.Event()
        self._lock = threading.Lock()
        self._busy = 0
        self.most = 0
        self.promoted: list[tuple[str, ...]] = []
        self.instructions: list[str] = []

    def verify(self, request: VerifyRequest, on_check: Callable[[CheckResult], None] | None = None) -> Verdict:
        with self._lock:
            self._busy += 1
            self.most = max(self.most, self._busy)
            self.promoted.append(tuple(p.name for p in request.promoted))
            self.instructions.append(request.instruction)
        name = self.read(request.source).name
        if name == "c":
            self._last.set()
        if name == "a" and self.patient:
            assert self._last.wait(60)
        with self._lock:
            self._busy -= 1
        return super().verify(request, on_check)


@dataclass
class Bench:
    """A folder with data and candidates, and the parts that judge them."""

    folder: Path
    sandbox: LocalSandbox
    decoder: DisposableProcess
    gate: SlowGate = field(default_factory=lambda: SlowGate({"b": Outcome.FAIL}))
    registry: MemoryRegistry = field(default_factory=MemoryRegistry)

    def parts(self) -> Services:
        policy = Policy(container=ContainerPolicy(pool_size=2))
        return Services(
            self.sandbox, lambda: self.gate, self.decoder, policy, "0" * 64, lambda _folder: nullcontext(self.registry)
        )

    def judge(self, *names: str, **options: Any) -> list[tuple[str, str]]:
        files = tuple(self.folder / name for name in names)
        opened = Verification(named=named_sources(files), data=self.folder / "d.csv", **options).check()
        return [(one.source.path.name, str(one.verdict.verdict)) for one in opened.run(self.parts())]


@pytest.fixture
def bench(local_sandbox: LocalSandbox, decoder: DisposableProcess, tmp_path: Path) -> Bench:
    (tmp_path / "d.csv").write_text(DATA)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(SOURCE.format(name=name))
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe")
    return Bench(tmp_path, local_sandbox, decoder)


def test_the_instruction_reaches_the_gate_and_stays_with_the_evidence(bench: Bench) -> None:
    """A witness that counts when it is judged again, so one that examples contradict is refused at once."""
    (bench.folder / "e.jsonl").write_text('{"input": {"city": "N.Y."}, "output": {"city": "Newark"}}\n')
    asked = 'Write "N.Y." -> "New York".'
    assert bench.judge("a.py", instruction=asked, registry=str(bench.folder / "r")) == [("a.py", "pass")]
    assert bench.gate.instructions == [asked]
    (function,) = bench.registry.functions()
    assert function.evidence.witnesses.instruction == asked
    with pytest.raises(DataError, match="contradicts the instruction"):
        bench.judge("a.py", instruction=asked, examples=(bench.folder / "e.jsonl",))


def test_many_are_judged_at_once_and_told_in_order(bench: Bench) -> None:
    """As many at once as the pool has room for; the order is that of the files, whichever is done first."""
    bench.gate.patient = True
    assert bench.judge("a.py", "b.py", "c.py") == [("a.py", "pass"), ("b.py", "fail"), ("c.py", "pass")]
    assert bench.gate.most == 2


def test_a_file_that_cannot_be_read_does_not_keep_the_others(bench: Bench) -> None:
    """It is rejected; alone, it is a usage error before anything is started."""
    assert bench.judge("broken.py", "c.py") == [("broken.py", "fail"), ("c.py", "pass")]
    with pytest.raises(UsageError, match="not UTF-8"):
        bench.judge("broken.py")


def test_rows_that_cannot_be_read_are_left_out_where_that_is_asked_for(bench: Bench) -> None:
    """They are kept as they stood, with and without an output; else they are an error, before anything is started."""
    data, aside, output = (bench.folder / name for name in ("d.csv", "aside.csv", "out.csv"))
    data.write_text(DATA + "Bonn,1,2\n")
    light = (
        'CONTRACT = {"shape": "record", "modifies": ["city"]}\ndef a(r):\n    "d"\n    return {**r, "city": "Bonn"}\n'
    )
    (bench.folder / "a.py").write_text(light)
    with pytest.raises(DataError, match="row 22"):
        bench.judge("a.py")
    named = named_sources((bench.folder / "a.py",))
    for target in (None, output):
        reading = {"set_aside": True}
        opened = Verification(named=named, data=data, output=target, quarantine=aside, reading=reading).check()
        (judged,) = opened.run(bench.parts())
        assert opened.keep_output(judged, bench.parts()) == ""
        assert aside.read_text().splitlines()[1].endswith('3 fields where the header has 2,"Bonn,1,2"')
        aside.unlink()
    assert output.read_text().splitlines()[1:3] == ["Bonn,0", "Bonn,1"]


def test_promotion_goes_one_by_one(bench: Bench) -> None:
    """Each is judged among those that were promoted before it, and what fails is not promoted."""
    assert bench.judge("a.py", "b.py", "c.py", registry=bench.folder) == [
        ("a.py", "pass"),
        ("b.py", "fail"),
        ("c.py", "pass"),
    ]
    assert bench.gate.most == 1
    assert bench.gate.promoted == [(), ("a",), ("a",)]
    assert [function.name for function in bench.registry.functions()] == ["a", "c"]


@pytest.mark.parametrize(
    ("names", "files", "options", "word"),
    [
        (["nowhere.py"], {}, {}, "no file"),
        (["a.py", "b.py"], {}, {"output": "o.csv"}, "--output takes one"),
        (
            ["a.py"],
            {"e.csv": "n__dirty,n__clean\n1,2\n"},
            {"examples": ["e.csv"]},
            "No example has a column that the functions change",
        ),
        (["a.py"], {"e.csv": "city,n\n1,2\n"}, {"examples": ["e.csv"]}, "ends in __clean"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_started(
    bench: Bench, names: list[str], files: dict[str, str], options: dict[str, Any], word: str
) -> None:
    """One sentence, exit code 2."""
    for name, text in files.items():
        (bench.folder / name).write_text(text)
    if "examples" in options:
        options = {"examples": tuple(bench.folder / name for name in options["examples"])}
    with pytest.raises(UsageError, match=word):
        bench.judge(*names, **options)


def test_examples_that_concern_one_of_many_are_fine(bench: Bench) -> None:
    """A golden file serves many functions; those that it says nothing about are judged without it."""
    (bench.folder / "n.py").write_text(SOURCE.format(name="n").replace("city", "n"))
    (bench.folder / "e.csv").write_text("n__dirty,n__clean\n1,1\n")
    assert len(bench.judge("a.py", "n.py", examples=(bench.folder / "e.csv",))) == 2
