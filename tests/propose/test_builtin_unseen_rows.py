"""What functions of the built-in rules do in rows that the proposer did not see: a rare right value stays."""

from tests.propose.builtin_help import column, settle


def test_short_codes_that_begin_with_a_zero_get_no_other_one() -> None:
    """Oslo's 0150 is whole: a code that lost its zeros has none in front, wherever it stands."""
    frame = column(["33101", "2134", "02134", "10001", "99762"] * 40, "zip")
    cleaned, emitted = settle(frame)
    assert set(cleaned["zip"]) == {"33101", "02134", "10001", "99762"}
    for each in emitted:
        assert list(each.clean(column(["0150", "284", "2134"], "zip"))["zip"]) == ["0150", "00284", "02134"]
