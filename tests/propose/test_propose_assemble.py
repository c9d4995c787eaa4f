"""One candidate file out of the parts of a reply."""

import ast
import json
from typing import Any

import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import ReplyError
from orchestrator.gate import candidate_file
from orchestrator.propose.replies.candidate_assembly import assemble
from orchestrator.propose.replies.reply_parts import DeclaredEffects, FunctionParts, effects_of
from orchestrator.propose.replies.structured import function_schema, read_structured

CODE = 'def trim(df):\n    """Trim."""\n    return df'
DETECT = "def detect(df):\n    return df['a'] != ''"


def parts(code: str = CODE, **fields: Any) -> FunctionParts:
    return FunctionParts(code=code, detector=DETECT, effects=DeclaredEffects(modifies=("a",)))._replace(**fields)


def names(source: str) -> list[str]:
    """What the file defines, in order."""
    found = []
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef):
            found.append(statement.name)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            found.append(statement.targets[0].id)
        else:
            found.append(type(statement).__name__)
    return found


def test_the_file_has_the_usual_order() -> None:
    """Issue, imports, contract, detector, function."""
    source = assemble(parts("import re\n" + CODE), "Blanks")
    assert names(source) == ["Expr", "Import", "CONTRACT", "detect", "trim"]
    assert ast.get_docstring(ast.parse(source)) == "Blanks"


def test_nothing_is_doubled() -> None:
    """A file that is complete already stays as it is."""
    whole = f'"""Blanks."""\nCONTRACT = {{"shape": "table"}}\n{DETECT}\n{CODE}'
    assert names(assemble(parts(whole), "Other")) == ["Expr", "CONTRACT", "detect", "trim"]


def test_a_missing_docstring_is_added() -> None:
    """The reply's docstring goes into the function; hostile quotes do not break out of it."""
    code = "def trim(df):\n    return df"
    for docstring in ("Trim.", 'ends with "', 'a """ b', "back\\slash", "x" * 500, "\u202e"):
        source = assemble(parts(code, docstring=docstring), 'issue """ + boom()')
        function = next(s for s in ast.parse(source).body if isinstance(s, ast.FunctionDef) and s.name == "trim")
        assert ast.get_docstring(function, clean=False) == docstring
        assert ast.get_docstring(ast.parse(source), clean=False) == 'issue """ + boom()'


@pytest.mark.parametrize("code", ["def trim(df): return df", "import re; X = 1\n" + CODE, "X = 1; import re\n" + CODE])
def test_crowded_lines_stay_valid(code: str) -> None:
    """Statements that share a line are not torn apart."""
    assert {"CONTRACT", "detect", "trim"} <= set(names(assemble(parts(code, docstring="d"), "Blanks")))


def test_a_future_import_stays_first() -> None:
    """Only the docstring stands before it."""
    assert names(assemble(parts("from __future__ import annotations\n" + CODE), "x"))[:3] == [
        "Expr",
        "ImportFrom",
        "CONTRACT",
    ]


def test_the_contract_is_a_literal() -> None:
    """Whatever the reply's fields hold, CONTRACT can be read without running it."""
    fields = parts(
        effects=DeclaredEffects(("a'b", 'c"d', "e\n"), ("new",), ("old",), True, "old_one"),
        examples=({"input": {"a": None}, "output": {"a": "\u202e"}},),
    )
    statement = next(s for s in ast.parse(assemble(fields, "x")).body if isinstance(s, ast.Assign))
    assert ast.literal_eval(statement.value) == {
        "shape": "table",
        "modifies": ["a'b", 'c"d', "e\n"],
        "adds": ["new"],
        "drops": ["old"],
        "drops_rows": True,
        "replaces": "old_one",
        "examples": [{"input": {"a": None}, "output": {"a": "\u202e"}}],
    }


def test_without_effects_there_is_no_contract() -> None:
    """Nothing is claimed that the reply did not claim."""
    assert "CONTRACT" not in assemble(parts(effects=DeclaredEffects()), "x")


@pytest.mark.parametrize("detector", ["x = 1", "def a(df): ...\ndef b(df): ..."])
def test_a_detector_that_is_none_is_refused(detector: str) -> None:
    """The message says what a detector is."""
    with pytest.raises(ReplyError, match="def detect"):
        assemble(parts(detector=detector), "x")


def test_a_fitted_function_is_told_by_its_parts() -> None:
    """Code with `fit` and `merge` becomes a fitted candidate; its own contract, where it has one, stays."""
    code = "def fit(df):\n    return {}\ndef merge(one, other):\n    return one\ndef vote(df, state):\n    return df\n"
    contract = 'CONTRACT = {"shape": "fitted", "modifies": ["a"], "by": ["b"]}\n'
    for given, by in ((code, ()), (contract + code, ("b",))):
        candidate = candidate_file.read(assemble(parts(given, detector="", docstring="Vote."), "Cities differ"))
        assert (candidate.contract.shape, candidate.name, candidate.contract.by) == (Shape.FITTED, "vote", by)


def test_a_demonstration_at_the_end_is_left_out() -> None:
    """It runs in no sandbox; whatever else acts at module level stays for the screen."""
    code = "def trim(df):\n    return df\n\n\n"
    demo = 'if __name__ == "__main__":\n    print(trim(1))\n'
    assert "__main__" not in assemble(FunctionParts(code=code + demo), "")
    for kept in (demo + code, code + demo + "else:\n    print(1)\n", code + "print(trim(1))\n"):
        assert "print(" in assemble(FunctionParts(code=kept), "")


def test_the_usual_imports_are_added_where_they_are_missing() -> None:
    """Of a module that code or detector use under its usual name, unless something else has that name."""
    code = "def trim(df: pd.DataFrame):\n    return df\n"
    source = assemble(FunctionParts(code=code, detector="def detect(df):\n    return re.match('a', 'b')\n"), "")
    assert source.index("import pandas as pd\n") < source.index("import re\n") < source.index("def detect")
    for complete in ("import pandas as pd\n" + code, code.replace("(df: pd.DataFrame)", "(pd)").replace("df", "pd")):
        assert assemble(FunctionParts(code=complete), "").count("import pandas") == complete.count("import pandas")


@pytest.mark.parametrize("key", ["effects", "structured"])
def test_the_key_of_a_fitted_function_may_stand_among_its_effects(key: str) -> None:
    """It was dropped without a note, and the function held for want of it; a function of tables has none."""
    effects = {"modifies": ["a"], "by": ["b"]}
    vote = "def fit(df):\n    return {}\ndef merge(one, other):\n    return one\ndef vote(df, state):\n    return df\n"
    for code, by in ((vote, ("b",)), (CODE, ())):
        if key == "structured":
            item = {"code": code, "effects": effects, "columns": ["a"], "docstring": "d"}
            [made] = read_structured(json.dumps({"function": item, "chunk_status": "needs_work"})).functions
        else:
            made = FunctionParts(code=code, docstring="d", effects=effects_of(json.dumps(effects), ("a",)))
        assert candidate_file.read(assemble(made, "x")).contract.by == by
    assert "by" in function_schema(Shape.TABLE)["properties"]["effects"]["properties"]
