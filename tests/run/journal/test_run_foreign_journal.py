"""A run folder from somebody else: what its journal says of models, paths and verdicts is not believed."""

import json
import shutil
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from orchestrator import bootstrap, model_choice
from orchestrator.cli.main import app
from orchestrator.core.errors import UsageError
from orchestrator.core.policy import Policy
from orchestrator.data.machine_key import key_file, machine_key
from orchestrator.propose.llm.budget import BudgetLimits
from orchestrator.run.journal.journal import read_checked
from orchestrator.run.journal.resume import read_past
from tests.run.journal.resume_help import ForkServer, write_messy

GOLDEN = Path(__file__).parents[2] / "golden" / "release-0.1.0" / "run"


@pytest.fixture(scope="module")
def original(fork_server: ForkServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was killed after its second promotion."""
    folder = tmp_path_factory.mktemp("run") / "out"
    assert fork_server.run(folder, 12)["status"] == -9
    return folder


@pytest.fixture
def killed(original: Path, tmp_path: Path) -> Path:
    """A copy of it, which may be changed."""
    return Path(shutil.copytree(original, tmp_path / "out"))


def _edit(folder: Path, change: str) -> None:
    path = folder / "run.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    if change == "address":
        first = json.loads(lines[0])
        first["configuration"]["model"] = {"model": "openai/gpt-4o", "api_base": "http://127.0.0.1:9/v1"}
        lines[0] = json.dumps(first, separators=(",", ":")) + "\n"
    elif change == "verdict":
        lines = [line.replace('"outcome":"fail"', '"outcome":"pass"') for line in lines]
    elif change == "code":
        lines[-1] = lines[-1].replace(lines[-1][-6:-3], "000")
    elif change == "taken out":
        del lines[2]
    elif change == "moved":
        lines[2], lines[3] = lines[3], lines[2]
    elif change == "twice":
        lines.insert(2, lines[2])
    elif change == "added":
        lines.append(json.dumps({k: v for k, v in json.loads(lines[-1]).items() if k != "mac"}) + "\n")
    elif change == "two in one":
        lines[-1] = lines[-1].replace("{", '{"mac":"x",', 1)
    path.write_text("".join(lines))


def test_own_journal_is_known_again_also_cut_short(killed: Path) -> None:
    """What this machine wrote is authentic as a whole, and up to any line: that is how a crash leaves it."""
    assert read_past(killed).authentic
    path = killed / "run.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-2]) + '{"kind"')
    assert read_past(killed).authentic
    assert read_past(killed).open().rows


@pytest.mark.parametrize("change", ["address", "verdict", "code", "taken out", "moved", "twice", "added", "two in one"])
def test_changed_journal_is_not_gone_on_with(killed: Path, change: str) -> None:
    """Whatever was changed, nothing is taken from the journal and nothing is written."""
    _edit(killed, change)
    before = (killed / "run.jsonl").read_bytes()
    assert not read_past(killed).authentic
    done = CliRunner().invoke(app, ["runs", "resume", str(killed)])
    assert isinstance(done.exception, UsageError)
    assert "was not written on this machine, or was changed" in done.exception.message
    assert (killed / "run.jsonl").read_bytes() == before


@pytest.mark.parametrize("command", [("show",), ("show", "--json"), ("replay", "--speed", "0")])
def test_changed_journal_is_shown_with_a_note(killed: Path, command: tuple[str, ...]) -> None:
    """Whoever looks at it learns that its verdicts may be anybody's; of an own journal nothing is said."""
    name, *options = command
    assert "not proved" not in CliRunner().invoke(app, ["runs", name, str(killed), *options]).stderr
    _edit(killed, "verdict")
    _edit(killed, "twice")
    shown = CliRunner().invoke(app, ["runs", name, str(killed), *options])
    assert shown.exit_code == 0
    assert "or was changed: what it says is not proved" in " ".join(shown.stderr.split())


def test_journal_of_another_machine_is_not_gone_on_with(
    killed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With another key, an unchanged journal is a foreign one; it can still be read."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    past = read_past(killed)
    assert not past.authentic
    assert len(past.steps) > 5
    with pytest.raises(UsageError) as refused:
        past.open()
    assert "--data FILE" in refused.value.advice


def test_only_what_limits_is_taken_from_a_foreign_journal(killed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Model, address, recording and roles come from the caller and the environment; the privacy stays."""
    path = killed / "run.jsonl"
    first, *rest = path.read_text().splitlines(keepends=True)
    opening = json.loads(first)
    opening["proposer"] = "huggingface/http://127.0.0.1:9"
    opening["configuration"]["model"] = {
        "model": opening["proposer"], "api_base": "http://127.0.0.1:9/v1", "record": "/x", "privacy": "profile",
        "tester": "openai/x",
    }  # fmt: skip
    path.write_text("".join([json.dumps(opening) + "\n", *rest]))
    monkeypatch.setenv("CLEANROOM_MODEL", "openai/mine")
    past = read_past(killed)
    choice = model_choice.unrecorded_choice(past, api_base=None, budget=BudgetLimits())
    assert choice == model_choice.ModelChoice(privacy="profile")
    assert choice.settled().model == "openai/mine"
    with pytest.raises(UsageError, match="only openai/mine is available"):
        past.check_proposer("openai/mine")


@pytest.mark.parametrize("foreign", [False, True])
def test_what_a_run_was_begun_with_wins_over_the_file(
    killed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, foreign: bool
) -> None:
    """The configuration counts only where all is judged again, and no key goes to an address that was merely found."""
    seen: dict[str, object] = {}

    def choice(_: object, **given: object) -> None:
        seen.update(given)
        raise UsageError("far enough")

    monkeypatch.setattr(model_choice, "recorded_choice", choice)
    monkeypatch.setattr(model_choice, "unrecorded_choice", choice)
    monkeypatch.chdir(tmp_path)
    write_messy(tmp_path / "messy.csv")
    (tmp_path / "policy.yaml").write_text("limits:\n  wall_s: 3\n")
    (tmp_path / "cleanroom.toml").write_text(
        '[model]\napi-base = "http://found/v1"\n[limits]\nmax-calls = 5\n[sandbox]\npolicy = "policy.yaml"\n'
    )
    if foreign:
        _edit(killed, "taken out")
    more = ["--data", "messy.csv"] if foreign else []
    done = CliRunner().invoke(app, ["runs", "resume", str(killed), "--max-tokens", "7", *more])
    assert str(done.exception) == "far enough"
    unused = "api-base, max-calls, policy of the file are not used; give them as options"
    assert (unused in done.stderr) is not foreign
    if foreign:
        asked = BudgetLimits(max_calls=5, max_tokens=7)
        assert seen == {"api_base": "http://found/v1", "keyless": True, "budget": asked}
    else:
        assert seen == {"api_base": None, "budget": BudgetLimits(max_tokens=7)}


def test_a_resumed_run_becomes_strict_where_that_is_asked_for(
    killed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Strict can only be switched on: by the command line and by a team's file, also in the middle of a run."""
    seen: list[bool] = []

    def opened(policy: Policy, **_: object) -> None:
        seen.append(policy.strict)
        raise UsageError("far enough")

    monkeypatch.setattr(bootstrap, "sandboxed", opened)
    monkeypatch.chdir(tmp_path)
    for words in ([], ["--strict"]):
        done = CliRunner().invoke(app, ["runs", "resume", str(killed), *words])
        assert str(done.exception) == "far enough"
    (tmp_path / "cleanroom.toml").write_text("[sandbox]\nstrict = true\n")
    CliRunner().invoke(app, ["runs", "resume", str(killed)])
    assert seen == [False, True, True]


def test_run_of_an_older_release_is_read_and_judged_anew(tmp_path: Path) -> None:
    """Its journal has no codes: it is shown, and going on with it asks for the data."""
    shutil.copytree(GOLDEN, tmp_path / "old")
    assert not read_checked(tmp_path / "old" / "run.jsonl").authentic
    past = read_past(tmp_path / "old")
    with pytest.raises(UsageError, match="was not written on this machine"):
        past.open()
    request = past.anew(tmp_path / "d.csv", None)
    assert (request.data, request.out, request.overwrite) == (tmp_path / "d.csv", tmp_path / "old", True)


@pytest.mark.parametrize(
    ("mode", "size", "word"), [(0o644, 32, "open to others"), (0o600, 31, "not a key"), (0o600, 33, "not a key")]
)
def test_unfit_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, size: int, word: str) -> None:
    """A key that others can read, or that is none, is not used and not replaced."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    good = machine_key()
    assert good == machine_key()
    assert key_file().stat().st_mode & 0o777 == 0o600
    key_file().write_bytes(b"k" * size)
    key_file().chmod(mode)
    with pytest.raises(UsageError, match=word):
        machine_key()
    key_file().unlink()
    key_file().symlink_to("/etc/hostname")
    assert machine_key() is None


@pytest.mark.parametrize(("own", "recorded", "seen"), [("raw", "masked", "masked"), ("profile", "raw", "profile")])
def test_privacy_is_the_stricter_of_both(
    killed: Path, own: Literal["raw", "profile"], recorded: str, seen: str
) -> None:
    """A foreign journal can make the model see less of the caller's data, and never more."""
    path = killed / "run.jsonl"
    first, *rest = path.read_text().splitlines(keepends=True)
    opening = json.loads(first)
    opening["configuration"]["model"] = {"privacy": recorded}
    path.write_text("".join([json.dumps(opening) + "\n", *rest]))
    choice = model_choice.ModelChoice(model="openai/mine", privacy=own)
    taken = model_choice.unrecorded_choice(read_past(killed), api_base=None, budget=None, own=choice)
    assert (taken.model, taken.privacy) == ("openai/mine", seen)


def test_limits_that_are_set_anew_hold_when_everything_is_judged_again(killed: Path) -> None:
    """`resume(data=…, limits=…)` and `runs resume --data … --max-rejected` left them out without a word."""
    past = read_past(killed)
    begun = past.anew("messy.csv", None).limits
    anew = past.anew("messy.csv", None, limits={"max_rejected": 77}).limits
    assert anew == begun.model_copy(update={"max_rejected": 77})


@pytest.mark.parametrize(("recorded", "asked"), [("accept", "keep"), ("reject", "reject"), ("keep", "keep")])
def test_a_foreign_journal_lets_nothing_held_into_use(killed: Path, recorded: str, asked: str) -> None:
    """It would take the caller's signature below functions with concerns; a run that gives them up may do so."""
    path = killed / "run.jsonl"
    first, *rest = path.read_text().splitlines(keepends=True)
    opening = json.loads(first)
    opening["configuration"]["on_hold"] = recorded
    path.write_text("".join([json.dumps(opening) + "\n", *rest]))
    past = read_past(killed)
    assert past.request().on_hold == recorded, "the control: it is what the journal says"
    assert past.anew("messy.csv", None).on_hold == asked


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("run", ["configuration", "policy"], "x"),
        ("run", ["configuration", "data"], 1.5),
        ("run", ["configuration", "limits"], []),
        ("verification", ["verdict", "timings", "judge_s"], float("inf")),
        ("promotion", ["seconds"], float("inf")),
    ],
)
def test_what_no_run_writes_is_no_step(tmp_path: Path, kind: str, path: list[str], value: object) -> None:
    """A stranger's journal ended commands with an internal error, where they read what it says of the run."""
    lines = [json.loads(line) for line in (GOLDEN / "run.jsonl").read_text().splitlines()]
    place = next(step for step in lines if step["kind"] == kind)
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(step) + "\n" for step in lines))
    with pytest.raises(UsageError, match="is not a step of a run"):
        read_checked(tmp_path / "run.jsonl")
