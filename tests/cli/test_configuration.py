"""A team's defaults: where they are looked for, who overrides them, and what a hostile file cannot do."""

import json
import os
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from orchestrator.cli.config_command import ConfiguredCommand
from orchestrator.cli.main import app
from tests.support.command import Call, Done
from tests.support.scripted_server import ScriptedServer, text

DATA = "city,n\n Bonn,1\nKiel,2\n"
CLEAN = text("<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>")


def in_force(done: Done) -> dict[str, tuple[Any, str]]:
    """The value and the source of every setting that `config --json` prints."""
    assert done.returncode == 0, done.stderr
    return {one["name"]: (one["value"], one["source"]) for one in json.loads(done.stdout)["settings"]}


def refused(done: Done) -> str:
    """The error: one sentence and one line of advice, with exit code 2."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ")
    return done.stderr


@pytest.mark.parametrize(
    ("name", "head"), [("cleanroom.toml", ""), ("pyproject.toml", "tool.cleanroom."), ("else/team.toml", "")]
)
def test_each_source_is_named(cleanroom: Call, tmp_path: Path, name: str, head: str) -> None:
    """The command line wins over the environment, that over the file, and that over what is built in."""
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(
        f'[{head}model]\nprivacy = "masked"\nmodel = "openai/x"\ntimeout = 30\n'
        f"[{head}data]\nchunk-rows = 500\nmax-chunks = 3\n[{head}output]\ntelemetry = 'off'\n"
    )
    named = ["--config", name] if "/" in name else []
    done = cleanroom("config", "--json", *named, "--max-chunks", "5", env={"CLEANROOM_MODEL": "openai/y"})
    found = in_force(done)
    assert found["chunk-rows"] == (500, "file")
    assert found["timeout"] == (30.0, "file")
    assert found["privacy"] == ("masked", "file")
    assert found["model"] == ("openai/y", "environment")
    assert found["telemetry"] == ("off", "file")
    assert found["max-chunks"] == (5, "command line")
    assert found["sampling"] == ("random", "default")
    assert json.loads(done.stdout)["file"] == name


def test_every_command_that_reads_a_file_can_be_asked_what_it_takes() -> None:
    """`config --for` knows each command that has `--config`, and no other."""

    def configured(group: Any, above: str = "") -> set[str]:
        found = set()
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                found |= configured(command, f"{above}{name} ")
            elif any("--config" in parameter.opts for parameter in command.params):
                found.add(f"{above}{name}")
        return found

    assert configured(typer.main.get_command(app)) - {"config"} == set(get_args(ConfiguredCommand))


def test_a_command_takes_them_and_says_so(cleanroom: Call, tmp_path: Path) -> None:
    """One line on stderr names the file and what it sets for this command; standard output stays as it is."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "cleanroom.toml").write_text('[output]\njson = true\n[model]\nmodel = "builtin"\n[limits]\nlanes = 2\n')
    done = cleanroom("analyze", "a.csv")
    assert json.loads(done.stdout)["rows"] == 2
    assert done.stderr == "defaults from cleanroom.toml: json true, model builtin\n"


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ('model = "openai/x"', "model openai/x; privacy raw, if nothing else is said\n"),
        ('api-base = "http://host/v1"', "api-base http://host/v1; privacy raw, if nothing else is said\n"),
        ('tester-model = "openai/x"', "tester-model openai/x; privacy raw, if nothing else is said\n"),
        ('model = "openai/x"\nprivacy = "masked"', "model openai/x, privacy masked\n"),
        ('model = "builtin"\ntester-model = "none"', "model builtin, tester-model none\n"),
        ('privacy = "masked"', "privacy masked\n"),
    ],
)
def test_a_model_of_a_file_is_named_with_what_it_may_see(
    cleanroom: Call, tmp_path: Path, model: str, said: str
) -> None:
    """Also where the file leaves that as it is by itself; not a word more where no model is asked."""
    (tmp_path / "cleanroom.toml").write_text(f"[model]\n{model}\n")
    done = cleanroom("run", "nothing.csv")
    assert done.stderr.splitlines(keepends=True)[0] == f"defaults from cleanroom.toml: {said}"


def test_nothing_is_said_where_there_is_no_file(cleanroom: Call, tmp_path: Path) -> None:
    """Other projects' files are none of ours, even broken ones."""
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "pyproject.toml").write_text("[tool.other\n")
    assert cleanroom("analyze", "a.csv", "--json").stderr == ""


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("redteam", ["--class", "network"]),
        ("registry diff", ["trim", "--data", "a.csv"]),
        ("runs resume", ["out"]),
        ("diff", ["a.csv", "b.csv"]),
        ("serve", []),
        ("mcp", ["--root", "."]),
    ],
)
def test_other_commands_take_the_options_that_they_share(
    cleanroom: Call, tmp_path: Path, command: str, arguments: list[str]
) -> None:
    """Each says what it took, refuses what is wrong, and `config --for` shows it."""
    (tmp_path / "cleanroom.toml").write_text('[sandbox]\npolicy = "nothing.yaml"\n')
    done = cleanroom(*command.split(), *arguments)
    assert done.stderr.startswith("defaults from cleanroom.toml: policy nothing.yaml\n")
    assert in_force(cleanroom("config", "--json", "--for", command))["policy"] == ("nothing.yaml", "file")
    (tmp_path / "cleanroom.toml").write_text("[sandbox]\npolicy = 1\n")
    assert "the name of a file" in refused(cleanroom(*command.split(), *arguments))


def test_the_lanes_of_runs_are_not_those_of_the_service(cleanroom: Call, tmp_path: Path) -> None:
    """An option of the same name that is another one is not set: `lanes` of `serve` are jobs, and no questions."""
    (tmp_path / "cleanroom.toml").write_text('[limits]\nlanes = 9\n[model]\nprivacy = "masked"\n')
    served = cleanroom("serve", "--host", "clean.example.org")
    assert served.returncode != 0
    assert "defaults" not in served.stderr
    assert "lanes" not in in_force(cleanroom("config", "--json", "--for", "serve"))
    assert in_force(cleanroom("config", "--json", "--for", "run"))["lanes"] == (9, "file")
    assert in_force(cleanroom("config", "--json", "--for", "mcp"))["privacy"] == ("masked", "file")


# The parser takes time that grows with the square of the parts: 10 s for 30,000, and a file may have 500,000.
LONG_KEYS = ("a." * 500_000 + "b = 1", "[" + "a . " * 200_000 + "b]", "'a b'.\"c\"." * 90_000 + "d = 1")
BAD: dict[str, tuple[str | bytes, str]] = {
    "unknown key": ('[model]\nprivcay = "raw"', "Did you mean 'privacy'?"),
    "unknown group": ("[limit]\nlanes = 1", "Did you mean [limits]?"),
    "wrong group": ("[limits]\nseed = 1", "Write it below [data]"),
    "no group": ("lanes = 1", "Write it below [limits]"),
    "group that is none": (
        "limits = 1",
        "a group of settings, and no setting. Write [limits]",
    ),
    "true, as the file has it": ("[data]\nseed = true\n", "is true, and must be"),
    "a date, as the file has it": ("[data]\nseed = 2026-01-31\n", "is 2026-01-31, and must be"),
    "a text, as the file has it": ("[data]\nseed = 'a'\n", 'is "a", and must be'),
    "text for a number": ('[data]\nseed = "1"', "a whole number"),
    "true for a number": ("[data]\nseed = true", "a whole number"),
    "number for true": ("[sandbox]\nstrict = 1", "true or false"),
    "number for a file": ("[sandbox]\npolicy = 1", "the name of a file"),
    "too small": ("[data]\nchunk-rows = 1", "at least 10"),
    "not a number": ("[model]\ntimeout = nan", "a number"),
    "unknown word": ('[model]\nprivacy = "none"', "one of raw, masked, profile"),
    "list": ("[data]\nshape = ['table']", "one of table"),
    "no TOML": ("[model\n", "not valid TOML"),
    "too deep": ("a = " + "[" * 5000, "not valid TOML"),
    "groups in groups": ("a." * 20 + "b = 1", "no group 'a' of settings"),
    "settings in settings": ("model." + "a." * 20 + "b = 1", "no setting 'a'"),
    **{f"a key of very many parts {n}": (key, "a key of more than 32 parts") for n, key in enumerate(LONG_KEYS)},
    "a long number": ("[data]\nseed = 0x" + "f" * 9_000, "of far too many digits"),
    "a long number with a limit": ("[limits]\nlanes = 0x" + "f" * 9_000, "of far too many digits"),
    "no text": (b"\xff\xfe\x00", "no text in UTF-8. Save it as UTF-8"),
    "chosen for each call": ("[output]\noverwrite = true", "docs/configuration.md"),
    "an address as a model": ('[model]\nmodel = "huggingface/http://evil/x"', "api-base"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_wrong_file_is_one_sentence(cleanroom: Call, tmp_path: Path, case: str) -> None:
    """It names the file and the setting at fault, and says what to do."""
    content, words = BAD[case]
    (tmp_path / "a.csv").write_text(DATA)
    (tmp_path / "cleanroom.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    for command in (["analyze", "a.csv"], ["config"]):
        error = " ".join(refused(cleanroom(*command)).split())
        assert words in error
        assert "cleanroom.toml" in error


KEYS = ("gsk_", "openai/xai-", "github_pat_", "glpat-", "xoxa-", "eyJ", "hf_", "AKIA")


@pytest.mark.parametrize(
    "line",
    ['api-key = "abc"', 'api_key = "abc"', 'password = "abc"', 'model = "sk-abcdefghijklmnopqrstuv"',
     'api-base = "http://me:abc@host/v1"', 'auth = {token = "abc"}', 'api-base = "https://host/v1?api_key=abc"',
     'api-base = "https://host/v1#abc"', *(f'model = "{key}abcdefghijklmnopqrstuv"' for key in KEYS)],
)  # fmt: skip
def test_secrets_are_refused_and_not_repeated(cleanroom: Call, tmp_path: Path, line: str) -> None:
    """The advice says where they belong."""
    (tmp_path / "cleanroom.toml").write_text(f"[model]\n{line}\n")
    error = refused(cleanroom("config"))
    assert "CLEANROOM_API_KEY" in error
    assert "abc" not in error


def test_a_secret_that_is_for_no_model_has_other_advice(cleanroom: Call, tmp_path: Path) -> None:
    """The key of a collector is none of a model's; words that begin like keys are names."""
    (tmp_path / "cleanroom.toml").write_text('[output]\ntelemetry = "https://me:abc@collector"\n')
    error = refused(cleanroom("config"))
    assert "OTEL_EXPORTER_OTLP_HEADERS" in error
    assert "CLEANROOM_API_KEY" not in error
    (tmp_path / "cleanroom.toml").write_text('[sandbox]\npolicy = "skeleton-of-all-policies.yaml"\n')
    assert in_force(cleanroom("config", "--json"))["policy"] == ("skeleton-of-all-policies.yaml", "file")


def test_two_files_are_refused(cleanroom: Call, tmp_path: Path) -> None:
    """Nobody has to guess which one counts; a named one does."""
    (tmp_path / "cleanroom.toml").write_text("[data]\nseed = 1\n")
    (tmp_path / "pyproject.toml").write_text("[tool.cleanroom.data]\nseed = 2\n")
    assert "two configurations" in refused(cleanroom("config"))
    assert in_force(cleanroom("config", "--config", "pyproject.toml", "--json"))["seed"] == (2, "file")


def test_a_named_file_that_is_not_there(cleanroom: Call, tmp_path: Path) -> None:
    """The file is named."""
    assert "team.toml" in refused(cleanroom("config", "--config", "team.toml"))


def test_the_folder_of_the_data_is_not_looked_at(cleanroom: Call, tmp_path: Path) -> None:
    """What came with the data sets nothing, wherever it lies."""
    data = tmp_path / "from-a-stranger"
    data.mkdir()
    (data / "a.csv").write_text(DATA)
    (data / "cleanroom.toml").write_text('[model]\nmodel = "openai/x"\napi-base = "http://evil"\n')
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'cleanroom'\n")
    done = cleanroom("analyze", "from-a-stranger/a.csv", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["proposer"] == "builtin"


def test_no_key_goes_to_an_address_that_was_merely_found(cleanroom: Call, tmp_path: Path) -> None:
    """With the same file named by --config, or the address on the command line, it does go there."""
    (tmp_path / "a.csv").write_text(DATA)
    with ScriptedServer([CLEAN], repeat_last=True) as server:
        (tmp_path / "cleanroom.toml").write_text(f'[model]\nmodel = "openai/x"\napi-base = "{server.base_url}"\n')
        keys = {"CLEANROOM_API_KEY": "my-key", "OPENAI_API_KEY": "other-key"}
        for more in ([], ["--config", "cleanroom.toml"], ["--api-base", server.base_url]):
            done = cleanroom("analyze", "a.csv", "--json", *more, env=keys)
            assert done.returncode == 0, done.stderr
        sent = [
            request.headers.get("Authorization", request.headers.get("authorization")) for request in server.requests
        ]
    assert sent == ["Bearer none", "Bearer my-key", "Bearer my-key"]


def test_code_is_not_taken_from_a_file_that_nobody_named(cleanroom: Call, tmp_path: Path) -> None:
    """A team's checks run outside of the sandbox: in somebody else's folder they would be his."""
    (tmp_path / "checks.py").write_text("raise SystemExit('run')\n")
    (tmp_path / "cleanroom.toml").write_text('[sandbox]\nchecks = "checks.py"\n')
    assert "outside of the sandbox" in refused(cleanroom("config", "--for", "verify"))
    named = in_force(cleanroom("config", "--for", "verify", "--config", "cleanroom.toml", "--json"))
    assert named["checks"] == ("checks.py", "file")


@pytest.mark.parametrize("role", ["model", "tester-model"])
def test_no_recording_is_played_for_a_file_that_nobody_named(cleanroom: Call, tmp_path: Path, role: str) -> None:
    """It holds candidates, and the secret from which the gate draws what they are judged on."""
    (tmp_path / "cleanroom.toml").write_text(f'[model]\n{role} = "replay:answers.jsonl"\n')
    assert "what the gate draws" in refused(cleanroom("config"))
    named = in_force(cleanroom("config", "--config", "cleanroom.toml", "--json"))
    assert named[role] == ("replay:answers.jsonl", "file")


def test_files_elsewhere_are_not_read_for_a_file_that_nobody_named(cleanroom: Call, tmp_path: Path) -> None:
    """Neither directly nor through a link; the names are relative to the configuration."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "link.yaml").symlink_to("/etc/passwd")
    for path in ("../policy.yaml", "/etc/passwd", "here/link.yaml"):
        (tmp_path / "cleanroom.toml").write_text(f'[sandbox]\npolicy = "{path}"\n')
        assert "leads out" in refused(cleanroom("config"))
    (here / "cleanroom.toml").write_text('[sandbox]\npolicy = "policy.yaml"\n')
    named = in_force(cleanroom("config", "--json", "--config", "here/cleanroom.toml"))
    assert named["policy"] == ("here/policy.yaml", "file")


def test_a_file_that_another_user_can_write_is_refused(
    cleanroom: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a shared folder anybody could have put it there."""
    file = tmp_path / "cleanroom.toml"
    file.write_text("[data]\nseed = 1\n")
    file.chmod(0o666)
    assert "everybody" in refused(cleanroom("config"))
    file.chmod(0o644)
    assert cleanroom("config").returncode == 0
    os.chown(file, 65534, 65534) if os.geteuid() == 0 else monkeypatch.setattr(os, "geteuid", lambda: 65534)
    assert "another user" in refused(cleanroom("config"))


def test_a_file_that_would_never_end_is_refused(cleanroom: Call, tmp_path: Path) -> None:
    """Neither a pipe nor a gigabyte is read."""
    os.mkfifo(tmp_path / "cleanroom.toml")
    assert "regular" in refused(cleanroom("config"))
    (tmp_path / "cleanroom.toml").unlink()
    (tmp_path / "cleanroom.toml").write_bytes(b"#" * (2**20 + 1))
    assert "1 MiB" in refused(cleanroom("config"))


@pytest.mark.parametrize(("group", "setting"), [("sandbox", "policy"), ("data", "conventions")])
def test_a_pipe_that_a_found_file_names_is_not_waited_for(
    cleanroom: Call, tmp_path: Path, group: str, setting: str
) -> None:
    """A folder from elsewhere can have pipes; who names the configuration may mean one."""
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "cleanroom.toml").write_text(f'[{group}]\n{setting} = "pipe.yaml"\n')
    assert f"'{setting}' in cleanroom.toml is not a regular file" in refused(cleanroom("config"))
    assert in_force(cleanroom("config", "--json", "--config", "cleanroom.toml"))[setting] == ("pipe.yaml", "file")


def test_an_unknown_option_is_said(cleanroom: Call) -> None:
    """`config` takes what the command takes, and no more."""
    assert cleanroom("config", "--no-such-option").returncode == 2


def test_a_password_in_the_environment_is_not_shown(cleanroom: Call) -> None:
    """Neither the key nor the one in an address, wherever it stands in it."""
    for base in ("http://me:hush@host/v1", "http://host/v1?key=hush", "http://host/v1#hush", "http://me:hu?sh@host/v1"):
        done = cleanroom("config", "--json", env={"CLEANROOM_API_BASE": base, "CLEANROOM_API_KEY": "hush"})
        assert "hush" not in done.stdout + done.stderr
        assert "sh@" not in done.stdout + done.stderr
        assert in_force(done)["CLEANROOM_API_KEY"] == ("set", "environment")
        assert in_force(done)["api-base"][0] in {"http://host/v1", "…"}


def test_variables_are_shown_to_the_commands_that_read_them(cleanroom: Call) -> None:
    """`verify` asks no model, so the key for one is none of its settings; both run containers."""
    own = {name: in_force(cleanroom("config", "--for", name, "--json")) for name in ("run", "verify")}
    assert "CLEANROOM_API_KEY" in own["run"]
    assert "CLEANROOM_API_KEY" not in own["verify"]
    assert all("CLEANROOM_RUNTIME" in settings for settings in own.values())
