"""No command writes a result over what proves functions: the registry, the journal, the manifest."""

import shutil
from pathlib import Path

import pytest

from tests.support.command import Call

RUN = Path(__file__).parents[1] / "golden/signed/run"
COMMANDS = [
    "diff a.csv b.csv --csv",
    "diff a.csv b.csv --html",
    "diff a.csv b.csv --quarantine",
    "analyze a.csv --quarantine",
    "check a.csv --functions run --quarantine",
    "verify f.py --data a.csv -o",
    "verify f.py --data a.csv --quarantine",
    "verify f.py --data a.csv --junit",
    "parse a.csv --widths 1,1 -o",
    "parse a.csv --widths 1,1 --save-parser",
    "registry audit --registry run -o",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_result_named_like_a_registry_is_refused(cleanroom: Call, tmp_path: Path, command: str) -> None:
    """`diff --csv` with a registry for its file ended with 0, and all evidence was gone."""
    shutil.copytree(RUN, tmp_path / "run")
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("city\nUlm\n")
    (tmp_path / "f.py").write_text("def f(df):\n    return df\n")
    for place in ("run/registry/registry.db", "run/run.jsonl"):
        before = (tmp_path / place).read_bytes()
        done = cleanroom(*command.split(), place)
        assert (done.returncode, (tmp_path / place).read_bytes() == before) == (2, True), done
        assert any(said in done.stderr for said in ("which no result is written over", "named for a result")), done


@pytest.mark.parametrize("named", ["--junit", "--sarif", "--questions", "-o"])
@pytest.mark.parametrize("place", ["nofolder/report", "folder", "/proc/1/report"])
def test_where_no_report_can_be_written_nothing_is_judged(
    cleanroom: Call, tmp_path: Path, named: str, place: str
) -> None:
    """The verdicts were there, and then the command failed."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.csv").write_text("city\nUlm\n")
    (tmp_path / "f.py").write_text("def f(df):\n    return df\n")
    done = cleanroom("verify", "f.py", "--data", "a.csv", named, place)
    assert (done.returncode, done.stdout) == (3, ""), done
    assert place in done.stderr


def test_an_archive_does_not_take_the_place_of_a_registry(cleanroom: Call, tmp_path: Path) -> None:
    """A registry may have any name; one called r.zip became the archive that was asked of another one."""
    shutil.copy(RUN / "registry/registry.db", tmp_path / "r.zip")
    done = cleanroom("registry", "export", "--registry", "r.zip", "-o", "r.zip")
    assert done.returncode == 2, done
    assert "r.zip is named for a result" in done.stderr
