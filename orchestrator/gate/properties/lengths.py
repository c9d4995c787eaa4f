"""Measures how a function's cost grows with the length of one text. Called by `plan`, `property_runner` and `loads`.

A function that asks the whole text for each of its lines or words (`text.count(line)`) works in C, at gigabytes per
second: on texts of a page its cost is lost in what every call costs. So one row has texts of 8,000 to 512,000
characters, each in a process of its own, and the same bound as for rows decides (`checks.resources.growth`). The judge
never sees what comes back: only the processor time counts, and whether the memory was enough.
"""

import math
import random
import string
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.jobs import Case, Child, ChildResult, Ended, Limits, Op
from orchestrator.core.policy import Policy
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.record_tables import MARK, is_records, lines_of
from orchestrator.gate.checks.resources import DOUBT, growth
from orchestrator.gate.information.text_changes.text_cut import is_prose

LENGTHS = (8_000, 64_000, 512_000)
SHORTER = (250, 1_000)  # where these cost so much that longer ones are stopped
PREFIX = "long~"  # of the names of cases
LONGEST_CPU_S = 3.0  # for each of them: one that is stopped then has cost that much at least
MORE_CPU_S = 6.0  # for those that are run because of one that was stopped
WALL_S = 30.0
DEAR_S = 0.3  # from this on, an eighth of the text is cheap enough to show a square
LONGER = 1.5  # times the longest text that ended: a text that is less than so much longer says nothing new
CLEAR = 0.5  # a growth that is found even so is clear: another measurement will not hide it
MOST_COLUMNS = 2


@dataclass(frozen=True)
class LengthCosts:
    """Processor seconds by number of characters. `stopped`: at least so many; `memory`: what ran out of memory."""

    finished: dict[int, float] = field(default_factory=dict)
    stopped: dict[int, float] = field(default_factory=dict)
    memory: tuple[int, ...] = ()

    @classmethod
    def of(cls, children: Sequence[Child], results: Sequence[ChildResult]) -> "LengthCosts":
        """The costs of the children that are long texts."""
        ends = [(length(c), one) for c, one in zip(children, results, strict=True) if is_long(c)]
        return cls(
            {chars: one.cpu_s for chars, one in ends if one.ended is Ended.OK},
            {chars: one.cpu_s for chars, one in ends if one.ended is Ended.TIMEOUT},
            tuple(chars for chars, one in ends if one.ended is Ended.MEMORY and chars < LENGTHS[-1]),
        )

    def found(self, policy: Policy) -> str:
        """Why the cost seems to grow too fast; empty when nothing says so."""
        if self.memory:
            return f"a text of {min(self.memory):,} characters needs more memory than the limit"
        return growth(self.finished, self.stopped, policy.gate)

    def more(self, policy: Policy) -> tuple[int, ...]:
        """How long texts have to be to say what those that were stopped cannot; none when they say enough, clearly.

        One that even a square ends in half the time; where what ended was dear already, shorter ones.
        """
        known = next((chars for chars in reversed(LENGTHS) if chars in self.finished), 0)
        at_least = {chars: CLEAR * seconds for chars, seconds in self.stopped.items()}
        if not self.stopped or not known or self.memory or growth(self.finished, at_least, policy.gate):
            return ()
        known_s = self.finished[known]
        shorter = SHORTER if known == LENGTHS[0] else SHORTER[1:]
        factor = min(math.sqrt(0.5 * MORE_CPU_S / known_s), 7)
        return (*shorter[known_s <= DEAR_S :], *([round(known * factor)] if factor >= LONGER else []))

    def doubtful(self, policy: Policy) -> Collection[int]:
        """Lengths to measure again: all of a growth that is nearly too fast, but none that stopped where `more` tell.

        Chance hides a growth as well as it feigns one.
        """
        if not self.memory and not growth(self.finished, self.stopped, policy.gate, noise=DOUBT):
            return ()
        return self.finished if self.more(policy) else {*self.finished, *self.stopped, *self.memory}


def is_long(child: Child) -> bool:
    return child.cases[0].id.startswith(PREFIX)


def length(child: Child) -> int:
    """How many characters the texts of the row have."""
    return int(child.cases[0].id.removeprefix(PREFIX))


class LongTexts:
    """The long texts of one verdict: of the sample's texts, one a line. `columns`: those that the function changes."""

    def __init__(
        self, shape: Shape, working: pa.Table, columns: Sequence[str], policy: Policy, chance: random.Random
    ) -> None:
        self._working, self._chance, limits = working, chance, policy.limits
        self._limits = limits.model_copy(update={"wall_s": max(limits.wall_s, WALL_S)})
        self._of_texts = shape is Shape.TEXT
        self._texts = {name: text for name in columns[:MOST_COLUMNS] if (text := self._text_of(name))}

    def children(self, lengths: Sequence[int] = LENGTHS, cpu_s: float = LONGEST_CPU_S) -> list[Child]:
        """A process for each length, with so many processor seconds each, or what the policy allows if that is less."""
        limits = self._limits.model_copy(update={"cpu_s": min(self._limits.cpu_s, cpu_s)})
        return [self._child(list(self._texts), chars, limits) for chars in lengths] if self._texts else []

    def _child(self, names: Sequence[str], chars: int, limits: Limits) -> Child:
        row = self._working.slice(0, 1)
        for name in names:
            place = row.schema.get_field_index(name)
            kind = row.schema.field(name)
            row = row.set_column(place, kind, pa.array([self._texts[name][:chars]], kind.type))
        row = row.combine_chunks()
        data = lines_of(row) if is_records(row) else write_table(row)
        return Child((Case(f"{PREFIX}{chars}", data, (Op.F,)),), limits)

    def _text_of(self, name: str) -> str:
        """The longest text: the sample's, a line each, again and again, every other time with other letters and digits.

        Empty for a function of tables whose cells are short: a square of so little costs nothing, and such a function
        may well look for what it has seen among the few words of its column.
        """
        values = self._working.column(name).to_pylist()
        texts = [text for text in values if text and not text.startswith(MARK)]
        if not texts or not (self._of_texts or is_prose(texts)):
            return ""
        block = "\n".join(texts)[: LENGTHS[-1]] + "\n"
        times = LENGTHS[-1] // len(block) + 1
        return "".join(block.translate(self._exchange()) if time % 2 else block for time in range(times))

    def _exchange(self) -> dict[int, int]:
        """Each letter and digit for another one of its kind."""
        kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
        return {
            ord(one): ord(other)
            for kind in kinds
            for one, other in zip(kind, self._chance.sample(kind, len(kind)), strict=True)
        }
