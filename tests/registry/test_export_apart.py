"""In an exported file all functions share a process: none changes what the next one sees beyond what it returns."""

import contextvars
import decimal
import hashlib
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.policy import LARGEST_ROWS, TABLES_OF_A_PROCESS, ScreenPolicy
from orchestrator.core.promoted import Evidence
from orchestrator.gate import candidate_file
from orchestrator.gate.screen import problems
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.export import standalone_apart
from orchestrator.registry.export.export import export_functions
from orchestrator.registry.memory_registry import MemoryRegistry

Made = dict[str, Any]

ROUNDS = '''import decimal
_kept = []
def _few():
    with decimal.localcontext() as context:
        context.prec = 3
        yield 1
def first(df):
    """Never ends what it began."""
    work = _few()
    _kept.append((work, next(work)))
    return df
'''
DECIMALS = '''from decimal import Decimal
def second(df):
    """Blanks off numbers."""
    return df.assign(a=[str(+Decimal(text.strip())) for text in df["a"]])
'''
LIES = '''from datetime import date
class _Day(date):
    def strftime(self, form):
        return "1999"
def first(df):
    """Leaves the days as they are."""
    return df.assign(d=pd.Series([_Day(day.year, 1, 1) for day in df["d"]], dtype=object))
'''
YEARS = '''def second(df):
    """The year of the day."""
    return df.assign(a=[day.strftime("%Y") for day in df["d"]])
'''


ANY = Contract(drops_rows=True)


@pytest.fixture
def exported(
    candidate: Callable[..., Candidate], evidence: Callable[..., Evidence]
) -> Callable[..., tuple[Made, list[Any]]]:
    """The exported file's names, and for a control the same functions loaded into modules of their own, no more."""

    def export(contract: Contract = ANY, **sources: str) -> tuple[Made, list[Any]]:
        registry, bare = MemoryRegistry(), []
        for name, source in sources.items():
            made = candidate(name, source=source).model_copy(update={"contract": contract})
            registry.promote(made, evidence(made))
            own: Made = {"__name__": name}
            exec(source, own)  # noqa: S102 - the control
            bare.append(own[name])
        text = export_functions(list(registry.functions()))
        space: Made = {"__name__": "cleaning_functions", "__file__": "cleaning_functions.py", "TEXT": text}
        exec(compile(text, "cleaning_functions.py", "exec"), space)  # noqa: S102 - it is what is tested
        return space, bare

    return export


def test_the_precision_of_one_is_not_that_of_the_next(exported: Callable[..., tuple[Made, list[Any]]]) -> None:
    """A generator that is never ended keeps what it set for decimals: its own function alone has it."""
    space, bare = exported(first=ROUNDS, second=DECIMALS)
    frame = pd.DataFrame({"a": [" 170.95"]})
    together = contextvars.copy_context()
    assert together.run(bare[1], together.run(bare[0], frame))["a"].tolist() == ["171"]
    assert space["clean"](frame)["a"].tolist() == ["170.95"]


PRINTS = """def first(df):
    \"\"\"Says what it does.\"\"\"
    print("trimmed")
    _wait()
    return df
"""


def test_the_programs_own_output_comes_back(
    exported: Callable[..., tuple[Made, list[Any]]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where two threads clean at once, and end in the order in which they began."""
    space, _ = exported(first=PRINTS)
    [function] = space["FUNCTIONS"]
    inside, leave = [threading.Event(), threading.Event()], [threading.Event(), threading.Event()]
    numbers = iter([0, 1])

    def wait() -> None:
        number = next(numbers)
        inside[number].set()
        leave[number].wait(9)

    sys.modules["cleaning_functions.first"].__dict__["_wait"] = wait
    threads = [threading.Thread(target=function.apply, args=(pd.DataFrame(),)) for _ in range(2)]
    for thread, entered in zip(threads, inside, strict=True):
        thread.start()
        assert entered.wait(9)
    for thread, left in zip(threads, leave, strict=True):
        left.set()
        thread.join(9)
    sys.stdout.write("mine")
    assert capsys.readouterr().out == "mine"


DROPS = """def first(df):
    \"\"\"Rows without a number go.\"\"\"
    return df[df["n"].notna()]
"""
ALIGNED = """import pandas as pd
def second(df):
    \"\"\"A column without labels of its own is aligned by those of the table.\"\"\"
    out = df.copy()
    out["a"] = pd.Series([text.strip() for text in df["a"]])
    return out
"""


def test_every_function_gets_rows_that_are_numbered_from_zero(exported: Callable[..., tuple[Made, list[Any]]]) -> None:
    """As in the sandbox, whatever labels the frame has and whatever rows are dropped before; the labels come back.
    Positive control: by itself the second function puts cells into other rows."""
    space, bare = exported(first=DROPS, second=ALIGNED)
    frame = pd.DataFrame({"a": [" v", " w", " x", " y"], "n": [1.0, None, 3.0, 4.0]}, index=[7, 7, 2, 0])
    wrong = bare[1](bare[0](frame.reset_index(drop=True)))["a"]
    assert wrong.tolist()[:2] == ["v", "y"]
    made = space["clean"](frame)
    assert (made["a"].tolist(), made.index.tolist()) == (["v", "x", "y"], [7, 2, 0])
    assert frame["a"].tolist() == [" v", " w", " x", " y"]
    assert space["clean"](frame.head(0)).index.tolist() == []


@pytest.mark.parametrize("labels", ["df['a']", "[0, 0]", "[-1, 0]", "[0, 2]", "[0.0, 1.0]"])
def test_labels_that_do_not_say_which_rows_are_left_are_refused(
    labels: str, exported: Callable[..., tuple[Made, list[Any]]]
) -> None:
    """As in the sandbox, where such a result keeps no rows. Positive control: the labels as they were."""
    source = 'def first(df):\n    """Other labels."""\n    return df.set_axis(LABELS)\n'
    frame = pd.DataFrame({"a": ["x", "y"]})
    with pytest.raises(ValueError, match="do not say which rows these are"):
        exported(first=source.replace("LABELS", labels))[0]["clean"](frame)
    made = exported(first=source.replace("LABELS", "[0, 1]"))[0]["clean"](frame.set_axis(["p", "q"]))
    assert made.index.tolist() == ["p", "q"]


SETTINGS = """import decimal, warnings
import numpy as np
def first(df):
    \"\"\"What the settings make of a quotient, of a warning and of a division by zero.\"\"\"
    made = [str(decimal.Decimal(1) / 3)]
    for what in (lambda: warnings.warn("x"), lambda: np.array([1.0]) / 0):
        try:
            made.append(str(what()))
        except Exception as error:
            made.append(type(error).__name__)
    return df.assign(a="; ".join(made))
"""


def test_the_settings_of_the_program_are_not_those_of_a_function(
    exported: Callable[..., tuple[Made, list[Any]]],
) -> None:
    """Precision, warnings that are errors, numpy's errors: a function has what it was proved with. Positive control:
    the same function by itself has those of the program, which keeps them."""
    space, bare = exported(first=SETTINGS)
    frame = pd.DataFrame({"a": [""]})
    with decimal.localcontext() as context, np.errstate(all="raise"), warnings.catch_warnings():
        context.prec = 3
        warnings.simplefilter("error")
        made = space["clean"](frame)["a"][0]
        assert bare[0](frame)["a"][0] == "0.333; UserWarning; FloatingPointError"
        assert (decimal.getcontext().prec, warnings.filters[0][0], np.geterr()["divide"]) == (3, "error", "raise")
    assert made == f"0.{'3' * 28}; None; [inf]"


def test_a_function_is_given_no_values_of_a_class_of_the_one_before(
    exported: Callable[..., tuple[Made, list[Any]]], tmp_path: Path
) -> None:
    """Arrow takes such days for days, so in the sandbox nothing is left of the class."""
    lies = "import pandas as pd\n" + LIES
    space, bare = exported(first=lies, second=YEARS)
    frame = pd.DataFrame({"d": pd.Series([date(2021, 1, 1)], dtype=object), "a": [""]})
    assert bare[1](bare[0](frame))["a"].tolist() == ["1999"]
    assert space["clean"](frame)["a"].tolist() == ["2021"]
    pq.write_table(pa.table({"d": [date(2021, 1, 1), None], "a": ["", ""]}).slice(0, 1), tmp_path / "in.parquet")
    space["clean_file"](tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [{"d": date(2021, 1, 1), "a": "2021"}]


def test_such_values_in_lists_are_plain(exported: Callable[..., tuple[Made, list[Any]]]) -> None:
    """Missing values stay missing, and what has none of them stays as it is."""
    source = """class _T(str):
    pass
def first(df):
    \"\"\"Own texts in lists.\"\"\"
    return df.assign(a=pd.Series([[_T("x")], None], dtype=object), b=df["b"])
"""
    space, _ = exported(first="import pandas as pd\n" + source)
    plain = {1, "y"}
    made = space["clean"](pd.DataFrame({"a": pd.Series([["x"], None]), "b": pd.Series([plain, None])}))
    assert [type(made["a"][0][0]), made["a"][1], made["b"][0]] == [str, None, plain]


def test_another_pandas_is_refused(tmp_path: Path) -> None:
    """Texts are objects in pandas 2: a function that asks for their type would leave them out, without a word.
    Positive control: with the one that is installed, and with which functions are proved here, the file is imported."""
    text = export_functions([])
    (tmp_path / "cleaning_functions.py").write_text(
        text.replace("    _check_unchanged()", "    pass"), encoding="utf-8"
    )
    other = "import pandas, runpy; pandas.__version__ = '2.2.3'; "
    for program, said in (
        ("import cleaning_functions", ""),
        (f"{other}import cleaning_functions", "ImportError: the functions were proved with pandas 3"),
        (
            f"{other}runpy.run_path('cleaning_functions.py', run_name='__main__')",
            "cleaning_functions.py: the functions",
        ),
    ):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, said in done.stderr) == (int(bool(said)), True), done.stderr
    assert pd.__version__.startswith("3.")


ASSERTS = '''def first(df):
    """A city, unless an assertion holds it back; and what it says of itself."""
    try:
        assert df.empty, "as it was proved"
    except AssertionError:
        return df.assign(a="proved", doc=bool(first.__doc__))
    return df.assign(a="not proved", doc=bool(first.__doc__))
'''


@pytest.mark.parametrize("optimized", ["", "1", "2"])
def test_asserts_are_kept_whatever_python_is_told(
    optimized: str, exported: Callable[..., tuple[Made, list[Any]]], tmp_path: Path
) -> None:
    """They are part of what was proved. Positive control: Python leaves those of other code out."""
    space, _ = exported(Contract(adds=("doc",)), first=ASSERTS)
    (tmp_path / "own.py").write_text(ASSERTS)
    (tmp_path / "cleaning_functions.py").write_text(str(space["TEXT"]), encoding="utf-8")
    program = """import own, pandas, cleaning_functions
frame = pandas.DataFrame({"a": ["x"]})
print(own.first(frame)["a"][0], *cleaning_functions.clean(frame).iloc[0])"""
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | {"PYTHONOPTIMIZE": optimized},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{'not proved' if optimized else 'proved'} proved True\n"


def test_a_module_beside_the_file_is_not_imported(tmp_path: Path) -> None:
    """The manifest names the file, and not what stands beside it. Positive control: another program there takes it."""
    text = export_functions([])
    file, other = tmp_path / "cleaning_functions.py", tmp_path / "other.py"
    file.write_text(text, encoding="utf-8")
    other.write_text("import json\n")
    export_bundle([], tmp_path / "registry", beside={file.name: hashlib.sha256(text.encode()).hexdigest()})
    for name in ("json", "pandas", "pathlib", "argparse"):
        (tmp_path / f"{name}.py").write_text("print('taken')\nraise SystemExit(9)\n")
    (tmp_path / "in.csv").write_text("a\n1\n")
    control, done = (
        subprocess.run(
            [sys.executable, program.name, "in.csv", "out.csv"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        for program in (other, file)
    )
    assert (control.returncode, control.stdout) == (9, "taken\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "out.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("_kinds = [Number.register(str)]", True),
        ("_kinds = [numbers.Number.register(str)]", True),
        ("_kinds = [(register := Number.register)]", True),
        ("TextWrapper.unicode_whitespace_trans[32] = 95", True),
        ("del textwrap.TextWrapper.unicode_whitespace_trans[32]", True),
        ("_kinds = {}; _kinds['a'] = Number", False),
        ("_kinds = [lambda df: df.register.str.strip()]", False),
    ],
)
def test_what_all_functions_share_is_not_changed(line: str, refused: bool) -> None:
    """`Number.register(str)` made texts numbers for every other function of the file."""
    imports = "import numbers, textwrap\nfrom numbers import Number\nfrom textwrap import TextWrapper\n"
    source = f'{imports}def f(df):\n    """Nothing."""\n    {line}\n    return df\n'
    found = problems(candidate_file.read(source), ScreenPolicy())
    assert any("others in the process use it" in one for one in found) == refused, found


def test_rows_that_a_function_numbers_anew_keep_their_labels(evidence: Callable[..., Evidence]) -> None:
    """As where they are applied: what is left is known by the columns that the function does not touch. Files take the
    text and the types of rows from there. Positive control: labels of its own count.
    """
    source = """CONTRACT = {"shape": "table", "modifies": ["a"], "drops_rows": True}
def first(df):
    \"\"\"Rows without a number go.\"\"\"
    left = df[df["n"].notna()]RESET
    return left.assign(a=left["a"].str.strip())
"""
    frame = pd.DataFrame({"a": [" v", "w", "w", "x"], "n": [None, 1.5, 1.5, 2.0]})
    for reset in (".reset_index(drop=True)", ""):
        registry, made = MemoryRegistry(), candidate_file.read(source.replace("RESET", reset))
        registry.promote(made, evidence(made))
        space: Made = {"__name__": "cleaning_functions", "__file__": "cleaning_functions.py"}
        exec(export_functions(list(registry.functions())), space)  # noqa: S102 - it is what is tested
        cleaned = space["clean"](frame)
        assert (cleaned["a"].tolist(), cleaned.index.tolist()) == (["w", "w", "x"], [1, 2, 3])
        assert space["clean"](frame.head(1)).index.tolist() == []


LATER = """_calls = []
def first(df):
    \"\"\"Blanks off, and something else where it was never seen.\"\"\"
    _calls.append(1)
    out = df.copy()
    out["a"] = out["a"].str.strip()
    if len(_calls) > 8 or len(df) > 12_800:
        out["a"] = "London"
    return out
"""


def test_the_program_counts_as_the_sandbox_does() -> None:
    """It imports nothing of cleanroom, so it has the numbers of the policy as its own."""
    assert (standalone_apart.ROWS, standalone_apart.TABLES) == (LARGEST_ROWS, TABLES_OF_A_PROCESS)


def test_a_function_is_given_no_more_tables_and_rows_than_where_it_was_proved(
    exported: Callable[..., tuple[Made, list[Any]]],
) -> None:
    """One that counts its calls, or its rows, does in the program what it did in the sandbox."""
    space, bare = exported(first=LATER)
    large = pd.DataFrame({"a": [" Rome"] * 30_000}, index=range(5, 30_005))
    assert set(bare[0](large)["a"]) == {"London"}
    cleaned = space["clean"](large)
    assert set(cleaned["a"]) == {"Rome"}
    assert cleaned.index.equals(large.index)
    for _ in range(20):
        assert space["clean"](large.head(3))["a"].tolist() == ["Rome"] * 3


def test_rows_that_go_and_types_that_change_are_the_same_in_parts(
    exported: Callable[..., tuple[Made, list[Any]]],
) -> None:
    """A part whose column is empty has the type of the others; the labels are those of the rows that stay."""
    numbers = "def second(df):\n    return df.assign(a=df['a'].where(df['a'] != '-', None))\n"
    space, _ = exported(first=DROPS, second=numbers)
    rows = 26_000
    frame = pd.DataFrame(
        {"n": [float(n) if n % 3 else None for n in range(rows)], "a": ["-"] * 13_000 + ["x"] * 13_000},
        index=[f"r{n}" for n in range(rows)],
    )
    cleaned = space["clean"](frame)
    assert cleaned.index.tolist() == [f"r{n}" for n in range(rows) if n % 3]
    assert cleaned["a"].dtype == "str"
    assert cleaned["a"].isna().sum() == 13_000 - len(range(0, 13_000, 3))
