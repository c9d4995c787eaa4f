"""Rows in are rows out and rows set aside, in every format that can be read: a law with one test for all of them."""

import base64
import gzip
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.errors import DataError
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.core.verdict import CandidateInfo, Outcome, Verdict
from orchestrator.data.formats import FORMATS, open_dataset
from orchestrator.run.apply.apply import apply_functions
from tests.data.formats.test_formats_documents import KINDS
from tests.data.formats.test_formats_excel import XLS, ods

WORDS = [f"Word {i}." if i % 7 else f"Refused {i}." for i in range(1, 31)]  # four of them are refused


def _workbook(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in [["text", "n"], *([word, i] for i, word in enumerate(WORDS))]:
        book.active.append(row)
    book.save(path)


def _ods(path: Path) -> None:
    cells = [f'<table:table-cell office:value-type="string"><text:p>{w}</text:p></table:table-cell>' for w in WORDS]
    ods(path, "</table:table-row><table:table-row>".join(cells))


TEXTS = {
    "csv": "text,n\n" + "".join(f"{word},{i}\n" for i, word in enumerate(WORDS)),
    "tsv": "text\tn\n" + "".join(f"{word}\t{i}\n" for i, word in enumerate(WORDS)),
    "jsonl": "".join(f'{{"text": "{word}", "n": {i}}}\n' for i, word in enumerate(WORDS)),
    "json": "[" + ",\n ".join(f'{{"text": "{word}", "n": {i}}}' for i, word in enumerate(WORDS)) + "]\n",
    "markdown": "\n\n".join(WORDS) + "\n",
    "text": "\n\n".join(WORDS) + "\n",
}
MAKE: dict[str, Callable[[Path], object]] = {
    **{kind: lambda path, text=text: path.write_text(text) for kind, text in TEXTS.items()},  # type: ignore[misc]
    **{kind: lambda path, made=made: path.write_bytes(made(*WORDS)) for kind, made in KINDS.items()},  # type: ignore[misc]
    "parquet": lambda path: pq.write_table(pa.table({"text": WORDS}), path, row_group_size=8),
    "xlsx": _workbook,
    "ods": _ods,
    "xls": lambda path: path.write_bytes(gzip.decompress(base64.b64decode(XLS))),
}
PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
}
BAD = {
    "csv": ["3,4,5\n", "Word \udcff.,7\n", "Word \0.,8\n"],
    "tsv": ["3\n", "Word \udcff.\t7\n", "Word \0.\t8\n"],
    "jsonl": ["no JSON\n", "[1]\n", '{"text": "\udcff"}\n', '{"text": 1, "text": 2}\n'],
}


def refusing(column: str, word: str) -> Promoted:
    """A function that fails where the column holds that word."""
    source = (
        f"def picky(df):\n    out = df.copy()\n    if out[{column!r}].str.startswith({word!r}).any():\n"
        f"        raise ValueError('refused')\n    out[{column!r}] = out[{column!r}].str.upper()\n    return out\n"
    )
    candidate = Candidate(source=source, name="picky", contract=Contract(modifies=(column,)))
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=())
    evidence = Evidence(verdict=verdict, policy_sha256="", proposer="test")
    return Promoted(candidate=candidate, evidence=evidence, order=0, promoted_at=datetime.now(UTC))


def texts(path: Path, column: str) -> list[str]:
    return [text for table in open_dataset(path).batches() for text in table.column(column).to_pylist()]


def test_every_format_that_can_be_read_is_tried() -> None:
    """A format that is added comes with a file here."""
    assert set(MAKE) == {kind for kind, known in FORMATS.items() if known.read}
    assert set(BAD) == {kind for kind, known in FORMATS.items() if known.readable}


@pytest.mark.parametrize("kind", MAKE)
def test_rows_on_which_a_function_fails_are_set_aside(tmp_path: Path, access: SandboxAccess, kind: str) -> None:
    """The others go out, cleaned; each row that came in is in one of the two files, and in one alone."""
    source = tmp_path / f"in{FORMATS[kind].suffixes[0]}"
    MAKE[kind](source)
    column, word = {"xls": ("id", "2"), "ods": ("a", "Refused")}.get(kind, ("text", "Refused"))
    known = texts(source, column)
    refused = [text for text in known if text.startswith(word)]
    dataset = open_dataset(source)
    output, aside = tmp_path / f"out{dataset.suffix}", tmp_path / "bad.csv"
    done = apply_functions(dataset, [refusing(column, word)], output, access, quarantine=aside)
    assert done.rows_in == len(known) == done.rows_out + done.quarantined
    assert done.quarantined == len(refused) > 0
    assert texts(aside, column) == refused
    assert texts(output, column) == [text.upper() for text in known if text not in refused]


@pytest.mark.parametrize("packing", PACK)
@pytest.mark.parametrize("kind", BAD)
def test_rows_that_cannot_be_read_are_set_aside_too(
    tmp_path: Path, access: SandboxAccess, kind: str, packing: str
) -> None:
    """With those on which the function fails; without `set_aside` the file is refused."""
    mixed = TEXTS[kind].splitlines(keepends=True)
    for place, bad in enumerate(BAD[kind], 1):
        mixed.insert(6 * place, bad)
    source = tmp_path / f"in.{kind}{packing}"
    source.write_bytes(PACK[packing]("".join(mixed).encode("utf-8", "surrogateescape")))
    encoding = None if kind == "jsonl" else "utf-8"
    with pytest.raises(DataError):
        list(open_dataset(source, encoding=encoding).read())
    dataset = open_dataset(source, set_aside=True, encoding=encoding)
    output, aside = tmp_path / f"out.{kind}{packing}", tmp_path / "bad.csv"
    done = apply_functions(dataset, [refusing("text", "Refused")], output, access, quarantine=aside)
    refused = [word for word in WORDS if word.startswith("Refused")]
    assert len(dataset.unreadable) == len(BAD[kind])
    assert done.rows_in == len(WORDS) + len(BAD[kind]) == done.rows_out + done.quarantined
    assert texts(aside, "text") == [""] * len(BAD[kind]) + refused
    assert texts(output, "text") == [word.upper() for word in WORDS if word not in refused]
