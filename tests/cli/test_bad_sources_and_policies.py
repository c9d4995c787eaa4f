"""Candidates and policies that nobody should hand in: one clear sentence, exit 2 or `fail`, never a traceback."""

import json
from pathlib import Path

import pytest

from tests.support.command import Call

NO_ENGINE = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
DATA = "city,n\n Bonn,1\nKiel,2\n"
BODY = 'def f(df):\n    """d"""\n    return df\n'
HUGE = "0x" + "f" * 20_000

SOURCES = {
    "nul": '"""i\0"""\n' + BODY,
    "ten-megabytes": '"""i"""\n' + BODY + "# x\n" * 2_500_000,
    "parentheses": '"""i"""\n' + BODY + "x = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n",
    "minuses": '"""i"""\n' + BODY + "x = " + "-" * 100_000 + "1\n",
    "attributes": '"""i"""\n' + BODY + "x = a" + ".b" * 200_000 + "\n",
    "nothing": "",
    "no-literal": '"""i"""\nCONTRACT = dict(modifies=["city"])\n' + BODY,
    "no-dict": '"""i"""\nCONTRACT = 7\n' + BODY,
    "unknown-key": '"""i"""\nCONTRACT = {"modfies": ["city"]}\n' + BODY,
    "no-such-key": '"""i"""\nCONTRACT = {["a"]: 1}\n' + BODY,
    "huge-contract": '"""i"""\nCONTRACT = {"modifies": [' + '"c",' * 30_000 + "]}\n" + BODY,
    "huge-number": '"""i"""\nCONTRACT = {"examples": [{"input": {"n": ' + HUGE + '}, "output": {"n": 1}}]}\n' + BODY,
    "surrogate": '"""i"""\nCONTRACT = {"modifies": ["\\ud800"]}\n' + BODY,
    "deep-lists": '"""i"""\nCONTRACT = ' + "[" * 150 + "]" * 150 + "\n" + BODY,
}


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_sources_that_nobody_should_hand_in(cleanroom: Call, tmp_path: Path) -> None:
    """Each is a `fail` with a sentence about what is wrong, and none keeps the next from being judged."""
    (tmp_path / "a.csv").write_text(DATA)
    for name, source in SOURCES.items():
        (tmp_path / f"{name}.py").write_text(source)
    done = cleanroom("verify", *(f"{name}.py" for name in SOURCES), "--data", "a.csv", "--json")
    assert "Traceback" not in done.stderr
    assert "Internal" not in done.stderr
    assert done.returncode == 1, done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict["verdict"] for verdict in verdicts] == ["fail"] * len(SOURCES)
    for verdict in verdicts:
        (problem,) = [check["detail"] for check in verdict["checks"] if check["outcome"] == "fail"]
        assert 10 < len(problem) < 600


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_a_byte_order_mark_is_no_fault(cleanroom: Call, tmp_path: Path) -> None:
    """Editors on Windows write one; the function is judged like any other (and here, does nothing)."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "f.py").write_bytes(b"\xef\xbb\xbf" + ('"""i"""\n' + BODY).encode())
    done = cleanroom("verify", "f.py", "--data", "a.csv", "--json")
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["checks"][0] | {"seconds": 0.0} == {
        "id": "screen", "outcome": "pass", "detail": "", "counterexample": None, "cases": 1, "seconds": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("container:\n  memory_bytes: 0\n", "container.memory_bytes"),
        ("container:\n  cpus: .nan\n", "container.cpus"),
        ('"\\e[31mred":\n  pids: 1\n', "red"),
        ("strict: true\nlimits: {}\nstrict: false\n", "policy.yaml cannot be read"),  # which of the two?
    ],
)
def test_policies_that_make_no_sense(content: str, word: str, cleanroom: Call, tmp_path: Path) -> None:
    """Exit code 2 and a sentence with the setting at fault, before an engine is needed (more: tests/core)."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "f.py").write_text('"""i"""\n' + BODY)
    (tmp_path / "policy.yaml").write_text(content)
    done = cleanroom("verify", "f.py", "--data", "a.csv", "--policy", "policy.yaml", env=NO_ENGINE)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr
    assert word in done.stderr


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize("setting", ["cpus: 1000", "memory_bytes: 1099511627776"])
def test_more_than_the_machine_has(setting: str, cleanroom: Call, tmp_path: Path) -> None:
    """What the engine would refuse, or take without a word, is the policy's fault and said so."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "f.py").write_text('"""i"""\n' + BODY)
    (tmp_path / "policy.yaml").write_text(f"container:\n  {setting}\n")
    done = cleanroom("verify", "f.py", "--data", "a.csv", "--policy", "policy.yaml")
    assert done.returncode == 2, done.stderr
    assert f"container.{setting.partition(':')[0]}" in done.stderr
    assert "machine has" in done.stderr


@pytest.mark.docker
@pytest.mark.usefixtures("warm")
def test_tight_limits_are_no_trouble(cleanroom: Call, tmp_path: Path) -> None:
    """The smallest limits that a policy may set give a verdict on the function, not on the machine."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "f.py").write_text('"""i"""\n' + BODY)
    (tmp_path / "policy.yaml").write_text(
        "container:\n  memory_bytes: 268435456\n  pids: 8\n  open_files: 64\n  file_bytes: 1\n  tmpfs_bytes: 1048576\n"
        "  tmpfs_inodes: 64\n  lifetime_s: 20\n  pool_size: 1\nlimits:\n  open_files: 8\n  file_bytes: 1\n"
    )
    done = cleanroom("verify", "f.py", "--data", "a.csv", "--policy", "policy.yaml", "--json")
    assert done.returncode == 1, done.stderr + done.stdout
    assert json.loads(done.stdout)["verdict"] == "fail"
