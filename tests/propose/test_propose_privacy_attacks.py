"""Ways to get cells past a confidential view, each shown to work where nothing is masked."""

import itertools
import json
import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Shape
from orchestrator.core.errors import UsageError
from orchestrator.core.privacy import Privacy
from orchestrator.core.requests import PromotedSummary, ProposalRequest, RepairRequest
from orchestrator.core.verdict import CandidateInfo, CheckResult, Concern, Counterexample, Outcome, Verdict
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.propose.privacy.gate_words import gate_words
from orchestrator.propose.privacy.privacy_view import PrivacyView, view_of
from orchestrator.propose.prompting.focus import still_found
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat

KEY = b"key of the test"
CLEAN = "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"
SYLLABLES = ("quor", "blim", "tarv", "shug", "frond", "wosp", "gnomp", "hulv", "jask", "knoll", "plim", "drusk")
GUESSES = ["".join(parts).capitalize() for parts in itertools.permutations(SYLLABLES, 2)]
PERSONS = GUESSES[::3]
ROWS = pa.table({"person": PERSONS, "address2": [f"{n * 7_919 % 90_000 + 10_000}" for n in range(len(PERSONS))]})
SOURCE = "def tidy(df):\n    return df"


def failed(detail: str, shown: Counterexample | None = None, check: str = "executed") -> Verdict:
    """A verdict with one failed check."""
    result = CheckResult(id=check, outcome=Outcome.FAIL, detail=detail, counterexample=shown)
    return Verdict(candidate=CandidateInfo(name="f", sha256=""), verdict=Outcome.FAIL, checks=(result,))


def told(privacy: Privacy, verdict: Verdict, rows: pa.Table = ROWS) -> CheckResult:
    """What a model is told of its first check."""
    view = view_of(privacy, KEY)
    return view.verdict(verdict, view.table(rows), SOURCE).checks[0]


def words(value: object) -> set[str]:
    return {run.lower() for run in re.findall(r"[^\W\d_]{4,}|\d{3,}", str(value))}


def fakes() -> set[str]:
    """What the model sees in place of the persons."""
    return words(view_of("masked", KEY).table(ROWS).column("person").to_pylist())


SPOKEN: dict[str, Callable[[list[str]], str]] = {
    "as words": " ".join,
    "in quotes": lambda guesses: " ".join(f"'{one}'" for one in guesses),
    "as a list": str,
    "in one quote": lambda guesses: f"could not convert string to float: '{' '.join(guesses)}'",
}


@pytest.mark.parametrize("way", SPOKEN)
def test_guesses_in_an_error_do_not_come_back_as_their_fakes(way: str) -> None:
    """A list of guesses is no dictionary of the fakes in the rows, though a third of the guesses are cells."""
    verdict = failed(f"it raised on the sample: ValueError: {SPOKEN[way](GUESSES[:15])}")
    assert words(told("raw", verdict).detail) & words(PERSONS)
    assert not words(told("masked", verdict).detail) & fakes()
    assert not words(told("masked", verdict).detail) & words(GUESSES)


def test_one_cell_that_an_error_names_has_the_fake_of_the_rows_but_no_second_one() -> None:
    """Python says which text is no number, and the model finds it in its rows; more would be a dictionary."""
    checks = [f"ValueError: could not convert string to float: '{name}'" for name in PERSONS[:4]]
    verdict = failed(checks[0])
    more = tuple(CheckResult(id=f"c{n}", outcome=Outcome.FAIL, detail=detail) for n, detail in enumerate(checks))
    view = view_of("masked", KEY)
    shown = view.verdict(verdict.model_copy(update={"checks": more}), view.table(ROWS), SOURCE)
    assert [bool(words(check.detail) & fakes()) for check in shown.checks] == [True, False, False, False]


def test_guesses_in_outputs_do_not_come_back_as_their_fakes() -> None:
    """What a function writes into cells is no dictionary either; what it left as it was still shows as the same."""
    row = {"person": PERSONS[5], "address2": "12345"}
    made = {"person": " ".join(GUESSES[:40]), "address2": "12345"}
    shown = Counterexample(input=(row,), output=(made,), wanted=f"{PERSONS[5]} and not {GUESSES[0]}")
    masked = told("masked", failed("a cell changed", shown, "precise")).counterexample
    assert masked is not None
    assert words(told("raw", failed("x", shown)).counterexample) & words(PERSONS[:3])
    assert masked.input[0]["address2"] == masked.output[0]["address2"]
    assert not words(masked.output) & (fakes() - words(masked.input[0]["person"]))
    assert not words(masked) & words(GUESSES)
    assert words(masked.wanted) & words(masked.input[0]["person"])


def test_a_cell_in_another_format_still_shows_as_the_same() -> None:
    """The model must see that a date was only rewritten, and a name only trimmed."""
    row = {"person": f" {PERSONS[5]}", "address2": "25.12.2024"}
    made = {"person": PERSONS[5].upper(), "address2": "2024-12-25"}
    masked = told("masked", failed("x", Counterexample(input=(row,), output=(made,)))).counterexample
    assert masked is not None
    day, month, year = masked.input[0]["address2"].split(".")
    assert masked.output[0] == {
        "person": masked.input[0]["person"].strip().upper(),
        "address2": f"{year}-{month}-{day}",
    }


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_columns_that_a_function_adds_carry_nothing_out(privacy: Privacy) -> None:
    """Sixty-four booleans are a number; neither they nor anything else in a column that is not in the data is shown."""
    row = {"person": PERSONS[5]}

    def made(bits: int) -> Counterexample:
        added: dict[str, Any] = {f"bit_{n}": bool(bits >> n & 1) for n in range(64)}
        added |= {f"word_{n}": "yes" if bits >> n & 1 else "N/A" for n in range(64)}
        return Counterexample(input=(row,), output=({**row, **added},))

    one, other = (failed("x", made(bits)) for bits in (0x5DEECE66D, 0xB))
    assert told("raw", one) != told("raw", other)
    assert told(privacy, one) == told(privacy, other)


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_what_a_function_makes_of_a_boolean_is_not_shown(privacy: Privacy) -> None:
    """A flag that is turned around could be the digit of another cell; one that is left may be shown."""
    for flag in (True, False):
        shown = Counterexample(input=({"flag": flag},), output=({"flag": not flag},))
        masked = told(privacy, failed("x", shown), pa.table({"flag": [flag]})).counterexample
        assert masked is not None
        assert (masked.input[0]["flag"], masked.output[0]["flag"]) == (flag, "(true or false)")


@pytest.mark.parametrize("privacy", ["raw", "masked", "profile"])
@pytest.mark.parametrize("shape", [Shape.TABLE, Shape.RECORD])
def test_symbols_that_promoted_functions_write_are_hidden_in_later_prompts(privacy: Privacy, shape: Shape) -> None:
    """A function that passed writes card numbers in Braille or in invisible tags; the signs of the data itself stay."""
    cards = ["5500-0000-0004", "4111-1111-1117"]
    before = pa.table({"card": cards, "price": ["€ 5", "€ 7"]})
    spelt = ["".join(chr(base + ord(c)) for c in card) for base, card in zip((0x2800, 0xE0000), cards, strict=True)]
    after = pa.table({"card": cards, "price": [f"€ {word}" for word in spelt]})
    if shape is Shape.RECORD:
        before, after = (
            table_of([row_of({"price": [one["price"]]}) for one in t.to_pylist()], ["price"]) for t in (before, after)
        )
    chat = ScriptedChat([CLEAN])
    request = ProposalRequest(rows=after, before=before, shape=shape)
    ModelProposer(chat, view=view_of(privacy, KEY)).analyse(request)
    prompt = chat.asked[0].messages[-1].content
    assert ("\u2835" in prompt) == ("\\udb40\\udc34" in prompt) == (privacy == "raw")
    assert "€ " in prompt


@pytest.mark.parametrize("privacy", ["raw", "masked", "profile"])
def test_symbols_that_promoted_functions_write_are_hidden_in_later_counterexamples(privacy: Privacy) -> None:
    """They are cells of the input by then, and new all the same; the signs of the data itself stay."""
    before = pa.table({"card": ["\u20ac 5500", "\u20ac 4111"]})
    after = pa.table({"card": ["\u20ac \u265a\u265a", "\u20ac \u265b\u265c"]})
    (row,) = after.slice(1).to_pylist()
    request = ProposalRequest(rows=after, before=before)
    chat = ScriptedChat([f"```python\n{SOURCE}\n```"])
    verdict = failed("x", Counterexample(input=(row,), output=(row,)))
    ModelProposer(chat, view=view_of(privacy, KEY)).repair(RepairRequest(request, SOURCE, SOURCE, verdict))
    prompt = "\n".join(message.content for message in chat.asked[0].messages)
    assert ("\u265b" in prompt) == (privacy == "raw")
    assert "\u20ac " in prompt


@pytest.mark.parametrize("privacy", ["masked", "profile"])
@pytest.mark.parametrize("shape", [Shape.TABLE, Shape.RECORD])
def test_columns_that_promoted_functions_added_are_hidden_in_later_prompts(privacy: Privacy, shape: Shape) -> None:
    """Later rows hold them; nothing in them depends on the data any more, only their name and type are there."""
    promoted = (PromotedSummary(name="spell", docstring="Spell.", columns=("person",), adds=("bit_1",)),)

    def prompt(privacy: Privacy, *, bit: bool) -> str:
        bits = [bit ^ (n % 3 == 0) for n in range(len(PERSONS))]
        rows = ROWS.append_column("bit_1", pa.array(bits))
        if shape is Shape.RECORD:
            rows = table_of([row_of(record) for record in rows.to_pylist()], rows.column_names)
        chat = ScriptedChat([CLEAN])
        request = ProposalRequest(rows=rows, promoted=promoted, shape=shape)
        ModelProposer(chat, view=view_of(privacy, KEY)).analyse(request)
        return "\n".join(message.content for message in chat.asked[0].messages)

    assert prompt("raw", bit=True) != prompt("raw", bit=False)
    assert prompt(privacy, bit=True) == prompt(privacy, bit=False)
    assert "bit_1" in prompt(privacy, bit=True)


@pytest.mark.parametrize(("own", "told"), [(False, {"raw"}), (True, {"raw", "masked", "profile"})])
def test_what_functions_of_other_runs_say_of_themselves_is_not_shown(*, own: bool, told: set[Privacy]) -> None:
    """Whoever wrote one into a shared registry had seen the cells; its name and its columns are shown."""
    promoted = (PromotedSummary(name="spell", docstring=f"Write {PERSONS[0]} right.", columns=("person",), own=own),)
    prompts: dict[Privacy, str] = {}
    for privacy in ("raw", "masked", "profile"):
        chat = ScriptedChat([CLEAN])
        request = ProposalRequest(rows=ROWS.slice(1), promoted=promoted)
        ModelProposer(chat, view=view_of(privacy, KEY)).analyse(request)
        prompts[privacy] = "\n".join(message.content for message in chat.asked[0].messages)
    assert all('"spell"' in prompt for prompt in prompts.values())
    assert {privacy for privacy, prompt in prompts.items() if PERSONS[0] in prompt} == told


def numbered(n: int) -> str:
    return f"{n * 37 % 900 + 100}-{n * 13 % 90 + 10}-{n * 7_919 % 9_000 + 1_000}"


KEYED: dict[str, Callable[[int], dict[str, Any]]] = {
    "the same few numbers in most objects": lambda n: {"votes": {numbered(k): k + n for k in range(6)}},
    "another number in each object": lambda n: {"votes": {numbered(n): 1}},
    "many names that come again": lambda n: {"votes": {PERSONS[(n + k) % 40]: 1 for k in range(3)}},
    "numbers for keys of records": lambda n: {numbered(k): n for k in range(3)},
    "names for keys of records": lambda n: {"id": n, PERSONS[n % 30]: 1},
}


@pytest.mark.parametrize("privacy", ["masked", "profile"])
@pytest.mark.parametrize("way", KEYED)
def test_keys_that_are_data_are_replaced(way: str, privacy: Privacy) -> None:
    """Persons and numbers for keys reach no prompt, however often they come; names of fields stay."""
    records = [{"kind": "x", **KEYED[way](n), "place": {"city": "Ulm", "zip_code": n}} for n in range(120)]
    names = dict.fromkeys(name for record in records for name in record)
    rows = table_of([row_of(record) for record in records], names)

    def prompt(privacy: Privacy) -> str:
        chat = ScriptedChat([CLEAN])
        ModelProposer(chat, view=view_of(privacy, KEY)).analyse(ProposalRequest(rows=rows, shape=Shape.RECORD))
        return "\n".join(message.content for message in chat.asked[0].messages).lower()

    telling = {numbered(n) for n in range(120)} | {name.lower() for name in PERSONS}
    raw, shown = prompt("raw"), prompt(privacy)
    assert any(one in raw for one in telling)
    assert not [one for one in telling if one in shown]
    assert "zip_code" in shown


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_what_the_host_still_finds_names_no_hidden_key(privacy: Privacy) -> None:
    """A model that calls records clean is told what is left, but not in keys that are data or that functions made."""
    records = [{"kind": " x", numbered(n % 4): "N/A", PERSONS[n % 30]: " y", "made": "N/A"} for n in range(120)]
    rows = table_of([row_of(record) for record in records], dict.fromkeys(name for one in records for name in one))
    promoted = (PromotedSummary(name="make", docstring="Make.", columns=("kind",), adds=("made",), own=True),)
    request = ProposalRequest(rows=rows, promoted=promoted, shape=Shape.RECORD)
    found = still_found(request)
    asked = request._replace(remaining=tuple(f"{name}: {told}" for name, told in found.items()), focus=tuple(found))

    def prompt(privacy: Privacy) -> str:
        chat = ScriptedChat([CLEAN])
        ModelProposer(chat, view=view_of(privacy, KEY)).analyse(asked)
        return "\n".join(message.content for message in chat.asked[0].messages)

    lines = {name: f"{name}: {told}" for name, told in found.items()}
    assert {"kind", "made", PERSONS[0], numbered(0)} <= lines.keys()
    assert all(line in prompt("raw") for line in lines.values())
    assert [name for name, line in lines.items() if line in prompt(privacy)] == ["kind"]
    assert not [name for name in (*PERSONS, numbered(0)) if name in prompt(privacy)]


def test_keys_of_a_counterexample_are_those_of_the_rows() -> None:
    """A hidden key has one fake in rows and counterexamples, and guesses for keys have none of these."""
    records = [{"votes": {numbered(k): k for k in range(6)}} for _ in range(20)]
    rows = table_of([row_of(record) for record in records], ["votes"])
    seen = re.findall(r"\d{3}-\d\d-\d{4}", str(view_of("masked", KEY).table(rows).to_pylist()))
    shown = Counterexample(
        input=({"votes": json.dumps({numbered(1): 3})},), output=({"votes": json.dumps({numbered(2): 3})},)
    )
    masked = told("masked", failed("x", shown), rows).counterexample
    assert masked is not None
    assert set(re.findall(r"\d{3}-\d\d-\d{4}", str(masked.input))) <= set(seen)
    assert not set(re.findall(r"\d{3}-\d\d-\d{4}", str(masked.output))) & {*seen, numbered(2)}


@pytest.mark.parametrize("privacy", ["masked", "profile"])
def test_concerns_are_masked_like_failures(privacy: Privacy) -> None:
    """Their sentences, columns and rows go to models as well."""
    shown = Counterexample(input=({"person": PERSONS[1]},), output=({"person": PERSONS[2]},), wanted=PERSONS[3])
    concern = Concern(
        kind="figures-vanish",
        check="keeps-information",
        detail=f"'{PERSONS[4]}' became '{PERSONS[6]}' in the column 'person'",
        settles=f"somebody has to confirm {PERSONS[7]}",
        columns=("person", PERSONS[8]),
        counterexample=shown,
    )
    check = CheckResult(id="keeps-information", outcome=Outcome.HOLD, concerns=(concern,))
    held = Verdict(
        candidate=CandidateInfo(name="f", sha256=""), verdict=Outcome.HOLD, checks=(check,), concerns=(concern,)
    )
    view = view_of(privacy, KEY)
    masked = view.verdict(held, view.table(ROWS), SOURCE)
    assert words(view_of("raw", KEY).verdict(held, ROWS, SOURCE)) & words(PERSONS)
    assert not words(masked) & words(PERSONS)
    assert masked.concerns[0].detail.endswith("in the column 'person'")
    assert masked.concerns[0].columns[0] == "person"


def test_sentences_of_the_gate_stay_whole() -> None:
    """Words of its messages and names of columns with digits are as they were; only numbers are left out."""
    detail = "in the column 'address2' 12 figures are lost, and different values become one"
    assert told("masked", failed(detail)).detail == detail.replace("12", "#")
    assert {"figures", "lost", "values", "column"} <= gate_words()
    assert not {"john", "jane"} & gate_words()


@pytest.mark.parametrize("privacy", ["masked", "profile"])
@pytest.mark.parametrize(
    "cell", ["widowed", "divorced", "female", "germany", "arizona", "edward", "spanish", "bitcoin"]
)
def test_a_cell_is_masked_in_messages_also_where_the_gate_knows_its_word(cell: str, privacy: Privacy) -> None:
    """The gate has lists of countries, languages and states of marriage; these are cells, and no words of messages."""
    for detail in (f"it raised on the sample: KeyError: '{cell}'", f"'{cell}' became 'x' in the column 'person'"):
        assert cell in told("raw", failed(detail)).detail
        assert cell not in told(privacy, failed(detail)).detail


HEADERS = {
    "a person": (("Maria Kowalska", "84021512345", "naleczn"), ("Jan Nowak", "79010112345", "lublin")),
    "an address": (("anna", "anna@example.org"), ("bert", "bert@example.org")),
    "a date": (("ulm", "2024-03-05"), ("bonn", "2024-04-06")),
    "an amount": (("tea", "$3.20"), ("milk", "$1.10")),
    "an age": (("ulm", "34"), ("bonn", "41")),
    "words like all others": (("Anna Quell", "Ulm"), ("Bert Warth", "Bonn")),
    "a constant column": (("Anna Quell", "Ulm", "Germany"), ("Bert Warth", "Bonn", "Germany")),
    "a usual word in an address": (("Anna Quell", "Station Street", "Ulm"), ("Bert Warth", "Mill Lane", "Bonn")),
    "a usual word that is a value": (("Anna Quell", "Ulm", "Company"), ("Bert Warth", "Bonn", "Company")),
    "an empty cell": (("Anna Quell", "Unnamed: 1", "Ulm"), ("Bert Warth", "Chair", "Bonn")),
    "a word for nothing": (("Anna Quell", "N/A", "Ulm"), ("Bert Warth", "12", "Bonn")),
    "usual words in most cells": (("Anna Price", "Station Street", "Ulm"), ("Bert Warth", "Mill Lane", "Bonn")),
    "a word above numbers": (("Anna Quell", "pending", "Ulm"), ("Bert Warth", "12", "Bonn")),
    "stray blanks": (("Anna Quell", "Ulm "), (" Bert Warth", " Bonn")),
    "a date in a sentence": (("name", "Findings of Quell on 03.02.1950"), ("Anna", "ok")),
}
NAMES = {
    "usual names": (("Name", "City"), ("Anna", "Ulm")),
    "years": (("country", "2019", "2020"), ("Peru", "3", "4")),
    "positions": (("0", "1", "2"), ("7", "8", "9")),
    "codes": (("addr1", "addr2", "sha256"), ("x", "y", "z")),
    "other forms": (("a_b", "cd"), ("Anna", "Ulm")),
    "seasons": (("team", "2019/20", "2020-21"), ("x", "1", "2")),
    "numbers under words": (("Befund", "Stand", "Charge", "Gewicht"), ("Neu", "Gut", "17", "12.5 kg")),
    "usual words in most names": (("main contact", "billing address", "x"), ("Anna Quell", "Mill Lane 3", "A1")),
    "a number under one of two words": (("Befund", "Gewicht"), ("Neu", "12.5 kg")),
    "a usual word alone": (("Befund", "Ort", "Charge"), ("Neu", "Ulm", "Alt")),
    "small letters": (("befund", "charge"), ("Neu", "Alt 3")),
}


def tabled(lines: tuple[tuple[str, ...], ...]) -> pa.Table:
    return pa.table([[cell] * 3 for cell in lines[1]], names=list(lines[0]))


def confidential() -> list[PrivacyView]:
    return [view_of(privacy, KEY, "check") for privacy in ("masked", "profile")]


@pytest.mark.parametrize("lines", HEADERS.values(), ids=HEADERS.keys())
def test_a_header_that_is_data_is_never_sent(lines: tuple[tuple[str, ...], ...]) -> None:
    """Names of columns are shown as they are, so a row in their place is refused, unless somebody vouches for it."""
    for view in confidential():
        with pytest.raises(UsageError, match="look like data") as refused:
            view.table(tabled(lines))
        assert "--header names" in refused.value.advice
    assert view_of("masked", KEY, "names").table(tabled(lines)).column_names == list(lines[0])
    assert view_of("raw", KEY, "check").table(tabled(lines)).column_names == list(lines[0])


@pytest.mark.parametrize("lines", NAMES.values(), ids=NAMES.keys())
def test_names_are_not_taken_for_data(lines: tuple[tuple[str, ...], ...]) -> None:
    """Years, positions and codes may be names."""
    for view in confidential():
        assert view.table(tabled(lines)).column_names == list(lines[0])


def test_a_profile_shows_cells_of_one_column_and_no_rows() -> None:
    """A counterexample set column beside column, with booleans as they are; of an exception whole rows were shown."""
    before = {"ill": True, "person": PERSONS[0], "city": " Ulm"}
    shown = Counterexample(input=(before,), output=({**before, "city": "Ulm 1"},), wanted="the same")
    changed = told("profile", failed("x", shown)).counterexample
    raised = told("profile", failed("x", Counterexample(input=(before,), wanted="no exception"))).counterexample
    assert changed is not None
    assert raised is not None
    assert [set(row) for row in (*changed.input, *changed.output)] == [{"city"}, {"city"}]
    assert raised.input == raised.output == ()
