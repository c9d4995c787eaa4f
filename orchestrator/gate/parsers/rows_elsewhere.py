"""The law `loses-nothing` on rows from anywhere in a block. Called by `parser_gate` and by `run.parse.block_audit`.

The first rows of a file are seldom of every form: what a log holds after each hundredth line stands in none of them. So
rows are drawn by their form (lines, signs, which columns have a value), not by how many there are of it.
"""

import random
from collections.abc import Sequence
from itertools import accumulate

from orchestrator.core.parsers import ParserAnswer
from orchestrator.gate.parsers import parser_laws
from orchestrator.gate.parsers.parser_calls import ParserCalls, ParserInput
from orchestrator.gate.parsers.parser_cases import Changes, ParserCases

_MOST_LINES = 4
_ALONE = "where some of its rows are read again alone"


def drawn_rows(answer: ParserAnswer, data: bytes, draw: random.Random, most: int) -> list[int]:
    """The numbers of parts that are rows, each of another form."""
    forms: dict[object, list[int]] = {}
    start = 0
    for number, part in enumerate(answer.parts):
        if part.values is not None:
            text = data[start : start + part.size]
            signs = frozenset(sign for sign in text if not bytes([sign]).isalnum())
            form = min(text.count(b"\n"), _MOST_LINES), signs, tuple(value is None for value in part.values)
            forms.setdefault(form, []).append(number)
        start += part.size
    return [draw.choice(numbers) for numbers in draw.sample([*forms.values()], min(most, len(forms)))]


def lost_elsewhere(
    calls: ParserCalls,
    answer: ParserAnswer,
    one: ParserInput,
    numbers: Sequence[int],
    draw: random.Random,
    most: Changes,
) -> str:
    """What is lost of the rows that begin with these, in a clause; else nothing. `answer`: what was made of `one`.

    Each is read after what stands before it, so that the parser knows what it knew. Raises ParserFailed, SandboxError.
    """
    starts = [0, *accumulate(part.size for part in answer.parts)]
    places = {start: number for number, start in enumerate(starts)}
    before = [ParserInput.whole(one.data[: starts[number]], last=False, state=one.state) for number in numbers]
    known = _known(calls, before)
    windows, asked = [], list[ParserInput]()
    for number, state in zip(numbers, known, strict=True):
        if state.error or state.read not in places:
            continue  # these rows cannot be read alone
        begin = places[state.read]  # it may wait for what follows, and begin earlier
        parts = answer.parts[begin:]
        rest = one.data[state.read : answer.read]
        cases = ParserCases(rest, whole=one.last and answer.read == len(one.data), seed=draw.getrandbits(64))
        alone, changes, inputs = cases.changed(parts, most._replace(rows=most.rows + number - begin))
        if inputs:
            asked += [each._replace(state=state.state) for each in (alone, *inputs)]
            windows.append((state.read, parts, alone, changes))
    made = iter(calls.answers(asked) if asked else ())
    for start, parts, alone, changes in windows:
        plain, *others = (next(made) for _ in range(1 + sum(len(change.values) for change in changes)))
        whole = ParserAnswer(parts, None, answer.read - start)
        wrong = parser_laws.same_parts(plain, whole, alone, _ALONE)
        if wrong := wrong or parser_laws.loses_nothing(alone.data, plain, changes, others, one.data[:start]):
            return wrong
    return ""


def _known(calls: ParserCalls, before: Sequence[ParserInput]) -> list[ParserAnswer]:
    """What the parser knows after each of these; at the very beginning nobody asks."""
    made = iter(calls.answers(asked) if (asked := [one for one in before if one.data]) else ())
    return [next(made) if one.data else ParserAnswer((), one.state, 0) for one in before]
