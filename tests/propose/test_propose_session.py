"""A recorded session costs fewer questions and tokens when an answer may hold several functions."""

from benchmarks.recorded_session import replay

CALLS_BEFORE, TOKENS_BEFORE = 14, 121_523  # of the same session with the version before, by the same count


def test_several_functions_per_answer_halve_calls_and_tokens() -> None:
    """The same ten functions are promoted, over real HTTP; three of them after a repair."""
    one, four = replay(functions=1), replay(functions=4)
    assert sorted(one.promoted) == sorted(four.promoted)
    assert len(four.promoted) == 10
    assert (one.calls, four.calls) == (CALLS_BEFORE, 7)
    assert one.tokens < 0.65 * TOKENS_BEFORE
    assert four.tokens < 0.35 * TOKENS_BEFORE
