"""Lays out what is run for `properties` and `resources`: drawn rows among different other rows, and growing loads.

Called by the verifier through `property_runner`. Which rows of a whole a case holds travels in `Stage.orders`, by the
case's name: the whole's name, `~`, and a word. The judge then knows what each row must become (`property_laws`).
"""

import ast
import random
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from orchestrator.core.candidate import Candidate
from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Op
from orchestrator.core.parsing import parse_python
from orchestrator.core.policy import LARGEST_BYTES, LARGEST_ROWS, LARGEST_ROWS_OF_WIDE, Policy
from orchestrator.data.cells import has_column, is_text
from orchestrator.data.hostile.arrow_tables import write_table
from orchestrator.data.record_tables import MARK, is_records, lines_of
from orchestrator.gate.inputs.case_planner import FULL, Stage, is_light, program_of
from orchestrator.gate.inputs.row_selection import not_huge
from orchestrator.gate.properties import edits
from orchestrator.gate.properties.fresh_words import fresh_words
from orchestrator.gate.properties.lengths import MORE_CPU_S, LongTexts
from orchestrator.gate.properties.row_drawing import draw

MAX_FOCUS = 8
LOAD_ROWS = 200
GROWTH = 8
LARGEST_CPU_S = 3.0  # for the largest load; one that is stopped then has cost that much at least
LARGE_WALL_S = 30.0  # for more than the base load: it is the processor time that shall end it, on a busy machine too
SHARE = 0.3  # of the time that a process has: others may keep the machine busy
KNOWN, UNSEEN, MOST_KINDS = 12, 16, 3
WORDS = ("Quokka", "Zephyr", "Bramble", "Oxlip", "Fjord", "Tungsten", "Gimlet", "Warbler")
_SMALL = (1, 1, 2, 3, 7, 31)
_SIZES = (
    *range(4, 41), 50, 60, 64, 99, 100, 101, 128, 150, 200, 250, 256, 500, 512, 1000, 1024,
)  # fmt: skip
"""Numbers of rows at which a function might be written to misbehave: small, round, or powers of two."""
_MANY = (2048, 4096, 8192)
"""One of these, by lot, where it is not too many bytes; the first to be left out where a function is slow."""


class Drawn:
    """The drawn rows of one verdict, as jobs. They are drawn and written at once, so that a thread can do it early."""

    def __init__(self, candidate: Candidate, working: pa.Table, policy: Policy, seed: int) -> None:
        self._candidate, self._policy = candidate, policy
        self._chance = random.Random(seed)  # noqa: S311 - the seed is secret; the numbers need not be
        self._orders: dict[str, list[int]] = {}
        some = not_huge(working)
        self.working = working if len(some) == working.num_rows else working.take(pa.array(some, pa.int64()))
        self.focus = focus(candidate, self.working)
        self._tables = draw(self.working, self.focus, policy.gate.drawn_cells, seed) if self.focus else {}
        self._cases = self._usual() + self._outer() + self._unseen() + self._words() + self._fresh()
        self._loads = [self._load_child(rows) for rows in self._load_sizes()]
        self._long = LongTexts(
            candidate.contract.shape, self.working, [name for _, name in self._touched()], policy, self._chance
        )
        self._loads += self._long.children()

    def stage(self, cost: float) -> Stage:
        """Children for the laws and the loads. `cost`: processor seconds per byte of input and op, as seen so far."""
        return self._stage([*self._law_children(cost), *self._loads], self._orders)

    def more(self, rows: int, lengths: Sequence[int]) -> Stage:
        """One more load of so many rows, if any, with all the processor time of the policy; and more long texts."""
        children = [self._load_child(rows, self._policy.limits.cpu_s)] if rows else []
        orders = {case.id: self._orders[case.id] for child in children for case in child.cases}
        return self._stage([*children, *self._long.children(lengths, MORE_CPU_S)], orders)

    def _stage(self, children: Sequence[Child], orders: dict[str, list[int]]) -> Stage:
        programs = (program_of(self._candidate),)
        environment = GuestEnvironment.CONFIRM.lightened(light=is_light(programs))
        return Stage(Job(programs, tuple(children), environment), orders)

    def _law_children(self, cost: float) -> list[Child]:
        """One process; for a slow function several, so that each ends in its time, and no rows of many sizes."""
        limits = self._policy.limits
        budget_s = SHARE * min(limits.wall_s, limits.cpu_s)
        cases = self._cases
        for sizes in ("usual~many-", "usual~size-"):
            if cost * work(cases) > budget_s:
                cases = [case for case in cases if not case.id.startswith(sizes)]
        groups: list[list[Case]] = [[]]
        for case in cases:
            if groups[-1] and cost * work([*groups[-1], case]) > budget_s:
                groups.append([])
            groups[-1].append(case)
        return [Child(tuple(group), limits) for group in groups]

    def case(self, name: str, rows: pa.Table, ops: tuple[Op, ...], *, echo: bool = False) -> Case:
        """One case; without a `detect` its ops are left out."""
        if not self._candidate.has_detect:
            ops = tuple(op for op in ops if op not in (Op.DETECT, Op.DETECT_F)) or (Op.F,)
        rows = rows.combine_chunks()
        return Case(name, lines_of(rows) if is_records(rows) else write_table(rows), ops, None, echo)

    def _usual(self) -> list[Case]:
        rows = self._tables.get("usual", self.working)
        count = rows.num_rows
        everything = list(range(count))
        cut = self._chance.randint(1, count) if count > 1 else 1
        parts = {"begin": everything[:cut], "end": everything[cut:], "shuffled": self._shuffled(everything)}
        parts |= {f"few-{n}": self._chance.sample(everything, min(size, count)) for n, size in enumerate(_SMALL)}
        parts |= {f"same-{n}": self._alike(rows, name) for n, name in enumerate(self.focus[:3])}
        cases = [self.case("usual", rows, FULL, echo=True)]
        cases += [self._part("usual", word, rows, chosen) for word, chosen in parts.items()]
        drawn = round(LARGEST_ROWS ** self._chance.random())  # as a file's last batch: of any size
        many = self._chance.choice(_MANY)
        few_bytes = many * len(cases[0].input) <= LARGEST_BYTES * count
        for size in sorted({*_SIZES, drawn, *([many] if few_bytes else [])}):
            chosen = self._chance.choices(everything, k=size)
            word = "many" if size == many else "size"
            cases.append(self._part("usual", f"{word}-{size}", rows, chosen, ops=(Op.F,)))
        cases.append(self._part("usual", "again", rows, everything, ops=(Op.DETECT, Op.F), echo=True))
        return cases

    def _part(
        self,
        whole: str,
        word: str,
        rows: pa.Table,
        chosen: list[int],
        *,
        ops: tuple[Op, ...] = (Op.F, Op.DETECT),
        echo: bool = False,
    ) -> Case:
        self._orders[f"{whole}~{word}"] = chosen
        return self.case(f"{whole}~{word}", rows.take(pa.array(chosen, pa.int64())), ops, echo=echo)

    def _shuffled(self, rows: list[int]) -> list[int]:
        return self._chance.sample(rows, len(rows))

    def _alike(self, rows: pa.Table, name: str) -> list[int]:
        """The rows with the value that is most frequent in a column: all other categories are absent."""
        column = rows.column(name)
        if pa.types.is_nested(column.type):
            return []
        counted = pc.value_counts(column)
        most = counted[int(np.argmax(counted.field(1).to_numpy(zero_copy_only=False)))]["values"]
        same = pc.equal(column, most) if most.is_valid else column.is_null()
        return [int(row) for row in np.flatnonzero(pc.fill_null(same, False).to_numpy(zero_copy_only=False))]

    def _outer(self) -> list[Case]:
        ops = {"near": (Op.F, Op.DETECT, Op.DETECT_F), "odd": (Op.F, Op.DETECT)}
        return [self.case(name, self._tables[name], ops[name]) for name in ops if name in self._tables]

    def _unseen(self) -> list[Case]:
        """Rows of the sample, then the same rows with other digits: a function that knows the sample by heart fails."""
        cases = []
        for position, name in self._touched():
            for number, cells in enumerate(_kinds(self.working.column(name).to_pylist())):
                known = self._chance.sample(sorted(cells.items()), KNOWN)
                fresh = self._crossed(list(cells))
                if len(fresh) < UNSEEN:
                    continue
                case_id = f"unseen~{position}-{number}"
                self._orders[case_id] = [KNOWN, position]
                rows = [row for _, row in known] + [known[n % KNOWN][1] for n in range(UNSEEN)]
                cases.append(
                    self.case(case_id, self._with(name, rows, [t for t, _ in known] + fresh), (Op.F, Op.DETECT))
                )
        return cases

    def _crossed(self, texts: Sequence[str]) -> list[str]:
        known, fresh = set(texts), dict[str, None]()
        for _ in range(10 * UNSEEN):
            made = edits.crossed(self._chance.choice(texts), self._chance.choice(texts), self._chance.getrandbits(24))
            if made not in known:
                fresh[made] = None
        return list(fresh)[:UNSEEN]

    def _words(self) -> list[Case]:
        """Words that the sample does not hold, in columns of words."""
        cases = []
        for position, name in self._touched():
            texts = [v for v in self.working.column(name).to_pylist() if v and not v.startswith(MARK)]
            wordy = sum(not any(char.isdigit() for char in text) for text in texts)
            if wordy < 0.8 * max(len(texts), 1) or set(WORDS) & set(texts):
                continue
            case_id = f"words~{position}"
            self._orders[case_id] = [0, position]
            rows = [self._chance.randrange(self.working.num_rows) for _ in WORDS]
            lower = sum(text == text.lower() for text in texts) > len(texts) / 2
            words = [word.lower() for word in WORDS] if lower else list(WORDS)
            cases.append(self.case(case_id, self._with(name, rows, words), (Op.F, Op.DETECT)))
        return cases

    def _fresh(self) -> list[Case]:
        """Words of the sample, then others that are built as these are."""
        cases = []
        for position, name in self._touched():
            texts = [v for v in self.working.column(name).to_pylist() if v and not v.startswith(MARK)]
            known, fresh = fresh_words(texts, self._chance)
            if fresh:
                case_id = f"fresh~{position}"
                self._orders[case_id] = [len(known), position]
                rows = [self._chance.randrange(self.working.num_rows) for _ in known + fresh]
                cases.append(self.case(case_id, self._with(name, rows, known + fresh), (Op.F, Op.DETECT)))
        return cases

    def _touched(self) -> list[tuple[int, str]]:
        """Text columns that the function may change, with their places; at most four."""
        declared = self._candidate.contract.modifies
        names = self.focus if declared is None else [name for name in self.focus if name in declared]
        schema = self.working.schema
        return [(schema.get_field_index(name), name) for name in names if is_text(schema.field(name).type)][:4]

    def _with(self, name: str, rows: Sequence[int], cells: Sequence[str]) -> pa.Table:
        table = self.working.take(pa.array(rows, pa.int64()))
        field = table.schema.field(name)
        return table.set_column(table.schema.get_field_index(name), field, pa.array(cells, field.type))

    def _load_sizes(self) -> list[int]:
        """Numbers of rows, each eight times the one before; the largest only where its bytes are not too many."""
        sizes = [LOAD_ROWS // GROWTH, LOAD_ROWS, LARGEST_ROWS_OF_WIDE]
        whole = self.case("load", self._large, (Op.F,))
        return [*sizes, LARGEST_ROWS] if GROWTH * len(whole.input) <= LARGEST_BYTES else sizes

    def _load_child(self, rows: int, cpu_s: float = LARGEST_CPU_S) -> Child:
        """A process of its own for a load. `cpu_s`: what more than the base load may take."""
        every = list(range(self._large.num_rows))
        limits = self._policy.limits
        if rows == len(every):
            return Child((self.case("load", self._large, (Op.F,)),), limits)
        if rows > len(every):
            wall_s = max(limits.wall_s, LARGE_WALL_S)
            limits = limits.model_copy(update={"cpu_s": min(limits.cpu_s, cpu_s), "wall_s": wall_s})
        chosen = (every * (rows // len(every) + 1))[:rows]
        return Child((self._part("load", str(rows), self._large, chosen, ops=(Op.F,)),), limits)

    @cached_property
    def _large(self) -> pa.Table:
        """Rows of the sample, with other digits where there are any, so that different values grow in number too."""
        count = GROWTH * LOAD_ROWS
        rows = [row % self.working.num_rows for row in range(count)]
        table = self.working.take(pa.array(rows, pa.int64()))
        for name in self.focus:
            column = self.working.column(name)
            if not is_text(column.type):
                continue
            texts = column.to_pylist()
            cells = [self._varied(texts[row], texts) for row in rows]
            field = table.schema.field(name)
            table = table.set_column(table.schema.get_field_index(name), field, pa.array(cells, field.type))
        return table.combine_chunks()

    def _varied(self, text: str | None, texts: Sequence[str | None]) -> str | None:
        other = self._chance.choice(texts)
        if text is None or other is None or text.startswith(MARK):
            return text
        return edits.crossed(text, other, self._chance.getrandbits(24))


def work(cases: Sequence[Case]) -> int:
    """Bytes of input times ops: what a function's cost is guessed from."""
    return sum(len(case.input) * len(case.ops) for case in cases)


def focus(candidate: Candidate, table: pa.Table) -> list[str]:
    """The columns that the function is about: those that it declares, and those that its text names."""
    contract = candidate.contract
    named = {node.value for node in ast.walk(parse_python(candidate.source)) if isinstance(node, ast.Constant)}
    mentioned = [name for name in table.column_names if name in named and name not in (contract.modifies or ())]
    declared = [name for name in contract.modifies or () if has_column(table, name)]
    found = [*declared, *mentioned] or table.column_names
    return [name for name in found if _readable(table.column(name))][:MAX_FOCUS]


def _readable(column: pa.ChunkedArray) -> bool:
    """Whether Python has values for the cells, and edits for such values: no lists, no days outside its calendar."""
    try:
        column.to_pylist()
    except (ValueError, OverflowError, pa.ArrowException):
        return False
    return not pa.types.is_nested(column.type)


def _kinds(texts: Sequence[str | None]) -> list[dict[str, int]]:
    """Texts that differ in their digits only, each with a row that it stands in; kinds of which most are different."""
    found: dict[str, dict[str, int]] = {}
    counts: dict[str, int] = {}
    for row, text in enumerate(texts):
        if text and not text.startswith(MARK) and any(char.isdigit() for char in text):
            shape = "".join("9" if char.isdigit() else char for char in text)
            found.setdefault(shape, {}).setdefault(text, row)
            counts[shape] = counts.get(shape, 0) + 1
    fit = [cells for shape, cells in found.items() if len(cells) >= 20 and len(cells) >= 0.7 * counts[shape]]
    return sorted(fit, key=len, reverse=True)[:MOST_KINDS]
