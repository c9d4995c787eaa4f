"""What a program that asked for --json finds on stdout where a command fails."""

import json
from pathlib import Path

import pytest

from tests.support.command import Call


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nope.csv"), "There is no file nope.csv."),
        (("apply", "nope.csv", "--functions", "f", "-o", "out.csv"), "There is no file nope.csv."),
        (("registry", "list"), "There is no registry in registry."),
        (("run", "nope.csv", "--max-calls", "few"), "Invalid value for '--max-calls': it must be a whole number"),
        (("run", "nope.csv", "--seed", "1", "--seed", "2"), "--seed is given twice, and only one counts."),
        (("run", "nope.csv", "--sead", "1"), "No such option: --sead"),
        (("verify",), "Missing argument"),
        (("--bogus",), "No such option: --bogus"),
        (("bogus",), "No such command 'bogus'"),
        (("registry", "--bogus"), "No such option: --bogus"),
        (("registry", "bogus"), "No such command 'bogus'"),
    ],
)
def test_a_failure_is_one_object(cleanroom: Call, arguments: tuple[str, ...], message: str) -> None:
    """With the sentence, the advice and the exit code, which stderr and the process have as well."""
    done = cleanroom(*arguments, "--json")
    told = json.loads(done.stdout)
    assert told["status"] == "failed"
    assert told["error"]["message"].startswith(message)
    assert told["error"]["exit_code"] == done.returncode == 2
    assert message.split("'", maxsplit=1)[0] in " ".join(done.stderr.replace("│", " ").split())
    assert told["error"]["advice"] in " ".join(done.stderr.split())
    assert cleanroom(*arguments).stdout == ""


def test_an_option_that_a_file_gives_counts_as_well(cleanroom: Call, tmp_path: Path) -> None:
    """Where the team's file asks for JSON, a program reads JSON also of failures."""
    (tmp_path / "cleanroom.toml").write_text("[output]\njson = true\n")
    assert json.loads(cleanroom("run", "nope.csv").stdout)["error"]["exit_code"] == 2


def test_no_error_among_the_data(cleanroom: Call) -> None:
    """Where the rows go to stdout, the JSON goes to stderr; whoever reads the rows gets none of it."""
    done = cleanroom("apply", "nope.csv", "--functions", "f", "-o", "-", "--json")
    assert (done.returncode, done.stdout) == (2, "")
