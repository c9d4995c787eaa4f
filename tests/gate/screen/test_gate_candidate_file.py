"""Reading a candidate out of source text, whatever the text is."""

import time

import pytest

from orchestrator.core.errors import CandidateError
from orchestrator.gate import candidate_file

GOOD = '''"""City names carry stray blanks."""
CONTRACT = {"shape": "table", "modifies": ["city"], "examples": [{"input": {"city": " a"}, "output": {"city": "a"}}]}
def _helper(x):
    return x
def detect(df):
    return df["city"].str.strip() != df["city"]
def trim_city(df):
    """Strip leading and
    trailing blanks."""
    return df
'''
FUNCTION = "def f(df):\n    'x'\n    return df\n"


def test_reads_every_part() -> None:
    """Issue, contract, examples, name, docstring and detect are found without running anything."""
    candidate = candidate_file.read(GOOD)
    assert candidate.name == "trim_city"
    assert candidate.issue == "City names carry stray blanks."
    assert candidate.docstring == "Strip leading and trailing blanks."
    assert candidate.contract.modifies == ("city",)
    assert candidate.contract.examples[0].output == {"city": "a"}
    assert candidate.has_detect


def test_contract_is_optional() -> None:
    """Without a contract anything may be modified and nothing else."""
    contract = candidate_file.read(FUNCTION).contract
    assert contract.modifies is None
    assert not contract.drops_rows


def test_byte_order_mark_is_no_obstacle() -> None:
    """Windows editors write one."""
    assert candidate_file.read("\ufeff" + GOOD).name == "trim_city"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("", "exactly one public function"),
        ("x = 1", "exactly one public function"),
        (FUNCTION + FUNCTION.replace("f(", "g("), "found 2: f, g"),
        ("async def f(df):\n    return df", "async"),
        ("def f(df:\n", "line 1"),
        ("def f(df):\n    return '\0'", "NUL"),
        ("(" * 10_000 + ")" * 10_000, "n"),
        ("x = " + "-" * 100_000 + "1\n" + FUNCTION, "n"),
        (f"CONTRACT = {{'modify': ['a']}}\n{FUNCTION}", "modify"),
        (f"CONTRACT = {{'modifies': 'a'}}\n{FUNCTION}", "list of column names"),
        (f"CONTRACT = {{'modifies': [1]}}\n{FUNCTION}", "modifies"),
        (f"CONTRACT = {{'shape': 'cube'}}\n{FUNCTION}", "shape"),
        (f"CONTRACT = {{'drops_rows': 'yes'}}\n{FUNCTION}", "True or False"),
        (f"CONTRACT = {{'examples': [{{'input': 1}}]}}\n{FUNCTION}", "examples"),
        (f"CONTRACT = {{'examples': [{{'input': {{}}, 'output': 'a'}}]}}\n{FUNCTION}", "same kind"),
        (f"CONTRACT = {{'examples': [{{'input': {{'a': b'x'}}, 'output': {{}}}}]}}\n{FUNCTION}", "made of"),
        (f"CONTRACT = {{1: 2}}\n{FUNCTION}", "text keys"),
        (f"CONTRACT = [1]\n{FUNCTION}", "dict"),
        (f"CONTRACT = dict(modifies=[])\n{FUNCTION}", "literal"),
        (f"CONTRACT = {{[]: 1}}\n{FUNCTION}", "literal"),
        (f"CONTRACT = {{}}\nCONTRACT = {{}}\n{FUNCTION}", "exactly once"),
        (f"CONTRACT = {{'modifies': [{','.join(['1'] * 30_000)}]}}\n{FUNCTION}", "too large"),
        ("x = 1\n" * 400_000, "characters long"),
    ],
)
def test_what_cannot_be_read_is_a_clear_error(source: str, word: str) -> None:
    """Whatever the text does to the parser ends as a CandidateError in one sentence."""
    with pytest.raises(CandidateError) as caught:
        candidate_file.read(source)
    assert word in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("examples", ["7", "'text'", "{'input': 1}"])
def test_examples_that_are_no_list_are_named(examples: str) -> None:
    """A CONTRACT whose examples cannot be gone through is the candidate's fault, in one sentence."""
    with pytest.raises(CandidateError, match="examples"):
        candidate_file.read(f'CONTRACT = {{"examples": {examples}}}\ndef f(df):\n    """d"""\n    return df\n')


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (FUNCTION.replace("'x'", r"'\ud800'"), "docstring of f"),
        (r"'\udfff'" + "\n" + FUNCTION, "docstring of the file"),
        (FUNCTION.replace("'x'", "'\ud800'"), "source"),
        ("# \udc80\n" + FUNCTION, "source"),
    ],
)
def test_half_a_character_where_it_would_be_stored_is_named(source: str, what: str) -> None:
    """A lone surrogate in the text or in what is kept of it is the candidate's fault; in its code an escape is fine."""
    with pytest.raises(CandidateError, match=rf"the {what} holds U\+D[8CF]"):
        candidate_file.read(source)
    assert candidate_file.read(FUNCTION.replace("return df", r"return df.replace('\ud800', '')")).name == "f"


@pytest.mark.parametrize("text", ["f'" + "{a}" * 300_000 + "'", "F'''" + "{a}\n" * 200_000 + "'''"])
def test_fields_that_cost_the_parser_minutes_are_refused_at_once(text: str) -> None:
    """The parser's time grows with the square of the fields; ordinary numbers of them are parsed."""
    started = time.process_time()
    with pytest.raises(CandidateError, match="too many fields"):
        candidate_file.read(f"x = {text}\n{FUNCTION}")
    assert time.process_time() - started < 1
    some = "{a}" * 500
    assert candidate_file.read(f"x = f'{some}'\n{FUNCTION}").name == "f"


def test_all_unknown_keys_of_a_contract_are_named() -> None:
    """So that one repair leaves out all of them."""
    source = f"CONTRACT = {{'name': 'f', 'shape': 'table', 'version': 1}}\n{FUNCTION}"
    with pytest.raises(CandidateError, match="keys that are not known: name, version") as caught:
        candidate_file.read(source)
    assert "modifies" in caught.value.advice
