"""The built-in rule for sources that disagree, and the vote that it proposes."""

import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from benchmarks.reports import make
from orchestrator.core.conventions import Conventions
from orchestrator.core.fitted import MAX_STATE
from orchestrator.core.requests import PromotedSummary, ProposalRequest, RepairRequest
from orchestrator.core.steps import VerificationStep
from orchestrator.core.verdict import CandidateInfo, Concern, Outcome, Verdict
from orchestrator.data.hostile import states
from orchestrator.gate import candidate_file
from orchestrator.propose.builtin import BuiltinProposer, learnt_keys, majority, reports
from tests.propose.builtin_help import load

COLUMNS = ("planned_departure", "departure", "planned_arrival", "arrival")


def rows_of(frame: pd.DataFrame) -> list[tuple[str | None, ...]]:
    """The reports as the vote takes them: reported cells, train, site."""
    return [tuple(row) for row in frame[[*COLUMNS, "train", "site"]].itertuples(index=False)]


def proposed(frame: pd.DataFrame, promoted: Sequence[str] = (), asked: Conventions | None = None) -> str:
    summaries = tuple(PromotedSummary(name=name, docstring="") for name in promoted)
    rows = pa.Table.from_pandas(frame, preserve_index=False)
    request = ProposalRequest(rows, promoted=summaries, iteration=2, conventions=asked)
    return BuiltinProposer().analyse(request).source or ""


def noted(frame: pd.DataFrame, asked: Conventions | None = None) -> tuple[str, ...]:
    rows = pa.Table.from_pandas(frame, preserve_index=False)
    return BuiltinProposer().analyse(ProposalRequest(rows, iteration=2, conventions=asked)).notes


def cleaned(source: str, frame: pd.DataFrame) -> pd.DataFrame:
    return load(source).clean(frame)


def test_sources_that_disagree_are_settled() -> None:
    """Blanks, stale copies, other formats and a site that is mostly wrong: nearly every report becomes the truth."""
    dirty, truth = make(seed=4)
    source = proposed(dirty)
    contract = candidate_file.read(source).contract
    assert (contract.modifies, contract.by) == (COLUMNS, ("train",))
    after = cleaned(source, dirty)
    wrong_before, wrong_after = (int((frame != truth).to_numpy().sum()) for frame in (dirty, after))
    assert wrong_after < 0.05 * wrong_before
    right = (after == truth) & (after != dirty)
    assert right.to_numpy().sum() > 0.95 * (after != dirty).to_numpy().sum()


def test_what_is_reported_on_may_be_named_by_two_columns() -> None:
    """A train runs every day: number and day together are what the sites report on."""
    dirty, truth = make(seed=4)
    for frame in (dirty, truth):
        number = frame["train"].str.split("-").str[1].astype(int)
        frame["train"], frame["day"] = "RE " + (number // 28).astype(str), "day " + (number // 7 % 4).astype(str)
    source = proposed(dirty)
    assert candidate_file.read(source).contract.by == ("train", "day")
    wrong_before, wrong_after = (int((f != truth).to_numpy().sum()) for f in (dirty, cleaned(source, dirty)))
    assert wrong_after < 0.05 * wrong_before


def test_a_column_of_web_sites_is_one_of_sources() -> None:
    """Whatever it is called."""
    dirty, _ = make(seed=4)
    assert "settle_reports" in proposed(dirty.assign(found="www." + dirty.pop("site") + ".com"))


def test_of_pages_each_site_is_a_source() -> None:
    """No two rows have the same address: who says it is the web site."""
    dirty, truth = make(seed=4)
    for frame in (dirty, truth):
        frame["found"] = [f"https://www.{site}.com/trains?row={row}" for row, site in enumerate(frame.pop("site"))]
    source = proposed(dirty)
    assert candidate_file.read(source).contract.modifies == COLUMNS
    wrong_before, wrong_after = (int((f != truth).to_numpy().sum()) for f in (dirty, cleaned(source, dirty)))
    assert wrong_after < 0.05 * wrong_before


@pytest.mark.parametrize("name", ["portal", "listed_by", "Database", "scraped from", "reported by"])
def test_other_words_for_who_says_it(name: str) -> None:
    """A source is not always called one."""
    assert "settle_reports" in proposed(make(seed=4)[0].rename(columns={"site": name}))


@pytest.mark.parametrize("name", ["found_on", "platform", "shop", "reported_on"])
def test_other_names_beside_a_thing_are_no_sources(name: str) -> None:
    """Days on which something is reported, and shops, of which each has its own offer of a thing."""
    assert "settle_reports" not in proposed(make(seed=4)[0].rename(columns={"site": name}))


def reported_halls(*, told: float) -> pd.DataFrame:
    """The reports of trains, and a hall of six that is the train's own in this share of them, else any."""
    dirty, _ = make(seed=4)
    draw = random.Random(3)  # noqa: S311 - data for a test
    halls = ["North", "South", "East", "West", "Upper", "Lower"]
    right = {train: draw.choice(halls) for train in sorted(set(dirty["train"]))}
    return dirty.assign(hall=[right[t] if draw.random() < told else draw.choice(halls) for t in dirty["train"]])


def test_a_column_of_few_values_is_settled_beside_others() -> None:
    """Two reports of anything agree often there, two of one train much more often: by a function of its own."""
    dirty = reported_halls(told=0.7)
    source = proposed(dirty)
    assert candidate_file.read(source).contract.modifies == ("hall",)
    assert cleaned(source, dirty).groupby("train")["hall"].nunique().max() == 1
    assert candidate_file.read(proposed(dirty, ("settle_few_values",))).contract.modifies == COLUMNS


def test_what_is_hardly_in_dispute_is_settled_beside_what_is() -> None:
    """A track on which nearly all sites agree: the few others are wrong, and what some leave blank all others tell."""
    dirty, _ = make(seed=4)
    draw = random.Random(5)  # noqa: S311 - data for a test
    right = {train: f"{draw.choice('NSW')}{draw.randrange(1, 60)}" for train in sorted(set(dirty["train"]))}
    told = [draw.choices((right[train], "", "N61"), (0.78, 0.2, 0.02))[0] for train in dirty["train"]]
    reported = dirty.assign(track=told)
    assert list(cleaned(proposed(reported), reported)["track"]) == [right[train] for train in dirty["train"]]


def test_blanks_of_what_nobody_disputes_are_filled_beside_what_is_in_dispute() -> None:
    """All sites that name a train's operator name the same."""
    dirty, _ = make(seed=4)
    draw = random.Random(6)  # noqa: S311 - data for a test
    right = {train: draw.choice(("DB", "SBB", "ÖBB")) for train in sorted(set(dirty["train"]))}
    reported = dirty.assign(operator=["" if draw.random() < 0.3 else right[train] for train in dirty["train"]])
    source = proposed(reported)
    assert candidate_file.read(source).contract.modifies == ("operator",)
    assert list(cleaned(source, reported)["operator"]) == [right[train] for train in dirty["train"]]


def test_what_nobody_disputes_stays_where_nothing_is_in_dispute() -> None:
    """Blanks alone make no table of sources: each may have left out what does not hold for it."""
    _, truth = make(seed=4)
    draw = random.Random(6)  # noqa: S311 - data for a test
    blank = truth.assign(departure=["" if draw.random() < 0.3 else told for told in truth["departure"]])
    assert "settle_reports" not in proposed(blank)


def test_few_values_that_the_thing_says_little_about_stay() -> None:
    """Each source has its own: nothing is reported of the thing."""
    contract = candidate_file.read(proposed(reported_halls(told=0.2))).contract
    assert contract.modifies == COLUMNS


def test_the_things_are_what_most_rows_are_about() -> None:
    """Where actual times are told in many ways, the train is the key, and no planned time that fewer rows share."""
    dirty, _ = make(seed=4)
    draw = random.Random(2)  # noqa: S311 - data for a test
    for name in ("departure", "arrival"):
        dirty[name] = [draw.choice((cell, f"{draw.randrange(24)}:{draw.randrange(10, 60)}")) for cell in dirty[name]]
    assert candidate_file.read(proposed(dirty)).contract.by == ("train",)


def test_an_offset_beside_a_time_is_no_second_time() -> None:
    """Some sites add how late it was."""
    assert reports._meaning("7:10 p.m. (-00:05)", by_time=True) == reports._meaning("19:10", by_time=True) == "19:10"


def test_it_is_proposed_once() -> None:
    """What it learns it learns of the whole file: in the next chunk there is nothing new to propose."""
    assert "settle_reports" not in proposed(make(seed=4)[0], ("settle_reports",))


def without_source(rows: list[tuple[str | None, ...]]) -> list[tuple[str | None, ...]]:
    """The rows as `majority` takes them."""
    return [row[:-1] for row in rows]


@pytest.mark.parametrize("parts", [2, 7, 60])
def test_what_is_learnt_of_parts_adds_up(parts: int) -> None:
    """In any order and however cut, the state is that of the whole."""
    rows = rows_of(make(seed=5)[0])
    draw = random.Random(parts)  # noqa: S311 - data for a test
    draw.shuffle(rows)
    for learner, given in ((reports, rows), (majority, without_source(rows))):
        learnt = [learner._learn(given[part::parts]) for part in range(parts)]
        made = learnt[0]
        for state in learnt[1:]:
            made = learner._join(state, made)
        assert made == learner._learn(given)


def test_more_than_fits_is_a_share_of_the_keys_and_still_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that would grow beyond its bound keeps some keys with all that is said of them, the same however cut."""
    rows = rows_of(make(seed=6)[0])
    for learner, given, most in ((reports, rows, 15_000), (majority, without_source(rows), 5_000)):
        monkeypatch.setattr(learnt_keys, "_MOST", most)
        whole = learner._learn(given)
        assert 0 < len(whole["told"]) < 40
        assert whole["level"] > 0
        learnt = [learner._learn(given[start : start + 100]) for start in range(0, len(given), 100)]
        made = learnt.pop()
        while learnt:
            made = learner._join(made, learnt.pop())
        assert made == whole


def test_what_does_not_fit_is_said_where_it_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of the things stayed without a word; of a small file whose things fit nothing is said."""
    frame, _ = make(seed=6)
    assert not any("room" in note for note in noted(frame))
    many = make(seed=6, trains=200)[0]
    assert len(many) > 2800
    (said,) = (note for note in noted(many) if "room" in note)
    assert "a share of the things is settled, and the others stay" in said
    monkeypatch.setattr(learnt_keys, "_MOST", 15_000)
    (said,) = (note for note in noted(frame) if "room" in note)
    assert said.startswith("settle_reports has room for what some ")


def test_what_thousands_of_rows_report_fits_into_a_state() -> None:
    """Of 12,000 reports all things are learnt; the bound is on the bytes of the state, as it is written."""
    rows = rows_of(make(trains=400, seed=6)[0])
    for learner, given in ((reports, rows), (majority, without_source(rows))):
        state = learner._learn(given)
        assert (state["level"], len(state["told"])) == (0, 400)
        counted = learner._size(learner._claims(state) if learner is reports else state["told"])
        assert len(states.canonical(state).encode()) <= counted + 100 < MAX_STATE


def test_an_amount_is_settled_where_the_user_says_by_what() -> None:
    """Prices of a symbol are facts of their own, unless `settled_by` says otherwise."""
    draw = random.Random(8)  # noqa: S311 - data for a test
    prices = {f"s{number}": f"{draw.uniform(2, 400):.2f}" for number in range(60)}
    rows = []
    for place in range(9):
        error = 0.7 if place in (3, 4) else 0.2
        for symbol, price in prices.items():
            told = f"{draw.uniform(2, 400):.2f}" if draw.random() < error else price
            rows.append((f"site{place}", symbol, told))
    dirty = pd.DataFrame(rows, columns=["source", "symbol", "price"])
    asked = Conventions.model_validate({"columns": {"price": {"settled_by": ["symbol"]}}})
    assert proposed(dirty) == ""
    assert any("disagree on price of the same symbol" in note for note in noted(dirty))
    left = Conventions.model_validate({"columns": {"price": {"leave": True}}})
    assert not any("disagree" in note for said in (asked, left) for note in noted(dirty, said))
    source = proposed(dirty, asked=asked)
    assert candidate_file.read(source).contract.by == ("symbol",)
    right = [prices[symbol] for symbol in dirty["symbol"]]
    assert (dirty["price"] == right).mean() < 0.8
    assert (cleaned(source, dirty)["price"] == right).mean() > 0.95
    other = Conventions.model_validate({"columns": {"price": {"settled_by": ["source", "symbol"]}}})
    assert "settle_reports" not in proposed(dirty, asked=other)


def test_an_amount_in_thousands_or_millions_is_one() -> None:
    """`86.06B` of a symbol is a fact of its own like `86060000000`: the gate held what settled it."""
    draw = random.Random(3)  # noqa: S311 - data for a test
    worth = {f"s{number}": draw.uniform(2, 400) for number in range(60)}
    forms = ("{:.2f}B", "{:.2f}B", "{:.2f}B", "${:.2f}B")
    rows = [
        (f"site{place}", symbol, forms[place % 4].format(amount if draw.random() > 0.3 else draw.uniform(2, 400)))
        for place in range(9)
        for symbol, amount in worth.items()
    ]
    dirty = pd.DataFrame(rows, columns=["source", "symbol", "market_cap"])
    assert "settle_reports" not in proposed(dirty)
    assert any("disagree on market_cap of the same symbol" in note for note in noted(dirty))


def test_an_answer_is_written_with_the_letters_that_are_usual() -> None:
    """Where most sources of a name shout, and few others do, it is written as the others are."""
    rows = [("Ann Lee", f"k{key}", f"s{source}") for key in range(1, 9) for source in range(5)]
    shouted = [("ANN POE", "k0", f"s{source}") for source in range(3)] + [
        ("Ann Poe", "k0", "s3"),
        ("Bo Poe", "k0", "s4"),
    ]
    assert reports._decide(reports._learn([*rows, *shouted]))["k0"] == ["Ann Poe"]


def test_a_source_counts_as_much_as_it_agrees() -> None:
    """Two careless sources that say the same by chance do not outvote one that is always right."""
    rows: list[tuple[str | None, ...]] = []
    for key in range(40):
        name = f"k{key}"
        said = {f"good{n}": f"right {key}" for n in range(3)}
        said |= {f"bad{n}": f"wrong {key} {n}" for n in range(4)}
        rows += [(answer, name, source) for source, answer in said.items()]
    contested = [("false", "k99", "bad0"), ("false", "k99", "bad1"), ("true", "k99", "good0"), ("true", "k99", "good1")]
    rights = reports._decide(reports._learn([*rows, *contested]))
    assert rights["k99"] == ["true"]
    assert rights["k7"] == ["right 7"]


@pytest.mark.parametrize(
    ("minutes", "model", "written"),
    [
        (430, "9:05 p.m.", "7:10 a.m."),
        (1150, "9:05 a.m.", "7:10 p.m."),
        (65, "09:30", "01:05"),
        (65, "9:30", "1:05"),
        (65, "10:30", "1:05"),
        (5, "9:05PM", "12:05AM"),
    ],
)
def test_a_time_is_written_as_most_are(minutes: int, model: str, written: str) -> None:
    """Also where no source wrote it that way."""
    assert reports._written(minutes, model) == written


def reported_hours(*, zeros: str) -> list[tuple[str | None, ...]]:
    """What six sources say of when each of twenty trains leaves, and one of them is an hour late."""
    said = [(f"{5 + key % 9}:{10 + key}", f"{6 + key % 9}:{10 + key}") for key in range(20)]
    rows = [(late if place == 5 and key % 4 == 0 else right, key, place) for key, (right, late) in enumerate(said)
            for place in range(6)]  # fmt: skip
    return [(time.zfill(5) if str(place) in zeros else time, f"k{key}", f"s{place}") for time, key, place in rows]


def test_an_hour_takes_a_zero_where_the_hours_of_the_column_have_one() -> None:
    """Where the sources write 9:05, only what is wrong changes, and it is written so, too."""
    for zeros, right in (("", "5:10"), ("012345", "05:10")):
        rows = reported_hours(zeros=zeros)
        rights = reports._decide(reports._learn(rows))
        after = [reports._settle(row, rights) for row in rows]
        assert [row[0] for row in after[:6]] == [right] * 6
        assert sum(row != new for row, new in zip(rows, after, strict=True)) == 5


def test_a_zero_before_an_hour_is_no_disagreement() -> None:
    """What says the same as the others stays as it is, with and without it."""
    rows = reported_hours(zeros="2")
    rights = reports._decide(reports._learn(rows))
    assert [reports._settle(row, rights)[0] for row in rows[:6]] == ["5:10", "5:10", "05:10", "5:10", "5:10", "5:10"]


def test_a_year_and_a_postcode_are_no_amounts() -> None:
    """They are settled like words, and a price is not."""
    draw = random.Random(6)  # noqa: S311 - data for a test
    right = {number: (draw.randrange(1950, 2020), draw.randrange(10000, 99999)) for number in range(60)}
    rows = [
        (f"site{place}", f"house {number}", *(str(n - draw.randrange(9) if draw.random() < 0.3 else n) for n in told))
        for place in range(7)
        for number, told in right.items()
    ]
    frame = pd.DataFrame(rows, columns=["source", "house", "Year built", "zip"])
    assert candidate_file.read(proposed(frame)).contract.modifies == ("Year built", "zip")
    assert proposed(frame.set_axis(["source", "house", "price", "size"], axis=1)) == ""


def test_an_amount_of_few_values_on_which_sources_disagree_is_told_of() -> None:
    """Any two say the same of a third of the screens: that of one camera is in dispute nevertheless."""
    draw = random.Random(6)  # noqa: S311 - data for a test
    screens = {number: draw.choice(("2.7 in", "3 in", "3.2 in")) for number in range(60)}
    rows = [
        (f"site{place}", f"camera {number}", screen if draw.random() < 0.85 else draw.choice(("2.7 in", "3 in")))
        for place in range(7)
        for number, screen in screens.items()
    ]
    said = noted(pd.DataFrame(rows, columns=["source", "camera", "screen"]))
    assert any("disagree on screen of the same camera" in note for note in said)


@pytest.mark.parametrize("name", ["sources", "source_1", "Source System", "web_source", "Quelle"])
def test_a_source_in_other_forms_of_the_word(name: str) -> None:
    """The plural, a number behind it, the system it is."""
    assert "settle_reports" in proposed(make(seed=4)[0].rename(columns={"site": name}))


@pytest.mark.parametrize("name", ["version", "from", "user", "system", "dataset"])
def test_a_word_for_what_may_belong_to_the_thing_is_no_source(name: str) -> None:
    """Each version, user or system has its own facts of a thing."""
    assert "settle_reports" not in proposed(make(seed=4)[0].rename(columns={"site": name}))


def test_a_minority_does_not_outvote_an_hour_that_is_told_without_the_date() -> None:
    """Three write a day and 3:00, four 4:00 without a day, in two ways: the three were written over the four."""
    rows: list[tuple[str | None, ...]] = []
    for key in range(40):
        early, late = f"12/02/2011 {3 + key % 8}:{key + 10} a.m.", f"{4 + key % 8}:{key + 10}"
        said = [early, early, early, f"{late} a.m.", f"{late} a.m.", f"{late} AM", f"{late} AM"]
        rows += [(text, f"k{key}", f"s{place}") for place, text in enumerate(said)]
    assert {text for texts in reports._decide(reports._learn(rows)).values() for text in texts} == {None}


def test_days_that_things_have_of_their_own_are_no_way_to_write_a_time() -> None:
    """What most say of the day is written, also where others are of one mind on another hour."""
    rows: list[tuple[str | None, ...]] = []
    for key in range(40):
        day = f"2011-0{1 + key % 9}-{10 + key % 19}"
        said = [*[f"{day} 10:15"] * 3, *[f"2012-{key % 9 + 1:02}-{place + 10} 09:15" for place in range(4)]]
        rows += [(text, f"k{key}", f"s{place}") for place, text in enumerate(said)]
    decided = reports._decide(reports._learn(rows))
    assert decided["k0"] == ["2011-01-10 10:15"]


def grades() -> pd.DataFrame:
    """Facts of their own: each site's grade and price of each product."""
    draw = random.Random(1)  # noqa: S311 - data for a test
    lines = [
        {
            "site": f"s{site}",
            "product": f"p{product}",
            "grade": draw.choice("ABC"),
            "price": f"{draw.randrange(900)}.50",
        }
        for site in range(12)
        for product in range(40)
    ]
    return pd.DataFrame(lines)


def test_grades_and_amounts_are_not_overruled() -> None:
    """Each site has its own prices and grades: there is nothing to settle."""
    assert "settle_reports" not in proposed(grades())


def test_without_a_source_nothing_is_settled() -> None:
    """Rows that merely share a name are no reports: who would say what?"""
    dirty, _ = make(seed=4)
    assert "settle_reports" not in proposed(dirty.rename(columns={"site": "day"}))


def test_columns_that_settle_each_other_are_no_reports() -> None:
    """Where reports of a thing hardly ever differ, as of a provider's measures, other rules decide more carefully."""
    rows = [{"source": f"s{n % 20}", "code": f"c{n // 20}", "measure": f"measure {n // 20}"} for n in range(800)]
    rows[5]["measure"] = "measure 17"
    assert "settle_reports" not in proposed(pd.DataFrame(rows))
    assert "settle_reports" not in proposed(make(seed=4)[0].rename(columns={"site": "provider_number"}))


def test_of_a_held_function_only_the_columns_in_doubt_wait() -> None:
    """They are left out, and then proposed alone, once; what is in doubt as a whole is not proposed again."""
    dirty, _ = make(seed=4)
    source = proposed(dirty)
    concern = Concern(kind="k", check="precise", detail="d", settles="s", columns=COLUMNS[:1])
    info = CandidateInfo.of(candidate_file.read(source))
    held = Verdict(candidate=info, verdict=Outcome.HOLD, checks=(), concerns=(concern,))
    history = (VerificationStep(at=datetime.now(UTC), chunk=0, iteration=1, verdict=held),)
    request = ProposalRequest(pa.Table.from_pandas(dirty, preserve_index=False), history=history, iteration=2)
    assert BuiltinProposer().analyse(request).source is None
    narrower = BuiltinProposer().repair(RepairRequest(request._replace(history=()), source, "", held)).source or ""
    assert candidate_file.read(narrower).contract.modifies == COLUMNS[1:]
    promoted = PromotedSummary(name="settle_reports", docstring="", columns=COLUMNS[1:])
    alone = candidate_file.read(BuiltinProposer().analyse(request._replace(promoted=(promoted,))).source or "")
    assert (alone.name, alone.contract.modifies) == ("settle_reports_in_planned_departure", COLUMNS[:1])
    again = (
        *history,
        history[0].model_copy(update={"verdict": held.model_copy(update={"candidate": CandidateInfo.of(alone)})}),
    )
    assert BuiltinProposer().analyse(request._replace(promoted=(promoted,), history=again)).source is None


def voyages(mirrors: int, independent: int) -> list[tuple[str | None, ...]]:
    """(departs, voyage, source): the mirrors share what is stale in three of ten, the others err on their own."""
    rng = random.Random(2)  # noqa: S311 - data for a test
    rows: list[tuple[str | None, ...]] = []
    for n in range(150):
        right, stale = f"1{n % 10}:{n % 50 + 10}", f"0{n % 9}:{n % 40 + 12}"
        slips = [f"2{rng.randrange(4)}:{rng.randrange(10, 60)}" if rng.random() < 0.06 else right for _ in range(9)]
        rows += [(stale if n % 10 < 3 else right, f"V{n:03}", f"mirror{name}") for name in range(mirrors)]
        rows += [(slips[name], f"V{n:03}", f"own{name}") for name in range(independent)]
    return rows


@pytest.mark.parametrize(("mirrors", "independent"), [(3, 3), (3, 5), (2, 3)])
def test_copies_of_one_source_do_not_outvote_the_others(mirrors: int, independent: int) -> None:
    """Three mirrors of one stale source, as many as the others, wrote it over what these say: now it is left open."""
    decided = reports._decide(reports._learn(voyages(mirrors, independent)))
    right = {f"V{n:03}": f"1{n % 10}:{n % 50 + 10}" for n in range(150)}
    told = {key: decided[key][0] for key in right}
    stale = [key for key, text in told.items() if text not in (None, right[key])]
    assert len(stale) <= 2  # of 45; where two of the others err at once
    assert sum(told[key] == right[key] for key in right) >= (100 if mirrors == independent else 140)


def test_a_source_with_two_answers_is_no_copy_of_those_that_differ() -> None:
    """Who says two things of a key stood in two sets, whose sum named other sources than those in them."""
    answers = {f"k{n}": {"x": {"a", "b"}, "y": {"b", "c"}, "z": {"d"}} for n in range(20)}
    assert reports._copies(answers) == {}
    agreed = {f"k{n}": {"x": {"a", "b"}, "y": {"c"}} for n in range(20)}
    assert reports._copies(agreed) == {"b": "a"}


def test_many_sources_cost_what_their_reports_cost() -> None:
    """The gate puts reports of other sources on other things beside the sample: twelve times as many are no hundred."""
    draw = random.Random(5)  # noqa: S311 - data for a test

    def reports_of(group: int) -> list[tuple[str | None, ...]]:
        return [
            (f"{draw.choice((7, 7, 7, 8))}:15 a.m.", f"thing {group}-{thing}", f"source {group}-{source}")
            for source in range(20)
            for thing in range(60)
        ]

    def cost(state: dict[str, Any]) -> float:
        begun = time.process_time()
        reports._decide(state)
        return time.process_time() - begun

    one = reports._learn(reports_of(0))
    many = reports._learn([row for group in range(12) for row in reports_of(group)])
    assert cost(many) < 60 * cost(one)
