"""Holds the columns of a data set against those that functions need, before a row is read. Called by `apply`.

A column that has another name in this file is found by its name, then by what its cells look like. It is said,
and never taken without being asked: `--map known=own` does that.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from shlex import quote
from typing import NamedTuple

from orchestrator.core.errors import ColumnsMissing, UsageError
from orchestrator.core.needs import names_column, needs_of
from orchestrator.core.promoted import Promoted
from orchestrator.core.wording import joined_by_and, plural
from orchestrator.data.formats import Dataset
from orchestrator.data.formats.csv.csv_read import CsvDataset
from orchestrator.data.objects.object_dataset import ObjectDataset
from orchestrator.data.renamed import RenamedDataset
from orchestrator.data.text import clean_text
from orchestrator.run.apply.column_suggestion import LIKE_A_CELL, Suggestion, suggestions
from orchestrator.run.apply.stages import columns_seen

_LOOKED_AT = 1_000
_HEADED = ("csv", "tsv", "xlsx", "xls", "ods")  # whose names stand in a first line, which may be missing
_SHOWN = 60
_LISTED = 12
_KEY_ERROR = re.compile(r"""(?:its detect failed: )?KeyError: (?:'([^']+)'|"\['([^']+)'\] not in index")""")


class ColumnMatch(NamedTuple):
    """One column that functions use: the name that they know, which functions, and what it is called in the file.

    `own`: None where the file has no such column. `needed`: without it, a function fails; else it does nothing.
    `suggested`: a column of the file that may be it, and why, where none is found. `other_unit`: one that may be it but
    for its unit, as its name says.
    """

    name: str
    functions: tuple[str, ...]
    own: str | None
    needed: bool = True
    suggested: str = ""
    why: str = ""
    other_unit: str = ""

    @property
    def state(self) -> str:
        """A few words for a table."""
        if self.own is not None:
            return "there" if self.own == self.name else f"mapped from {_shown(self.own)}"
        maybe = f"; perhaps {_shown(self.suggested)} ({self.why})" if self.suggested else ""
        maybe += f"; {_shown(self.other_unit)} has another unit" if self.other_unit else ""
        return ("missing" if self.needed else "missing, not needed") + maybe


def _shown(name: str) -> str:
    """A name in quotes, with the blanks around it: they may be all that is wrong with it."""
    text = clean_text(name, _SHOWN)
    blank = name[: len(name) - len(name.lstrip())], name[len(name.rstrip()) :] if name.strip() else ""
    before, after = (repr(part[:8])[1:-1] for part in blank)
    return f"'{before}{text}{after}'"


def renamed(dataset: Dataset, mapping: Mapping[str, str]) -> Dataset:
    """The data set under the names that functions know; `mapping`: by that name, the file's. Raises UsageError."""
    if not mapping:
        return dataset
    for known, own in mapping.items():
        if own not in dataset.columns:
            advice = f"It has: {_listed([clean_text(name, 40) for name in dataset.columns])}."
            if known in dataset.columns and known not in mapping.values():
                turned = quote(f"{own}={known}")
                advice = f"The name that functions know stands first: if that is '{own}', say --map {turned}."
            raise UsageError(
                f"'{known}' is mapped to '{own}', and {dataset.name} has no column '{own}'.", advice=advice
            )
        if known in dataset.columns and known not in mapping.values():
            raise UsageError(
                f"'{known}' is mapped to '{own}', and {dataset.name} has a column '{known}' already.",
                advice="Map that one, too.",
            )
    if len(set(mapping.values())) != len(mapping):
        raise UsageError("Two names are mapped to one column of the file.", advice="Map each to one name.")
    return RenamedDataset(dataset, {own: known for known, own in mapping.items()})


def match_columns(
    dataset: Dataset, functions: Sequence[Promoted], mapping: Mapping[str, str] | None = None
) -> tuple[ColumnMatch, ...]:
    """Every column that the functions use, in the order in which they do; `dataset` is already renamed.

    Raises UsageError where the mapping has a name that none of them uses.
    """
    mapping = mapping or {}
    there = {name: mapping.get(name, name) for name in dataset.columns}
    users: dict[str, list[str]] = {}
    needed: set[str] = set()
    made: set[str] = set()
    for function in functions:
        need = needs_of(function.candidate)
        for name in sorted(need.used - made):
            users.setdefault(name, []).append(function.name)
        needed |= need.needed - made
        made |= set(function.candidate.contract.adds)
    free = [name for name in dataset.columns if name not in users and name not in mapping]
    found = [ColumnMatch(name, tuple(who), there.get(name), name in needed) for name, who in users.items()]
    _refuse_unused(found, functions, mapping)
    if all(one.own is not None for one in found):
        return tuple(found)
    head = next(dataset.batches(_LOOKED_AT), None)
    missing = {one.name: one.functions for one in found if one.own is None}
    may_be = suggestions(missing, free, head, functions)
    return tuple(_with(one, may_be[one.name]) if one.own is None else one for one in found)


def _with(one: ColumnMatch, may_be: Suggestion) -> ColumnMatch:
    return one._replace(suggested=may_be.name, why=may_be.why, other_unit=may_be.other_unit)


def _refuse_unused(matches: Sequence[ColumnMatch], functions: Sequence[Promoted], mapping: Mapping[str, str]) -> None:
    """Raise UsageError where a column is mapped to a name that no function uses.

    A name that a source computes cannot be seen: then only where a column that is seen is missing. A column may also be
    mapped to make room for another one.
    """
    candidates = [function.candidate for function in functions]
    told = all(columns_seen(candidate) is not None for candidate in candidates)
    missing = any(one.own is None and one.needed for one in matches)
    for known, own in mapping.items() if told or missing else ():
        if any(one.name == known for one in matches) or own in mapping:
            continue
        if not any(names_column(candidate, known) for candidate in candidates):
            names = _listed([f"'{clean_text(one.name, 40)}'" for one in matches])
            raise UsageError(
                f"'{known}' is mapped to '{own}', and no function uses a column '{known}'.",
                advice=f"They use: {names}." if names else "Map nothing: they name no column.",
            )


def _listed(names: Sequence[str]) -> str:
    return ", ".join([*names[:_LISTED], *(["…"] if names[_LISTED:] else [])])


def placed(dataset: Dataset, functions: Sequence[Promoted]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Columns that were not there where any function was proved, and those in another order than where the first was.

    Empty where no evidence says what was there. `dataset` is already renamed.
    """
    orders = [b.order for f in functions if (b := f.evidence.verdict.baseline) is not None and b.order]
    if not orders:
        return (), ()
    known = set().union(*orders, *(function.candidate.contract.adds for function in functions))
    new = tuple(name for name in dataset.columns if name not in known)
    now = [name for name in dataset.columns if name in orders[0]]
    before = [name for name in orders[0] if name in now]
    return new, tuple(name for name, other in zip(now, before, strict=True) if name != other)


def refuse_missing(dataset: Dataset, matches: Sequence[ColumnMatch], registry: str = "REGISTRY") -> None:
    """Raise ColumnsMissing where a needed column is not there, with what may be it.

    `registry`: where the functions are, for the command that takes one out of use.
    """
    missing = [one for one in matches if one.own is None and one.needed]
    if not missing:
        return
    which = [_lacks(one) for one in missing[:5]] + ([f"{len(missing) - 5} more"] if missing[5:] else [])
    maybe = ["--map " + quote(f"{one.name}={one.suggested or '…'}") for one in missing[:5]]
    advice = (
        f"If these are the columns under another name: {' '.join(maybe)}."
        if any(one.suggested for one in missing[:5])
        else f"Name them with --map known=own. Where a column is gone for good, {_suspend(missing, registry)}."
    )
    same = [f"{one.suggested[:60]!r} to {one.name[:60]!r}" for one in missing if one.suggested]  # with their blanks
    unmapped = "Leave out --registry: its functions were made for other data."
    if same:
        unmapped = (
            f"If these are the columns under another name, rename {' and '.join(same[:5])} in the file, or clean it "
            "with `cleanroom apply` and --map. Or leave out --registry: then no function is taken over."
        )
    if len(missing) == len(matches) and dataset.format in _HEADED and all(w.why == LIKE_A_CELL for w in missing):
        headless = "Its first line looks like a row: if it has no header, write the columns' names above it."
        advice, unmapped = f"{headless} {advice}", f"{headless} {unmapped}"
    if others := [one for one in missing if one.other_unit]:
        said = " ".join(f"{_shown(one.other_unit)} has another unit than {_shown(one.name)}." for one in others)
        rest = "" if len(others) == len(missing) else f" {advice}"
        advice, unmapped = f"{said} Convert its cells before you map it.{rest}", f"{said} {unmapped}"
    header = next(iter(dataset.columns), "")  # a Parquet file, or a DataFrame, may have none
    if len(dataset.columns) == 1 and any(one.name in header for one in missing) and dataset.format in ("csv", "tsv"):
        sign = _sign(dataset)
        advice = unmapped = (
            f"It is read as one column, '{clean_text(header, 80)}': no comma, semicolon, tab or | parts its cells. "
        ) + (
            f"If {sign!r} does, say --delimiter {sign!r}."
            if sign
            else "--parser fixed-width, or a parser of your own, reads it."
        )
    raise ColumnsMissing(f"{dataset.name} has no column {', and '.join(which)}.", advice=advice, unmapped=unmapped)


def _suspend(missing: Sequence[ColumnMatch], registry: str) -> str:
    """What takes the functions out of use that need these columns."""
    first, *others = dict.fromkeys(name for one in missing for name in one.functions)
    command = f"cleanroom registry suspend {quote(first)} --registry {quote(registry)} --reason 'its column is gone'"
    return f"`{command}` takes {first} out of use{', and so on' if others else ''}"


def _sign(dataset: Dataset) -> str:
    """What may part the columns of a file that is read as one column."""
    while isinstance(dataset, RenamedDataset | ObjectDataset):
        dataset = dataset.inner
    return dataset.sign if isinstance(dataset, CsvDataset) else ""


def refuse_unfit(dataset: Dataset, functions: Sequence[Promoted]) -> None:
    """As `refuse_missing`, for a run, which maps nothing."""
    try:
        refuse_missing(dataset, match_columns(dataset, functions))
    except ColumnsMissing as error:
        error.advice = error.unmapped
        raise


def unknown_column(function: Promoted, reason: str, columns: Collection[str], *, always: bool = False) -> str:
    """The column that the function asks for and does not find, where it ended with a KeyError; empty for none.

    A KeyError may also be about a word that a function looks up. So the name must stand in the source, unless the
    function fails on every row (`always`).
    """
    found = _KEY_ERROR.fullmatch(reason)
    name = (found[1] or found[2]) if found else ""
    known = not name or name in columns
    return "" if known or not (always or names_column(function.candidate, name)) else name


def refuse_unknown(
    dataset: Dataset, function: Promoted, reason: str, columns: Collection[str], *, always: bool = False
) -> None:
    """Raise ColumnsMissing where a function ended with a KeyError about a column that is not there."""
    name = unknown_column(function, reason, {*columns, *dataset.columns}, always=always)
    if name:
        head = next(dataset.batches(_LOOKED_AT), None)
        inner = dataset.inner.columns if isinstance(dataset, RenamedDataset) else dataset.columns
        free = [name for name in dataset.columns if name in inner]
        may_be = suggestions({name: (function.name,)}, free, head, [function])[name]
        refuse_missing(dataset, [_with(ColumnMatch(name, (function.name,), None), may_be)])


def _lacks(one: ColumnMatch) -> str:
    shown = [*one.functions[:3], *([f"{len(one.functions) - 3} more"] if one.functions[3:] else [])]
    return f"{_shown(one.name)}, which {joined_by_and(shown)} {plural(len(one.functions), 'needs', 'need')}"
