"""The parts of the report by themselves: hidden characters, highlighting, comparison, the summary."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from typer.main import get_command

from orchestrator.cli.main import app
from orchestrator.core.differences import CellDiff, VersionDiff
from orchestrator.core.jobs import SandboxInfo
from orchestrator.core.policy import Policy
from orchestrator.core.steps import (
    AnalysisStep,
    AnyStep,
    ApplyStep,
    CandidateStep,
    ChunkEndStep,
    EndStep,
    HeldEntryStep,
    HoldStep,
    LeftForm,
    PromotionStep,
    RunStatus,
    RunStep,
    VerificationStep,
)
from orchestrator.core.verdict import CheckResult, Counterexample, Outcome
from orchestrator.run.report import render_report
from orchestrator.run.report.advice import OPTIONS, commands, shared
from orchestrator.run.report.comparison import compare, joined
from orchestrator.run.report.highlight import MAX_SOURCE, highlight
from orchestrator.run.report.summary import summarize
from orchestrator.run.report.visible import cell, shown
from tests.registry.conftest import make_candidate, make_evidence
from tests.run.report_steps import Script, source, usual, verdict, with_roles

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@given(ANY_TEXT)
def test_plain_text_of_a_message_is_kept_and_the_rest_is_marked(text: str) -> None:
    """Printable ASCII passes unchanged (escaped); what is left of anything else can be encoded and printed."""
    html = shown(text)
    html.encode("utf-8")
    assert all(char == "\n" or char.isprintable() for char in html)
    if all(" " <= char <= "~" for char in text):
        assert html == Markup.escape(text)


@given(ANY_TEXT)
def test_highlighting_never_fails_and_never_lets_markup_through(text: str) -> None:
    """Any text can be shown as source, Python or not."""
    html = highlight(text)
    html.encode("utf-8")
    assert "<" not in html.replace("<span", "").replace("</span>", "")


@given(
    st.sampled_from(["def f(x):\n", "'''a\nb'''\n", "x = 1 # c\n", "\tif", "(", '"""', "\\\n", "é = 'ä'\n", "@d\n"]),
    st.integers(1, 6),
)
def test_highlighting_keeps_every_character(piece: str, count: int) -> None:
    """Taking the tags away gives the source back, line by line."""
    source = piece * count
    assert highlight(source).striptags() == Markup.escape(" ".join(source.split())).striptags()


def test_long_sources_are_cut() -> None:
    """A source beyond the bound is cut, and says so."""
    assert "more characters" in highlight("x = 1\n" * MAX_SOURCE)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "missing"), ("", "blank"), (1, "1"), (1.5, "1.5"), (True, "True"), ([1, "<b>"], '[1, "<b>"]'),
     (" a  b ", "·a··b·"), ("a b", "a b"), ("a\u00a0b\t", "a⍽b⇥"), ("x\ny", "x⏎y")],
)  # fmt: skip
def test_cells_show_what_they_are(value: object, text: str) -> None:
    """Missing, blank, text and numbers look different, and blanks that matter are drawn."""
    assert cell(value).striptags() == text


def test_text_and_numbers_are_told_apart() -> None:
    """The text 1 and the number 1 have different classes."""
    assert cell("1") != cell(1)


def test_comparison_shows_changed_columns_and_a_few_others() -> None:
    """Of 30 columns one changed: it is shown with three neighbours, the rest is counted."""
    before = {f"c{n}": n for n in range(30)}
    found = compare(Counterexample(input=(before,), output=(before | {"c20": "20"},)))
    assert found.columns == ("c0", "c1", "c2", "c20")
    assert found.changed == {"c20"}
    assert found.left_out == 26


def test_comparison_knows_types_and_lost_rows() -> None:
    """1 and "1" and True differ; a row that did not come back has no after."""
    found = compare(Counterexample(input=({"a": 1, "b": 1}, {"a": 2}), output=({"a": True, "b": "1"},)))
    assert found.changed == {"a", "b"}
    assert found.rows[1].after is None


def test_samples_are_joined_where_their_rows_pair_up() -> None:
    """Samples become one table; one whose rows do not pair up is left out."""
    one = Counterexample(input=({"a": 1},), output=({"a": 2},))
    odd = Counterexample(input=({"a": 1},), output=())
    assert len(joined((one, odd, one)).input) == 2
    assert joined((odd,)) == odd.model_copy(update={"wanted": ""})


def test_the_story_counts_what_happened() -> None:
    """Promoted, rejected, repaired, changed cells and the time add up."""
    summary = summarize(usual())
    assert [one.candidate.name for one in summary.promoted] == [
        "trim_city",
        "iso_order_date",
        "plain_unit_price",
    ]
    assert [(one.candidate.name, one.repaired) for one in summary.rejected] == [
        ("iso_order_date", True),
        ("blank_notes", False),
    ]
    assert summary.changed_cells == 212 + 715 + 637
    assert summary.seconds == 21.7
    assert sum(phase.seconds for phase in summary.phases) == pytest.approx(21.7)
    assert summary.phases[-1].name == "not recorded by any step"


def test_functions_stand_in_the_order_of_their_promotion() -> None:
    """With lanes a later candidate may be promoted first, and is applied first; one superseded is not in use."""
    script = Script()
    script.open({})
    for name in ("one", "two"):
        script.candidate(name, source(name, "a", "Blanks."), verdict(name))
    steps = script.steps
    first = next(step for step in steps if step.kind == "promotion")
    steps.remove(first)
    assert [one.candidate.name for one in summarize([*steps, first]).promoted] == ["two", "one"]
    script.candidate("two", source("two", "b", "Blanks."), verdict("two"))
    summary = summarize([*steps, first])
    assert [(one.candidate.name, one.iteration) for one in summary.promoted] == [("two", 3), ("one", 1)]
    assert [(one.candidate.name, one.gone) for one in summary.replaced] == [("two", "superseded by version 1")]


def test_a_plan_that_was_cut_off_is_not_decided() -> None:
    """Where the journal ends between plan and decision, the merger is there without one, and nothing is replaced."""
    steps = with_roles()
    at = next(number for number, step in enumerate(steps) if step.kind == "planning")
    summary = summarize(steps[: at + 1])
    assert [merger.decision for plan in summary.plans for merger in plan.mergers] == [None] * 4
    assert [one.candidate.name for one in summary.promoted] == ["trim_city", "squeeze_city"]


def opening(**configuration: Any) -> RunStep:
    first = usual()[0]
    assert isinstance(first, RunStep)
    return first.model_copy(update={"configuration": configuration, "proposer": "openai/x", "instruction": "ISO dates"})


def test_the_command_that_does_the_run_again_says_what_was_not_the_default() -> None:
    """Nothing that decides what a model may see or what is judged gets lost; what is the default is left out."""
    policy = Policy().model_dump(mode="json")
    model = {"privacy": "masked", "planner": "openai/y", "probes": 2, "budget": {"max_calls": 9, "max_tokens": None}}
    told = opening(shape="record", chunk_rows=4000, seed=7, conventions={"case": "upper"}, policy=policy, model=model)
    assert commands(told, "out")[-1][1] == (
        "cleanroom run data/messy.csv --model openai/x -i 'ISO dates' --shape record --seed 7 --privacy masked "
        "--planner-model openai/y --explore 2 --max-calls 9 --conventions CONVENTIONS.yaml"
    )
    strict = policy | {"strict": True, "limits": policy["limits"] | {"wall_s": 1.0}}
    assert commands(opening(policy=strict), "out")[-1][1].endswith("-i 'ISO dates' --strict --policy POLICY.yaml")


def test_commands_on_a_file_that_a_parser_read_name_the_parser() -> None:
    """The exported file reads no such file, so it is not advised."""
    told = dict(commands(opening(parser="/p/log.py"), "out"))
    assert len(told) == 3
    assert all("--parser /p/log.py" in command for command in told.values())
    assert len(commands(opening(), "out")) == 4


def test_commands_read_the_data_as_the_run_did() -> None:
    """With its sheet, encoding and so on; without them they fail, or apply and judge by another sheet."""
    told = commands(opening(sheet="B", encoding="cp1252", delimiter=";", array="a.b", format="csv"), "out")
    assert len(told) == 3
    how = "--format csv --encoding cp1252 --sheet B --path a.b --delimiter ';'"
    assert all(how in command for _, command in told)
    plain = dict(commands(opening(encoding="cp1252"), "out"))
    alone = plain["Apply them without cleanroom, in your own process"]
    assert alone == "python out/cleaning_functions.py data/messy.csv again.csv --encoding cp1252"
    aside = [command for _, command in commands(opening(quarantine=True, limits={"max_rejected": 9}), "out")]
    assert [("--quarantine rest.csv" in one, "--quarantine" in one) for one in aside] == [(True, True)] * 2 + [
        (False, True)
    ]
    assert "--max-rejected 9" in aside[-1]


@pytest.mark.parametrize(
    ("data", "kind", "result"),
    [
        ("sqlite:///f.db?table=t", "sqlite", "again.parquet"),
        ("postgresql://u@h/d?table=t", "postgresql", "again.parquet"),
        ("a.pdf", "pdf", "again.md"),
        ("a.ods", "ods", "again.xlsx"),
        ("a.log", "app-log", "again.csv"),
    ],
)
def test_the_command_to_apply_names_a_file_that_can_be_written(data: str, kind: str, result: str) -> None:
    """Its name was that of the format that was read, which for a table cannot be written."""
    told = dict(commands(opening().model_copy(update={"data": data, "data_format": kind}), "out"))
    assert len(told) == 3
    assert told["Apply the functions to other data, in the sandbox"].endswith(f" -o {result}")


def test_the_options_and_defaults_are_those_of_the_command() -> None:
    """Each option that the report may name exists, with the default that the report leaves out."""
    run = get_command(app).commands["run"]  # type: ignore[attr-defined]  # a group
    defaults = {name: option.default for option in run.params for name in option.opts}
    assert dict(OPTIONS.values()) == {option: defaults[option] for option, _ in OPTIONS.values()}


def test_what_models_were_shown_is_said() -> None:
    """By the run's privacy; nothing where no model was asked."""
    masked = opening(model={"privacy": "masked", "api_base": "http://localhost:1/v1"})
    assert shared(masked, ["openai/x"]) == (
        "Models (openai/x at http://localhost:1/v1) were shown rows whose values were replaced by fakes of the same "
        "form, and column names."
    )
    assert "rows of the data as they are" in shared(opening(model={"privacy": "raw"}), ["openai/x"])
    assert shared(masked, []) == ""


def test_source_is_coloured_by_class() -> None:
    """Keywords, defined names, texts, numbers and comments each have a class, and no style of their own."""
    html = highlight('def trim(x):\n    return x + "a" * 10  # why\n')
    for css, text in (("k", "def"), ("d", "trim"), ("k", "return"), ("s", "a"), ("n", "10"), ("c", "# why")):
        assert f'<span class="{css}">{text}</span>' in html
    assert "style=" not in html


def test_a_line_that_would_stall_the_lexer_is_shown_plain() -> None:
    """A `case` before 30,000 blanks is quadratic work for Pygments (16 s); no line of such a length reaches it."""
    hostile = "case" + " " * 30_000 + "\ndef f():\n    pass"
    html = highlight(hostile)
    assert '<span class="k">' not in html
    assert html.count('<span class="l">') == 3


@pytest.mark.parametrize(
    ("status", "colour"), [("clean", "good"), ("finished", "warn"), ("limit", "warn"), ("failed", "bad")]
)
def test_the_best_end_of_a_run_is_green(status: str, colour: str) -> None:
    """It had the colour of a warning, and the end with something left had the green."""
    script = Script()
    script.close(RunStatus(status))
    page = render_report(script.steps)
    [word] = re.findall(r'<span class="badge (\w+)">', page)
    [usual_one] = re.findall(r"\.badge {.*background:var\(--(\w+)-bg\)", page)
    own = re.findall(rf"\.badge\.{word}\b[^{{]*{{ background:var\(--(\w+)-bg\)", page)
    assert (own or [usual_one]) == [colour]


def test_the_limit_that_ended_a_run_is_said() -> None:
    """Time was said to be calls, tokens or money, and answers that nobody could read to be a declared limit."""
    at, spent = datetime(2026, 1, 2, tzinfo=UTC), "The 1 s of the budget have passed."
    asked = AnalysisStep(at=at, chunk=0, iteration=1, proposed=False, error=spent, again=True)
    unread = ChunkEndStep(at=at, chunk=0, status=RunStatus.LIMIT, reason="3 answers cannot be read <b>")
    for step, status, said in (
        (asked, RunStatus.BUDGET, "money or time were used up before all chunks were done (The 1 s of the budget"),
        (unread, RunStatus.LIMIT, "answers that could not be read, ended the run early (chunk 1: 3 answers cannot be"),
    ):
        page = render_report([step, EndStep(at=at, status=status, seconds=1.0)])
        assert said in page
        assert "<b>)" not in page


def test_a_rejected_function_shows_first_what_failed() -> None:
    """A doubt stands behind it, without what would settle it: no confirmation helps a function that fails."""
    made = make_candidate("doubted_one")
    doubted = make_evidence(made, Outcome.HOLD).verdict
    failed = CheckResult(id="edges", outcome=Outcome.FAIL, detail="it raised an error")
    script = Script()
    rejected = doubted.model_copy(update={"verdict": Outcome.FAIL, "checks": (*doubted.checks, failed)})
    script.candidate("doubted_one", made.source, rejected)
    page = render_report(script.steps).split('<section id="rejected">')[1].split("</section>")[0]
    assert page.index("it raised an error") < page.index("figures-vanish")
    assert "To settle it:" not in page


def test_what_is_held_has_a_section_of_its_own() -> None:
    """With its concerns, the smallest example, what would settle it, and the command; it is not among the rejected."""
    made = make_candidate("held_one")
    doubted = make_evidence(made, Outcome.HOLD).verdict
    at = {"at": datetime(2026, 1, 2, tzinfo=UTC), "chunk": 0, "name": "held_one"}
    place = {"iteration": 1, "attempt": 0}
    steps: list[AnyStep] = [
        CandidateStep.model_validate({**at, **place, "source": made.source}),
        VerificationStep.model_validate({"at": at["at"], "chunk": 0, **place, "verdict": doubted}),
        HoldStep.model_validate(
            {**at, **place, "source": made.source, "sha256": made.sha256, "against": "", "verdict": doubted}
        ),
    ]
    page = render_report(steps, out="the-folder")
    held = page.split('<section id="held">')[1].split("</section>")[0]
    for words in ("held_one", "figures-vanish", "12 apples", "To settle it:", "cleanroom review the-folder"):
        assert words in held
    assert "held_one" not in page.split('<section id="rejected">')[1].split("</section>")[0]
    gone = HeldEntryStep.model_validate(
        {**at, "sha256": made.sha256, "entered": False, "reason": "composes: it is a duplicate", "verdict": doubted}
    )
    page = render_report([*steps, gone])
    assert '<section id="held">' not in page
    assert "not held: composes: it is a duplicate" in page


def left_and_replaced() -> list[AnyStep]:
    """The usual run, in which one function replaces another and two forms are left."""
    cell = CellDiff(row=7, column="city", before=" Ulm", old="ULM", new="Ulm")
    found = VersionDiff(name="trim_city", old=1, new=1, rows=40, changed={"city": 3}, examples=(cell,), replaced="up")
    forms = (
        LeftForm(column="zip", form="9{4}", rows=5, holdout=2),
        LeftForm(column="zip", form="<b>", rows=1, holdout=0),
    )
    end = ChunkEndStep(at=usual()[0].at, chunk=0, status=RunStatus.FINISHED, seconds=1.0, forms=forms)
    steps = [
        step.model_copy(update={"replaces": "up", "differences": found})
        if isinstance(step, PromotionStep) and step.name == "trim_city"
        else step
        for step in usual()
    ]
    return [*steps[:-1], end, steps[-1]]


def test_null_words_and_stray_blanks_that_are_left_are_told() -> None:
    """The summary of the run said it, and the report did not."""
    end = ChunkEndStep(at=usual()[0].at, chunk=0, status=RunStatus.FINISHED, seconds=1.0, left={"items": 4, "<b>": 1})
    page = render_report([*usual()[:-1], end, usual()[-1]])
    assert "5 null words or stray blanks are left in items, &lt;b&gt;, in the rows of the chunks." in page


@pytest.mark.parametrize(
    ("chunk", "said"),
    [
        ({"left": {"items": 4}}, "some null words or stray blanks were left as they are."),
        (
            {"forms": (LeftForm(column="zip", form="9", usual="99", rows=3, holdout=0),)},
            "some cells were left in another form than the usual one of their column.",
        ),
        ({}, "what was held in it is held no longer."),
    ],
)
def test_a_run_with_something_left_says_what(chunk: dict[str, Any], said: str) -> None:
    """It said that null words were left where other forms were."""
    script = Script()
    script.close(RunStatus.FINISHED)
    end = ChunkEndStep(at=script.steps[0].at, chunk=0, status=RunStatus.FINISHED, seconds=1.0, **chunk)
    assert f"The run ended by itself; {said}" in render_report([*script.steps[:-1], end, script.steps[-1]])


def test_what_is_left_and_what_was_replaced_is_shown() -> None:
    """Forms with their rows, also those held back; cells that come out otherwise than by the old function."""
    assert "What is left" not in render_report(usual())
    page = render_report(left_and_replaced())
    found = page.split('<section id="found">')[1].split("</section>")[0]
    counted = '<td class="number">7</td><td class="number">2</td>'  # as the summary counts
    for words in ("What is left: 2 rare forms", "9{4}", "&lt;b&gt;", counted):
        assert words in found, words
    promoted = page.split('<section id="promoted">')[1].split("</section>")[0]
    for words in ("In the place of <code>up</code>", "3 cells of 40 rows come out otherwise", "ULM"):
        assert words in promoted, words


def test_a_sandbox_is_named_once() -> None:
    """Its containers have hash seeds of their own; the page named it once for each candidate."""
    seeds = iter(range(9))

    def own(step: AnyStep) -> AnyStep:
        if not isinstance(step, VerificationStep):
            return step
        sandbox = SandboxInfo(image="sha256:1", hash_seeds=(next(seeds),))
        return step.model_copy(update={"verdict": step.verdict.model_copy(update={"sandbox": sandbox})})

    page = render_report([own(step) for step in usual()])
    assert next(seeds) > 1
    assert page.count("<li>Sandbox: ") == 1


def test_what_is_known_of_the_file_is_a_sentence_in_the_report() -> None:
    """It stood among sentences as a clause, without a capital and a stop."""
    told = ("merged cells (A1:H1): the first has the value",)
    steps = [s.model_copy(update={"reading": told}) if isinstance(s, ApplyStep) else s for s in usual()]
    assert "<li>Merged cells (A1:H1): the first has the value.</li>" in render_report(steps)
