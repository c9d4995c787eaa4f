"""A cost that grows with the square of a text's length is found, though each step is quick; no other is blamed."""

import random
from collections.abc import Callable
from functools import cache

import pyarrow as pa
import pytest

from orchestrator.core.jobs import Child, ChildResult, Ended
from orchestrator.core.policy import Policy
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome, Verdict
from orchestrator.gate import candidate_file
from orchestrator.gate.canary import NO_EXAMPLES
from orchestrator.gate.checks import resources
from orchestrator.gate.control import program
from orchestrator.gate.inputs.case_planner import CasePlanner
from orchestrator.gate.properties.lengths import LENGTHS, LONGEST_CPU_S, LengthCosts, is_long, length
from orchestrator.gate.properties.plan import Drawn
from orchestrator.gate.properties.property_runner import PropertyRunner
from orchestrator.gate.starvation import stopped_early
from orchestrator.gate.verifier import Verifier

TEXT = '''"""Blanks at the ends of lines."""
CONTRACT = {"shape": "text", "modifies": ["note"]}
def trim(text):
    """Strip every line."""
    lines = []
    for line in text.split("\\n"):
        WORK
        lines.append(line.strip())
    return "\\n".join(lines)
'''
TABLE = (
    TEXT.replace('"shape": "text", ', "").replace("def trim(text)", "def _trim(text)")
    + '''
def trim(df):
    """Strip every line."""
    return df.assign(note=df["note"].map(lambda v: _trim(v) if isinstance(v, str) else v))
'''
)
COUNTS = "text.count(line)"
FINDS = "any(word not in text for word in line.split())"
ORDINARY = "line.casefold()"
NOTES = pa.table({"note": [f"{'  ' * (n % 2)}call {n} back" for n in range(60)]})
PROSE = pa.table({"note": [f"{'  ' * (n % 2)}call {n} back\nand ask {n} for {n}{n}" for n in range(60)]})


@pytest.fixture
def ask(gate: Verifier) -> Callable[[str], Verdict]:
    def verdict(source: str) -> Verdict:
        notes = rows_for(source)
        return gate.verify(VerifyRequest(source, Sample(notes.slice(0, 40), notes.slice(40))))

    return verdict


def rows_for(source: str) -> pa.Table:
    return NOTES if '"shape": "text"' in source else PROSE


@pytest.mark.parametrize("source", [TEXT.replace("WORK", FINDS), TABLE.replace("WORK", COUNTS)])
def test_a_search_of_the_whole_text_for_each_line_fails(ask: Callable[[str], Verdict], source: str) -> None:
    """Short texts do not show it: the texts are made long, and what they cost is told."""
    verdict = ask(source)
    assert [check.id for check in verdict.failures] == [resources.ID], [*map(str, verdict.checks)]
    assert "faster than a text" in verdict.failures[0].detail
    assert "characters" in verdict.failures[0].detail


@pytest.mark.parametrize("source", [TEXT.replace("WORK", ORDINARY), TABLE.replace("WORK", ORDINARY)])
def test_what_looks_at_each_line_once_passes(ask: Callable[[str], Verdict], source: str) -> None:
    """Positive control: the same function without the search."""
    verdict = ask(source)
    assert verdict.passed, [check.detail for check in verdict.failures]
    assert verdict.checks[-2].id == resources.ID
    assert verdict.checks[-2].outcome is Outcome.PASS


@cache
def runner(source: str = TEXT, notes: pa.Table | None = None) -> PropertyRunner:
    notes = rows_for(source) if notes is None else notes
    candidate, policy = candidate_file.read(source.replace("WORK", "pass")), Policy()
    stage = CasePlanner(candidate, Sample(notes, notes), policy, 1).first(NO_EXAMPLES)
    return PropertyRunner(candidate, policy, Drawn(candidate, notes, policy, 1), (stage, [ChildResult(Ended.OK)]))


def blamed(cost: Callable[[int], float]) -> bool:
    """Whether a function is blamed whose texts cost so much: its processes are imagined, all else is real."""
    made = runner(TABLE)

    def run(child: Child) -> ChildResult:
        seconds = cost(length(child)) if is_long(child) else 0.01
        ended = Ended.OK if seconds < child.limits.cpu_s else Ended.TIMEOUT
        return ChildResult(ended, cpu_s=min(seconds, child.limits.cpu_s))

    first = [run(child) for child in made.stage.job.children]
    stage = made.again(first)
    again = None if stage is None else (stage, [run(child) for child in stage.job.children])
    answered, costs = made.measured(first, again)
    if not costs.found(Policy()):
        return False
    third = made.doubtful(answered, costs)
    return bool(made.better(answered, (third, [run(child) for child in third.job.children]))[1].found(Policy()))


@pytest.mark.parametrize("fixed_s", [0.003, 0.01, 0.03])
def test_the_square_is_found_wherever_the_time_ends_a_text(fixed_s: float) -> None:
    """From a third of a second at the longest text on, until one of 20,000 runs out of time elsewhere."""
    missed = [
        longest_s
        for step in range(120)
        if (longest_s := 0.33 * 1.1**step) < 6_000
        and not blamed(lambda chars, s=longest_s: fixed_s + s * (chars / LENGTHS[-1]) ** 2)  # type: ignore[misc] # bound now
    ]
    assert missed == []


def test_the_square_is_found_on_a_machine_that_measures_badly() -> None:
    """Each measurement is off by up to a sixth; a stopped text whose cost is only just enough says nothing alone."""
    chance = random.Random(5)  # noqa: S311 - a test must do the same every time

    def square(longest_s: float) -> Callable[[int], float]:
        return lambda chars: chance.uniform(0.85, 1.17) * (0.006 + longest_s * (chars / LENGTHS[-1]) ** 2)

    assert [s for step in range(800) if (s := 0.6 * 1.0107**step) < 3_000 and not blamed(square(s))] == []


def test_a_linear_cost_is_never_blamed() -> None:
    """However dear a character is, with measurements that are off by a third."""
    chance = random.Random(3)  # noqa: S311 - a test must do the same every time

    def linear(longest_s: float) -> Callable[[int], float]:
        return lambda chars: chance.uniform(0.75, 1.33) * (0.01 + longest_s * chars / LENGTHS[-1])

    assert [step for step in range(120) if blamed(linear(0.001 * 1.12**step))] == []


def test_texts_of_nearly_the_same_length_say_nothing() -> None:
    """What the control function costs at 387,000 and 512,000 characters differs by chance more than by length."""
    control = {8_000: 0.003, 64_000: 0.005, 387_000: 0.030, 512_000: 0.058}
    assert resources.growth(control, {}, Policy().gate, "character") == ""
    assert resources.growth({8_000: 0.003, 64_000: 0.08, 512_000: 5.0}, {}, Policy().gate, "character") != ""


def test_only_what_is_in_doubt_is_measured_again() -> None:
    """The texts alone where only the texts cost too much; a shorter one where the long ones say nothing."""
    made = runner()
    children = made.stage.job.children

    def ended(costs: dict[int, float]) -> list[ChildResult]:
        seconds = [costs[length(child)] if is_long(child) else 0.01 for child in children]
        return [ChildResult(Ended.OK if s < LONGEST_CPU_S else Ended.TIMEOUT, cpu_s=s) for s in seconds]

    def again(costs: dict[int, float]) -> list[str]:
        stage = made.again(ended(costs))
        return [] if stage is None else [child.cases[0].id for child in stage.job.children]

    assert again(dict.fromkeys(LENGTHS, 0.02)) == []
    assert again(dict(zip(LENGTHS, (0.01, 0.03, 1.5), strict=True))) == [f"long~{chars}" for chars in LENGTHS]
    assert again(dict(zip(LENGTHS, (2.0, 3.0, 3.0), strict=True))) == ["long~250", "long~1000"]
    assert again(dict(zip(LENGTHS, (0.01, 0.17, 3.0), strict=True)))[-1] == "long~268854"


def test_memory_that_grows_with_the_square_is_found() -> None:
    """A text of which nobody needs as much is evidence; the longest one is not, and none is run with more wall time."""
    children = [child for child in runner().stage.job.children if is_long(child)]
    ends = [Ended.OK, Ended.MEMORY, Ended.MEMORY]
    costs = LengthCosts.of(children, [ChildResult(end, cpu_s=0.1) for end in ends])
    assert "memory" in costs.found(Policy())
    ends = [Ended.OK, Ended.OK, Ended.MEMORY]
    assert not LengthCosts.of(children, [ChildResult(end, cpu_s=0.1) for end in ends]).found(Policy())
    assert stopped_early(children, [ChildResult(Ended.TIMEOUT, cpu_s=0.1)] * 3) == []


def test_short_cells_of_a_table_are_not_made_long() -> None:
    """A square of so little costs nothing; prose of a table is made long, as texts are, of lines that differ."""
    assert not any(is_long(child) for child in runner.__wrapped__(TABLE, NOTES).stage.job.children)
    child = next(c for c in runner(TABLE).stage.job.children if is_long(c) and length(c) == LENGTHS[-1])
    longest = child.cases[0].input.decode("utf-8", "replace")
    assert len(set(longest.split())) > 500
    assert len(longest) > LENGTHS[-1]


def test_the_control_function_reads_a_long_text_too() -> None:
    """So that a machine on which a text costs more than it should is told from a function that does."""
    of_texts = runner().stage.job.programs[0]
    assert "split" in program(of_texts).source
    assert "split" in program(runner(TABLE).stage.job.programs[0]).source
