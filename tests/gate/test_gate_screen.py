"""What the screen refuses and what it lets through."""

import pytest

from orchestrator.core.policy import ScreenPolicy
from orchestrator.gate import candidate_file
from orchestrator.gate.screen import problems

BODY = '''
def f(df):
    """Clean."""
    {}
    return df
'''

BYPASSES = {
    "importlib": 'import importlib\nimportlib.import_module("os").system("id")',
    "builtins by item": '__builtins__["open"]("/etc/passwd")',
    "a module's private import": "import random\nrandom._os.environ",
    "an allowed module's private import": "import statistics\nstatistics.random._os.environ",
    "codecs.open": 'import codecs\ncodecs.open("/etc/passwd")',
    "subclasses walk": "().__class__.__base__.__subclasses__()",
    "globals of a method": 'df.head.__func__.__globals__["sys"]',
    "eval under another name": 'e = eval\ne("1")',
    "multiprocessing.util": 'import multiprocessing.util\nmultiprocessing.util.os.system("id")',
    "getattr with a built name": 'getattr(df, "__cl" + "ass__")',
    "getattr with a special name": 'getattr(df, "__class__")',
    "format string walk": '"{0.__class__}".format(df)',
    "frame walk": "(lambda: 0).gi_frame.f_back",
    "traceback walk": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    e.__traceback__.tb_frame",
    "DataFrame.query": 'df.query("city == 1")',
    "DataFrame.eval": 'df.eval("a = 1")',
    "read_csv": 'import pandas as pd\npd.read_csv("/etc/passwd")',
    "to_pickle": 'df.to_pickle("/tmp/x")',
    "np.load": 'import numpy as np\nnp.load("/tmp/x")',
    "pandas.io": "import pandas.io.common",
    "a name out of pandas.io": "from pandas import io",
    "numpy.ctypeslib": "import numpy.ctypeslib",
    "open": 'open("/etc/passwd")',
    "exec": 'exec("1")',
    "compile": 'compile("1", "", "exec")',
    "__import__": '__import__("os")',
    "globals": "globals()",
    "breakpoint": "breakpoint()",
    "input": "input()",
    "star import": "from numpy import *",
    "relative import": "from . import secrets",
    "pandas options": 'import pandas as pd\npd.set_option("mode.copy_on_write", False)',
}


def found(source: str, policy: ScreenPolicy | None = None) -> list[str]:
    return problems(candidate_file.read(source), policy or ScreenPolicy())


def with_body(body: str) -> str:
    lines = body.split("\n")
    imports = [
        line for line in lines if (line.startswith(("import ", "from ")) and "*" in line) or line.startswith("from .")
    ]
    inside = "\n    ".join(line for line in lines if line not in imports)
    return "\n".join(imports) + BODY.format(inside or "pass")


@pytest.mark.parametrize("body", BYPASSES.values(), ids=BYPASSES.keys())
def test_bypass_is_refused(body: str) -> None:
    """What got past the predecessor's check, and its relatives, is refused with the line where it stands."""
    assert any("line " in problem for problem in found(with_body(body)))


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("def f(df, other):\n    'x'\n    return df", "exactly one"),
        ("def f(*df):\n    'x'\n    return df", "exactly one"),
        ("def f(df=None):\n    'x'\n    return df", "without default"),
        ("def f(df, *, k):\n    'x'\n    return df", "without default"),
        ("def f(df):\n    return df", "docstring"),
        ("def f(df):\n    'x'\n    yield df", "yield"),
        ("@print\ndef f(df):\n    'x'\n    return df", "decorated"),
        ("def _g():\n    pass\ndef _g():\n    pass\ndef f(df):\n    'x'\n    return df", "more than once"),
        ("def detect(a, b):\n    return a\ndef f(df):\n    'x'\n    return df", "`detect`"),
        ("print(1)\ndef f(df):\n    'x'\n    return df", "module level"),
        ("for _i in []:\n    pass\ndef f(df):\n    'x'\n    return df", "module level"),
    ],
)
def test_form_is_explained(body: str, word: str) -> None:
    """A wrong form is refused with a sentence that says what is wanted."""
    assert word in " ".join(found(body))


def test_size_is_bounded() -> None:
    """Bytes, lines, syntax nodes and nesting each have a bound."""
    source = BODY.format("pass")
    assert "bytes" in found(source, ScreenPolicy(max_source_bytes=10))[0]
    assert "lines" in found(source, ScreenPolicy(max_lines=2))[0]
    assert "nodes" in found(source, ScreenPolicy(max_nodes=5))[0]
    assert "nested" in found(BODY.format("x = " + "-" * 70 + "1"))[0]


def test_wildcard_allows_submodules_only_where_it_stands() -> None:
    """`numpy.*` allows `numpy.linalg`; without it only `numpy` itself is allowed."""
    source = with_body("pass").replace("def f", "import numpy.linalg\ndef f", 1)
    assert found(source) == []
    assert found(source, ScreenPolicy(imports=("numpy",)))


def test_ordinary_code_passes() -> None:
    """Helpers, compiled patterns, classes, `input` as a name of one's own and conversions in memory are fine."""
    source = '''"""Issue."""
from __future__ import annotations
import re
from collections import Counter
from dataclasses import dataclass
import pandas as pd
PATTERN = re.compile("a")
@dataclass
class Rule:
    text: str
def _helper(input):
    try:
        return input.strip()
    except AttributeError:
        return input
def detect(df):
    return pd.to_numeric(df["a"], errors="coerce").isna()
def f(df):
    """Clean."""
    return df.assign(a=df["a"].map(_helper), b=[c.__class__ for c in []])
'''.replace(", b=[c.__class__ for c in []]", "")
    assert found(source) == []
