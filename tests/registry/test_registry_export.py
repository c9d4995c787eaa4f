"""The exported file runs on its own, keeps the functions apart, and does what the sandboxed apply does."""

import ast
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.core.candidate import Candidate, Contract, Shape
from orchestrator.core.errors import DataError, RegistryError
from orchestrator.core.ports import SandboxAccess
from orchestrator.core.promoted import Evidence, Promoted
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.formats import FORMATS, open_dataset, open_writer
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.export.export import export_functions
from orchestrator.registry.export.standalone_formats import CLEANERS, kind_by_suffix
from orchestrator.registry.memory_registry import MemoryRegistry
from orchestrator.run.apply.apply import apply_functions
from orchestrator.sandbox.containers.local import LocalSandbox
from tests.support.bare_python import BarePython

Promote = Callable[..., list[Promoted]]

TRIM = """
def trim(df):
    out = df.copy()
    for name in df.columns:
        if isinstance(df[name].dtype, pd.StringDtype):
            out[name] = df[name].str.strip().str.replace("N/A", "")
    return out
"""
TRIM_SOURCE = "import pandas as pd\n" + TRIM


@pytest.fixture
def promote(candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]) -> Promote:
    def _promote(contract: Contract | None = None, **sources: str) -> list[Promoted]:
        registry = MemoryRegistry()
        for name, source in sources.items():
            made = candidate(name, source=source).model_copy(update={"contract": contract or Contract()})
            registry.promote(made, evidence(made))
        return list(registry.functions())

    return _promote


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BarePython]:
    made = BarePython(tmp_path_factory.mktemp("bare"))
    yield made
    made.close()


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(bare: BarePython) -> Run:
    """The exported file as a program, with the manifest of its export, where cleanroom cannot be imported."""

    def started(text: str, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return bare.run(written(text, folder), *arguments)

    return started


def written(text: str, folder: Path) -> Path:
    """The exported file with the manifest of its export."""
    file = folder / "cleaning_functions.py"
    file.write_text(text, encoding="utf-8")
    export_bundle([], folder / "registry", beside={file.name: hashlib.sha256(text.encode()).hexdigest()})
    return file


def load(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "cleaning_functions", "__file__": "cleaning_functions.py"}
    exec(compiled(text), space)  # noqa: S102 - it is what is tested
    return space


@cache
def compiled(text: str) -> CodeType:
    return compile(text, "cleaning_functions.py", "exec")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_the_result_does_not_take_over_who_may_write_another_users_file(
    tmp_path: Path, promote: Promote, run: Run
) -> None:
    """Whoever had put a file there that all may write could add rows to the result; an own file's mode is kept."""
    (tmp_path / "a.csv").write_text("city\n Ulm\n")
    target = tmp_path / "o.csv"
    text = export_functions(promote(trim=TRIM_SOURCE))
    for owner, kept in ((65534, False), (0, True)):
        target.write_text("old")
        target.chmod(0o666)
        os.chown(target, owner, -1)
        assert run(text, tmp_path, str(tmp_path / "a.csv"), str(target)).returncode == 0
        assert (target.stat().st_mode & 0o777 == 0o666) is kept


def test_both_lists_of_suffixes_agree() -> None:
    """The exported program refused a .geojson file that `apply` reads as JSON."""
    for kind in CLEANERS:
        for suffix in FORMATS[kind].suffixes:
            assert kind_by_suffix(Path(f"a{suffix}")) == kind


def test_half_a_surrogate_pair_is_told_with_its_row(tmp_path: Path, promote: Promote, run: Run) -> None:
    """The result was blamed, though it stands in the file that is read; a whole pair is a character."""
    text = export_functions(promote(trim=TRIM_SOURCE))
    for name, second, code in (("bad", r"\uD800", 2), ("good", r"\ud83d\ude00", 0)):
        source = tmp_path / f"{name}.jsonl"
        source.write_text(f'{{"name": " A", "k": "x"}}\n{{"name": " B", "k": "{second}"}}\n')
        done = run(text, tmp_path, str(source), str(tmp_path / "out.jsonl"))
        assert done.returncode == code, done
        told = "bad.jsonl: row 2: a text holds '\\ud800', which is not a character" in done.stderr
        assert told is (code == 2), done


def test_helpers_of_the_same_name_do_not_clash(promote: Promote) -> None:
    """Two functions bring a `_tidy` and an import of their own; each uses its own."""
    space = load(
        export_functions(
            promote(
                one="import re as t\ndef _tidy(s): return t.sub('a', 'b', s)\ndef one(df): return df.map(_tidy)\n",
                two="import html as t\ndef _tidy(s): return t.unescape(s)\ndef two(df): return df.map(_tidy)\n",
            )
        )
    )
    assert space["clean"](pd.DataFrame({"x": ["a&amp;"]}))["x"].tolist() == ["b&bmp;"]


def test_functions_run_in_their_order(promote: Promote) -> None:
    """`clean` applies them as they were promoted, on a copy."""
    sources = {n: f"def {n}(df):\n    return df.assign(x=df['x'] + '{n}')\n" for n in ("b", "a", "c")}
    space = load(export_functions(promote(**sources)))
    frame = pd.DataFrame({"x": ["-"]})
    assert space["clean"](frame)["x"].tolist() == ["-bac"]
    assert frame["x"].tolist() == ["-"]
    assert [function.name for function in space["FUNCTIONS"]] == ["b", "a", "c"]


@pytest.mark.parametrize(
    "body",
    [
        'from __future__ import annotations\ndef f(df: Missing):\n    """Doc.\n\nimport os\n  x"""\n    return df\n',
        "from collections import (\n    Counter,\n    deque,\n)\ndef f(df):\n    return df\n",
        "X = '''a\n    b'''\nY = \"\"\"c\"\"\"\ndef f(df):\n    return df\n",
        "X = r'\\d'\ndef f(df):\n    global X\n    return df  # '''",
        "def f(df):\r\n    return df\r\n",
        "def f(df):\n\treturn df  # \u202e \u200b \x0c tab\n",
        "# --- formats ---\n# --- end of functions ---\n# --- functions ---\ndef f(df):\n    return df\n",
        "from dataclasses import dataclass\n@dataclass\nclass _P:\n    x: int\ndef f(df):\n    _P(1)\n    return df\n",
        "def f(df):\n    return df\n# ends with a backslash \\",
        "def f(df):\n    return df\n# ends with a quote '",
        "é = 'ü'\ndef f(df):\n    return df  # {not} %s a template {{ }}\n",
    ],
)
def test_any_source_stays_what_it_is(promote: Promote, body: str) -> None:
    """Whatever the source looks like, the text that is loaded is byte for byte the one that was promoted."""
    text = export_functions(promote(f=body))
    space = load(text)
    assert space["FUNCTIONS"][0].source == body
    assert space["clean"](pd.DataFrame({"x": [1]})).equals(pd.DataFrame({"x": [1]}))
    assert "\u202e" not in text


def test_the_listing_reads_like_the_source(promote: Promote) -> None:
    """An ordinary source stands in the file line by line, unescaped and unindented."""
    assert TRIM_SOURCE in export_functions(promote(trim=TRIM_SOURCE))


def test_a_function_that_adds_a_column_is_said_to(promote: Promote) -> None:
    """The line above it called its columns not declared."""
    made = export_functions(promote(Contract(modifies=(), adds=("year",)), add_year=TRIM_SOURCE))
    assert "# version 1, changes: year\n" in made


@pytest.mark.parametrize("issue", ['"""', "\\", "x\n# --- functions ---\nimport os", "\u202e\x00", "'" * 3, "{x}"])
def test_no_description_breaks_out_of_its_comment(
    issue: str, candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> None:
    """The issue's text, which a model wrote, stays within its line of docstring and comment."""
    registry = MemoryRegistry()
    made = candidate("f", column=issue, source="def f(df):\n    return df\n").model_copy(update={"issue": issue})
    registry.promote(made, evidence(made))
    text = export_functions(registry.functions())
    assert len(load(text)["FUNCTIONS"]) == 1
    assert "\nimport os" not in text.replace("\nimport os\n", "", 1)  # the file's own


def test_a_name_that_is_no_name_is_refused(
    candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> None:
    """A registry that was tampered with cannot write code through a function's name."""
    registry = MemoryRegistry()
    made = candidate('f", "x"); import os; ("', source="x")
    registry.promote(made, evidence(made))
    with pytest.raises(RegistryError, match="not a valid function name"):
        export_functions(registry.functions())


def test_an_edited_function_is_not_loaded(promote: Promote) -> None:
    """A changed byte in the listing is found out on import."""
    text = export_functions(promote(trim=TRIM_SOURCE)).replace(".str.strip()", ".str.lower()", 1)
    with pytest.raises(ImportError, match="trim is not the text that was proved"):
        load(text)


def test_tracebacks_show_the_source(promote: Promote) -> None:
    """An error inside a function points at its line."""
    space = load(export_functions(promote(f="def f(df):\n    raise KeyError('here')\n")))
    import traceback

    try:
        space["clean"](pd.DataFrame())
    except KeyError:
        assert "raise KeyError('here')" in traceback.format_exc()


def test_no_function_gives_a_file_that_changes_nothing(tmp_path: Path) -> None:
    """Without promoted functions the file runs and copies its input."""
    (tmp_path / "in.csv").write_bytes(b"a,b\r\n1, x\r\n")
    load(export_functions([]))["clean_file"](tmp_path / "in.csv", tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b"a,b\r\n1, x\r\n"


def test_the_file_runs_where_cleanroom_is_not_installed(tmp_path: Path, promote: Promote) -> None:
    """As a program, with the package out of reach, it cleans a file."""
    (tmp_path / "in.csv").write_bytes(b"a,b\n 1,N/A\n")
    file = written(export_functions(promote(trim=TRIM_SOURCE)), tmp_path)
    blocked = "import sys; sys.modules['orchestrator'] = None; import runpy; sys.argv[:1] = []; "
    command = [sys.executable, "-I", "-c", f"{blocked}runpy.run_path(sys.argv[0], run_name='__main__')", str(file)]
    places = (str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    done = subprocess.run([*command, *places], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out.csv").read_bytes() == b"a,b\n1,\n"


@pytest.mark.parametrize("what", ["the file", "the manifest", "no manifest", "no signature", "nonsense"])
def test_a_changed_file_does_not_run(tmp_path: Path, promote: Promote, bare: BarePython, run: Run, what: str) -> None:
    """Whatever was changed of the file or its manifest, none of its functions is loaded and nothing is written."""
    (tmp_path / "in.csv").write_bytes(b"a,b\n 1,N/A\n")
    places = (str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    loaded = tmp_path / "loaded"
    text = export_functions(promote(trim=f"open({str(loaded)!r}, 'w').close()\n" + TRIM_SOURCE))
    assert run(text, tmp_path, *places).returncode == 0
    loaded.unlink()
    (tmp_path / "out.csv").unlink()
    file, manifest = tmp_path / "cleaning_functions.py", tmp_path / "registry" / "manifest.json"
    signature = manifest.with_name("manifest.dsse.json")
    match what:
        case "the file":
            file.write_text(text + "# one more line\n", encoding="utf-8")
        case "the manifest":
            file.write_text(text + "# one more line\n", encoding="utf-8")
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"files": {file.name: digest}}))
        case "no manifest":
            manifest.unlink()
        case "no signature":
            signature.unlink()
        case "nonsense":
            signature.write_text('{"payload": 7}')
    done = bare.run(file, *places)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the signed manifest beside it does not name this file" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.csv").exists()
    assert not loaded.exists()


def test_nobody_sees_what_a_function_prints(tmp_path: Path, promote: Promote, run: Run) -> None:
    """Neither while it is loaded nor while it runs, nor by way of pandas; the file's own words are still there."""
    printing = "print('loaded')\n" + TRIM_SOURCE.replace(
        "    out = df.copy()\n", "    print('A' * 10**8)\n    df.info()\n    out = df.copy()\n"
    )
    assert "df.info()" in printing
    (tmp_path / "in.csv").write_bytes(b"a,b\n 1,N/A\n")
    text = export_functions(promote(trim=printing))
    done = run(text, tmp_path, str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out.csv").read_bytes() == b"a,b\n1,\n"
    refused = run(text, tmp_path, str(tmp_path / "no.csv"), str(tmp_path / "out.csv"))
    assert "no.csv" in refused.stderr


def test_the_same_functions_give_the_same_file(promote: Promote) -> None:
    """The export has no clock in it."""
    functions = promote(trim=TRIM_SOURCE)
    assert export_functions(functions) == export_functions(functions)


TEXTS = {
    "plain.csv": "a,b\n 1,x\nN/A,y \n",
    "semicolon.csv": "a;b\n 1,5;x\n2;N/A\n",
    "tabs.tsv": "a\tb\n 1\tx, y\n2\t\n",
    "commas.tsv": "a,b\n 1,x\n2,y \n",
    "one-column.tsv": "a\n x, y\n\nN/A, b;c\n",
    "no-table.tsv": "a, b\n x\ny \n",
    "mixed-line-ends.csv": "a,b\r\n 1,x\n2,y \r\n3, z\n",
    "mixed-ends.csv": "a,b\r 1,x\n2,y \r3, z\n",
    "pipe.csv": "a|b|c\n1| x|\n2|y|z\n",
    "quoted.csv": '"a","b"\n" 1",""\n"say ""N/A""","x, y"\n',
    "quoted-text-only.csv": 'a,b\n1," x"\n2,"y"\n3,\n',
    "crlf.csv": "a,b\r\n 1,x\r\n2,y \r\n",
    "no-final-line-end.csv": "a,b\n 1,x\n2,y ",
    "line-in-cell.csv": 'a,b\n" 1\nline ",x\n2,"y\n"\n',
    "one-column.csv": "a\n x\n\ny \n",
    "blank-lines.csv": "a,b\n\n 1,x\n\n2,y\n",
    "bare-quotes.csv": 'a,b\n 5" pipe,x\n6" pipe,y \n',
    "backslashes.csv": 'a,"b \\"x\\""\n" say \\"hi\\", go",x\n N/A,"D:\\\\"\n"two \\"\nlines\\" ",y\n',
    "names-of-their-own.csv": ",a,b,b\n0, 1,x,x \n1,N/A,y , y\n",
    "zeros-and-nulls.csv": "zip,n\n01234,null\n 00042,NaN\n,1e5\n",
    "umlauts.csv": "straße,b\n Jürgen,x\nZoë ,y\n",
    "odd.jsonl": '{"a": " x", "n": 1, "b": true}\n{"n": 2, "a": "N/A", "l": [1, {"z": " é"}]}\n{"a": null}\n',
    "compact.jsonl": '{"a":" x","f":1.50,"m":1}\r\n{"a":"\\u00e9 ","f":2,"m":"two "}\r\n',
    "big.jsonl": '{"a": " x", "n": 12345678901234567890}\n{"a": "y", "n": 5}\n{"a": "z", "x": 9007199254740993}',
    "numbers-among-texts.jsonl": '{"m": 1.0, "a": " x"}\n{"m": "2 "}\n{"m": 2.50}\n{"m": 3}\n',
    "truth-among-truths.json": '[{"m": true, "a": " x"}, {"m": "true "}, {"m": false}, {"m": " false"}, {"m": true}]',
    "number-among-numbers.jsonl": '{"m": 1, "a": " x"}\n{"m": "2 "}\n{"m": 2.50}\n{"m": " 3.50"}\n{"m": 4}\n{"m": 5}\n',
    "code-among-numbers.json": '[{"m": 1, "a": " x"},\n{"m": "2 "},\n{"m": 3},\n{"m": "007"},\n{"m": 4}]',
    "beyond-floats.jsonl": '{"a": " x", "f": 1e400, "m": "t"}\n{"a": "y ", "f": -1e400, "m": 1e400}\n',
    "list.json": '[\n  {"a": " x", "n": 1.10},\n  {"a": "N/A",\n   "l": [1e400]}\n]\n',
    "nested.json": '{"v": [1, 2], "r": {"rows": [{"a":" é"} , {"a":"y"} , {"b":true}]}, "z": "\\u00e9"}',
}


@pytest.fixture(scope="module")
def machinery() -> Iterator[tuple[LocalSandbox, DisposableProcess]]:
    with LocalSandbox() as sandbox, DisposableProcess("orchestrator.data.hostile.decoder_process:decode") as decoder:
        yield sandbox, decoder


def both(
    source: Path, functions: list[Promoted], machinery: tuple[LocalSandbox, DisposableProcess]
) -> tuple[Path, Path]:
    """The file cleaned by the sandboxed apply, and by the exported file."""
    sandbox, decoder = machinery
    applied, alone = (source.with_name(f"{word}{source.suffix}") for word in ("applied", "alone"))
    apply_functions(source, functions, applied, SandboxAccess(sandbox, decoder))
    load(export_functions(functions))["clean_file"](source, alone)
    return applied, alone


@pytest.mark.parametrize(
    ("name", "encoding"),
    [(name, encoding) for name in TEXTS for encoding in ("utf-8", "utf-8-sig")]
    + [(name, "utf-16") for name in TEXTS if not name.endswith((".jsonl", ".json"))],
)
def test_text_files_come_out_as_from_the_sandbox(
    name: str, encoding: str, tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """Delimiter, quoting, line ends, encoding and values: the same bytes as `cleanroom apply` writes."""
    source = tmp_path / name
    source.write_bytes(TEXTS[name].encode(encoding))
    applied, alone = both(source, promote(trim=TRIM_SOURCE), machinery)
    assert alone.read_bytes() == applied.read_bytes()
    assert alone.read_bytes() != source.read_bytes()


CELLS = st.text(st.sampled_from("ab1 ,;\t\"'\né"), max_size=4)


@st.composite
def csv_texts(draw: st.DrawFn) -> str:
    """CSV in every usual style; where nothing is quoted, quotes stand inside cells only (5" pipe)."""
    delimiter, line_end = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n", "\r"]))
    style, width = draw(st.sampled_from(["needed", "all", "text", "none"])), draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4))

    def written(cell: str) -> str:
        if style == "none":
            return cell.replace(delimiter, "").replace("\n", "").lstrip('"')
        needed = style == "all" or any(c in cell for c in f'"\n\r{delimiter}') or (style == "text" and cell)
        return '"' + cell.replace('"', '""') + '"' if needed else cell

    header = [f"c{i}" for i in range(width)]
    final = draw(st.sampled_from(["", line_end]))
    before = draw(
        st.sampled_from(["", "", "", f"a title{line_end}{line_end}", f"# a,b{line_end}", f"sep={delimiter}{line_end}"])
    )
    return before + line_end.join(delimiter.join(map(written, row)) for row in [header, *rows]) + final


def test_every_name_of_the_file_is_bound_once() -> None:
    """The modules that make it share one namespace."""
    names: list[str] = []
    for node in ast.parse(export_functions([])).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]
    assert [name for name, times in Counter(names).items() if times > 1] == []


@given(csv_texts())
@settings(deadline=None, max_examples=200)
def test_any_csv_is_read_and_written_as_by_the_data_room(text: str) -> None:
    """Without functions: the same bytes as `data.formats` writes, and an error where that has one."""
    clean_file = load(export_functions([]))["clean_file"]
    with tempfile.TemporaryDirectory() as folder:
        source, applied, alone = (Path(folder, f"{name}.csv") for name in ("in", "applied", "alone"))
        source.write_bytes(text.encode())
        try:
            dataset = open_dataset(source)
            with open_writer(applied, like=dataset, schema=dataset.schema) as writer:
                for batch in dataset.read():
                    writer.write(batch.table, batch)
        except DataError:
            with pytest.raises(ValueError, match=r"."):
                clean_file(source, alone)
        else:
            clean_file(source, alone)
            assert alone.read_bytes() == applied.read_bytes()


@pytest.mark.parametrize("packing", [".gz", ".zst", ".bz2", ".xz", ".zip"])
@pytest.mark.parametrize("name", ["quoted.csv", "odd.jsonl", "nested.json"])
def test_a_packed_file_comes_out_as_from_the_data_room(name: str, packing: str, tmp_path: Path) -> None:
    """Packed files are unpacked and packed again: the same bytes as `data.formats` writes."""
    plain, (packed, applied, alone) = tmp_path / name, (tmp_path / part / f"{name}{packing}" for part in "123")
    for path in (packed, applied, alone):
        path.parent.mkdir()
    plain.write_text(TEXTS[name])
    for source, target in ((plain, packed), (packed, applied)):
        dataset = open_dataset(source)
        with open_writer(target, like=dataset, schema=dataset.schema) as writer:
            for batch in dataset.read():
                writer.write(batch.table, batch)
    load(export_functions([]))["clean_file"](packed, alone)
    assert alone.read_bytes() == applied.read_bytes()
    if packing != ".zst":
        packed.write_bytes(packed.read_bytes()[:-30])
        with pytest.raises(ValueError, match="cannot be unpacked"):
            load(export_functions([]))["clean_file"](packed, alone)


def test_a_packed_file_that_stands_for_gigabytes_is_refused(tmp_path: Path) -> None:
    """What unpacks to more than 200 times its size ends before all of it is unpacked."""
    with gzip.open(tmp_path / "in.csv.gz", "wb") as file:
        file.write(b"a,b\n" + b"x,y\n" * 200_000)
    space = load(export_functions([]))
    space["_FREE"] = 1_000  # in the file, 64 MiB are always allowed
    with pytest.raises(ValueError, match=f"unpacks to more than {200 * (tmp_path / 'in.csv.gz').stat().st_size:,}"):
        space["clean_file"](tmp_path / "in.csv.gz", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_batches_of_an_exported_file_are_those_of_the_sandbox(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """More rows than one batch holds: a column that only some rows of it have is there in all, in its place."""
    (tmp_path / "in.csv").write_text("a\n" + "x\n" * 12_800 + "y\n" * 10)
    source = "def f(record):\n    return {**record, 'z': 1} if record['a'] == 'y' else record\n"
    functions = promote(Contract(shape=Shape.RECORD, adds=("z",)), f=source)
    applied, alone = both(tmp_path / "in.csv", functions, machinery)
    assert alone.read_bytes() == applied.read_bytes()
    assert alone.read_bytes().endswith(b"x,\ny,1\n" + b"y,1\n" * 9)


def test_a_pipe_is_refused_at_once(tmp_path: Path, promote: Promote, run: Run) -> None:
    """It waited for ever for somebody to write into it a second time."""
    os.mkfifo(tmp_path / "in.csv")
    functions = export_functions(promote(f="def f(df):\n    return df\n"))
    done = run(functions, tmp_path, str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "in.csv: a pipe is read once only" in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, promote: Promote) -> None:
    """Somebody appends a row while functions run: nothing is written."""
    path = tmp_path / "in.csv"
    path.write_text("a\nx\n")
    body = f"import pathlib\ndef f(df):\n    pathlib.Path({str(path)!r}).write_text('a\\nx\\ny\\n')\n    return df\n"
    with pytest.raises(ValueError, match="changed while it was read"):
        load(export_functions(promote(f=body)))["clean_file"](path, tmp_path / "out.csv")
    assert [one.name for one in tmp_path.iterdir()] == ["in.csv"]


def test_dropped_rows_and_columns_come_out_as_from_the_sandbox(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """A function that drops rows and a column and adds another: both ways agree."""
    source = "def f(df):\n    return df[df['a'] != 'x'].drop(columns='b').assign(n='1, 2')\n"
    functions = promote(Contract(adds=("n",), drops=("b",), drops_rows=True), f=source)
    for name, text in (
        ("in.csv", "a,b\ny,1\nx,2\nz,3\n"),
        ("in.jsonl", '{"a":"y","b":1}\n{"a":"x"}\n{"b":2,"a":"z"}\n'),
    ):
        (tmp_path / name).write_text(text)
        applied, alone = both(tmp_path / name, functions, machinery)
        assert alone.read_bytes() == applied.read_bytes()


@pytest.mark.parametrize(
    "made",
    [
        "df['a'].map({'x': True, 'y': False})",
        "df['a'].map({'x': True, 'y': False, 'z': True})",
        "df['a'].map({'x': 1, 'y': 2})",
        "pd.Series(each(1, None, 3), dtype=object)",
        "pd.Series(each(1, 2, 3), dtype=object)",
        "pd.Series(each('p', None, 'q'), dtype=object)",
        "pd.Series(each(1.5, None, 2.5), dtype=object)",
        "pd.array(each(1, 2, 3), dtype='Int64')",
        "pd.array(each(1, None, 3), dtype='Int64')",
        "pd.array(each(1.5, None, 3), dtype='Float64')",
        "pd.array(each(True, False, True), dtype='boolean')",
        "pd.array(each('p', None, 'q'), dtype='string')",
        "each(date(2024, 1, 1), None, date(2024, 1, 2))",
        "pd.to_datetime(each('2024-01-01', None, '2024-01-02'))",
        "df['a']",
    ],
)
def test_a_function_gets_what_the_one_before_it_added_as_in_the_sandbox(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess], made: str
) -> None:
    """Of the same type and with the same marks for what is missing: a function that tells them apart does the same."""
    first = (
        "from datetime import date\nimport pandas as pd\ndef first(df):\n"
        "    def each(*values):\n        return [dict(zip('xyz', values))[text] for text in df['a']]\n"
        f"    return df.assign(k={made})\n"
    )
    seen = "[f'{df[\"k\"].dtype} {value!r}' for value in df['k']]"
    second = f"def second(df):\n    return df.assign(seen={seen})\n"
    functions = [*promote(Contract(adds=("k",)), first=first), *promote(Contract(adds=("seen",)), second=second)]
    (tmp_path / "in.csv").write_text("a\n" + "x\ny\nz\n" * 100)
    applied, alone = both(tmp_path / "in.csv", functions, machinery)
    assert alone.read_text() == applied.read_text()


def test_parquet_comes_out_as_from_the_sandbox(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """Narrow integers with nulls, decimals, dates, times, zones, lists and dictionaries keep type and value."""
    table = pa.table(
        {
            "text": pa.array([" x", "N/A", None]),
            "small": pa.array([1, None, 3], pa.int16()),
            "flag": pa.array([True, None, False]),
            "money": pa.array([Decimal("1.10"), None, Decimal("3.00")], pa.decimal128(10, 2)),
            "day": pa.array([date(2025, 3, 5), None, date(1, 1, 1)]),
            "moment": pa.array([datetime(2025, 3, 5, tzinfo=UTC), None, None], pa.timestamp("us", "Europe/Berlin")),
            "list": pa.array([[1, 2], None, []], pa.list_(pa.int32())),
            "word": pa.array(["a ", "b", "a "]).dictionary_encode(),
            "ratio": pa.array([1.5, float("nan"), 2.5], pa.float32()),
            "large": pa.array(["y ", None, "z"], pa.large_string()),
        }
    )
    table = table.replace_schema_metadata({"pandas": "{}", "source": "a ledger"})
    pq.write_table(table, tmp_path / "in.parquet", compression="gzip", row_group_size=2)
    applied, alone = both(tmp_path / "in.parquet", promote(trim=TRIM_SOURCE), machinery)
    one, other = pq.read_table(applied), pq.read_table(alone)
    assert other.schema.equals(one.schema, check_metadata=True)
    assert other.schema.metadata[b"source"] == b"a ledger"
    assert str(other.to_pydict()) == str(one.to_pydict())
    assert other.column("text").to_pylist() == ["x", "", None]
    files = [pq.ParquetFile(path) for path in (applied, alone)]
    layouts = [(f.metadata.num_row_groups, f.metadata.row_group(0).column(0).compression) for f in files]
    for file in files:
        file.close()
    assert layouts[0] == layouts[1] == (2, "GZIP")
    assert alone.read_bytes() == applied.read_bytes()


def test_parquet_with_nested_columns_is_the_same_bytes(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """Also what no comparison of types shows, such as what the entries of a map are called."""
    counts = pa.map_(pa.string(), pa.int64())
    table = pa.table(
        {
            "text": pa.array([" x", "N/A", None]),
            "map": pa.array([[("a", 1)], None, []], counts),
            "maps": pa.array([[[("a", 1)]], None, [None]], pa.list_(counts)),
            "three": pa.array([[[("a", 1)]], None, [None]], pa.list_(counts, 1)),
            "large": pa.array([[[("a", 1)]], None, [None]], pa.large_list(counts)),
            "struct": pa.array(
                [{"m": [("a", None)], "n": 1}, None, {"m": None, "n": 2}], pa.struct([("m", counts), ("n", pa.int8())])
            ),
            "deep": pa.array([[("a", [[("b", 2)]])], None, []], pa.map_(pa.string(), pa.list_(counts))),
            "list": pa.array([["x"], None, []]),
        }
    )
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=2)
    applied, alone = both(tmp_path / "in.parquet", promote(trim=TRIM_SOURCE), machinery)
    assert alone.read_bytes() == applied.read_bytes() != (tmp_path / "in.parquet").read_bytes()


def test_a_file_in_another_encoding_is_cleaned_in_it(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """The bytes that `cleanroom apply --encoding` writes; what is no encoding of a file is refused."""
    source, applied, alone = (tmp_path / name for name in ("in.csv", "applied.csv", "alone.csv"))
    source.write_bytes("straße;b\r\n Jürgen;“x”\r\n".encode("cp1252"))
    functions = promote(trim=TRIM_SOURCE)
    given = open_dataset(source, encoding="cp1252")
    apply_functions(given, functions, applied, SandboxAccess(*machinery))
    clean_file = load(export_functions(functions))["clean_file"]
    clean_file(source, alone, "cp1252")
    assert alone.read_bytes() == applied.read_bytes() == source.read_bytes().replace(b" J", b"J")
    for named in ("base64", "undefined", "klingon", "utf-16"):
        with pytest.raises(ValueError, match=f"'{named}' is no encoding"):
            clean_file(source, tmp_path / "other.csv", named)


@pytest.mark.parametrize(("package", "name"), [("pandas", "in.csv"), ("pyarrow", "in.parquet")])
def test_a_package_that_is_not_installed_is_one_sentence(
    tmp_path: Path, promote: Promote, package: str, name: str
) -> None:
    """With the command that installs it, and no traceback; nothing is written."""
    (tmp_path / name).write_bytes(b"city\n Rome\n")
    text = export_functions(promote(trim=TRIM_SOURCE))
    file = tmp_path / "cleaning_functions.py"
    file.write_text(text.replace("    _check_unchanged()", "    pass"), encoding="utf-8")
    start = f"import runpy, sys; sys.modules[{package!r}] = None; del sys.argv[0]; "
    command = [sys.executable, "-I", "-c", f"{start}runpy.run_path(sys.argv[0], run_name='__main__')", str(file)]
    target = tmp_path / f"out.{name}"
    done = subprocess.run([*command, str(tmp_path / name), str(target)], check=False, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"needs {package}; install it" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not target.exists()


def test_a_file_with_a_delimiter_that_is_said_is_cleaned_with_it(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """The bytes that `cleanroom apply --delimiter` writes; other kinds of files have none, nor an encoding."""
    source, applied, alone = (tmp_path / name for name in ("in.csv", "applied.csv", "alone.csv"))
    source.write_bytes(b'a~b\r\n J,x~"y~z"\r\n')
    functions = promote(trim=TRIM_SOURCE)
    apply_functions(open_dataset(source, delimiter="\\x7e"), functions, applied, SandboxAccess(*machinery))
    clean_file = load(export_functions(functions))["clean_file"]
    clean_file(source, alone, delimiter="\\x7e")
    assert alone.read_bytes() == applied.read_bytes() == source.read_bytes().replace(b" J", b"J")
    with pytest.raises(ValueError, match="'tab' is no delimiter"):
        clean_file(source, tmp_path / "other.csv", delimiter="tab")
    (tmp_path / "in.json").write_text("[]", encoding="utf-8")
    for named in ({"encoding": "cp1252"}, {"delimiter": ";"}):
        with pytest.raises(ValueError, match="leave that option out"):
            clean_file(tmp_path / "in.json", tmp_path / "out.json", **named)


def test_a_function_that_fails_is_named_with_the_rows(promote: Promote, tmp_path: Path, run: Run) -> None:
    """As a program it ends with one sentence: which function, which rows, what to do; so does a missing column."""
    picky = "def picky(df):\n    assert not (df['a'] == 'boom').any(), 'boom in a'\n    return df\n"
    tidy = "def tidy(df):\n    return df.assign(new=df['a'])\n"
    text = export_functions([*promote(Contract(adds=("new",)), tidy=tidy), *promote(picky=picky)])
    (tmp_path / "in.csv").write_text("a,b\n" + "1,2\n" * 12_900 + "boom,3\n")
    done = run(text, tmp_path, str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    said = (
        "function picky, rows 12801 to 12901 of in.csv: AssertionError: boom in a; correct the rows, or have `cleanroom"
    )
    assert (done.returncode, said in done.stderr, done.stderr.count("\n")) == (2, True, 1)
    (tmp_path / "in.csv").write_text("z,b\n1,2\n")
    done = run(text, tmp_path, str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))
    assert "there is no column 'a', which tidy needs" in done.stderr
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "out.csv").exists()


def test_a_record_on_which_a_function_fails_is_named(promote: Promote, tmp_path: Path, run: Run) -> None:
    """By its row, in JSON Lines and in CSV."""
    body = "    if row['a'] == 'boom':\n        raise KeyError('boom')\n    return row\n"
    functions = promote(Contract(shape=Shape.RECORD), f=f"def f(row):\n{body}")
    for name, content in (("in.csv", "a\nx\nboom\n"), ("in.jsonl", '{"a":"x"}\n{"a":"boom"}\n')):
        (tmp_path / name).write_text(content)
        done = run(export_functions(functions), tmp_path, str(tmp_path / name), str(tmp_path / f"out{name[2:]}"))
        assert f"function f, row 2 of {name}: KeyError: 'boom'; correct" in done.stderr
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("given", "content", "target", "said"),
    [
        ("in.csv", b"a,b\n1,2\n", "in.csv", "same file"),
        ("in.csv", b"a,b\n1,2\n", "out.parquet", "same kind"),
        ("in.xlsx", b"a", "out.xlsx", "in.xlsx cannot be cleaned here, but CSV"),
        ("in.csv", b"a,b\n1,2,3\n", "out.csv", "row 2 has not as many fields"),
        ("in.csv", b",\n1,2\n", "out.csv", "no column has a name"),
        ("in.txt", b"Dear Ann,\n\nwe are open. We close at six.\n", "out.txt", "it holds sentences and no table"),
        ("in.csv", b"a,b\n\xff\xfa,2\n", "out.csv", "line 2: not all of it is utf-8; say --encoding"),
        ("in.csv", b"a,b\n" + b"1,2\n" * 300_000 + b"\xff,2\n", "out.csv", "line 300002: not all of it is utf-8"),
        ("in.csv", b"a,b\n", "out.csv", "no rows"),
        ("in.csv.gz", b"a,b\n", "out.csv", "cannot be unpacked as gz"),
        ("in.zip", b"a,b\n", "out.zip", "cannot be unpacked as zip"),
        ("in.json", b'[{"a": 1}, {"a": NaN}]', "out.json", "line 1: in the value that begins here is NaN"),
        ("in.json", b'{"a": [{"b": 1}], "c": [{"b": 1}]}', "out.json", "2 lists of objects"),
        ("in.jsonl", b'{"a": 1, "a": 2}\n', "out.jsonl", "a key occurs twice"),
        ("in.jsonl", b"[1]\n", "out.jsonl", "one object per line"),
        ("in.jsonl", b'{"a": " 1"}\n{"a": NaN}\n', "out.jsonl", "row 2: it holds NaN, which is not JSON"),
        ("in.jsonl", b"{\n", "out.jsonl", "Expecting"),
        ("in.jsonl", b'{"a": ' + b"[" * 99_999 + b"]" * 99_999 + b"}\n", "out.jsonl", "row 1: it is nested too deeply"),
        ("missing.csv", None, "out.csv", "/missing.csv: No such file"),
        ("in.csv", b"a,b\n1,2\n", "none/out.csv", "/none/out.csv: No such file"),
    ],
)
def test_what_cannot_be_cleaned_is_one_sentence(
    given: str,
    content: bytes | None,
    target: str,
    said: str,
    tmp_path: Path,
    promote: Promote,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Bad input, the same file twice, no folder: one line on stderr, exit code 2 or 3, nothing left behind."""
    if content is not None:
        (tmp_path / given).write_bytes(content)
    before = sorted(p.name for p in tmp_path.iterdir())
    monkeypatch.setattr(sys, "argv", ["cleaning_functions.py", str(tmp_path / given), str(tmp_path / target)])
    with pytest.raises(SystemExit) as ended:
        load(export_functions(promote(trim=TRIM_SOURCE)))["main"]()
    assert ended.value.code == (3 if "No such file" in said else 2)
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    if content is not None:
        assert (tmp_path / given).read_bytes() == content


STRIP_TEXT = "def strip(text):\n    return text.strip()\n"
MARK_RECORD = """
def mark(record):
    made = {key: value for key, value in record.items() if key != "m"}
    if isinstance(made.get("l"), list):
        made["l"] = [item["z"].strip() if isinstance(item, dict) else item for item in made["l"]]
    return {**made, "new": made["a"] is None} if "a" in made else made
"""


@pytest.mark.parametrize("name", [name for name in TEXTS if name.endswith((".jsonl", ".json", ".csv"))])
def test_functions_of_records_and_texts_come_out_as_from_the_sandbox(
    name: str, tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """Nested values, new and dropped keys, untouched lines: the same bytes as `cleanroom apply` writes."""
    source = tmp_path / name
    source.write_bytes(TEXTS[name].replace("1e400", "12").encode())  # which no record can hold
    columns = open_dataset(source).columns
    text = promote(Contract(shape=Shape.TEXT, modifies=columns), strip=STRIP_TEXT)
    adds, drops = ("new",) if "a" in columns else (), ("m",) if "m" in columns else ()
    record = promote(Contract(shape=Shape.RECORD, modifies=("l",), adds=adds, drops=drops), mark=MARK_RECORD)
    applied, alone = both(source, [*text, *record], machinery)
    assert alone.read_bytes() == applied.read_bytes()
    assert alone.read_bytes() != source.read_bytes()


def test_neither_cleans_records_with_numbers_beyond_floats(
    tmp_path: Path, promote: Promote, machinery: tuple[LocalSandbox, DisposableProcess]
) -> None:
    """JSON has the number, and no record can hold it."""
    source = tmp_path / "in.jsonl"
    source.write_text('{"l": [1e400]}\n')
    functions = promote(Contract(shape=Shape.RECORD, modifies=("l",)), mark=MARK_RECORD)
    with pytest.raises(DataError, match="cannot be read as records: it holds NaN, or a number beyond"):
        both(source, functions, machinery)
    with pytest.raises(ValueError, match="a number beyond"):
        load(export_functions(functions))["clean_file"](source, tmp_path / "out.jsonl")


def test_an_exported_record_function_cleans_one_record(promote: Promote) -> None:
    """`clean_record` gives a cleaned copy and leaves its argument alone; the file says how it is called."""
    record = Contract(shape=Shape.RECORD, adds=("new",))
    text = export_functions(promote(record, mark=MARK_RECORD))
    given_record = {"a": None, "l": [{"z": " x"}]}
    assert load(text)["clean_record"](given_record) == {"a": None, "l": ["x"], "new": True}
    assert given_record == {"a": None, "l": [{"z": " x"}]}
    assert "cleaning_functions.clean_record(" in text


def test_shapes_that_do_not_mix_are_not_exported_together(promote: Promote) -> None:
    """Functions of tables and of texts in one file are refused with a sentence."""
    text = promote(Contract(shape=Shape.TEXT, modifies=("a",)), strip=STRIP_TEXT)
    with pytest.raises(RegistryError, match="one file"):
        export_functions([*promote(trim=TRIM_SOURCE), *text])
