"""Which column of a file is said to be the one that functions know by another name."""

from pathlib import Path

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.errors import DataError
from orchestrator.data.formats import open_dataset
from orchestrator.run.apply.column_match import ColumnMatch, match_columns, refuse_missing
from tests.run.apply.test_apply_data import promoted


def matched(folder: Path, text: str, **shown: str) -> tuple[ColumnMatch, ...]:
    """What is said of a file, where functions know columns with the cells `shown`."""
    (folder / "data.csv").write_text(text, encoding="utf-8")
    functions = [
        promoted(f"f_{name}", f'out["{name}"] = out["{name}"].str.strip()', modifies=(name,), examples=(example,))
        for name, cell in shown.items()
        for example in (Example(input={name: f" {cell}"}, output={name: cell}),)
    ]
    return match_columns(open_dataset(folder / "data.csv"), functions)


@pytest.mark.parametrize(
    ("known", "own"),
    [("weight_kg", "weight_lb"), ("fee_gbp", "Fee (USD)"), ("heightCm", "height_in"), ("distance_km", "miles")],
)
def test_a_column_in_another_unit_is_not_made_ready(tmp_path: Path, known: str, own: str) -> None:
    """Its name says so: mapped, its figures would be taken for others. What is in the same unit is suggested."""
    text = f"{own},n\n1.5,x\n2.5,y\n"
    (match,) = found = matched(tmp_path, text, **{known: "1.5"})
    assert (match.suggested, match.other_unit) == ("", own)
    with pytest.raises(DataError) as caught:
        refuse_missing(open_dataset(tmp_path / "data.csv"), found)
    assert caught.value.advice.startswith(
        f"'{own}' has another unit than '{known}'. Convert its cells before you map it."
    )
    assert f"{known}={own}" not in caught.value.advice
    unit = known[-2:] if known == "heightCm" else known.rpartition("_")[2]
    (match,) = matched(tmp_path, f"size {unit.upper()},n\n1.5,x\n2.5,y\n", **{known: "1.5"})
    assert (match.suggested, match.other_unit) == (f"size {unit.upper()}", ""), "the control"


def test_a_word_above_words_is_no_cell_where_the_file_has_a_header(tmp_path: Path) -> None:
    """A word above figures shows that the first line is no row. The control is a file whose first line is one."""
    cells = "fever,10\nrash,12\n"
    (match,) = matched(tmp_path, f"why,mass\n{cells}", reason="cough")
    assert (match.suggested, match.why) == ("why", "its cells look alike")
    (match,) = matched(tmp_path, f"cough,11\n{cells}", reason="cough")
    assert match.why == "its cells look alike, and its name looks like one of them"


def test_one_column_is_suggested_for_one_name(tmp_path: Path) -> None:
    """For the name that is alike; for none where as much speaks for both."""
    day = "2024-01-31"
    found = matched(tmp_path, f"seen_on,n\n{day},x\n{day},y\n", visit_date=day, next_visit=day)
    assert [one.suggested for one in found] == ["", ""]
    found = matched(tmp_path, f"visit_dates,n\n{day},x\n{day},y\n", visit_date=day, next_visit=day)
    assert {one.name: one.suggested for one in found} == {"visit_date": "visit_dates", "next_visit": ""}
