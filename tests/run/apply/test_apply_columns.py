"""Next month's file: missing columns are known before the first row, and what fails as a whole is told soon."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.cli.console import stderr
from orchestrator.cli.views.column_table import show_columns
from orchestrator.core.baseline import ColumnBaseline, DataBaseline, ValueKinds
from orchestrator.core.candidate import Candidate, Contract, Example, Shape
from orchestrator.core.errors import DataError, OutputError, UsageError
from orchestrator.core.jobs import Job, JobResult
from orchestrator.core.needs import needs_of
from orchestrator.data.data_address import location
from orchestrator.data.formats import FORMATS, open_dataset, open_writer
from orchestrator.data.sources import open_source
from orchestrator.run.apply.apply import ApplyOutcome
from orchestrator.run.apply.column_match import match_columns, refuse_missing, renamed
from tests.run.apply.test_apply_data import PICKY, TRIM, UPPER, data, promoted
from tests.run.apply.test_apply_data import apply as apply  # noqa: PLC0414 - a fixture
from tests.run.apply.test_apply_data import sandbox as sandbox  # noqa: PLC0414

Apply = Callable[..., ApplyOutcome]


HELPERS = """
def texts(table, names):
    return [table[name].tolist() for name in names]
def around(table, left):
    return around(table, left - 1) if left else table["r"]
def spelt(text):
    name = "a pattern"
    return text.replace(name, "")
"""


def needs(source: str, **contract: Any) -> tuple[list[str], list[str]]:
    found = needs_of(Candidate(source=source, name="f", contract=Contract(**contract)))
    return sorted(found.needed), sorted(found.used)


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        ('out = df.copy()\n    out["a"] = out["b"] + df.loc[df["c"] > 1, "d"]\n    return out', "bcd"),
        ('return df[df["a"] != ""][["b", "c"]]', "abc"),
        ('for name in ("a", "b"):\n        df[name] = df[name].str.strip()\n    return df', "ab"),
        ("return df[[KEY]]", "k"),
        ('if "a" in df.columns:\n        df["a"] = df["a"].str.strip()\n    return df', ""),
        ("for name in [c for c in NAMES if c in df]:\n        df[name] = 1\n    return df", ""),
        ('words = {"a": "b"}\n    df["new"] = words["a"]\n    return df', ""),
        ('df["new"] = df["a"]\n    df["new"] = df["new"].str.strip()\n    return df', "a"),
        ('try:\n        df["a"] = df["b"]\n    except KeyError:\n        pass\n    return df', ""),
        ("return df[1:]", ""),
        ("return texts(df, (KEY, 'a'))", "ak"),
        ("return texts(names=NAMES, table=df.copy())", "xy"),
        ("return df if KEY in df else texts(df, [KEY])", ""),
        ("try:\n        return texts(df, [KEY])\n    except KeyError:\n        return df", ""),
        ("return around(df, 3)", "r"),
        ("for name in list(df):\n        df[name] = df[name].map(spelt)\n    return df", ""),
        ("KEY = df.columns[0]\n    return df[[KEY]]", ""),
    ],
)
def test_columns_that_are_read_stand_in_the_source(body: str, needed: str) -> None:
    """What a function takes out of its table is needed, unless it asks for it first or makes it itself."""
    source = f'KEY = "k"\nNAMES = ["x", "y"]\n{HELPERS}\ndef f(df):\n    {body}\n'
    assert needs(source)[0] == list(needed)


def test_other_shapes() -> None:
    """A record's keys count like columns; a state's keys and the letters of a text do not."""
    assert needs('def f(record):\n    return {**record, "a": dict(record)["b"]}\n', shape="record")[0] == ["b"]
    assert needs('def f(record):\n    record["a"] = record["b"]\n    return record\n', shape="record")[0] == ["b"]
    assert needs("def f(text):\n    return text['a']\n", shape="text", modifies=("c",)) == ([], ["c"])
    fitted = 'def fit(df):\n    return {"n": len(df["a"])}\ndef merge(one, two):\n    return {"n": one["n"]}\n'
    assert needs(fitted, shape="fitted")[0] == ["a"]
    votes = "def detect(df, state):\n    return df['d']\ndef f(df, state):\n    return df['e']\n"
    assert needs(fitted + votes, shape="fitted", by=("c",))[0] == ["a", "c", "d", "e"]
    assert needs("def f(df:\n", modifies=("a",)) == ([], [])


def test_a_missing_column_is_known_before_the_first_row(tmp_path: Path, apply: Apply) -> None:
    """No container is asked; the message names file, column and function, and what the column may be called now."""
    source = data(tmp_path, "City ,code,n\n Köln,a,1\n")
    message = "data.csv has no column 'city', which trim needs"
    with pytest.raises(DataError, match=message) as caught:
        apply(source, [TRIM, UPPER], tmp_path / "out.csv", sandbox=None, quarantine=tmp_path / "bad.csv")
    assert caught.value.advice == "If these are the columns under another name: --map 'city=City '."
    assert not (tmp_path / "out.csv").exists()


def test_a_known_name_that_no_function_uses_is_refused(tmp_path: Path, apply: Apply) -> None:
    """The message lists the ones that they use, so that no advice follows that cannot work."""
    source = data(tmp_path, "Town,code,n\n Köln,a,1\n")
    with pytest.raises(UsageError, match="'town' is mapped to 'Town', and no function uses a column 'town'") as caught:
        apply(source, [TRIM, UPPER], tmp_path / "out.csv", sandbox=None, columns={"town": "Town"})
    assert caught.value.advice == "They use: 'city', 'code'."
    swapped = {"city": "code", "old": "Town", "code": "n"}
    with pytest.raises(UsageError, match="'old' is mapped to 'Town'"):
        apply(source, [TRIM, UPPER], tmp_path / "out.csv", sandbox=None, columns=swapped)
    computes = promoted("f", 'out["code"] = out["ci" + "ty"]', modifies=("code",))
    apply(source, [computes], tmp_path / "out.csv", columns={"city": "Town"})


def test_the_advice_has_every_missing_column(tmp_path: Path, apply: Apply) -> None:
    """Also those for which nothing in the file looks alike."""
    with pytest.raises(DataError) as caught:
        apply(data(tmp_path, "CITY,z\na,1\n"), [TRIM, UPPER], tmp_path / "out.csv", sandbox=None)
    assert caught.value.advice == "If these are the columns under another name: --map city=CITY --map 'code=…'."


def test_a_check_names_the_same_option(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It goes on, and says what to add: its table alone said only which column it may be. Control: none is missing."""
    for header, said in (("CITY,z", "--map city=CITY\n"), ("city,z", "")):
        stderr.cache_clear()
        dataset = open_dataset(data(tmp_path, f"{header}\na,1\n"))
        show_columns(dataset, [TRIM], {}, str(tmp_path), refuse=False)
        told = capfd.readouterr().err
        assert ("note: If these are the columns under another name: " in told) is bool(said)
        assert said.strip() in told


def test_what_takes_a_function_out_of_use_is_a_whole_command(tmp_path: Path) -> None:
    """It was printed without options that it needs. Where several functions need a column, the first stands for all."""
    dataset = open_dataset(data(tmp_path, "z\n1\n"))
    for functions, said in (([TRIM], "takes trim out of use."), ([TRIM, UPPER], "takes trim out of use, and so on.")):
        with pytest.raises(DataError) as caught:
            refuse_missing(dataset, match_columns(dataset, functions), "my run")
        command = "cleanroom registry suspend trim --registry 'my run' --reason 'its column is gone'"
        assert caught.value.advice.endswith(f"`{command}` {said}")


@pytest.mark.parametrize("body", ['out["code"] = out["ci" + "ty"]', 'out = out[["n", "ci" + "ty"]]'])
def test_a_column_that_the_source_computes_is_named_when_it_is_missed(tmp_path: Path, apply: Apply, body: str) -> None:
    """A KeyError of every row is about a column; one about a word that a row holds is told as it is."""
    source = data(tmp_path, "town,code,n\n" + "Ulm,a,1\n" * 40)
    function = promoted("f", body, modifies=("code",))
    with pytest.raises(DataError, match=r"data\.csv has no column 'city', which f needs") as caught:
        apply(source, [function], tmp_path / "out.csv", quarantine=tmp_path / "bad.csv")
    assert "--map" in caught.value.advice
    looks_up = promoted("f", 'out["code"] = [{"a": "A"}[cell] for cell in out["code"]]', modifies=("code",))
    source.write_text(source.read_text() + "Ulm,b,1\n")
    with pytest.raises(DataError, match=r"Row 42 .* KeyError: 'b'"):
        apply(source, [looks_up], tmp_path / "out.csv")


def test_data_without_any_column_is_one_sentence(tmp_path: Path, apply: Apply) -> None:
    """A Parquet file, or a DataFrame, may have none."""
    pq.write_table(pa.table({}), tmp_path / "data.parquet")
    with pytest.raises(DataError, match="has no column 'city', which trim needs"):
        apply(tmp_path / "data.parquet", [TRIM], tmp_path / "out.parquet", sandbox=None)


@pytest.mark.parametrize(
    ("count", "said"),
    [(1, "f0 needs"), (2, "f0 and f1 need"), (3, "f0, f1 and f2 need"), (5, "f0, f1, f2 and 2 more need")],
)
def test_several_functions_need_a_column(tmp_path: Path, apply: Apply, count: int, said: str) -> None:
    """As one says it: the verb follows their number."""
    functions = [promoted(f"f{n}", 'out["city"] = out["city"].str.strip()', modifies=("city",)) for n in range(count)]
    with pytest.raises(DataError, match=f"no column 'city', which {said}\\."):
        apply(data(tmp_path, "a,b\n1,2\n"), functions, tmp_path / "out.csv", sandbox=None)


def test_two_missing_columns_are_two_parts_of_the_sentence(tmp_path: Path, apply: Apply) -> None:
    """Each with who needs it."""
    message = "no column 'city', which trim needs, and 'code', which upper needs"
    with pytest.raises(DataError, match=message):
        apply(data(tmp_path, "a,b\n1,2\n"), [TRIM, UPPER], tmp_path / "out.csv", sandbox=None)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("city^n\nKöln^1\nUlm^2\n", "If '^' does, say --delimiter '^'."),
        ("city    n\nKöln    1\n", "--parser fixed-width, or"),
    ],
)
def test_columns_that_nothing_known_parts_are_said(tmp_path: Path, apply: Apply, text: str, advice: str) -> None:
    """The name of the column stands in the only one that was found; a sign in every line may part them."""
    with pytest.raises(DataError, match="no column 'city'") as caught:
        apply(data(tmp_path, text), [TRIM], tmp_path / "out.csv", sandbox=None)
    assert caught.value.advice.startswith("It is read as one column, 'city")
    assert advice in caught.value.advice


def test_a_renamed_column_is_found_by_what_it_looks_like(tmp_path: Path) -> None:
    """Where no name is alike, the examples of the functions are held against the cells; nothing is taken by itself."""
    example = Example(input={"phone": "030 1234"}, output={"phone": "+49 30 1234"})
    function = promoted("f", 'out["phone"] = out["phone"].str.strip()', modifies=("phone",), examples=(example,))
    dataset = open_dataset(data(tmp_path, "name,reached at\nAnn,040 999\nBob,089 1\n"))
    (match,) = match_columns(dataset, [function])
    assert (match.own, match.suggested, match.why) == (None, "reached at", "its cells look alike")
    assert match.state == "missing; perhaps 'reached at' (its cells look alike)"


@pytest.mark.parametrize(
    ("header", "state"),
    [
        (" phone ", "missing; perhaps ' phone ' (the same but for blanks)"),
        ("phone\u00a0", "missing; perhaps 'phone\\xa0' (the same but for blanks)"),
        ("Phone", "missing; perhaps 'Phone' (its name is alike)"),
        ("030 77", "missing; perhaps '030 77' (its cells look alike, and its name looks like one of them)"),
    ],
)
def test_a_suggested_column_is_shown_as_it_is_named(tmp_path: Path, header: str, state: str) -> None:
    """Blanks around a name may be all that is wrong with it; a name that is a cell is not said to be alike."""
    example = Example(input={"phone": "030 1234"}, output={"phone": "+49 30 1234"})
    function = promoted("f", 'out["phone"] = out["phone"].str.strip()', modifies=("phone",), examples=(example,))
    (match,) = match_columns(open_dataset(data(tmp_path, f"Eva,{header}\nAnn,040 999\nBob,089 1\n")), [function])
    assert match.state == state


def test_a_file_without_a_header_is_told(tmp_path: Path) -> None:
    """To call its first row the names of its columns would leave that row as it is. Control: with any header."""
    example = Example(input={"phone": "030 1234"}, output={"phone": "+49 30 1234"})
    function = promoted("f", 'out["phone"] = out["phone"].str.strip()', modifies=("phone",), examples=(example,))
    advice = []
    for first in ("Eva,030 77", "name,reached at"):
        dataset = open_dataset(data(tmp_path, f"{first}\nAnn,040 999\nBob,089 1\n"))
        with pytest.raises(DataError, match="no column 'phone'") as caught:
            refuse_missing(dataset, match_columns(dataset, [function]))
        advice.append(caught.value.advice)
    other = "If these are the columns under another name: --map 'phone={}'."
    row = "Its first line looks like a row: if it has no header, write the columns' names above it."
    assert advice == [f"{row} {other.format('030 77')}", other.format("reached at")]
    rows = "".join(f'{{"n": "Eva", "030 77": "{phone}"}}\n' for phone in ("040 999", "089 1"))
    dataset = open_dataset(data(tmp_path, rows, "data.jsonl"))
    with pytest.raises(DataError, match="no column 'phone'") as caught:
        refuse_missing(dataset, match_columns(dataset, [function]))
    assert caught.value.advice == other.format("030 77"), "a key of JSON is no first line"


def test_a_renamed_column_is_found_by_the_rows_of_the_proof(tmp_path: Path) -> None:
    """Their patterns stand in the evidence, also where the function has no example."""
    kinds = ValueKinds(cells=9, counts={"Aa": 5, " Aa": 4})
    proof = DataBaseline(rows=9, touched=4, salt="", columns=(ColumnBaseline(name="city", cells=9, kinds=kinds),))
    verdict = TRIM.evidence.verdict.model_copy(update={"baseline": proof})
    trim = TRIM.model_copy(update={"evidence": TRIM.evidence.model_copy(update={"verdict": verdict})})
    dataset = open_dataset(data(tmp_path, "code,reached at,n\nA1, Bonn,1\nB2,Ulm,2\n"))
    (match,) = match_columns(dataset, [trim])
    assert (match.own, match.suggested, match.why) == (None, "reached at", "its cells look alike")
    assert match_columns(dataset, [TRIM])[0].suggested == ""


def test_a_column_that_was_there_before_is_not_the_one_that_is_missing(tmp_path: Path) -> None:
    """It stood beside the missing one where the function was proved, so that it is no new name of it."""
    kinds = ValueKinds(cells=9, counts={"9": 9})
    columns = (ColumnBaseline(name="city", cells=9, kinds=kinds),)
    dataset = open_dataset(data(tmp_path, "wind,n\n1,x\n2,y\n"))
    for order, suggested in ((("city", "wind"), ""), (("city", "other"), "wind")):
        proof = DataBaseline(rows=9, touched=4, salt="", columns=columns, order=order)
        verdict = TRIM.evidence.verdict.model_copy(update={"baseline": proof})
        trim = TRIM.model_copy(update={"evidence": TRIM.evidence.model_copy(update={"verdict": verdict})})
        assert match_columns(dataset, [trim])[0].suggested == suggested


def test_mapped_columns_are_cleaned_and_keep_their_names(tmp_path: Path, apply: Apply) -> None:
    """`--map`: functions see the name that they know; what is written has the file's own."""
    source = data(tmp_path, "town;code\n Köln;a\nBonn;b\n")
    apply(source, [TRIM, UPPER], tmp_path / "out.csv", columns={"city": "town"})
    assert (tmp_path / "out.csv").read_text() == "town;code\nKöln;A\nBonn;B\n"


def test_a_column_of_a_database_is_mapped(tmp_path: Path, apply: Apply) -> None:
    """What was read is one moment of the table: it was taken for a file that had changed, and nothing was written."""
    with closing(sqlite3.connect(tmp_path / "data.db")) as raw, raw:
        raw.execute("CREATE TABLE orders (Town TEXT)")
        raw.execute("INSERT INTO orders VALUES (' Köln ')")
    source = location(f"sqlite:///{tmp_path}/data.db?table=orders")
    with pytest.raises(UsageError, match=r"^orders has no column 'city'"):
        apply(source, [TRIM], tmp_path / "out.csv", sandbox=None)
    apply(source, [TRIM], tmp_path / "out.csv", columns={"city": "Town"})
    assert (tmp_path / "out.csv").read_text() == "Town\nKöln\n"


def test_a_renamed_data_set_is_watched_as_its_own_is(tmp_path: Path) -> None:
    """By its name and place, too, which keep a result from being written over the database that holds the data."""
    with closing(sqlite3.connect(tmp_path / "data.db")) as raw, raw:
        raw.execute("CREATE TABLE orders (Town TEXT)")
    table = open_source(f"sqlite:///{tmp_path}/data.db?table=orders")
    file = open_dataset(data(tmp_path, "Town\nKöln\n"))
    for dataset in (table, file):
        known = renamed(dataset, {"city": "Town"})
        assert (known.name, known.place) == (dataset.name, dataset.place)
        _ = known.sha256
        known.check_unchanged()
    data(tmp_path, "Town\nBonn\n")
    with pytest.raises(DataError, match="has changed while"):
        renamed(file, {"city": "Town"}).check_unchanged()


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        ({"city": "nowhere"}, "has no column 'nowhere'"),
        ({"code": "town"}, "has a column 'code' already"),
        ({"city": "town", "place": "town"}, "mapped to one column of the file"),
    ],
)
def test_mappings_that_cannot_be_meant(tmp_path: Path, mapping: dict[str, str], said: str) -> None:
    """Names that are not there, or there already, are refused."""
    dataset = open_dataset(data(tmp_path, "town,code\na,b\n"))
    with pytest.raises(UsageError, match=said):
        renamed(dataset, mapping)
    assert renamed(dataset, {"code": "town", "town": "code"}).columns == ("code", "town")


def test_a_mapping_that_is_the_wrong_way_round_is_told_the_right_one(tmp_path: Path) -> None:
    """Where the data has the first name and not the second; a list of its columns ends visibly where it is cut."""
    dataset = open_dataset(
        data(tmp_path, "Der Ort," + ",".join(f"c{n}" for n in range(14)) + "\n" + ",".join("a" * 15))
    )
    with pytest.raises(UsageError) as caught:
        renamed(dataset, {"Der Ort": "town"})
    assert caught.value.advice.endswith("if that is 'town', say --map 'town=Der Ort'.")
    with pytest.raises(UsageError) as caught:
        renamed(dataset, {"city": "town"})
    assert caught.value.advice.endswith("c9, c10, ….")


def test_what_a_function_can_do_without_is_said(tmp_path: Path, apply: Apply) -> None:
    """A function that asks whether its column is there does nothing without it, and that is no secret."""
    careful = promoted("careful", 'if "city" in out: out["city"] = out["city"].str.strip()', modifies=("city",))
    outcome = apply(data(tmp_path, "town\n Köln\n"), [careful], tmp_path / "out.csv")
    assert outcome.idle == ("city: careful",)


class Counting:
    """Counts the jobs of a sandbox."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.jobs = 0

    def session(self, *, alone: bool = False) -> Any:
        from contextlib import contextmanager

        @contextmanager
        def opened() -> Any:
            yield self

        return opened()

    def run(self, job: Job) -> JobResult:
        self.jobs += 1
        made: JobResult = self._inner.run(job)
        return made


@pytest.mark.parametrize("quarantine", [True, False])
def test_what_fails_everywhere_is_told_soon(tmp_path: Path, apply: Apply, sandbox: Any, quarantine: bool) -> None:
    """A function that fails on every row is given up after a few of them, with or without a quarantine."""
    source = data(tmp_path, "n\n" + "".join(f"{n} EUR\n" for n in range(3_000)))
    counting = Counting(sandbox)
    rest = tmp_path / "bad.csv" if quarantine else None
    with pytest.raises(DataError, match=r"picky fails on it, and on all 16 rows that were tried of the 3,000"):
        apply(source, [PICKY], tmp_path / "out.csv", sandbox=counting, quarantine=rest)
    assert counting.jobs <= 20
    assert not list(tmp_path.glob("*.part")) and not (tmp_path / "bad.csv").exists()  # noqa: PT018


# Texts have one column, and some workbooks and all documents are only read: see their own tests.
TABLES = [
    kind
    for kind, known in FORMATS.items()
    if known.read and kind not in ("markdown", "text", "xls", "ods", "html", "pdf", "docx", "epub")
]


@pytest.mark.parametrize("kind", TABLES)
def test_every_row_is_written_or_set_aside(tmp_path: Path, apply: Apply, kind: str) -> None:
    """Rows in are rows out and rows set aside, in every format that is read and written."""
    suffix = FORMATS[kind].suffixes[0]
    lines = [f" c{n},{'x' if n % 7 == 3 else n}" for n in range(50)]
    plain = open_dataset(data(tmp_path, "city,n\n" + "\n".join(lines) + "\n", "plain.csv"))
    source, output, rest = (tmp_path / f"{name}{suffix}" for name in ("in", "out", "bad"))
    with open_writer(source, like=plain, schema=plain.schema) as writer:
        for batch in plain.read():
            writer.write(batch.table)
    outcome = apply(source, [TRIM, PICKY], output, quarantine=rest)
    assert (outcome.rows_in, outcome.rows_out, outcome.quarantined) == (50, 43, 7)
    assert (open_dataset(output).rows, open_dataset(rest).rows) == (43, 7)
    aside = [value for table in open_dataset(rest).batches() for value in table.column("city").to_pylist()]
    assert aside == [f" c{n}" for n in range(50) if n % 7 == 3]


def test_every_paragraph_is_written_or_set_aside(tmp_path: Path, apply: Apply) -> None:
    """A text has no place for reasons, so what is set aside goes into a file of another kind."""
    source = data(tmp_path, "one  two\n\nx\n\nlast.\n", "in.md")
    code = "def join(text):\n    if text == 'x':\n        raise ValueError(text)\n    return ' '.join(text.split())\n"
    candidate = Candidate(source=code, name="join", contract=Contract(shape=Shape.TEXT, modifies=("text",)))
    join = promoted("join", "").model_copy(update={"candidate": candidate})
    with pytest.raises(OutputError, match="one column 'text' and no other"):
        apply(source, [join], tmp_path / "out.md", quarantine=tmp_path / "bad.md")
    outcome = apply(source, [join], tmp_path / "out.md", quarantine=tmp_path / "bad.csv")
    assert (outcome.rows_in, outcome.rows_out, outcome.quarantined) == (3, 2, 1)
    assert (tmp_path / "out.md").read_text() == "one two\n\nlast.\n"
