"""Two long texts side by side: however long they are, a person sees where they differ."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.data.shortened_pair import shortened

NOTE = " ".join(["the team wrote down what had been said"] * 20)


@pytest.mark.parametrize("limit", [40, 58, 240])
def test_a_word_at_the_end_of_a_long_note_is_seen(limit: int) -> None:
    """Also where the beginning differs. The control: cut at the end, both look as if only blanks had gone."""
    before, after = f"  {NOTE}: approved by the board", f"{NOTE}: rejected by the board"
    assert before.strip()[:limit] == after[:limit]
    old, new = shortened(before, after, limit)
    assert max(len(old), len(new)) <= limit
    assert (old.startswith("  "), new.startswith("the")) == (True, True)
    assert ("approved" in old, "rejected" in new) == (True, True)


def test_three_changes_are_all_seen() -> None:
    """One at the beginning, one in the middle, one at the end."""
    old, new = shortened(f" {NOTE} 5 mg {NOTE} ", f"{NOTE} 50 mg {NOTE}", 60)
    assert (" 5 mg" in old, " 50 mg" in new) == (True, True)
    assert (old[0], old[-1], new[0], new[-1]) == (" ", " ", "t", "d")


@pytest.mark.parametrize("pair", [("a", "b"), (None, NOTE), (NOTE, None), (1, 2), ([NOTE], [NOTE]), (NOTE, NOTE)])
def test_what_is_short_or_no_text_stays(pair: tuple[object, object]) -> None:
    """Also what is the same on both sides: how that is cut does not matter."""
    assert shortened(*pair, limit=40) == pair


@given(st.text("ab ,…", max_size=200), st.text("ab ,…", max_size=200), st.integers(20, 60))
def test_both_are_short_and_told_apart(before: str, after: str, limit: int) -> None:
    """Whatever the texts are; where all of it differs, by their ends."""
    old, new = shortened(before, after, limit)
    if before != after:
        assert max(len(old), len(new)) <= limit


def test_texts_in_which_everything_differs_take_no_time() -> None:
    """A million characters on each side."""
    started = time.process_time()
    shortened("a b " * 250_000, "c d " * 250_000, 60)
    assert time.process_time() - started < 5
