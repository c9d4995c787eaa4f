"""Ways from names that the screen allows to code, files and memory of the process that runs an exported function.

Each was tried: most run here unscreened, as the positive control, and leave their mark. The screen refuses them all.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.core.policy import ScreenPolicy
from orchestrator.gate import candidate_file
from orchestrator.gate.screen import problems

# Each candidate in a process and a folder of its own, all forked from one that has loaded pandas: that takes longest.
RUN = """
import os, pathlib, signal, sys, types
import pandas as pd
def run(folder):
    os.chdir(folder)
    for stream in (1, 2):
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    signal.alarm(60)
    module = sys.modules["candidate"] = types.ModuleType("candidate")
    try:
        exec(compile(pathlib.Path("candidate.py").read_text(), "candidate", "exec", dont_inherit=True), module.__dict__)
        print("returned", module.f(pd.DataFrame({"a": ["x", "y"], "n": [1, 2]})))
    except Exception as error:
        print("raised", type(error).__name__, error)
    sys.stdout.flush()
for folder in sys.argv[1:]:
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        try:
            run(folder)
        finally:
            os._exit(0)
"""
MARK = "__import__('os').system('touch mark')"

# Source, and what is seen when it runs unscreened: a file `mark`, or words on stdout.
HARMFUL = {
    "a method of pandas is another one for whoever comes after": (
        """import pandas as pd
def f(df):
    \"\"\"Clean.\"\"\"
    pd.DataFrame.to_string = lambda self, *more, **named: "another table"
    return df
""",
        "another table",
    ),
    "the class of a value is changed for all of its kind": (
        """def f(df):
    \"\"\"Clean.\"\"\"
    type(df).to_string = lambda self, *more, **named: "another table"
    return df
""",
        "another table",
    ),
    "decimals are of two digits in the whole process": (
        """import decimal
def f(df):
    \"\"\"Clean.\"\"\"
    decimal.getcontext().prec = 2
    return str(decimal.Decimal(1) / 3)
""",
        "returned 0.33\n",
    ),
    "a text that typing holds is evaluated by its private method, which a class of one's own makes speakable": (
        f'''import typing
class C:
    def _evaluate(self):
        pass
def f(df):
    """Clean."""
    typing.get_args(typing.Optional["{MARK}"])[0]._evaluate(None, None, recursive_guard=frozenset())
''',
        "mark",
    ),
    "an AttributeError holds the module in which a name of a later Python is missing": (
        f'''import functools, typing
class C:
    x: "{MARK}"
def f(df):
    """Clean."""
    try:
        functools.Placeholder
    except AttributeError as error:
        module = error.obj
    def fn(x):
        return x
    module.singledispatch(fn).register(module.partial) if 0 else None
    class D:
        def g(self, x: "{MARK}"):
            return x
    module.singledispatch(fn).register(D.g)
''',
        "mark",
    ),
    "a field of a dataclass is renamed to code, which the dataclass below it runs": (
        f'''import dataclasses
X = dataclasses.field(init=False)
@dataclasses.dataclass
class C:
    x: int = X
def f(df):
    """Clean."""
    X.name = "x if 0 else {MARK}"
    @dataclasses.dataclass(init=False, repr=False, eq=True, unsafe_hash=True)
    class D(C):
        y: int = 1
    return hash(D())
''',
        "mark",
    ),
    "a dataclass is made of a class whose annotations are texts of one's choice": (
        f'''import dataclasses, typing
def f(df):
    """Clean."""
    made = typing.TypedDict("C", {{"keys if 0 else {MARK}": int}})
    other = typing.TypedDict("D", {{}})
    class C:
        pass
    dataclasses.dataclass(init=False, repr=False)(made)
    return made == other
''',
        "",
    ),
    "an Enum is made with special methods, and numpy reads memory through them": (
        '''import enum
import numpy as np
def f(df):
    """Clean."""
    secret = b"SECRETSECRET"
    memory = {"data": (id(secret) + 32, False), "shape": (12,), "typestr": "|u1", "version": 3}
    made = enum.Enum("C", [("__array_" + "interface__", memory), ("A", 1)])
    return np.asarray(made.A).tobytes()
''',
        "SECRETSECRET",
    ),
    "an Enum of one's own without members makes another": (
        '''import enum
class E(enum.Enum):
    def g(self):
        return 1
def f(df):
    """Clean."""
    return E("C", [("A", 1)])
''',
        "<enum 'C'>",
    ),
    "an Enum ignores its members": (
        '''import enum
class E(enum.Enum):
    _ignore_ = ["A"]
    A = 1
def f(df):
    """Clean."""
    return E("C", [("A", 1)])
''',
        "<enum 'C'>",
    ),
    "type is what a class is mapped to": (
        '''import pandas as pd
def f(df):
    """Clean."""
    made = pd.Series([int]).map(type).iloc[0]
    return made("C", (), {"__getattr" + "__": 1})
''',
        "<class 'candidate.C'>",
    ),
    "type is what a class's type is called with": (
        '''def f(df):
    """Clean."""
    made = (lambda v: type(v)(v))(int)
    return made("C", (), {"__getattr" + "__": 1})
''',
        "<class 'candidate.C'>",
    ),
    "type is called through partial": (
        '''import functools
import pandas as pd
def f(df):
    """Clean."""
    return functools.partial(pd.Series([int]).map(type).iloc[0], "C", ())({"__getattr" + "__": 1})
''',
        "<class 'candidate.C'>",
    ),
    "type is called as an element of a Series": (
        '''import pandas as pd
def f(df):
    """Clean."""
    return pd.Series({"t": pd.Series([int]).map(type).iloc[0]}).t("C", (), {"__getattr" + "__": 1})
''',
        "<class 'candidate.C'>",
    ),
    "type is a base": (
        '''import pandas as pd
def f(df):
    """Clean."""
    class M(pd.Series([int]).map(type).iloc[0]):
        pass
    return M("C", (), {"__getattr" + "__": 1})
''',
        "<class 'candidate.C'>",
    ),
    "an array is made of bytes that are said to be objects": (
        '''import numpy as np
def f(df):
    """Clean."""
    secret = ["SECRETSECRET"]
    return str(np.ndarray((1,), dtype=object, buffer=np.array([id(secret)]))[0])
''',
        "SECRETSECRET",
    ),
    "the same by the array's class as a value": (
        '''import numpy as np
def f(df):
    """Clean."""
    secret = ["SECRETSECRET"]
    return str(np.ma.array([1]).baseclass((1,), object, np.array([id(secret)]))[0])
''',
        "SECRETSECRET",
    ),
    "the same by what an annotation is made of": (
        '''import typing
import numpy as np
def f(df):
    """Clean."""
    secret = ["SECRETSECRET"]
    return str(typing.get_origin(np.typing.NDArray[np.int64])((1,), object, np.array([id(secret)]))[0])
''',
        "SECRETSECRET",
    ),
    "the clipboard, by a name that is put together": (
        '''def f(df):
    """Clean."""
    return df["a"].agg("to_" + "clipboard")
''',
        "raised PyperclipException",
    ),
    "the clipboard, by a variable": (
        '''def _g(how, s):
    return s.agg(how)
def f(df):
    """Clean."""
    return _g("to_clip" + "board", df["a"])
''',
        "raised PyperclipException",
    ),
    "the clipboard, by a part of a text": (
        '''HOW = "xto_clipboard"
def f(df):
    """Clean."""
    return df["a"].agg(HOW[1:])
''',
        "raised PyperclipException",
    ),
    "the clipboard, by the second of two tuples": (
        '''def f(df):
    """Clean."""
    one, two = (len, "to_" + "clipboard"), ("sum", len)
    return df["a"].agg(one)
''',
        "raised PyperclipException",
    ),
    "the clipboard, by a field that a text names": (
        '''import collections
def f(df):
    """Clean."""
    return df["a"].agg(collections.namedtuple("P", "get")("to_" + "clipboard").get)
''',
        "raised PyperclipException",
    ),
    "a pandas class of one's own is given its internals": (
        '''import pandas as pd
class S(pd.Series):
    def _constructor_from_mgr(self, mgr, axes):
        print(type(mgr).__name__)
        return pd.Series([1])
def f(df):
    """Clean."""
    return S([1]).copy()
''',
        "SingleBlockManager",
    ),
    "the code of a compiled function": (
        '''import numpy as np
def f(df):
    """Clean."""
    return np.random.default_rng.func_code
''',
        "<code object",
    ),
}


@pytest.mark.parametrize("name", HARMFUL)
def test_what_does_harm_unscreened_is_refused(name: str) -> None:
    """Before it is run anywhere, and so before it is exported."""
    assert problems(candidate_file.read(HARMFUL[name][0]), ScreenPolicy()) != []


TRIED = [name for name, (_, seen) in HARMFUL.items() if seen]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where each of them was run, and what it said and left there."""
    made = {name: tmp_path_factory.mktemp("harm") for name in TRIED}
    for name, folder in made.items():
        (folder / "candidate.py").write_text(HARMFUL[name][0])
    subprocess.run([sys.executable, "-W", "ignore", "-c", RUN, *made.values()], timeout=280, check=True)
    return made


@pytest.mark.parametrize("name", TRIED)
def test_it_does_do_harm_unscreened(name: str, folders: dict[str, Path]) -> None:
    """The positive control: in a process like that of an exported file it does what its name says."""
    seen, said = HARMFUL[name][1], (folders[name] / "said").read_text(encoding="utf-8")
    assert (folders[name] / "mark").exists() if seen == "mark" else seen in said, said


RIGHT = {
    "functions in a dict, by loop": '''RULES = {"a": str.strip, "n": lambda v: v}
def f(df):
    """Clean."""
    for column, rule in RULES.items():
        df[column] = df[column].apply(rule)
    return df
''',
    "functions in a list, by loop": '''def f(df):
    """Clean."""
    for column, rule in [("a", str.strip), ("n", _same)]:
        df[column] = df[column].apply(rule)
    return df
def _same(v):
    return v
''',
    "a function that is made": '''from functools import partial
def _cut(n):
    def inner(v):
        return v[:n]
    return inner
def f(df):
    """Clean."""
    cut = _cut(3)
    return df.assign(a=df["a"].apply(cut).apply(_cut(2)).apply(partial(str.replace, "a", "b")))
''',
    "a function or another, a name in a variable": '''def f(df):
    """Clean."""
    rule, how = str.upper if len(df) > 3 else str.lower, "sum"
    return df.assign(a=df["a"].apply(rule), n=df["n"].agg(how))
''',
    "methods of values": '''import re
PATTERN, TABLE = re.compile("a"), {"x": "y"}
def f(df):
    """Clean."""
    return df.assign(a=df["a"].apply(TABLE.get), b=df["a"].apply(PATTERN.sub), c=df["a"].apply(TABLE.get("f", len)))
''',
    "aggregations by column": '''def f(df):
    """Clean."""
    ways = {"a": "first", "n": ["sum", "mean"]}
    return df.groupby("a").agg(ways).join(df.groupby("a").agg({c: "first" for c in df.columns}))
''',
    "arrays that are asked for": '''import numpy as np
def _g(x: np.ndarray) -> np.ndarray:
    return x if isinstance(x, (list, np.ndarray)) or type(x) is np.ndarray else np.array(x)
def f(df):
    """Clean."""
    return df
''',
    "classes with bases": '''from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Generic, NamedTuple, TypeVar, TypedDict
T = TypeVar("T")
class _Kind(str, Enum):
    A = "a"
    def words(self):
        return self.value
class _Order(IntEnum):
    FIRST = auto()
class _Pair(NamedTuple):
    a: str
    n: int
class _Row(TypedDict):
    a: str
class _Wrong(ValueError):
    pass
class _Base:
    def clean(self, v):
        return v
class _Trim(_Base):
    def clean(self, v):
        return v.strip()
@dataclass(frozen=True)
class _Rule(Generic[T]):
    a: T
def f(df):
    """Clean."""
    if isinstance(_Kind.A, Enum):
        return df.assign(a=df["a"].map(_Trim().clean))
    raise _Wrong(_Pair("a", 1))
''',
    "types that are asked for beside calls of three arguments": '''def f(df):
    """Clean."""
    df.insert(0, "k", df["a"].map(type).astype(str))
    kinds = df["a"].map(lambda v: type(v)(v))
    return df.assign(a=kinds.str.replace("x", "y", regex=True).where(df["n"] > 1, df["a"]), n=max(1, 2, 3))
''',
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_functions_pass(name: str) -> None:
    """What looks like an attack and is ordinary code is let through."""
    assert problems(candidate_file.read(RIGHT[name]), ScreenPolicy()) == []


def test_corpus_of_right_functions_passes() -> None:
    """Every good function of the gate's bench."""
    from benchmarks.gate.corpus import good

    functions = good()
    assert len(functions) > 140
    assert {
        f.name: found for f in functions if (found := problems(candidate_file.read(f.source), ScreenPolicy()))
    } == {}


MISLEADING = {
    "a function's name with a letter of another script": 'def tr\u0456m(df):\n    """Clean."""\n    return df\n',
    "a name that Python reads as another": 'def \uff54\uff52\uff49\uff4d(df):\n    """Clean."""\n    return df\n',
    "a variable beside another": 'def f(df):\n    """Clean."""\n    d\u0430ta, data = df, 1\n    return d\u0430ta\n',
    "an attribute that Python reads as another": 'def f(df):\n    """Clean."""\n    return df.he\u1d43d()\n',
    "a comment that reorders the line": 'def f(df):\n    """Clean."""\n    return df  # \u202e }\u2066 if admin\n',
    "a text that reorders the line": 'def f(df):\n    """Clean."""\n    return df.replace("\u2066", "x")\n',
    "code behind a comment": 'def f(df):\n    """Clean."""\n    # c\r    return df[:0]\n    return df\n',
    "a comment that goes on as code": 'def f(df):\n    """Clean."""\n    # c\u2028    return df\n    return df[:0]\n',
    "a form feed in a comment": 'def f(df):\n    """Clean."""\n    # c\f    return df\n    return df[:0]\n',
    "UTF-7": '# coding: utf-7\ndef f(df):\n    """Clean."""\n    # +AAogICAgcmV0dXJuIGRmWzowXQ-\n    return df\n',
    "escapes": '#!/usr/bin/python\n# coding=unicode_escape\ndef f(df):\n    """C."""\n    # \\x0a\n    return df\n',
    "bytes of another encoding": '# -*- coding: latin-1 -*-\ndef f(df):\n    """Clean."""\n    return df == "ä"\n',
}


@pytest.mark.parametrize("source", MISLEADING.values(), ids=MISLEADING.keys())
def test_source_that_reads_otherwise_than_it_runs_is_refused(source: str) -> None:
    """Whoever reads the code before promoting it sees the code that runs."""
    found = problems(candidate_file.read(source), ScreenPolicy())
    assert found != []
    assert " ".join(found).isascii()


def test_names_and_texts_of_other_scripts_pass() -> None:
    """German, Russian and Greek names, and any text that is not reordered."""
    source = '''"""Straße."""
ГОРОДА = {"Москва": "Moscow", "сity": "city", "\u200b": ""}
def räume_auf(df):
    """Ersetzt."""
    α, größe, город = 0.5, "ｆｕｌｌ", "ﬁ"
    return df.replace(ГОРОДА).assign(**{"größe": größe, "α": α, "город": город})
'''
    assert problems(candidate_file.read(source), ScreenPolicy()) == []


@pytest.mark.parametrize(
    "source",
    [
        '# -*- coding: utf-8 -*-\ndef f(df):\n    """Räumt auf."""\n    return df\n',
        '# coding: latin-1\ndef f(df):\n    """Clean."""\n    return df\n',
        '"""Texts."""\n# decoding: html\ndef f(df):\n    """Clean."""\n    return df\n',
        '"""Texts."""\r\ndef f(df):\r\n    """Clean."""\r\n    return df\r\n',
        '"""Texts."""\n\f\ndef f(df):\n    """Clean."""\n    return df.replace("\\r", "\\u2028")\n',
    ],
)
def test_usual_line_ends_and_encodings_pass(source: str) -> None:
    """Those of Windows, a form feed between two parts, an encoding in which the file is the same text."""
    assert problems(candidate_file.read(source), ScreenPolicy()) == []
