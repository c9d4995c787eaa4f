"""What errors of the library say: its arguments, where the command line has options; what was handed in by mistake."""

import re
from pathlib import Path
from shlex import quote

import pandas as pd
import pytest

from orchestrator import Cleanroom, ModelChoice
from orchestrator.api_wording import in_arguments, naming_arguments
from orchestrator.core.errors import CleanroomError, DataError, RowsFailed, UsageError
from orchestrator.pandas_accessor import CleanroomAccessor

ORCHESTRATOR = Path(__file__).parents[1] / "orchestrator"


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            "Choose another --out, or replace them with --overwrite.",
            "Choose another `out`, or replace them with `overwrite=True`.",
        ),
        ("Name the --out folder of a run.", "Name the `out` folder of a run."),
        (
            "Is it another name: --map city=Town --map 'zip=post code'.",
            "Is it another name: `columns={'city': 'Town', 'zip': 'post code'}`.",
        ),
        ("Is it: --map " + quote("it's a=b") + ".", """Is it: `columns={"it's a": 'b'}`."""),
        ("Name them with --map known=own. Without", "Name them with `columns={'known': 'own'}`. Without"),
        ("Look: --drift accept applies it all the same.", 'Look: `drift="accept"` applies it all the same.'),
        ("Keep such rows apart with --quarantine FILE, or", "Keep such rows apart with `quarantine`, or"),
        ("It looks like cp1252: say --encoding cp1252.", 'It looks like cp1252: say `encoding="cp1252"`.'),
        ("Say --encoding NAME if that is how", "Say `encoding` if that is how"),
        ("say --delimiter if it is another sign", "say `delimiter` if it is another sign"),
        ("If ';' parts them, say --delimiter ';'.", "If ';' parts them, say `delimiter=\";\"`."),
        ("Say --path a.b or --path c", 'Say `array="a.b"` or `array="c"`'),
        ("Leave out --sheet (`sheet`).", "Leave out `sheet`."),
        ("with --model openai/gpt-4o, or raise --timeout.", 'with `model="openai/gpt-4o"`, or raise `timeout_s`.'),
        ("Run `cleanroom registry adopt --data FILE`.", "Run `cleanroom registry adopt --data FILE`."),
        ("--nothing of the kind stays", "--nothing of the kind stays"),
        ("a -- b, a--out", "a -- b, a--out"),
        ("", ""),
    ],
)
def test_options_become_arguments(said: str, wanted: str) -> None:
    """With their values where they have some; commands for a shell, and what is no argument, stay."""
    assert in_arguments(said) == wanted


def test_every_kind_of_error_is_said_so_and_stays_what_it_is() -> None:
    """Type and text for `str`, and what an error carries besides; other exceptions pass through as they are."""
    with pytest.raises(DataError) as raised, naming_arguments():
        raise DataError("Rows need a --quarantine.", advice="Say --format csv.")
    assert (str(raised.value), raised.value.advice) == ("Rows need a `quarantine`.", 'Say `format="csv"`.')
    with pytest.raises(ValueError, match="--out"), naming_arguments():
        raise ValueError("--out")


def test_options_in_advice_have_arguments() -> None:
    """Of what a run, a check or an apply may advise, each option has its argument, but for those that are listed here.

    These are options of commands that the library does not have.
    """
    no_arguments = {
        "key",
        "widths",
        "output",
        "checks",
        "digest",
        "scope",
        "jobs-per-hour",
        "listen",
        "port",
        "socket",
        "lineage",
        "expires",
        "person",
    }
    paths = [
        path for folder in ("run", "data", "propose", "registry") for path in (ORCHESTRATOR / folder).rglob("*.py")
    ]
    advice = [text for path in paths for text in re.findall(r'advice=f?"([^"]*)"', path.read_text())]
    assert sum("--" in text for text in advice) > 30
    left = {option for text in advice for option in re.findall(r"--([a-z-]+)", _spoken(in_arguments(text)))}
    assert left <= no_arguments


def _spoken(text: str) -> str:
    """Without the commands for a shell."""
    return re.sub(r"`[^`]*`", "", text)


def test_a_name_of_a_file_is_no_source(tmp_path: Path) -> None:
    """A str is source text; one that can only be a name is refused before anything is read."""
    with pytest.raises(UsageError, match=r"'trim\.py' looks like the name of a file") as raised:
        Cleanroom().verify("trim.py", tmp_path / "nothing.csv")
    assert "Path" in raised.value.advice
    with pytest.raises(UsageError, match=r"nothing\.csv"):  # a source is taken, and the data are what is missing
        Cleanroom().verify("def f(df):\n    return df  # as in trim.py", tmp_path / "nothing.csv")


def test_a_frame_is_told_where_it_can_go(tmp_path: Path) -> None:
    """In place of a path, wherever one is taken; without a line of its cells."""
    frame = pd.DataFrame({"secret": ["Bonn"] * 5})
    room = Cleanroom()
    with pytest.raises(UsageError) as raised:
        room.run(frame)  # type: ignore[arg-type]
    assert raised.value.message == "Invalid argument 'data': it is a DataFrame, and not a path."
    assert "df.cleanroom.apply" in raised.value.advice
    with pytest.raises(UsageError, match="'output': it is a DataFrame"):
        room.apply(tmp_path / "in.csv", "result", frame)  # type: ignore[arg-type]
    with pytest.raises(UsageError) as raised:
        room.run(frame["secret"])  # type: ignore[arg-type]
    assert "\n" not in raised.value.message


@pytest.mark.parametrize("wrong", ["x", 1, Path("here"), ModelChoice()])
def test_an_accessor_wants_a_cleanroom(wrong: object) -> None:
    """What is none is refused by name, as everything at the library's edge."""
    frame = pd.DataFrame({"city": ["Bonn"]})
    with pytest.raises(UsageError, match="Invalid argument 'cleanroom'"):
        CleanroomAccessor(frame).apply("result", cleanroom=wrong)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def promoted(warm: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Cleanroom, Path]:
    """A run's folder with functions for the columns city and n."""
    folder = tmp_path_factory.mktemp("run")
    rows = [f"{' ' * (row % 2)}Town {row % 7},{row}" for row in range(120)]
    (folder / "in.csv").write_text("\n".join(["city,n", *rows]) + "\n")
    with Cleanroom() as room:
        assert room.run(folder / "in.csv", out=folder / "result").result().promoted
    return room, folder / "result"


@pytest.mark.docker
def test_a_frame_whose_columns_have_other_names(promoted: tuple[Cleanroom, Path]) -> None:
    """It is said in the words of the accessor, what is advised works, and the result has the frame's own names."""
    room, folder = promoted
    frame = pd.DataFrame({"City ": [" Bonn", "Kiel "] * 20, "n": range(40)})
    with room:
        with pytest.raises(DataError, match="The DataFrame has no column 'city', which") as raised:
            CleanroomAccessor(frame).apply(folder, cleanroom=room)
        assert "`columns={'city': 'City '}`" in raised.value.advice
        made = CleanroomAccessor(frame).apply(folder, columns={"city": "City "}, cleanroom=room)
        assert made["City "].tolist() == ["Bonn", "Kiel"] * 20
        with pytest.raises(UsageError, match="'city' is mapped to 'Twn', and the DataFrame has no column 'Twn'"):
            CleanroomAccessor(frame).apply(folder, columns={"city": "Twn"}, cleanroom=room)


def test_failing_rows_of_a_frame_cannot_be_set_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that is not advised, and the file on the way is not named."""

    def fail(self: Cleanroom, data: Path, *_: object, **__: object) -> None:
        del self
        raise RowsFailed(f"Row 3 of {data.name}: f fails ({data}).", advice="Keep such rows apart with --quarantine.")

    monkeypatch.setattr(Cleanroom, "apply", fail)
    with pytest.raises(CleanroomError) as raised:
        CleanroomAccessor(pd.DataFrame({"a": ["1"]})).apply("result")
    assert str(raised.value) == "Row 3 of the DataFrame: f fails (the DataFrame)."
    assert raised.value.advice == "Leave such rows out, or revoke the function."
