"""What the screen refuses and what it lets through."""

import importlib
from types import ModuleType

import pytest

from orchestrator.core.policy import ScreenPolicy
from orchestrator.data.assets import asset
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
    "a module in a module": "import enum\nenum.bltns.exec('1')",
    "a module under another name": "import enum\ne = enum\ne.bltns",
    "a module by walrus": "import enum\n(e := enum).bltns",
    "a module in a default": "import enum\ndef _g(e=enum):\n    return e.bltns",
    "a module in a comprehension": "import enum\n[e.bltns for e in [enum]]",
    "a module in a tuple": "import enum\na, b = enum, 1",
    "a module as an argument": "import enum\n(lambda e: e.bltns)(enum)",
    "a module in a class": "class C:\n    import enum\nC.enum.bltns",
    "a class body reads the outer name first": "import enum\nclass C:\n    e = enum\n    enum = 1\nC.e.bltns",
    "a comprehension reads the outer name first": "import enum\n[(enum.bltns, (enum := 1)) for _ in [1]]",
    "a module through global": "def _g():\n    global e\n    import enum as e\n_g()\ne.bltns",
    "a module through nonlocal": "e = 1\ndef _g():\n    nonlocal e\n    import enum as e\n_g()\ne.bltns",
    "getattr of a module": "import enum\ngetattr(enum, 'bltns')",
    "import of a module in a module": "from enum import bltns",
    "import under another name": "import enum as e\ne.bltns",
    "a longer path under another name": "import urllib.parse as p\np.sys",
    "a package by its submodule": "import urllib.parse\nurllib.request",
    "re._compiler": "import re\nre._compiler",
    "json.codecs": "import json\njson.codecs.open('/etc/passwd')",
    "functools' own imports": "import functools\nfunctools.recursive_repr",
    "dataclasses.sys": "import dataclasses\ndataclasses.sys.modules",
    "pandas.core": "import pandas as pd\npd.core.computation",
    "pandas.api alone": "import pandas as pd\nx = pd.api",
    "pandas.io by attribute": "import pandas as pd\npd.io.common.os",
    "pd.eval": "import pandas as pd\npd.eval('1')",
    "pd.options": "import pandas as pd\npd.options.plotting.backend = 'x'",
    "pd.test": "import pandas as pd\npd.test()",
    "np.memmap": "import numpy as np\nnp.memmap('/tmp/x')",
    "np.lib": "import numpy as np\nnp.lib.npyio",
    "ndarray.dump": "df.to_numpy().dump('/tmp/x')",
    "a module is changed": "import json\njson.dumps = print",
    "string.Formatter": "import string\nstring.Formatter().get_field('0.x', [df], {})",
    "a subclass of Formatter": "import string\nclass C(string.Formatter):\n    pass",
    "operator.attrgetter": "import operator\noperator.attrgetter('x' + 'y')(df)",
    "from operator import methodcaller": "from operator import methodcaller\nmethodcaller('ev' + 'al')",
    "getattr as a value": "import functools\nfunctools.reduce(getattr, ['a'], df)",
    "getattr under another name": "g = getattr\ng(df, '__cl' + 'ass__')",
    "getattr mapped": "list(map(getattr, [df], ['x']))",
    "help": "help('os')",
    "license": "license()",
    "a name that the export would give": "try:\n    sys.exit()\nexcept NameError:\n    pass",
    "a class pattern": "match df:\n    case object(__class__=c):\n        pass",
    "a class pattern of a frame": "match (i for i in []):\n    case object(gi_frame=c):\n        pass",
    "a format with a frame": "'{0.gi_frame}'.format(i for i in [])",
    "a nested format": "'{0:{1.gi_frame}}'.format(1, 2)",
    "a format from parts": "('{0.__cl' + 'ass__}').format(df)",
    "a format by variable": "t = '{0.__cl'\nt = t + 'ass__}'\nt.format(df)",
    "str.format": "str.format('{0.x}', df)",
    "a format by map": "list(map('{0._mgr}'.format, [df]))",
    "format from an f-string": "f'{{0.{df}}}'.format(df)",
    "UserString.format": "import collections\ncollections.UserString('x').format(df)",
    "get_type_hints": "import typing\ntyping.get_type_hints(df)",
    "singledispatch": "import functools\nfunctools.singledispatch(f)",
    "update_wrapper": "import functools\nfunctools.update_wrapper(df, print, ['__se' + 'lf__'])",
    "__getattr__ of one's own": "class C:\n    def __getattr__(self, name):\n        return 1",
    "__setattr__ of one's own": "class C:\n    def __setattr__(self, name, value):\n        pass",
    "memory by a special method": "class C:\n    def __array_interface__(self):\n        return {}",
    "a class made by type": "type('C', (), {'__arr' + 'ay_interface__': {}})",
    "type under another name": "t = type\nt('C', (), {})",
    "type mapped": "list(map(type, ['C'], [()], [{}]))",
    "the type of a class": "t = type(str)\nt('C', (), {})",
    "a type called": "type(df)('C', (), {})",
    "a metaclass": "class C(metaclass=print):\n    pass",
    "a metaclass by stars": "class C(**{'meta' + 'class': print}):\n    pass",
    "type as a base": "class C(type):\n    pass",
    "make_dataclass": "import dataclasses\ndataclasses.make_dataclass('C', [])",
    "EnumMeta": "import enum\nenum.EnumMeta('C', (), {})",
    "global_enum": "import enum\n@enum.global_enum\nclass C(enum.Enum):\n    x = 1",
    "a private attribute": "df._mgr",
    "agg with a writer": "df.agg('to_csv', 0, '/tmp/x')",
    "agg with writers in a list": "df.agg(['sum', 'to_pickle'])",
    "agg with a writer by keyword": "df.agg(func='to_csv', path_or_buf='/tmp/x')",
    "agg with a built name": "df.agg('to_' + 'csv', path_or_buf='/tmp/x')",
    "apply with a name in a variable": "n = 'to_'\nn += 'csv'\ndf.apply(n, path_or_buf='/tmp/x')",
    "agg with stars": "df.agg(*['to_csv', 0, '/tmp/x'])",
    "agg under another name": "a = df.agg\na('to_csv', 0, '/tmp/x')",
    "agg by getattr": "getattr(df, 'agg')('to_csv', 0, '/tmp/x')",
    "agg by a class pattern": "match df:\n    case object(agg=a):\n        a('to_csv', 0, '/tmp/x')",
    "pivot_table with a writer": "df.pivot_table(index='a', aggfunc='to_csv', path_or_buf='/tmp/x')",
    "Styler": "df.style.template_dir.write_text('x')",
    "plot": "df.plot(backend='x')",
    "a decorator": "@exec\ndef _g():\n    pass",
    "an annotation": "def _g(x: exec('1')):\n    pass",
    "an annotated assignment": "x: exec('1') = 1",
    "a default argument": "def _g(x=exec):\n    pass",
    "an f-string": "f'{exec}'",
    "a format specification": "f'{1:{exec}}'",
    "a lambda": "(lambda: exec)()",
    "a builtin before it is bound": "class C:\n    e = exec\n    exec = 1",
    "other letters for exec": "\uff45\uff58\uff45\uff43('1')",
    "an import under a special name": "import re as __builtins__",
    "an argument with a special name": "def _g(__builtins__):\n    pass",
    "a state that only the sandbox puts there": "global _CLEANROOM_STATE\n_CLEANROOM_STATE = ''",
    "a helper that only the sandbox puts there": "def _cleanroom_text(state):\n    pass",
    "memory that is still in use": "df.to_numpy().resize(9, refcheck=False)",
}


def found(source: str, policy: ScreenPolicy | None = None) -> list[str]:
    return problems(candidate_file.read(source), policy or ScreenPolicy())


def with_body(body: str) -> str:
    """The text as the body of a function, with a class or function of its own where it has one."""
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


def test_printing_is_explained() -> None:
    """The prompt forbids it, and where an exported function runs somebody reads what is printed."""
    assert found(with_body("print('A' * 10**8)")) == [
        "line 4: `print` may not be used; a function returns the data, and prints nothing"
    ]


def test_a_missing_import_is_told_as_that() -> None:
    """Of modules under the names that everybody gives them."""
    source = "def f(df: pd.DataFrame):\n    'x'\n    return df\n"
    told = problems(candidate_file.read(source), ScreenPolicy())
    assert told == ["line 1: `pd` is not defined: `import pandas as pd` is missing"]


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


ORDINARY = {
    "a module and a parameter of its name in another function": """import string
def _g(string):
    return string.strip()
def f(df):
    "Clean."
    return df.map(_g) if string.digits else df
""",
    "a submodule that is on the list": """import pandas as pd
def f(df):
    "Clean."
    return df if pd.api.types.is_string_dtype(df["a"]) else df.astype(str)
""",
    "functions by name, with arguments": """import numpy as np
import functools
def _cut(text, n):
    return text[:n]
def f(df):
    "Clean."
    df["a"] = df["a"].apply(_cut, args=(3,)).apply(functools.partial(_cut, n=2)).apply("upper")
    return df.groupby("a").transform("first", skipna=True).agg({"b": "sum", "c": [np.mean, "max"]})
""",
    "templates that are written out": """TEMPLATE = "{:02d}-{0[1]}"
def f(df):
    "Clean."
    return df["a"].map("{:.2f}".format).map(TEMPLATE.format).map(lambda v: "{x.year}".format(x=v))
""",
    "the type of a value": """def f(df):
    "Clean."
    return df["a"].map(lambda v: type(v).__name__ if type(v) is str or isinstance(v, type) else type(v)(v)).map(type)
""",
    "classes with special methods and private attributes": """from dataclasses import dataclass, field
from enum import Enum
from collections import namedtuple
class _Kind(Enum):
    A = "a"
@dataclass(frozen=True, slots=True)
class _Rule:
    words: list[str] = field(default_factory=list)
    _seen: int = 0
    def __eq__(self, other: object) -> bool:
        return self._seen == other._seen
Pair = namedtuple("Pair", "a b")
def f(df):
    "Clean."
    return df.assign(a=Pair(1, 2)._replace(a=2).a, b=_Kind("a").value)
""",
    "names through global, walrus, match and except": """import re
def f(df):
    "Clean."
    global _seen
    _seen = 1
    try:
        return [m.group() for t in df["a"] if (m := re.search("a", t))]
    except (TypeError, re.error) as error:
        match error.args:
            case [first, *rest] | {"a": first, **rest}:
                return _seen, first, rest
            case str(text) | text:
                return text
""",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY.keys())
def test_ordinary_forms_pass(source: str) -> None:
    """What looks like an attack and is ordinary code is let through."""
    assert found(source) == []


def test_builtin_that_the_module_binds_later_is_refused() -> None:
    """Until the module's own line has run, the name is the builtin."""
    assert found("x = exec\nexec = 1\n" + BODY.format("pass"))


def test_policy_extends_the_surface() -> None:
    """What a policy adds to a surface may be used; a module without one may not, whatever the imports say."""
    source = with_body("import enum\nenum.show_flag_values(1)")
    assert found(source)
    assert found(source, ScreenPolicy(surface={"enum": ("show_flag_values",)})) == []
    team = with_body("import names_of_ours\nnames_of_ours.tidy(1)")
    imports = (*ScreenPolicy().imports, "names_of_ours")
    assert "screen.surface" in found(team, ScreenPolicy(imports=imports))[0]
    assert found(team, ScreenPolicy(imports=imports, surface={"names_of_ours": ("*",)})) == []


def test_list_holds_no_module_and_nothing_private(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever Python and pandas are installed: no name on the list is a module there, or private."""
    from orchestrator.gate.syntax.surface import _listed

    monkeypatch.syspath_prepend(asset("sandbox_image"))  # the helper modules
    for module, names in _listed().items():
        loaded = importlib.import_module("pandas.tseries.offsets" if module == "pandas.offsets" else module)
        assert [n for n in names if n.startswith("_") or isinstance(getattr(loaded, n, None), ModuleType)] == []
    assert "exec" not in {name for names in _listed().values() for name in names}


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


def test_a_helper_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    """The names of the module, or the modules; of other modules nothing is listed."""
    wrong = "from cleanroom_phones_v1 import normalise_phone\n" + BODY.format("pass")
    (problem,) = found(wrong)
    assert problem.startswith(
        "line 1: `cleanroom_phones_v1.normalise_phone` may not be imported; cleanroom_phones_v1 has "
    )
    assert "format_phone" in problem
    (problem,) = found("import cleanroom_text_v1\n" + BODY.format("pass"))
    assert problem.startswith("line 1: module `cleanroom_text_v1` may not be imported; the helper modules are ")
    assert "cleanroom_dates_v1" in problem
    used = found("import cleanroom_phones_v1\n" + BODY.format("cleanroom_phones_v1.squish(1)"))
    assert "format_phone" in used[0]
    assert found("from json import squish\n" + BODY.format("pass")) == ["line 1: `json.squish` may not be imported"]


def test_a_module_that_many_would_import_is_refused_with_what_does_the_same() -> None:
    """Dates are read without `dateutil`; of other modules nothing is named."""
    (problem,) = found("from dateutil.parser import parse\n" + BODY.format("pass"))
    assert problem.startswith("line 1: module `dateutil.parser` may not be imported; `datetime.datetime.strptime`")
    assert found("import socket\n" + BODY.format("pass"))[0] == "line 1: module `socket` may not be imported"
