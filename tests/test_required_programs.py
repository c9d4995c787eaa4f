"""What continuous integration installs is there, or its tests fail; on another machine they are skipped."""

import pytest

from tests.support.required import VARIABLE, skip_without, skipped_without


@pytest.mark.parametrize(
    ("required", "outcome"),
    [("", pytest.skip.Exception), ("gvisor chromium", pytest.skip.Exception), ("gvisor x", pytest.fail.Exception)],
)
def test_a_test_without_its_program_fails_only_where_that_is_required(
    monkeypatch: pytest.MonkeyPatch, required: str, outcome: type[BaseException]
) -> None:
    """A failed installation took whole layers of tests away, and all stayed green."""
    monkeypatch.setenv(VARIABLE, required)
    with pytest.raises(outcome, match="no x here"):
        skip_without("x", "no x here")
    mark = skipped_without("x", "no x here", there=False)
    assert mark.args == (outcome is pytest.skip.Exception,)
    assert skipped_without("x", "no x here", there=True).args == (False,)
