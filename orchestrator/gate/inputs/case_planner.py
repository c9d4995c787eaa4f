"""Lays out what a candidate is run on: cases, children and jobs for the two containers and for the promoted functions.

Called by the verifier. Rows, shuffles and cuts come from a seed that only the host knows; nothing that says what is
expected goes into a job. What must not see the state of earlier calls runs in the second container.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pyarrow as pa

from orchestrator.core.candidate import Candidate, Shape
from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Op, Program
from orchestrator.core.policy import TABLES_OF_A_PROCESS, Policy
from orchestrator.core.ports import Sample
from orchestrator.data.cells import has_column, is_text
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.record_tables import is_records, lines_of
from orchestrator.gate.information.null_tokens import says_nothing
from orchestrator.gate.inputs import edge_tables, record_edges
from orchestrator.gate.inputs.emptied_cells import emptied_cells
from orchestrator.gate.inputs.example_case import ExampleCase
from orchestrator.gate.inputs.row_selection import not_huge, rows_by_kind, varied

MAX_REST_ROWS = 5_000
MIXED_ROWS = 20
DILUTED_ROWS = 400
MOST_KINDS = 3
ALONE_TIMES = 3  # a value that stands in one row is seen again and again
AMONG_NULLS, AMONG_CLEAN, KIND = "among-nulls", "among-clean", "kind-"
VALUES = tuple(f"values-{number}" for number in range(5))
LATER = tuple(f"later-{number}" for number in range(2 * (TABLES_OF_A_PROCESS - 1)))
FIRST_CPU_SHARE = 0.15  # of a process's time, for the working rows once
FIRST_WALL_SHARE = 0.5  # the same while others keep the machine busy
FULL = (Op.F, Op.FF, Op.DETECT, Op.DETECT_F)


@dataclass(frozen=True)
class Stage:
    """A job and what the judge must know of its making."""

    job: Job
    orders: dict[str, list[int]] = field(default_factory=dict)


class CasePlanner:
    """Makes the stages of one verdict from one seed."""

    def __init__(self, candidate: Candidate, sample: Sample, policy: Policy, seed: int) -> None:
        self._candidate = candidate
        self._policy = policy
        self._draw = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be
        rows = varied(sample.working, policy.gate.case_rows, self._draw)
        self.working = sample.working.take(pa.array(rows, pa.int64())).combine_chunks()
        self._rest = self._remaining(sample.working, set(rows))
        self._holdout = sample.holdout.slice(0, MAX_REST_ROWS)
        self._by_row = candidate.contract.shape.by_row
        self.working_bytes = _bytes(self.working)

    def first(self, examples: ExampleCase) -> Stage:
        """The first container: the laws on the working rows, the other rows, the edges.

        The shuffled rows come first, in a process of their own that has a part of the time. The others hold the same
        rows some six times more, so that what does not end there would not end in the whole time either. The second
        process has one case, too, as the second batch of a job has where the function is applied.
        """
        rows = self.working.num_rows
        cut = self._draw.randint(1, rows - 1) if rows > 1 else rows
        order = self._shuffled(rows)
        cases = [
            self._case("working", self.working_bytes, FULL, echo=True),
            self._case("repeat", self.working_bytes, (Op.F,)),
            self._case("part-b", self.working.slice(cut), (Op.F,)),
            self._case("first-row", self.working.slice(0, 1), (Op.F, Op.FF)),
            self._case("doubled", pa.concat_tables([self.working, self.working]), (Op.F,)),
        ]
        if self._rest.num_rows:
            cases.append(self._case("rest", self._rest, (Op.F, Op.DETECT, Op.DETECT_F)))
        if examples.table is not None:
            cases.append(self._case("examples", examples.table, (Op.F,)))
        cases += self._edges()
        limits = self._policy.limits
        part = {"cpu_s": limits.cpu_s * FIRST_CPU_SHARE, "wall_s": limits.wall_s * FIRST_WALL_SHARE}
        applied = (Op.F, Op.DETECT)  # what a batch is asked when the function is applied: it must not look otherwise
        shuffled = self._case("shuffled", self.working.take(pa.array(order, pa.int64())), applied)
        some = {} if self._by_row else {name: sorted(self._shuffled(rows)[:MIXED_ROWS]) for name in LATER}
        later = [self._case(name, self.working.take(pa.array(few, pa.int64())), applied) for name, few in some.items()]
        half = len(later) // 2
        first = Child((shuffled, *later[:half]), limits.model_copy(update=part), ends_job=True)
        second = Child((self._case("part-a", self.working.slice(0, cut), applied), *later[half:]), limits)
        emptied, taken = self._emptied(range(rows))
        job = self._job([first, second, Child(tuple(cases), limits), *emptied], GuestEnvironment.FIRST)
        known, lot = [min(MIXED_ROWS, rows)], self._lot()
        return Stage(job, {"shuffled": order, "known": known, "lot": lot, **some, **taken})

    def confirm(
        self, chained: bytes, touched: Sequence[int] = (), clean: Mapping[str, Sequence[str]] | None = None
    ) -> Stage:
        """The second container: other hash seed and time zone, the holdout, and the first container's result.

        Its first process sees none of that, but other cuts of the sample (see the check `stateless`). `touched`: the
        rows that the candidate changes or drops, as the judge says; `clean`: texts of its result, by column.
        """
        cuts = self._cuts(touched)
        other = [
            self._case(name, self.working.take(pa.array(rows, pa.int64())), (Op.F,)) for name, rows in cuts.items()
        ]
        if touched and not self._by_row:
            for name, others in self._harmless(clean or {}).items():
                row, place = self._draw.choice(touched), self._draw.randrange(DILUTED_ROWS)
                cuts[name] = [row, place]
                one = self.working.take(pa.array([row])).cast(others.schema)  # Arrow casts no slice of nested nulls
                among = pa.concat_tables([others.slice(0, place), one, others.slice(place)])
                other.append(self._case(name, among, (Op.F,)))
        order = self._shuffled(self.working.num_rows)
        cases = [
            self._case("confirm", self.working_bytes, (Op.F,)),
            self._case("reshuffled", self.working.take(pa.array(order, pa.int64())), (Op.F,)),
            self._case("chained", chained, (Op.F,)),
        ]
        if self._holdout.num_rows:
            cases.append(self._case("holdout", self._holdout, FULL))
        groups = self._by_value(touched)
        alone = [
            [self._case(name, self.working.take(pa.array(rows, pa.int64())), (Op.F,))] for name, rows in groups.items()
        ]
        children = [Child(tuple(group), self._policy.limits, ends_job=True) for group in (other, *alone, cases)]
        emptied, taken = self._emptied(touched)
        job = self._job([*children, *emptied], GuestEnvironment.CONFIRM)
        return Stage(job, {"reshuffled": order, "lot": self._lot(), **cuts, **groups, **taken})

    def _lot(self) -> list[int]:
        """From which the judge draws what it looks at more closely; no container is told."""
        return [self._draw.getrandbits(64)]

    def _emptied(self, touched: Iterable[int]) -> tuple[list[Child], dict[str, list[int]]]:
        """A process that has never seen them, for rows of which known cells are taken away: see `emptied_cells`.

        Only of columns in which one of the rows `touched` has an empty cell: no other is filled.
        """
        if self._by_row:
            return [], {}
        rows = self.working.take(pa.array(list(touched), pa.int64()))
        names = [name for name in self._candidate.contract.modifies or () if has_column(rows, name)]
        names = [name for name in names if any(map(says_nothing, rows.column(name).to_pylist()))]
        made = emptied_cells(self.working, names, self._draw)
        cases = tuple(self._case(name, table, (Op.F,)) for name, (table, _) in made.items())
        children = [Child(cases, self._policy.limits)] if cases else []
        return children, {name: taken for name, (_, taken) in made.items()}

    def _cuts(self, touched: Sequence[int]) -> dict[str, list[int]]:
        """Rows of the sample by case: in two parts, those that need something alone, one of them among many others."""
        every = self._shuffled(self.working.num_rows)
        cut = self._draw.randint(len(every) // 4, len(every) // 2)  # each part lacks much of what the other has
        cuts = {"begin-cut": every[:cut], "end-cut": every[cut:]}
        marked = set(touched)
        wrong = [row for row in every if row in marked]
        right = [row for row in every if row not in marked]
        if wrong and right:
            cuts["wrong-alone"], cuts["right-alone"] = wrong, right
            if many := [row for row in right if row in self._not_huge]:
                cuts["diluted"] = [*self._draw.choices(many, k=DILUTED_ROWS), self._draw.choice(wrong)]
                self._draw.shuffle(cuts["diluted"])
        for name in (self._candidate.contract.modifies or ())[:MOST_KINDS]:
            if has_column(self.working, name) and len(kinds := rows_by_kind(self.working.column(name))) > 1:
                most = max(kinds, key=len)
                cuts[f"{KIND}{self.working.schema.get_field_index(name)}"] = list(most)
        return cuts

    def _by_value(self, touched: Sequence[int]) -> dict[str, list[int]]:
        """Rows by what stands in one column that may change: one value that changes alone, the others in four groups.

        Each is for a process of its own, which never sees a value of the others. So what a value becomes is compared
        between a process that saw all of them and one that did not.
        """
        names = [n for n in self._candidate.contract.modifies or () if has_column(self.working, n)]
        if not names or not touched:
            return {}
        rows_of: dict[str, list[int]] = {}
        for row, value in enumerate(self.working.column(self._draw.choice(names)).to_pylist()):
            rows_of.setdefault(repr(value), []).append(row)
        changed = set(touched)
        wrong = [value for value, rows in rows_of.items() if changed & set(rows)]
        if len(rows_of) == 1 or not wrong:
            return {}
        one = rows_of.pop(self._draw.choice(wrong))
        rest = self._draw.sample(list(rows_of.values()), len(rows_of))
        others = [rest[number :: len(VALUES) - 1] for number in range(len(VALUES) - 1)]
        groups = [one * ALONE_TIMES, *([row for rows in some for row in rows] for some in others if some)]
        return dict(zip(VALUES, groups, strict=False))

    def _harmless(self, clean: Mapping[str, Sequence[str]]) -> dict[str, pa.Table]:
        """Rows that need nothing, by the name of the case: null in every column, and with cells that are clean."""
        nulls = edge_tables.nulls(self.working.schema, DILUTED_ROWS)
        made = {AMONG_NULLS: nulls}
        if not any(clean.values()):
            return made
        rows = self._draw.choices(sorted(self._not_huge), k=DILUTED_ROWS)
        table = self.working.take(pa.array(rows, pa.int64())).cast(nulls.schema)
        for name, texts in clean.items():
            if texts and has_column(table, name) and is_text(table.schema.field(name).type):
                place = table.schema.get_field_index(name)
                cells = pa.array(self._draw.choices(texts, k=DILUTED_ROWS), table.schema.field(name).type)
                table = table.set_column(place, table.schema.field(name), cells)
        return made | {AMONG_CLEAN: table}

    @cached_property
    def _not_huge(self) -> set[int]:
        return set(not_huge(self.working))

    def _edges(self) -> list[Case]:
        known = self.working.slice(0, MIXED_ROWS)
        more: list[Case] = []
        if self._by_row:
            contract = self._candidate.contract
            nulls, blanks = record_edges.nulls(self.working, contract), record_edges.blanks(self.working)
            mixed = pa.concat_tables([known, record_edges.odd(self.working, contract)]).combine_chunks()
            if contract.shape is Shape.TEXT:
                more = [self._case("long", record_edges.long_texts(self.working, contract), (Op.F, Op.DETECT))]
        else:
            nulls, blanks = edge_tables.nulls(self.working.schema), edge_tables.blanks(self.working)
            mixed = pa.concat_tables([known, edge_tables.odd(self.working).cast(known.schema)]).combine_chunks()
        return [
            self._case("empty", self.working.slice(0, 0), (Op.F, Op.DETECT)),
            self._case("nulls", nulls, (Op.F, Op.FF, Op.DETECT)),
            self._case("blanks", blanks, (Op.F, Op.FF, Op.DETECT)),
            self._case("mixed", mixed, (Op.F, Op.FF, Op.DETECT)),
            *more,
        ]

    def _case(self, name: str, rows: pa.Table | bytes, ops: tuple[Op, ...], *, echo: bool = False) -> Case:
        if not self._candidate.has_detect:
            ops = tuple(op for op in ops if op not in (Op.DETECT, Op.DETECT_F))
        data = rows if isinstance(rows, bytes) else _bytes(rows.combine_chunks())
        return Case(name, data, ops, None, echo)

    def _job(self, children: Sequence[Child], environment: GuestEnvironment) -> Job:
        programs = (program_of(self._candidate),)
        environment = environment.lightened(light=is_light(programs))
        return Job(programs, tuple(children), environment)

    def _shuffled(self, rows: int) -> list[int]:
        order = list(range(rows))
        self._draw.shuffle(order)
        if rows > 1 and order == sorted(order):
            order.reverse()
        return order

    def _remaining(self, table: pa.Table, taken: set[int]) -> pa.Table:
        rest = [row for row in range(table.num_rows) if row not in taken]
        if len(rest) > MAX_REST_ROWS:
            rest = sorted(self._draw.sample(rest, MAX_REST_ROWS))
        return table.take(pa.array(rest, pa.int64())).combine_chunks()


def program_of(candidate: Candidate) -> Program:
    """The candidate as a sandbox runs it."""
    return Program.of(candidate)


def is_light(programs: Sequence[Program]) -> bool:
    """Whether a container without pandas will do for all of them."""
    return all(program.light for program in programs)


def _bytes(rows: pa.Table) -> bytes:
    return lines_of(rows) if is_records(rows) else write_table(rows)
