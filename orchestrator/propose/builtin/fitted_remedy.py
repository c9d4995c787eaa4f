"""What a rule hands over that learns from all rows: a module that ships with cleanroom, and the columns it is about.

The module (such as `reports`) has `_learn(rows)`, `_join(state, state)`, `_decide(state)` and `_settle(row, decided)`.
It runs here, on the working rows, and its text is copied into a fitted candidate, after that of `learnt_keys`.
"""

import inspect
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, ClassVar

from orchestrator.propose.builtin import learnt_keys
from orchestrator.propose.builtin.codegen import literal, quoted
from orchestrator.propose.builtin.function_names import slug
from orchestrator.propose.builtin.remedy import RowChange
from orchestrator.propose.builtin.working_rows import Cell, WorkingRows

_LARGE = 2800  # working rows: the file may hold many more
_SO_MANY = 100  # times as many rows as these, and more, hardly ever come

_CANDIDATE = '''
def _texts(df, names):
    return [[cell if isinstance(cell, str) else None for cell in df[name].tolist()] for name in names]


def _rows(df):
    keys = ["\\x1f".join(key) if all(key) else None for key in zip(*_texts(df, _BY))]
    return list(zip(*_texts(df, _COLUMNS), keys, *_texts(df, _READ)))


def fit(df):
    """What the rows say."""
    return _learn(_rows(df))


def merge(one, other):
    """What two parts of the rows say together."""
    return _join(one, other)


@functools.lru_cache(maxsize=1)
def _decided(text):
    """What a state decides: the same for every batch."""
    return _decide(json.loads(text))


def detect(df, state):
    """True where a row still has the issue."""
    decided = _decided(json.dumps(state, sort_keys=True))
    return pd.Series([_settle(row, decided) != row for row in _rows(df)], index=df.index, dtype=bool)


def {name}(df, state):
    {doc}
    decided = _decided(json.dumps(state, sort_keys=True))
    fixed = [_settle(row, decided) for row in _rows(df)]
    out = df.copy()
    for place, name in enumerate(_COLUMNS):
        cells = [row[place] if isinstance(row[place], str) else cell for row, cell in zip(fixed, df[name].tolist())]
        out[name] = pd.Series(cells, index=df.index, dtype=df[name].dtype)
    return out
'''


@dataclass(frozen=True)
class FittedRemedy:
    """One fitted function to be. A row is its cells of `columns`, which may change, its key, its cells of `read`.

    `by`: the columns whose rows should agree in `columns`; their cells are the key, one text. Each of `columns` is
    decided for itself, so that one can be left out, or stand alone.
    """

    name: str
    issue: str
    doc: str
    columns: tuple[str, ...]
    read: tuple[str, ...]
    by: tuple[str, ...]
    learner: ModuleType
    settings: Mapping[str, Any] = field(default_factory=dict)
    examples: int = 3
    part_of: str = ""

    whole_rows: ClassVar[bool] = False
    once: ClassVar[bool] = True  # what it learns it learns from the whole data: a second one would learn the same

    @property
    def modified(self) -> tuple[str, ...]:
        """The columns that may change."""
        return self.columns

    @property
    def parts(self) -> tuple["FittedRemedy", ...]:
        """The remedies of its columns, one by one."""
        names = () if self.part_of else self.columns
        return tuple(
            replace(self, columns=(name,), name=f"{self.name}_in_{slug(name)}", part_of=self.name) for name in names
        )

    def without(self, column: str) -> "FittedRemedy":
        """The same remedy for the other columns."""
        return replace(self, columns=tuple(name for name in self.columns if name != column))

    def room(self, table: WorkingRows) -> str:
        """What the user should know where the whole file may hold more than a state has room for; else nothing.

        Of a large file these are only some of the rows, and how many there are is not known here.
        """
        state = self.learner._learn(self._rows(table))  # noqa: SLF001 - the names that the candidate has
        size = len(json.dumps(state, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        most = table.rows / 2 ** state["level"] * learnt_keys._MOST / size  # noqa: SLF001
        if not state["level"] and not _LARGE <= table.rows <= most <= _SO_MANY * table.rows:
            return ""
        return (
            f"{self.name} has room for what some {round(most, -3):,.0f} rows say. Of a larger file a share of the"
            " things is settled, and the others stay: clean it in parts that each hold whole things."
        )

    def _rows(self, table: WorkingRows) -> list[tuple[Cell, ...]]:
        parts = zip(*self._cells(table, self.by), strict=True)
        keys = ["\x1f".join(filter(None, key)) if all(key) else None for key in parts]
        return list(zip(*self._cells(table, self.columns), keys, *self._cells(table, self.read), strict=True))

    def changes(self, table: WorkingRows) -> list[RowChange]:
        """Rows before and after, of the columns that may change and those that are read; only rows that change."""
        rows = self._rows(table)
        decided = self.learner._decide(self.learner._learn(rows))  # noqa: SLF001 - the names that the candidate has
        settled = ((row, self.learner._settle(row, decided)) for row in rows)  # noqa: SLF001
        return [(row, new) for row, new in settled if new != row]

    def _cells(self, table: WorkingRows, names: tuple[str, ...]) -> list[list[Cell]]:
        return [table[name].cells for name in names]

    def render(self, table: WorkingRows, name: str) -> str:
        """The candidate file."""
        del table
        contract = {"shape": "fitted", "modifies": list(self.columns), "by": list(self.by)}
        imports, functions = _source_of((learnt_keys, self.learner))
        head = f"{quoted(self.issue)}\n\n{imports}\n\nimport pandas as pd\n"
        constants = (
            f"CONTRACT = {literal(contract)}\n_COLUMNS = {self.columns!r}\n_BY = {self.by!r}\n_READ = {self.read!r}\n"
        )
        body = _CANDIDATE.format(name=name, doc=quoted(self.doc)).strip()
        return f"{head}\n{constants}\n{functions}\n\n\n{body}\n"


def _source_of(modules: tuple[ModuleType, ...]) -> tuple[str, str]:
    """The imports and the functions of modules, without their docstrings and what they import of each other."""
    imports, functions = {"import functools", "import json"}, []
    for module in modules:
        text = re.sub(r"  # noqa.*", "", inspect.getsource(module)).split('"""\n', 1)[1]
        lines = text.strip().splitlines()
        start = next(n for n, line in enumerate(lines) if line and not line.startswith(("import ", "from ")))
        imports.update(line for line in lines[:start] if line and "orchestrator" not in line)
        functions.append("\n".join(lines[start:]))
    return "\n".join(sorted(imports, key=lambda line: (line.startswith("from "), line))), "\n\n\n".join(functions)
