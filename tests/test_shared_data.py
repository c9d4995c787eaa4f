"""The real data sets are found wherever they lie, and a mistake is not taken for their absence."""

from pathlib import Path

import pytest

from tests.support.shared_data import VARIABLE, shared_data


def test_the_variable_names_the_folder(tmp_path: Path) -> None:
    """A clone anywhere finds the data through the environment."""
    assert shared_data({VARIABLE: str(tmp_path)}) == tmp_path.resolve()


def test_without_the_variable_it_is_beside_the_checkout() -> None:
    """The folder `shared/data` next to the checkout."""
    checkout = Path(__file__).resolve().parents[1]
    assert shared_data({}) == checkout.parent / "shared" / "data"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A mistyped variable does not skip the tests in silence."""
    with pytest.raises(FileNotFoundError, match=VARIABLE):
        shared_data({VARIABLE: str(tmp_path / "missing")})
