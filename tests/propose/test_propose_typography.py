"""What becomes of code that a word processor has been at: it runs, and its strings hold what the model wrote."""

import pandas as pd
import pytest

from orchestrator.propose.llm.chat import ChatReply
from orchestrator.propose.replies.code_extraction import read_code
from orchestrator.propose.replies.parser import read_reply
from tests.propose.test_propose_replies import namespace_of

CODE = """def plain_quotes(df):
    \"\"\"Typographic quotes become plain ones.\"\"\"
    out = df.copy()  # don\u2019t forget
    out["city"] = out["city"].str.replace("\u2019", "'").str.replace("\u00a0", " ")
    return out
"""


@pytest.mark.parametrize(
    "spoilt",
    [
        CODE.replace("\n    ", "\n\u00a0\u00a0\u00a0\u00a0"),
        CODE.replace("out = df", "out = \u200bdf"),
        CODE.replace("\n", "\u2028"),
        CODE.replace('["city"] =', "[\u201dcity\u201d] ="),
        CODE.replace("(df)", "\uff08df\uff09"),
    ],
    ids=["blanks", "invisible", "line-ends", "quotes", "brackets"],
)
def test_characters_in_strings_stay(spoilt: str) -> None:
    """Whatever had to be mended outside of them: a function may be about these very characters."""
    reply = f"<function_to_generate><code><![CDATA[{spoilt}]]></code></function_to_generate>"
    source = read_reply(ChatReply(reply)).source
    assert source is not None
    cleaned = namespace_of(source)["plain_quotes"](pd.DataFrame({"city": ["L\u2019Aquila", "Bad\u00a0Ems"]}))
    assert cleaned["city"].tolist() == ["L'Aquila", "Bad Ems"]


def test_tabs_in_strings_stay() -> None:
    """Only those that indent are written as blanks, where tabs and blanks are mixed."""
    assert read_code('def f(df):\n\tx = "a\tb"\n        return x\n').split("\n")[1] == '        x = "a\tb"'


def test_escapes_of_code_on_one_line_are_undone_once() -> None:
    """An escaped backslash before an n is no line break."""
    assert read_code(r"def f(v):\n    return v.replace(\"\\n\", \" \")") == (
        'def f(v):\n    return v.replace("\\n", " ")'
    )
