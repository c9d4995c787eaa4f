"""The report: valid, self-contained, inert on hostile data, and complete."""

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

from orchestrator.core.columns import ColumnChange, ColumnQuality, FunctionChange
from orchestrator.core.exchanges import Exchange, TokenUsage
from orchestrator.core.steps import AnalysisStep, AnyStep, ApplyStep, EndStep, RunStatus
from orchestrator.core.verdict import Counterexample, Question
from orchestrator.run.report import render_report
from orchestrator.run.report.render import environment, load_templates
from tests.run.report_steps import HOSTILE, SANDBOX, Script, asked, hostile, source, usual, verdict, with_roles

VOID = {"meta", "img", "br", "hr", "input", "link", "rect"}


class Page(HTMLParser):
    """Reads a page and keeps what matters: tags with attributes, the text by class, and whether every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.code = ""
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.wrong += [f"{tag} is never closed" for tag in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.text += data
        if "pre" in self._open:
            self.code += data


def titles(page: Page) -> list[str]:
    return [value for _, name, value in page.attributes if name == "title"]


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_report(usual()))


@pytest.fixture(scope="module")
def attacked() -> Page:
    return Page(render_report(hostile()))


def test_what_is_loaded_before_is_not_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run loads the templates while it applies its functions; the report is then written without them."""
    environment.cache_clear()
    load_templates()
    loader = environment().loader
    assert loader is not None

    def refuse(*_: object) -> None:
        pytest.fail("a template was loaded")

    monkeypatch.setattr(loader, "load", refuse)
    assert render_report(usual())
    environment.cache_clear()


def test_every_tag_is_closed(page: Page, attacked: Page) -> None:
    """Neither a usual nor a hostile run upsets the structure of the page."""
    assert page.wrong == []
    assert attacked.wrong == []


def test_hostile_text_adds_no_tags_and_no_attributes(page: Page, attacked: Page) -> None:
    """Whatever stands in data, names, messages and source: only the page's own kinds of tags and attributes occur."""
    assert set(attacked.tags) <= set(page.tags) | {"small"}
    assert not {"script", "img", "iframe", "b i"} & set(attacked.tags)
    assert attacked.tags["style"] == attacked.tags["title"] == 1
    assert {(t, n) for t, n, _ in attacked.attributes} <= {(t, n) for t, n, _ in page.attributes} | {("td", "colspan")}


def test_hostile_text_is_shown_as_text(attacked: Page) -> None:
    """Markup, template syntax and formulas stand on the page as the characters that they are."""
    for text in (HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[3], HOSTILE[6]):
        assert text in attacked.text


def test_nothing_hidden_reaches_the_page() -> None:
    """No control character, no bidirectional mark, no lone surrogate is in the file; each is named instead."""
    html = render_report(hostile())
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", html) == []
    html.encode("utf-8")
    assert {"U+001B control character", "U+202E RIGHT-TO-LEFT OVERRIDE", "U+D800 control character"} <= set(
        titles(Page(html))
    )


def test_smears_of_combining_marks_are_counted_instead(attacked: Page) -> None:
    """A letter with 500 accents does not paint over its neighbours."""
    assert "\u0301" * 5 not in attacked.text
    assert "combining marks" in attacked.text


def test_the_page_asks_nobody_and_runs_nothing(page: Page, attacked: Page) -> None:
    """No address to load, no event handler, and a policy that would forbid them."""
    for one in (page, attacked):
        for tag, name, value in one.attributes:
            assert name not in ("src", "srcset", "action", "data", "background", "style")
            assert not name.startswith("on")
            assert name != "href" or (tag == "a" and value.startswith("#"))
        policies = [v for t, n, v in one.attributes if t == "meta" and n == "content" and "default-src" in v]
        assert policies == [
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
        ]
    assert not re.search(r"url\(|@import", render_report(usual()))


def test_huge_cells_are_cut_with_their_length(attacked: Page) -> None:
    """A cell of 100,000 characters is cut, and says by how much."""
    assert "99,760 more characters" in attacked.text
    assert "x" * 240 in attacked.text
    assert "x" * 65_000 not in attacked.text


def test_the_usual_run_is_told_completely(page: Page) -> None:
    """Functions, issues, checks, samples, rejected candidates with the counterexample, time and commands are there."""
    for text in (
        "messy.csv", "no more proposals; no null", "1,564", "trim_city", "City names carry stray and repeated blanks.",
        "def trim_city(df):", "order-equivariant", "No examples were given.", "Los···Angeles⇥", "2024-08-25",
        "repaired later", "12 cells held something before and hold nothing after.", "unknown buzzer, call first",
        "missing", "a value", "21.7 s", "cleanroom apply data/messy.csv --functions messy-cleaned -o again.csv",
        SANDBOX.image, "runc", "shared the kernel", "sha256",
    ):  # fmt: skip
        assert text in page.text, text


def test_the_code_on_the_page_is_the_code(page: Page) -> None:
    """Highlighting loses no character of the source."""
    assert source("trim_city", "city", "City names carry stray and repeated blanks.").rstrip("\n") in page.code


def test_calls_without_tokens_are_not_called_a_model(attacked: Page) -> None:
    """The built-in rules count their answers as calls; the page does not pass them off as a model's."""
    steps = usual()
    counted = steps[2].model_copy(update={"usage": TokenUsage(calls=30, cost_usd=0.0)})
    page = Page(render_report([*steps[:2], counted, *steps[3:]]))
    assert "no language model was asked" in page.text
    assert "model calls" not in page.text
    assert "model calls, 5 tokens, $0.0100" in attacked.text


def section_of(html: str, section: str) -> str:
    return html.partition(f'<section id="{section}">')[2].partition("</section>")[0]


def rows_of(html: str, section: str) -> list[list[str]]:
    """The texts of the cells of a section's tables, row by row."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", section_of(html, section), re.DOTALL)
    return [[re.sub("<[^>]+>", "", c).strip() for c in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def test_every_role_has_its_account() -> None:
    """Calls, tokens and money stand by role; a price that is not known makes role and sum unknown, never 0."""
    table = rows_of(render_report(with_roles()), "models")
    assert table[1:] == [
        ["explorer", "gpt-4o", "1", "0", "1,000", "200", "1.5 s", "$0.0010"],
        ["proposer", "gpt-4o", "2", "1", "2,000", "400", "3.0 s", "$0.0200"],
        ["tester", "local/tiny", "1", "0", "1,000", "200", "1.5 s", "unknown"],
        ["planner", "gpt-4o", "1", "0", "1,000", "200", "1.5 s", "$0.0200"],
        ["in all", "", "5", "1", "5,000", "1,000", "7.5 s", "unknown"],
    ]
    assert 'id="models"' not in render_report(usual())


def test_a_model_that_counts_no_tokens_is_a_model() -> None:
    """The object of a user of the library says neither tokens nor prices: both are unknown, and it was asked."""
    steps = usual()
    own = Exchange(role="proposer", model="custom/Mine", about="a question", usage=TokenUsage(calls=1, seconds=1.0))
    page = render_report([*steps[:2], steps[2].model_copy(update=asked(own)), *steps[3:]])
    assert rows_of(page, "models")[1] == [
        "proposer", "custom/Mine", "1", "0", "unknown", "unknown", "1.0 s", "unknown"
    ]  # fmt: skip
    assert "model calls, tokens unknown, cost unknown" in page
    assert "no language model was asked" not in page


def test_changes_can_be_read_value_by_value() -> None:
    """What became what, how often, and how much is not shown; a lost row is said at the top."""
    html = render_report(usual())
    assert rows_of(html, "values") == [
        ["before", "after", "cells"], ["·New York", "New York", "120"], ["n/a", "missing", "52"]
    ]  # fmt: skip
    assert "40 more cells, changed in other ways" in section_of(html, "values")
    assert "rows came in" not in html
    steps = [step.model_copy(update={"rows_out": 5999}) if step.kind == "apply" else step for step in usual()]
    assert "6,000 rows came in and 5,999 went out" in render_report(steps)


def test_what_became_of_each_merger_is_told() -> None:
    """Adopted or refused, by which check or row, and which functions are not in use any more; nothing is left out."""
    html = render_report(with_roles())
    planned = Page(section_of(html, "plans")).text
    for text in (
        "bad_city", "precise: 2 rows were right before.", "sly_city", "1 of 4000 rows differ", "·Gera··",
        "city: 'Gera'",
        "it would replace nobody", "def lost_city(df):", "tidy_city", "adopted", "The planner cannot be reached.",
    ):  # fmt: skip
        assert text in planned, text
    assert planned.count("refused") == 3
    promoted = Page(section_of(html, "promoted")).text
    assert promoted.count("merged into tidy_city") == 2
    assert "def squeeze_city(df):" in promoted
    assert "Every candidate that the proposer handed in passed." in html
    assert 'id="plans"' not in render_report(usual())


def test_what_explorer_and_tester_did_stands_with_the_candidate() -> None:
    """The probes into the rows and the tester's examples are on the page."""
    page = Page(render_report(with_roles()))
    for text in ("Which blanks?", "print(df.city[0])", "{'PROBED'}"):
        assert text in page.text, text
    usual_page = Page(render_report(usual()))
    assert "never saw the code" not in usual_page.text


def test_repairs_are_told_apart_from_what_was_given_up() -> None:
    """The first attempt counts as rejected and repaired; the candidate that was given up does not."""
    page = Page(render_report(usual()))
    assert "candidates rejected, 1 of them repaired later" in page.text


@pytest.mark.parametrize("cut", range(len(usual()) + 1))
def test_a_run_cut_off_anywhere_still_has_a_report(cut: int) -> None:
    """However few steps there are, the page is whole and says that the run has no end."""
    steps = usual()[:cut]
    page = Page(render_report(steps))
    assert page.wrong == []
    assert ("cut off" in page.text) == (not any(isinstance(step, EndStep) for step in steps))


@pytest.mark.parametrize("status", list(RunStatus))
def test_every_way_to_end_has_words(status: RunStatus) -> None:
    """No status of a run is unknown to the report."""
    steps: list[AnyStep] = [
        usual()[0],
        EndStep(at=usual()[0].at, status=status, error="It broke." if status == "failed" else None),
    ]
    page = Page(render_report(steps))
    assert page.wrong == []
    assert ("It broke." in page.text) == (status is RunStatus.FAILED)


def test_a_run_without_functions_says_so() -> None:
    """Nothing promoted, nothing rejected: the page says that the data were left as they are."""
    script = Script()
    script.open({"a": ColumnQuality(name="a", cells=3)})
    script.close()
    page = Page(render_report(script.steps))
    assert "No function was promoted" in page.text
    assert "Every candidate that the proposer handed in passed." in page.text


def test_what_functions_of_earlier_runs_changed_is_theirs() -> None:
    """With `--registry` they are applied, too: the page said that the output is the input, unchanged."""
    earlier = FunctionChange(name="of_last_month", changed={"a": 3})
    script = Script()
    script.open({"a": ColumnQuality(name="a", cells=3)})
    script.add(ApplyStep, rows_in=3, rows_out=3)
    script.close()
    for steps in (script.steps, usual()):
        with_it = [
            one.model_copy(update={"functions": (*one.functions, earlier)}) if isinstance(one, ApplyStep) else one
            for one in steps
        ]
        page = Page(render_report(with_it))
        assert page.wrong == []
        assert "1 of earlier runs" in page.text
        assert ("functions of earlier runs did: of_last_month." in page.text) == (steps is script.steps)
        assert "unchanged." not in page.text
        assert "of earlier runs" not in Page(render_report(steps)).text


def test_many_functions_and_columns_stay_readable() -> None:
    """200 functions and 500 columns: all are in the file, and all but the telling ones are folded away."""
    script = Script()
    columns = {f"c{n}": ColumnQuality(name=f"c{n}", cells=100, untrimmed=n % 7, distinct=9) for n in range(500)}
    script.open(columns)
    rows = tuple({f"c{n}": " x" for n in range(500)} for _ in range(3))
    clean = tuple({f"c{n}": "x" for n in range(500)} for _ in range(3))
    for n in range(200):
        made = verdict(f"f{n}", samples=(Counterexample(input=rows, output=clean),), rows_changed=3)
        script.candidate(f"f{n}", source(f"f{n}", f"c{n}", f"Blanks in c{n}."), made)
    script.close(promoted=200)
    html = render_report(script.steps)
    page = Page(html)
    assert page.wrong == []
    assert page.tags["details"] >= 200
    assert ("details", "open", "") not in page.attributes
    assert "440 more columns" in page.text
    assert all(f"Blanks in c{n}." in page.text for n in range(200))
    assert len(html) < 12_000_000


def test_changed_columns_without_measures_are_listed() -> None:
    """A column that a function added appears with its count of cells."""
    steps = usual()
    applied = next(step for step in steps if step.kind == "apply")
    steps[steps.index(applied)] = applied.model_copy(update={"columns": (ColumnChange(name="brand_new", changed=12),)})
    assert "brand_new" in Page(render_report(steps)).text


def test_an_unknown_runtime_is_not_vouched_for() -> None:
    """The page promises nothing about a runtime that it does not know."""
    steps = usual()
    strange = SANDBOX.model_copy(update={"runtime": "crun-wasm"})
    told = [
        step.model_copy(update={"verdict": step.verdict.model_copy(update={"sandbox": strange})})
        if step.kind == "verification"
        else step
        for step in steps
    ]
    page = Page(render_report(told))
    assert "does not know" in page.text
    assert "shared the kernel" not in page.text


def test_the_same_steps_give_the_same_page() -> None:
    """Rendering is a function of the steps: no clock, no chance."""
    assert render_report(usual()) == render_report(usual())


def test_rows_that_were_set_aside_are_in_the_result() -> None:
    """The report says how many rows a function failed on, and nothing of it where there are none."""
    steps = usual()
    assert "set aside" not in Page(render_report(steps)).text
    aside = [s.model_copy(update={"quarantined": 1_200}) if isinstance(s, ApplyStep) else s for s in steps]
    assert "1,200 rows set aside because a function failed on them" in Page(render_report(aside)).text


def test_a_journal_that_somebody_else_may_have_written_proves_nothing() -> None:
    """The page says so at its head, and does not say that this machine has reached the verdicts."""
    ours, theirs = render_report(usual()), render_report(usual(), authentic=False)
    assert "not written on this machine" not in ours
    assert "Verdicts were reached by programs on this machine" in ours
    assert "not written on this machine" in theirs.partition("<main>")[0]
    assert "Verdicts were reached by programs on this machine" not in theirs


def test_the_end_of_a_long_cell_is_seen() -> None:
    """In the list of changes to be confirmed, also on the service's page: what both sides share is left out."""
    note = "the team wrote down what had been said about the plan " * 8
    before, after = f" {note}and approved it", f"{note}and rejected it"
    asked_of = Question(column="note", input={"note": before}, output={"note": after}, why="w")
    held = verdict("f").model_copy(update={"questions": (asked_of,)})
    parts: Any = environment().get_template("parts.html.j2").make_module()
    text = Page(str(parts.questions(held))).text
    assert ("approved" in text, "rejected" in text, "more characters" in text) == (True, True, False)


def test_notes_on_the_data_and_the_instruction_are_told_once() -> None:
    """Who reads the page and not the terminal learns what was not done, too."""
    steps = usual()
    notes = ("'prot' names no column: 'upper case for prot' was not followed.", "<b>Points</b> may part thousands.")
    told = [step.model_copy(update={"notes": notes}) if isinstance(step, AnalysisStep) else step for step in steps]
    page = render_report(told)
    section = section_of(page, "notes")
    assert section.count("&#39;prot&#39; names no column") == 1
    assert "&lt;b&gt;Points&lt;/b&gt; may part thousands." in section
    assert section_of(render_report(steps), "notes") == ""
