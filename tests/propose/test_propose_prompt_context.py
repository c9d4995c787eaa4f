"""What a prompt shows: small, diverse, relevant first."""

import datetime as dt
import decimal

import pyarrow as pa

from orchestrator.core.candidate import Contract, Shape
from orchestrator.core.requests import PromotedSummary, ProposalRequest, RejectedCandidate
from orchestrator.core.steps import AnalysisStep, AnyStep, VerificationStep
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.data.record_tables import from_table
from orchestrator.propose.llm.chat import Message
from orchestrator.propose.llm.litellm_chat import load_litellm
from orchestrator.propose.prompting.column_profile import diverse, mixture, pattern, plain, profile
from orchestrator.propose.prompting.prompt_context import ContextLimits, analysis_values
from orchestrator.propose.roles.model_proposer import ModelProposer
from orchestrator.propose.scripted_models import ScriptedChat


def size(values: dict[str, object]) -> int:
    return sum(len(str(v)) for v in values.values())


def test_patterns_show_the_form() -> None:
    """Digits and letters become classes, runs are cut at three."""
    assert pattern("AB-1234 x") == "AA-999+ a"
    assert pattern(None) == "null"
    assert pattern(float("nan")) == "NaN"


def test_cells_become_json() -> None:
    """Long text is cut and says so, with its end where there is room; what JSON has not becomes text."""
    assert plain("x" * 300 + "y" * 300, 160) == "x" * 80 + "… [600 characters in all] …" + "y" * 80
    assert plain("x" * 300, 10) == "x" * 10 + "… [300 characters in all]"
    assert plain(decimal.Decimal("1.50"), 10) == "1.50"
    assert plain(dt.date(2024, 1, 2), 10) == "2024-01-02"
    assert plain(float("inf"), 10) == "inf"
    assert plain(b"\x00\xff", 10) == "bytes: 00ff"
    assert plain(10**30, 40) == str(10**30)
    assert plain([1, {"a": 2}], 40) == "[1, {'a': 2}]"
    assert plain(True, 10) is True


def test_the_end_of_a_long_text_is_shown() -> None:
    """A signature below a mail, and the signs in it: only the first 160 characters of a text were ever shown."""
    signed = ["", "\n-- \nSent from my phone #1"]
    mails = [f"Dear team, {'a word ' * 50}about order {n}.{signed[n == 44]}" for n in range(80)]
    values = analysis_values(ProposalRequest(pa.table({"body": mails}), "remove the signatures"), ContextLimits())
    assert str(values["rows"]).count("-- \\nSent from my phone #1") == 1
    assert "#" in str(values["columns"]).split('"signs": ')[1]


def test_a_long_text_is_shown_once() -> None:
    """In the rows, twice as long where functions of texts are wanted; its values and its own forms only repeat it."""
    texts = [f"{'Word, ' * (n % 17 + 30)}{'word. ' * (n % 13)}{n}" for n in range(40)]
    for shape, longest in ((Shape.TEXT, 320), (Shape.RECORD, 160)):
        request = ProposalRequest(from_table(pa.table({"body": texts})), shape=shape)
        values = analysis_values(request, ContextLimits())
        assert "Word, Word" not in str(values["columns"])
        assert str(values["rows"]).count(f"{texts[0][: longest // 2]}") > 8


def test_a_model_is_told_that_rows_are_paragraphs() -> None:
    """Of Markdown or of plain text; of other files nothing is said."""
    request = ProposalRequest(pa.table({"text": ["# Guide"]}), data_format="markdown")
    for kind, words in (("markdown", "Markdown"), ("text", "plain text"), ("docx", "Markdown"), ("csv", "")):
        chat = ScriptedChat(["<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"])
        ModelProposer(chat, protocol="xml").analyse(request._replace(data_format=kind))
        asked = chat.asked[0].messages[-1].content
        assert ("paragraphs of a file of" in asked, f"paragraphs of a file of {words}." in asked) == (bool(words),) * 2


def test_rare_forms_are_shown() -> None:
    """One odd row among thousands is among the few that are shown."""
    cells = ["12345"] * 3000
    cells[1234] = "12 345-X"
    chosen = diverse(pa.table({"zip": cells, "n": list(range(3000))}), 10)
    assert 1234 in chosen
    assert len(chosen) == 10
    assert chosen == sorted(set(chosen))


def test_few_rows_are_all_shown() -> None:
    """Nothing is left out when it fits."""
    assert diverse(pa.table({"a": ["x"] * 5}), 10) == [0, 1, 2, 3, 4]
    assert diverse(pa.table({"a": pa.array([], pa.string())}), 10) == []


def test_the_profile_counts() -> None:
    """Nulls, blanks, distinct and frequent values, rare values."""
    cells = ["a"] * 5 + ["", " ", None] + [f"v{i}" for i in range(20)]
    about = profile(pa.table({"c": cells}), max_chars=20, max_values=4)["1"]
    assert isinstance(about, dict)
    assert (about["null"], about["blank"], about["distinct"]) == (1, 2, 22)
    assert about["frequent"] == [["a", 5], [" ", 1], ["v0", 1], ["v1", 1]]
    assert "rare" in about


def test_a_wide_and_long_table_stays_small() -> None:
    """500 columns with cells of 100 kB stay within the size."""
    rows = pa.table({f"column_{i}": ["x" * 100_000, "y"] for i in range(500)})
    values = analysis_values(ProposalRequest(rows=rows), ContextLimits())
    assert size(values) < 50_000
    assert "columns_not_shown" in str(values["rows"])


def test_wide_tables_are_paged_over_chunks() -> None:
    """Another chunk shows other columns."""
    rows = pa.table({f"column_{i}": ["x"] for i in range(130)})
    seen = [
        str(analysis_values(ProposalRequest(rows=rows, chunk_index=i), ContextLimits())["columns"]) for i in range(3)
    ]
    assert all(any(f'"column_{i}"' in page for page in seen) for i in range(130))


def test_a_hundred_functions_stay_small_and_relevant_first() -> None:
    """The function on the columns at hand is described, the others are named, a huge docstring hides none."""
    promoted = tuple(PromotedSummary(name=f"f{i}", docstring="d" * 9_000, columns=(f"other{i}",)) for i in range(100))
    mine = PromotedSummary(name="mine", docstring="Trims city.", columns=("city",))
    rows = pa.table({"city": ["a"]})
    values = analysis_values(ProposalRequest(rows=rows, promoted=(*promoted, mine)), ContextLimits())
    text = str(values["promoted"])
    assert '"does": "Trims city."' in text
    assert all(f'"f{i}"' in text for i in range(100))
    assert len(text) < 5_000


def test_functions_that_may_be_wrong_say_what_is_left() -> None:
    """Those of this run, where the host still finds something in their columns; those of others may not be replaced."""
    rows = pa.table({"city": ["a ", " b", "c"], "zip": ["1", "2", "3"]})
    promoted = tuple(
        PromotedSummary(name=name, docstring="", columns=(column,), own=own)
        for name, column, own in (("mine", "city", True), ("clean", "zip", True), ("theirs", "city", False))
    )
    values = analysis_values(ProposalRequest(rows=rows, promoted=promoted), ContextLimits())
    lines = {
        name: line
        for line in str(values["promoted"]).splitlines()
        for name in ("mine", "clean", "theirs")
        if name in line
    }
    assert str(values["promoted"]).count('"left": ["2 with stray blanks"]') == 1
    assert '"left"' in lines["mine"]
    assert values["replaceable"]
    assert not analysis_values(ProposalRequest(rows=rows, promoted=promoted[2:]), ContextLimits())["replaceable"]


def test_a_function_is_not_suspected_for_another_key_of_its_objects() -> None:
    """Where notes of a list are left, functions of the notes or of the whole list may be wrong, and no others."""
    records = [{"items": [{"ship": f"2024-01-{n % 28 + 1:02d}", "note": " x" if n < 4 else "x"}]} for n in range(60)]
    promoted = tuple(
        PromotedSummary(name=name, docstring="", columns=("items",), own=True)
        for name in ("ship_iso", "drop_null_notes", "tidy_items")
    )
    rows = from_table(pa.Table.from_pylist(records))
    request = ProposalRequest(rows, promoted=promoted, shape=Shape.RECORD)
    told = str(analysis_values(request, ContextLimits())["promoted"])
    left = '"columns": ["items"], "left": ["4 with stray blanks in items[].note"]'
    assert [left in line for line in told.splitlines()[2:-2]] == [False, True, True]


def test_what_waits_for_a_person_is_told_apart_from_what_was_given_up() -> None:
    """With the checks, and also the columns that it would add: a model wrote a held function again."""
    held = RejectedCandidate(
        source="", name="add_year", failed=("information",), waits=True, contract=Contract(modifies=(), adds=("year",))
    )
    lost = RejectedCandidate(source="", name="trim", failed=("idempotent",))
    request = ProposalRequest(pa.table({"a": ["x"]}), rejected=(held, lost))
    told = str(analysis_values(request, ContextLimits())["rejected"])
    assert '"name": "add_year", "waits": ["information"], "issue": "", "modifies": [], "adds": ["year"]' in told
    assert '"name": "trim", "failed": ["idempotent"]' in told


def test_smaller_limits_show_less() -> None:
    """Each step shows less than the one before."""
    rows = pa.table({"c": [f"{'x' * (i % 30)} {i}" for i in range(400)]})
    limits = ContextLimits()
    sizes = []
    for _ in range(3):
        sizes.append(size(analysis_values(ProposalRequest(rows=rows), limits)))
        limits = limits.smaller()
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 1.5 * sizes[2]


def test_odd_tables_are_shown() -> None:
    """No rows, no instruction, only nulls, duplicate names, nested values: still a prompt."""
    tables = [
        pa.table({"a": pa.array([], pa.string())}),
        pa.table({"a": pa.nulls(3)}),
        pa.table([["x"], ["y"]], names=["a", "a"]),
        pa.table({"a": [[1, 2]], "b": [{"c": b"\x00"}], "d": [dt.datetime(2024, 1, 1, tzinfo=dt.UTC)]}),
    ]
    for table in tables:
        values = analysis_values(ProposalRequest(rows=table), ContextLimits())
        assert values["instruction"]
        assert "<<<data:rows:" in str(values["rows"])


def tokens(messages: tuple[Message, ...]) -> int:
    """As the tokenizer of widely used models counts them; it is installed with LiteLLM."""
    return sum(load_litellm().token_counter(model="", text=m.content) for m in messages)


def long_history(count: int) -> tuple[AnyStep, ...]:
    """What fifty iterations of a chunk leave behind, with whole replies and verdicts in it."""
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    failed = CheckResult(id="keeps-information", outcome=Outcome.FAIL, detail="long " * 100)
    steps: list[AnyStep] = []
    for n in range(count):
        candidate = CandidateInfo(name=f"tidy_column_{n}", sha256="0")
        verdict = Verdict(candidate=candidate, verdict=Outcome.FAIL, checks=(failed,))
        steps += [
            AnalysisStep(at=at, chunk=0, iteration=n, proposed=True, reply="x" * 5_000),
            VerificationStep(at=at, chunk=0, iteration=n, verdict=verdict),
        ]
    return tuple(steps)


def test_a_long_run_with_a_large_registry_stays_under_its_token_budget() -> None:
    """A hundred functions, fifty iterations and a full sample cost no more than 12,000 tokens a prompt."""
    words = ("street", "Bad Tölz", "+49 30 1234567", "2024-03-01", "n/a", " ok ", "1.234,50 EUR", "ÄÖÜ & Co.")
    rows = pa.table({f"column {c}": [f"{words[(r + c) % 8]} {r * c}" for r in range(3_000)] for c in range(14)})
    promoted = tuple(
        PromotedSummary(name=f"tidy_column_{n}", docstring=f"Tidy {n}: " + "words " * 30, columns=(f"column {n % 14}",))
        for n in range(100)
    )
    rejected = tuple(RejectedCandidate(source="", name=f"worse_{n}", issue="An issue " * 10) for n in range(50))
    chat = ScriptedChat(["<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>"] * 2)
    request = ProposalRequest(rows=rows, instruction="Tidy.", promoted=promoted, rejected=rejected)
    proposer = ModelProposer(chat)
    sizes = []
    for iteration in (1, 50):
        proposer.analyse(request._replace(iteration=iteration, history=long_history(iteration)))
        sizes.append(tokens(chat.asked[-1].messages))
    assert 3_000 < sizes[0] < 12_000
    assert sizes[1] < 12_000
    assert sizes[1] - sizes[0] < 600


def test_what_happened_so_far_is_told_in_lines_without_cells() -> None:
    """The newest steps of the chunk, a line each; no reply and no counterexample."""
    values = analysis_values(
        ProposalRequest(rows=pa.table({"a": ["x"]}), history=long_history(30)), ContextLimits(history=4)
    )
    history = str(values["history"])
    assert "tidy_column_29: rejected by keeps-information" in history
    assert "tidy_column_20" not in history
    assert "long long" not in history
    assert "xxxx" not in history


def test_functions_on_worse_columns_come_first() -> None:
    """With more functions than are described, those on the columns with the most different forms are."""
    rows = pa.table({"clean": ["abc"] * 400, "messy": [f"{'x' * (n % 7)}-{n}" for n in range(400)]})
    assert mixture(rows)["clean"] == 0
    promoted = tuple(PromotedSummary(name=f"clean_{n}", docstring="D.", columns=("clean",)) for n in range(60))
    mine = PromotedSummary(name="tidy_messy", docstring="Tidies messy.", columns=("messy",))
    values = analysis_values(ProposalRequest(rows=rows, promoted=(*promoted, mine)), ContextLimits(functions=5))
    assert '"does": "Tidies messy."' in str(values["promoted"])
