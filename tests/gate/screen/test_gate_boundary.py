"""What got past the predecessor's check is stopped by the container, even with the screen switched off.

Each attack has a positive control: the same program in the sandbox without isolation leaves its mark on the host.
"""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import Outcome
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.gate import candidate_file
from orchestrator.gate.feedback import feedback
from orchestrator.gate.scripted_gate import ScriptedGate
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.docker_sandbox import DockerSandbox
from orchestrator.sandbox.containers.local import LocalSandbox

CANDIDATE = '''"""City names carry stray blanks."""
MODULE_LEVEL
CONTRACT = {"modifies": ["city"]}
def _demand(done):
    if done not in (0, None):
        raise OSError("it did not work")
def trim_city(df):
    """Strip blanks."""
    IN_FUNCTION
    return df.assign(city=df["city"].str.strip())
'''
ROWS = pa.table({"id": ["1", "2", "3"], "city": [" Rome", "Oslo ", "Lima"]})
SMALL = Sample(ROWS, ROWS.slice(0, 0))

# (at module level, in the function); MARK is a path on the host.
ATTACKS = {
    "importlib": ("import importlib", '_demand(importlib.import_module("os").system("touch MARK"))'),
    "builtins by item": ("", '__builtins__["open"]("MARK", "w").close()'),
    "a module's private import": ("import random", 'random._os.close(random._os.open("MARK", 66))'),
    "codecs.open": ("import codecs", 'codecs.open("MARK", "w").close()'),
    "subclasses walk": (
        "import os",
        """walk = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"][0]
    _demand(walk.__init__.__globals__["system"]("touch MARK"))""",
    ),
    "eval under another name": ("", "e = eval\n    e(\"open('MARK', 'w')\").close()"),
    "at module level": (
        'import multiprocessing.util\nif multiprocessing.util.os.system("touch MARK"): raise OSError',
        "",
    ),
    "pandas writes": ("", 'df.to_pickle("MARK")'),
    "numpy writes": ("import numpy as np", 'np.save(open("MARK", "wb"), np.zeros(1))'),
    "in detect": (
        'def detect(df):\n    open("MARK", "w").close()\n    return df["city"] != df["city"].str.strip()',
        "",
    ),
}


@pytest.fixture(scope="module")
def contained(docker_sandbox: DockerSandbox, disposable: DisposableProcess) -> Iterator[Verifier]:
    with closing(Verifier(docker_sandbox, disposable)) as made:
        yield made


def attack(name: str, mark: Path) -> str:
    module, function = ATTACKS[name]
    source = CANDIDATE.replace("MODULE_LEVEL", module).replace("IN_FUNCTION", function or "pass")
    return source.replace("MARK", str(mark))


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_works_where_nothing_is_isolated(
    name: str, tmp_path: Path, local_sandbox: LocalSandbox, disposable: DisposableProcess
) -> None:
    """The positive control: without a boundary the program leaves its mark, and only that it tried gives it away."""
    mark = tmp_path / "mark"
    request = VerifyRequest(attack(name, mark), SMALL, screen=False, quick=True)
    verdict = Verifier(local_sandbox, disposable).verify(request)
    assert mark.exists()
    assert [check.id for check in verdict.failures] == ["pure"], feedback(verdict)


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_refused_by_the_screen(name: str, tmp_path: Path, gate: Verifier) -> None:
    """With the screen on it is refused before anything runs."""
    verdict = gate.verify(VerifyRequest(attack(name, tmp_path / "mark"), SMALL))
    assert verdict.failures[0].id == "screen"
    assert not (tmp_path / "mark").exists()


@pytest.mark.docker
@pytest.mark.parametrize("name", ATTACKS)
def test_attack_has_no_effect_in_a_container(name: str, tmp_path: Path, contained: Verifier) -> None:
    """In a container it leaves no mark and is not promoted, screen or no screen."""
    mark = tmp_path / "mark"
    verdict = contained.verify(VerifyRequest(attack(name, mark), SMALL, screen=False, quick=True))
    assert not mark.exists()
    assert verdict.verdict is Outcome.FAIL
    assert verdict.sandbox.engine == "docker"


@pytest.mark.docker
def test_secrets_of_the_host_are_nowhere_in_a_container(contained: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the environment nor the memory of the guest holds what the host knows."""
    monkeypatch.setenv("CLEANROOM_API_KEY", "sk-very-secret-4711")
    module = 'import gc, random\nPARTS = ["sk", "very", "secret", "4711"]\n_TEXT = (str,)'
    look = """key = "-".join(PARTS)
    values = [v for o in gc.get_objects() if isinstance(o, dict) for v in list(o.values()) if isinstance(v, _TEXT)]
    if key not in values and key not in str(dict(random._os.environ)):
        raise LookupError("nothing found")"""
    source = CANDIDATE.replace("MODULE_LEVEL", module).replace("IN_FUNCTION", look)
    verdict = contained.verify(VerifyRequest(source, SMALL, screen=False))
    assert verdict.verdict is Outcome.FAIL
    assert "LookupError" in verdict.failures[0].detail


@pytest.mark.docker
def test_promoted_functions_are_met_in_a_container_of_their_own(contained: Verifier) -> None:
    """With a promoted function the verdict still names the candidate's own single-use container."""
    source = CANDIDATE.replace("MODULE_LEVEL", "").replace("IN_FUNCTION", "pass")
    upper = CANDIDATE.replace("MODULE_LEVEL", "").replace("IN_FUNCTION", "pass").replace("strip()", "upper()")
    upper = upper.replace("trim_city", "shout_city")
    candidate = candidate_file.read(source)
    evidence = Evidence(verdict=ScriptedGate().verify(VerifyRequest(source, SMALL)), policy_sha256="", proposer="test")
    earlier = Promoted(candidate=candidate, evidence=evidence, order=1, promoted_at=datetime.now(UTC))
    rows = pa.table({"id": ["1", "2"], "city": ["Rome", "Oslo"]})
    verdict = contained.verify(VerifyRequest(upper, Sample(rows, rows.slice(0, 0)), promoted=[earlier]))
    assert verdict.passed, feedback(verdict)
    assert verdict.sandbox.isolation == "single-use"
    contained.close()


@pytest.mark.docker
def test_good_function_passes_in_a_container(contained: Verifier) -> None:
    """The positive control of the container: without the attack the same candidate is promoted."""
    source = CANDIDATE.replace("MODULE_LEVEL", "").replace("IN_FUNCTION", "pass")
    verdict = contained.verify(VerifyRequest(source, SMALL))
    assert verdict.passed, feedback(verdict)


@pytest.mark.docker
@pytest.mark.parametrize(("work", "outcome"), [("text.count(line)", Outcome.FAIL), ("line.casefold()", Outcome.PASS)])
def test_a_search_of_the_whole_text_is_measured_in_a_container(
    contained: Verifier, work: str, outcome: Outcome
) -> None:
    """The processor time of the guest shows the square, and nothing is said of the same function without it."""
    source = f'''"""Blanks."""
CONTRACT = {{"shape": "text", "modifies": ["city"]}}
def trim_lines(text):
    """Strip every line."""
    lines = text.split("\\n")
    for line in lines:
        {work}
    return "\\n".join(line.strip() for line in lines)
'''
    verdict = contained.verify(VerifyRequest(source, SMALL))
    assert verdict.verdict is outcome, feedback(verdict)
    assert [check.id for check in verdict.failures] == ([] if verdict.passed else ["resources"])
