"""The gate on functions of records and texts: good ones pass, each wrong one fails at the law that it breaks."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate import candidate_file
from orchestrator.gate.verifier import Verifier

CITIES = (" Rome", "Oslo ", "Lima", "New York", None)


def record(number: int) -> dict[str, Any]:
    """An order as JSON Lines bring it: nested, with a key that some lack and one of several kinds."""
    made: dict[str, Any] = {"id": number, "city": CITIES[number % 5], "price": number * 1.5}
    made["tags"] = [{"name": f" t{number % 3} "}, "x"] if number % 2 else []
    if number % 4:
        made["note"] = f"note {number}"
    made["mixed"] = (1, "1", 1.0, True, None)[number % 5]
    return made


def records(first: int, count: int) -> Any:
    rows = [record(number) for number in range(first, first + count)]
    return table_of([row_of(row) for row in rows], ("id", "city", "price", "tags", "note", "mixed"))


ROWS = Sample(records(0, 60), records(1000, 20))

STRIP = '''"""Cities carry stray blanks."""
CONTRACT = {"shape": "record", "modifies": ["city"], "examples": [{"input": {"city": " U"}, "output": {"city": "U"}}]}
def detect(record):
    city = record.get("city")
    return isinstance(city, str) and city != city.strip()
def strip_city(record):
    """Strip city."""
    city = record.get("city")
    return {**record, "city": city.strip()} if isinstance(city, str) else record
'''
NESTED = '''"""Tag names carry stray blanks."""
CONTRACT = {"shape": "record", "modifies": ["tags"]}
def _clean(tag):
    name = tag.get("name") if isinstance(tag, dict) else None
    return {**tag, "name": name.strip()} if isinstance(name, str) else tag
def strip_tags(record):
    """Strip the names of tags."""
    tags = record.get("tags")
    return {**record, "tags": [_clean(tag) for tag in tags]} if isinstance(tags, list) else record
'''
LABEL = '''"""Every order needs a label."""
CONTRACT = {"shape": "record", "adds": ["label"], "drops": ["note"]}
def label(record):
    """Add a label, drop the note."""
    kept = {key: value for key, value in record.items() if key != "note"}
    return {**kept, "label": "order"}
'''
TEXT = '''"""Cities carry stray blanks."""
CONTRACT = {"shape": "text", "modifies": ["city"], "examples": [{"input": " Ulm", "output": "Ulm"}]}
def detect(text):
    return text != text.strip()
def strip_city(text):
    """Strip the text."""
    return text.strip()
'''
BODY = 'return {**record, "city": city.strip()} if isinstance(city, str) else record'

Judge = Callable[..., Verdict]


@pytest.fixture(scope="module")
def judge(gate: Verifier) -> Judge:
    def run(source: str, sample: Sample = ROWS, **options: Any) -> Verdict:
        return gate.verify(VerifyRequest(source, sample, quick=True, **options))

    return run


def failed(verdict: Verdict) -> list[str]:
    return [check.id for check in verdict.failures]


@pytest.mark.parametrize("source", [STRIP, NESTED, LABEL, TEXT], ids=["strip", "nested", "label", "text"])
def test_good_functions_pass(judge: Judge, source: str) -> None:
    """Records and texts, nested values, keys that come and go: every law holds or says why it is skipped."""
    shown = [Example(input={"id": 7}, output={"label": "order"})] if source is LABEL else []
    verdict = judge(source, instruction="add a label, and drop the note", examples=shown)
    assert verdict.verdict == "pass", [(c.id, c.detail, c.counterexample) for c in verdict.failures]
    skipped = {check.id: check.detail for check in verdict.checks if check.outcome == "skip"}
    assert "by construction" in skipped["rows-kept"]
    assert ("columns-kept" in skipped) == (source is TEXT)


def test_a_key_that_comes_or_goes_unasked_is_held(judge: Judge) -> None:
    """Until an example of the user shows it."""

    def doubts(*examples: Example) -> list[tuple[str, tuple[str, ...]]]:
        return [(concern.kind, concern.columns) for concern in judge(LABEL, examples=examples).concerns]

    goes = ("column-dropped", ("note",))
    assert doubts() == [("unasked-column", ("label",)), goes]
    assert doubts(Example(input={"id": 7}, output={"label": "order"})) == [goes]
    assert judge(LABEL, examples=[Example(input={"id": 7, "note": "x"}, output={"id": 7, "label": "order"})]).passed


@pytest.mark.parametrize("source", [STRIP, TEXT], ids=["record", "text"])
def test_tables_serve_functions_of_records(judge: Judge, sample: Sample, source: str) -> None:
    """A sample as it comes out of a CSV file is handed over as records."""
    assert judge(source, sample).verdict == "pass"


@pytest.mark.parametrize(
    ("body", "law"),
    [
        ("return record if len(record) else []", "returns-shape"),
        ("return {**record, 'city': {city}}", "returns-shape"),
        ("return {**record, 'city': float('nan')}", "returns-shape"),
        ("return {key: value for key, value in record.items() if key != 'note'}", "columns-kept"),
        ("return {**record, 'note': record.get('note')}", "columns-kept"),
        ("return {**record, 'extra': 1}", "columns-kept"),
        ("return {**record, 'city': [city]} if isinstance(city, str) else record", "dtypes-kept"),
        ("return {**record, 'id': str(record['id'])} if 'id' in record else record", "dtypes-kept"),
        ("return {**record, 'price': int(record['price'])} if city else record", "touches-only-declared"),
        ("return {**record, 'tags': []} if record.get('tags') else record", "touches-only-declared"),
        ("return record", "effective"),
        ("return {**record, 'city': city.strip().upper()} if isinstance(city, str) else record", "precise"),
        ("return {**record, 'city': None} if isinstance(city, str) and city != city.strip() else record", "examples"),
        ("return {**record, 'city': city.strip() + '!'} if isinstance(city, str) else record", "idempotent"),
        ("record['city'] = city.strip() if isinstance(city, str) else city\n    return record", "columns-kept"),
        ("if isinstance(city, str): record['city'] = city.strip()\n    return record", "pure"),
        ("_seen.append(1)\n    return {**record, 'city': city.strip()} if city and len(_seen) % 7 else record", "pure"),
        ("return {**record, 'city': record['city'].strip()} if city else record", "edges"),
        ("return {**record, 'city': city.strip()} if record['id'] >= 0 and isinstance(city, str) else record", "edges"),
    ],
)  # fmt: skip
def test_wrong_functions_of_records_fail(judge: Judge, body: str, law: str) -> None:
    """The law that is broken is among those that say so."""
    source = (
        STRIP.replace(BODY, body).replace('"""Cities', '"""Cities', 1).replace("def detect", "_seen = []\ndef detect")
    )
    assert source != STRIP
    verdict = judge(source)
    assert verdict.verdict == "fail"
    assert law in failed(verdict), [(c.id, c.detail) for c in verdict.failures]


@pytest.mark.parametrize(
    ("body", "law"),
    [
        ("return None", "returns-shape"),
        ("return text.strip().encode()", "returns-shape"),
        ("return text.strip()[:2]", "precise"),
        ("return text.strip() + '!'", "idempotent"),
        ("return ''", "keeps-information"),
        ("return text.strip() if text[0] else text", "edges"),
        ("return text.lstrip()", "effective"),
        ("return min(sorted({text.strip(), text.lower()}), key=hash)", "deterministic"),
    ],
)
def test_wrong_functions_of_texts_fail(judge: Judge, body: str, law: str) -> None:
    """The same laws, one text at a time."""
    detect = "detect(text):\n    return text != text.strip()"
    source = TEXT.replace("return text.strip()\n", f"{body}\n")
    if law in ("keeps-information", "deterministic"):  # without detect and examples these are what is left
        source = source.replace(f"def {detect}\n", "").replace(', "examples": [{"input": " Ulm", "output": "Ulm"}]', "")
    verdict = judge(source)
    assert law in failed(verdict), [(c.id, c.detail) for c in verdict.failures]


def test_detect_answers_for_each_column_of_texts(judge: Judge) -> None:
    """A changed text whose own column detect does not flag is seen, whatever it says of another column of the row."""
    source = TEXT.replace('["city"]', '["city", "note"]').replace("return text.strip()", "return text.strip().upper()")
    source = source.replace("text != text.strip()", "text != text.strip().upper() and not text.startswith('note')")
    verdict = judge(source.replace('"Ulm"}]', '"ULM"}]'))
    assert "precise" in failed(verdict)
    shown = next(check.counterexample for check in verdict.failures if check.id == "precise")
    assert shown is not None
    assert str(shown.output[0]["note"]).startswith("NOTE")


def test_counterexamples_are_records(judge: Judge) -> None:
    """A failing row is shown alone, without the keys that it lacks."""
    verdict = judge(STRIP.replace('record.get("city")\n    return {', 'record["city"]\n    return {'))
    shown = next(check for check in verdict.failures if check.id == "edges").counterexample
    assert shown is not None
    assert len(shown.input) == 1
    assert "city" not in shown.input[0]


def test_examples_of_records_hold_to_the_kind(judge: Judge) -> None:
    """1 is not 1.0 and not "1"."""
    for wanted in (1.0, "1", True):
        assert failed(judge(STRIP, examples=[Example(input={"city": 1}, output={"city": wanted})])) == ["examples"]
    assert judge(STRIP, examples=[Example(input={"city": 1}, output={"city": 1})]).verdict == "pass"


@pytest.mark.parametrize(
    ("contract", "why"),
    [
        ({"shape": "text"}, "needs the columns"),
        ({"shape": "text", "modifies": ["a"], "adds": ["b"]}, "neither add nor drop"),
        ({"shape": "record", "drops_rows": True}, "can drop none"),
        ({"shape": "text", "modifies": ["a"], "examples": [{"input": {"a": 1}, "output": {"a": 1}}]}, "are texts"),
        ({"shape": "record", "examples": [{"input": "a", "output": "b"}]}, "are rows"),
        ({"shape": "list"}, "shape"),
    ],
)
def test_contracts_that_do_not_fit_the_shape_are_refused(contract: dict[str, Any], why: str) -> None:
    """Each in one sentence, before anything runs."""
    from orchestrator.core.errors import CandidateError

    with pytest.raises(CandidateError, match=why):
        candidate_file.read(f"CONTRACT = {json.loads(json.dumps(contract))!r}\ndef f(x):\n    return x\n")


def test_values_that_json_does_not_have_are_explained(judge: Judge) -> None:
    """Dates cannot become records: the verdict says so and what to do."""
    import datetime as dt

    import pyarrow as pa

    rows = pa.table({"city": [" a"], "day": [dt.date(2024, 1, 1)]})
    verdict = judge(STRIP, Sample(rows, rows))
    assert failed(verdict) == ["executed"]
    assert "'day' is date32" in verdict.failures[0].detail
    assert "shape `table`" in verdict.failures[0].detail


def test_functions_of_tables_are_not_judged_on_records(judge: Judge) -> None:
    """They would see marked cells: the verdict says what is wrong instead."""
    source = 'CONTRACT = {"shape": "table"}\ndef f(df):\n    """Nothing."""\n    return df\n'
    verdict = judge(source)
    assert failed(verdict) == ["executed"]
    assert "takes a table" in verdict.failures[0].detail


NOTE = "Call back  before noon and ask for the invoice number.\nHe was angry, {}."
NOTES = table_of([row_of({"note": NOTE.format(n)}) for n in range(60)], ("note",))
BLANKS = '''"""Notes hold repeated blanks."""
CONTRACT = {{"shape": "text", "modifies": ["note"]}}
def single_blanks(text):
    """One blank is enough."""
    made = " ".join(part for part in text.split(" ") if part)
    return {result}
'''


@pytest.mark.parametrize(("result", "kinds"), [("made", []), ("made[:400]", ["text-cut"])])
def test_a_long_text_keeps_what_short_ones_keep(judge: Judge, result: str, kinds: list[str]) -> None:
    """No note of the sample is as long as the bound from which on the function cuts."""
    verdict = judge(BLANKS.format(result=result), Sample(NOTES.slice(0, 45), NOTES.slice(45)))
    assert [concern.kind for concern in verdict.concerns] == kinds
    assert verdict.passed is not bool(kinds)
