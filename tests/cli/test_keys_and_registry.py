"""`cleanroom keys` and the commands of `cleanroom registry` that sign and prove, without an engine."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from orchestrator.core.errors import RegistryError
from orchestrator.core.verdict import Outcome
from orchestrator.registry.bundle import export_bundle
from orchestrator.registry.entries import digest, stored
from orchestrator.registry.signing.keys import make_key
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.support.command import Call, Done, in_this_process

As = Callable[..., Done]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The config folder of a user who has nothing in it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "cleanroom"


@pytest.fixture
def cleanroom(config: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Call:
    return in_this_process(tmp_path, capfd)


def promote(folder: Path, name: str = "f") -> None:
    """As `verify --promote` would."""
    folder.mkdir(exist_ok=True)
    made = make_candidate(name)
    with SqlRegistry(f"sqlite:///{folder / 'registry.db'}") as registry:
        registry.promote(made, make_evidence(made))


def public_key(done: Done) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--expires", "2020-01-01"), "2020-01-01 is over"),
        (("--output", "ci.key", "--expires", "2999-01-01"), "by whoever trusts it"),
        (("--output", "ci.key", "--person", "ci"), "by whoever trusts it"),
    ],
)
def test_what_a_new_key_cannot_have_is_refused(
    cleanroom: Call, config: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    """A key was made that could sign nothing, and an end was dropped in silence for a key in a file of its own."""
    done = cleanroom("keys", "new", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done
    assert not (config / "signing.key").exists()
    assert not (tmp_path / "ci.key").exists()


def test_a_new_key_is_shown_and_trusted(cleanroom: Call, config: Path) -> None:
    """The public key on standard output; a second one is not made in its place."""
    key = public_key(cleanroom("keys", "new"))
    assert (config / "signing.key").stat().st_mode & 0o777 == 0o600
    [listed] = [json.loads(line) for line in cleanroom("keys", "list", "--json").stdout.splitlines()]
    assert (listed["key"], listed["status"], listed["own"]) == (key, "trusted", True)
    again = cleanroom("keys", "new")
    assert (again.returncode, "already" in again.stderr) == (2, True)
    assert "PRIVATE" not in again.stderr + again.stdout


def test_keys_are_trusted_and_revoked(cleanroom: Call, config: Path, tmp_path: Path) -> None:
    """One's own key stays trusted when others are; a revoked one is not trusted again; a new one takes its place."""
    own = public_key(cleanroom("keys", "new"))
    ben = public_key(cleanroom("keys", "new", "--output", "ben.key"))
    assert cleanroom("keys", "trust", ben, "--person", "ben", "--may", "approve").returncode == 0
    people = {one["key"]: one for one in map(json.loads, cleanroom("keys", "list", "--json").stdout.splitlines())}
    assert people[own]["status"] == "trusted"
    assert (people[ben]["person"], people[ben]["may"], people[ben]["own"]) == ("ben", ["approve"], False)
    assert cleanroom("keys", "revoke", own).returncode == 0
    refused = cleanroom("registry", "revoke", "f", "--reason", "x")
    assert (refused.returncode, "Your signing key is revoked" in refused.stderr) == (2, True)
    assert cleanroom("keys", "trust", own, "--person", "me").returncode == 2
    new = public_key(cleanroom("keys", "new"))
    assert new != own
    assert len(list(config.glob("revoked-*.key"))) == 1
    assert cleanroom("keys", "revoke", "nonsense").returncode == 2
    for word in ("ed25519:", "trusted", "revoked"):
        assert word in cleanroom("keys", "list").stdout


def test_a_key_stands_in_one_line_to_be_copied(cleanroom: Call) -> None:
    """A colleague is told to copy it from the list, on a terminal as narrow as they are."""
    key = public_key(cleanroom("keys", "new", "--person", "somebody.with-a-name@example.org"))
    assert any(line.startswith(key) for line in cleanroom("keys", "list").stdout.splitlines())


@pytest.mark.parametrize("name", ["a: b", ""])
def test_a_name_that_nobody_can_have_is_told(cleanroom: Call, name: str) -> None:
    """What is wrong with it, in words."""
    key = public_key(cleanroom("keys", "new", "--output", "ben.key"))
    done = cleanroom("keys", "trust", key, "--person", name)
    assert (done.returncode, f"{name!r} is no name of a person here: letters, digits" in done.stderr) == (2, True)


def test_the_same_key_cannot_be_two_people(cleanroom: Call) -> None:
    """One sentence, and the policy stays."""
    key = public_key(cleanroom("keys", "new", "--output", "ben.key"))
    assert cleanroom("keys", "trust", key, "--person", "ben").returncode == 0
    refused = cleanroom("keys", "trust", key, "--person", "ana")
    assert (refused.returncode, "stands twice" in refused.stderr) == (2, True)


def test_four_eyes_by_command(cleanroom: Call, config: Path, tmp_path: Path) -> None:
    """The author is refused, a colleague approves with her own key, then it is exported."""
    promote(tmp_path / "registry")
    ben = make_key(tmp_path / "ben.key")
    assert cleanroom("keys", "trust", ben.public.text, "--person", "ben", "--may", "approve").returncode == 0
    policy = config / "trust.yaml"
    policy.write_text(policy.read_text().replace("approvals: 0", "approvals: 1"))
    waits = cleanroom("registry", "export", "--output", "out")
    assert (waits.returncode, "waits for the approval of 1 more person" in waits.stderr) == (1, True)
    listed = json.loads(cleanroom("registry", "list", "--json").stdout)
    assert listed["missing_approvals"] == 1
    listed = cleanroom("registry", "list").stdout
    assert "until others have approved: `cleanroom registry approve NAME`): f (1 approval)" in " ".join(listed.split())
    assert re.search(r"^1 +f +1 +waiting ", listed, re.MULTILINE)
    assert "waiting for 1 approval" in cleanroom("registry", "show", "f").stdout
    own = cleanroom("registry", "approve", "f")
    assert (own.returncode, "others must approve it" in own.stderr) == (2, True)
    as_ben = {"CLEANROOM_SIGNING_KEY_FILE": str(tmp_path / "ben.key")}
    other = cleanroom("registry", "approve", "f", "--digest", "0" * 64, env=as_ben)
    digest = json.loads(cleanroom("registry", "list", "--json").stdout)["evidence"]["verdict"]["candidate"]["sha256"]
    begins = f"is not the one that was looked at: its SHA-256 begins with {digest[:12]}"
    assert (other.returncode, begins in other.stderr) == (2, True)
    short = cleanroom("registry", "approve", "f", "--digest", digest[:11], env=as_ben)
    assert (short.returncode, "with at least 12 digits" in short.stderr) == (2, True)
    done = cleanroom("registry", "approve", "f", "--reason", "read it", "--digest", digest[:12], env=as_ben)
    assert (done.returncode, "ben approves f, version 1." in done.stderr) == (0, True)
    assert "waiting" not in cleanroom("registry", "list").stdout
    assert cleanroom("registry", "export", "--output", "out").returncode == 0
    refused = cleanroom("registry", "export", "--output", "out2", env=as_ben)
    assert (refused.returncode, "does not let ben promote" in refused.stderr) == (2, True)


def test_an_approval_says_that_its_effect_is_not_known(
    cleanroom: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the registry's history cannot be read, it says so: it said nothing, as if nothing went out of use."""
    folder = tmp_path / "registry"
    folder.mkdir()
    made = make_candidate("f")
    with SqlRegistry(f"sqlite:///{folder / 'registry.db'}") as registry:
        registry.hold(made, make_evidence(made, Outcome.HOLD))

    def lost(*_: object) -> None:
        raise RegistryError("The registry is damaged.")

    monkeypatch.setattr(SqlRegistry, "history", lost)
    done = cleanroom("registry", "approve", "f", "--reason", "read it")
    assert (done.returncode, "approves f, version 1." in done.stderr) == (0, True)
    assert "note: what goes out of use by that is not known" in done.stderr


def test_the_log_is_audited_and_kept(cleanroom: Call, tmp_path: Path) -> None:
    """The checkpoint goes into a file; what is cut later shows against it; other files are refused."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "suspend", "f", "--reason", "odd rows").returncode == 0
    assert cleanroom("registry", "approve", "f").returncode == 0
    shown = cleanroom("registry", "audit", "--output", "kept.txt")
    assert shown.returncode == 0, shown.stderr
    for word in ("promoted", "suspended", "approved", "odd rows"):
        assert word in shown.stdout
    assert "3 entries are proved" in shown.stderr
    itself = cleanroom("registry", "audit", "--output", "registry/registry.db")
    assert (itself.returncode, "is named for a result, and belongs to registry." in itself.stderr) == (2, True), itself
    events = [json.loads(line) for line in cleanroom("registry", "audit", "--json").stdout.splitlines()]
    assert [event["what"] for event in events] == ["promoted", "suspended", "approved"]
    (tmp_path / "registry" / "registry.db").unlink()
    promote(tmp_path / "registry")
    other = cleanroom("registry", "audit", "--checkpoint", "kept.txt")
    assert (other.returncode, "of another log" in other.stderr) == (1, True)
    missing = cleanroom("registry", "audit", "--checkpoint", "nothing.txt")
    assert (missing.returncode, "cannot be read" in missing.stderr) == (2, True)


def test_a_bundle_goes_from_one_registry_to_another(cleanroom: Call, tmp_path: Path) -> None:
    """Exported as an archive, verified as it is, imported without a new verdict, and not a second time."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "export", "--output", "b.zip").returncode == 0
    verified = cleanroom("registry", "verify", "--registry", "b.zip")
    assert (verified.returncode, "1 function of the bundle is" in verified.stderr) == (0, True), verified.stderr
    for _ in range(2):
        done = cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine")
        assert done.returncode == 0, done.stderr
    assert "0 functions imported" in done.stderr
    assert "1 stored version and 1 log entry" in cleanroom("registry", "verify", "--registry", "mine").stderr
    neither = cleanroom("registry", "import", "b.zip", "--registry", "mine")
    assert (neither.returncode, "--data" in neither.stderr) == (2, True)
    for option in ("--examples", "--policy"):
        unseen = cleanroom("registry", "import", "b.zip", "--no-rerun", option, "file", "--registry", "mine")
        assert (unseen.returncode, f"nobody looks at {option}" in unseen.stderr) == (2, True)


@pytest.mark.parametrize("outcome", [Outcome.HOLD, Outcome.PASS])
def test_an_approval_that_came_with_a_function_is_told(cleanroom: Call, tmp_path: Path, outcome: Outcome) -> None:
    """What the gate holds comes into use by it, under the importer's signature: that is said, and of no other."""
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db") as registry:
        made = make_candidate("f")
        if outcome is Outcome.HOLD:
            registry.hold(made, make_evidence(made, outcome))
            registry.approve("f", "looked at the rows")
        else:
            registry.promote(made, make_evidence(made))
    assert cleanroom("registry", "export", "--output", "b.zip").returncode == 0
    done = cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine")
    assert "1 function imported: f." in done.stderr
    told = "f is held by the gate, and in use all the same: an approval that came with it accepts its concerns"
    assert (told in done.stderr) is (outcome is Outcome.HOLD), done.stderr


def test_what_was_taken_out_of_use_is_not_imported_again(cleanroom: Call, tmp_path: Path) -> None:
    """The line says why, and nothing is adopted where nothing else is left."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "export", "--output", "b.zip").returncode == 0
    assert cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine").returncode == 0
    again = cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine")
    assert "in the registry already: f, version 1. Nothing was stored." in again.stderr
    assert cleanroom("registry", "revoke", "f", "--reason", "odd rows", "--registry", "mine").returncode == 0
    done = cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine")
    assert "f is left out: here it is revoked, as version 1 (odd rows)." in done.stderr
    assert "already" not in done.stderr
    assert "0 functions imported" in done.stderr
    (tmp_path / "data.csv").write_text("city\n x \n")
    adopted = cleanroom("registry", "adopt", "registry", "--data", "data.csv", "--registry", "mine")
    assert (adopted.returncode, "but what was taken out of use in mine" in adopted.stderr) == (2, True), adopted
    assert json.loads(cleanroom("registry", "list", "--registry", "mine", "--json").stdout or "[]") == []


def test_a_listed_function_has_its_name_whole_and_room_for_its_issue(cleanroom: Call, tmp_path: Path) -> None:
    """At 80 columns names were cut, which other commands need, and issues stood twelve characters wide."""
    name, issue = (
        "blank_null_words_in_weight_and_two_more",
        "Numbers in weight_kg are not all written as plain numbers.",
    )
    made = make_candidate(name).model_copy(update={"issue": issue})
    (tmp_path / "registry").mkdir()
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry' / 'registry.db'}") as registry:
        registry.promote(made, make_evidence(made))
    listed = cleanroom("registry", "list", env={"COLUMNS": "80"}).stdout
    assert name in listed
    assert len(listed.splitlines()) <= 4
    assert issue in " ".join(listed.split())


def test_what_is_not_in_use_is_listed_and_told_apart(cleanroom: Call, tmp_path: Path) -> None:
    """The list names what waits for a person, and what cannot be done to a function says which status it has."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "suspend", "f", "--reason", "x").returncode == 0
    listed = cleanroom("registry", "list").stdout
    assert listed.startswith("suspended (`cleanroom registry approve NAME` lets it into use): f")
    again = cleanroom("registry", "suspend", "f", "--reason", "x")
    assert (again.returncode, "f, version 1, is suspended already." in again.stderr) == (2, True)
    assert cleanroom("registry", "revoke", "f", "--reason", "x").returncode == 0
    assert "revoked: f" in cleanroom("registry", "list").stdout
    final = cleanroom("registry", "approve", "f")
    assert (final.returncode, "f, version 1, was revoked, which is final." in final.stderr) == (2, True)


def test_an_approval_says_what_it_ends(cleanroom: Call, tmp_path: Path) -> None:
    """What is held takes another one's place when it is approved, by its name or by `replaces`."""
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db") as registry:
        for name in ("f", "g"):
            registry.promote(made := make_candidate(name), make_evidence(made))
        new = make_candidate("f", issue="Another.")
        new = new.model_copy(update={"contract": new.contract.model_copy(update={"replaces": "g"})})
        registry.hold(new, make_evidence(new, Outcome.HOLD))
    done = cleanroom("registry", "approve", "f")
    assert "f, version 1, is out of use now" in done.stderr
    assert "g, version 1, is out of use now" in done.stderr
    again = cleanroom("registry", "suspend", "f", "--reason", "x"), cleanroom("registry", "approve", "f")
    assert not any("out of use now" in one.stderr for one in again)


def test_options_of_a_new_verdict_are_refused_where_there_is_none(cleanroom: Call, tmp_path: Path) -> None:
    """`registry verify` judges nothing without --rerun: a policy would count for nothing."""
    promote(tmp_path / "registry")
    for words in (("--policy", "file"), ("--strict",)):
        done = cleanroom("registry", "verify", *words)
        assert (done.returncode, f"{words[0]} is for --rerun." in done.stderr) == (2, True), done


def test_a_strict_policy_of_the_configuration_counts_for_an_import(cleanroom: Call, tmp_path: Path) -> None:
    """What was proved with layers off is not imported without a new verdict."""
    made = make_candidate("f")
    with SqlRegistry(f"sqlite:///{tmp_path}/registry/registry.db") as registry:
        evidence = make_evidence(made)
        weak = evidence.verdict.model_copy(update={"weakened": ("container.seccomp: off (default on)",)})
        registry.promote(made, evidence.model_copy(update={"verdict": weak}))
    assert cleanroom("registry", "export", "--output", "b.zip").returncode == 0
    (tmp_path / "policy.yaml").write_text("strict: true\n")
    (tmp_path / "cleanroom.toml").write_text('[sandbox]\npolicy = "policy.yaml"\n')
    done = cleanroom("registry", "import", "b.zip", "--no-rerun", "--registry", "mine")
    assert (done.returncode, "was proved where the policy was weaker" in done.stderr) == (2, True), done


def test_what_is_adopted_already_is_said_to_be_there(cleanroom: Call, tmp_path: Path) -> None:
    """It is not judged after itself, where it would find nothing to do and so not pass."""
    for folder in ("registry", "mine"):
        promote(tmp_path / folder)
    (tmp_path / "data.csv").write_text("city\n x \n")
    done = cleanroom("registry", "adopt", "registry", "--data", "data.csv", "--registry", "mine")
    assert (done.returncode, "every function in use in registry is in mine already." in done.stderr) == (2, True), done


def test_the_signed_bytes_are_shown(cleanroom: Call, tmp_path: Path) -> None:
    """Evidence and approval, as they are stored and exported."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "approve", "f").returncode == 0
    assert cleanroom("registry", "export", "--output", "out").returncode == 0
    shown = cleanroom("registry", "show", "f", "--signed")
    assert shown.stdout == (tmp_path / "out/registry/envelopes/001_f.jsonl").read_text()
    assert len(shown.stdout.splitlines()) == 2


def test_an_edited_export_is_found(cleanroom: Call, tmp_path: Path) -> None:
    """`registry verify` looks at the file of functions, too."""
    promote(tmp_path / "registry")
    assert cleanroom("registry", "export", "--output", "out").returncode == 0
    assert cleanroom("registry", "verify", "--registry", "out").returncode == 0
    file = tmp_path / "out" / "cleaning_functions.py"
    file.write_text(file.read_text() + "#")
    found = cleanroom("registry", "verify", "--registry", "out")
    assert (found.returncode, "is not the file that was exported" in found.stderr) == (1, True)


@pytest.mark.parametrize("kept", ["registry.db", "manifest.json"])
def test_a_file_of_functions_that_nobody_has_signed_is_found(cleanroom: Call, tmp_path: Path, kept: str) -> None:
    """One beside a bundle that has none, or beside a registry without a bundle, was not looked at."""
    promote(tmp_path / "source", "f")
    cleanroom("registry", "export", "--registry", "source", "-o", "out")
    (tmp_path / "source" / "registry.db").rename(tmp_path / "out" / "registry" / "registry.db")
    assert cleanroom("registry", "verify", "--registry", "out").returncode == 0
    if kept == "registry.db":
        (tmp_path / "out" / "registry" / "manifest.json").unlink()
    else:
        with SqlRegistry(f"sqlite:///{tmp_path / 'out' / 'registry' / 'registry.db'}") as registry:
            export_bundle(registry.functions(), tmp_path / "out" / "registry", log=registry.log_proof())
        (tmp_path / "out" / "registry" / "registry.db").unlink()
    (tmp_path / "out" / "cleaning_functions.py").write_text("print('something else')\n")
    found = cleanroom("registry", "verify", "--registry", "out")
    assert (found.returncode, "is not the file that was exported" in found.stderr) == (1, True)
    (tmp_path / "out" / "cleaning_functions.py").unlink()
    assert cleanroom("registry", "verify", "--registry", "out").returncode == 0


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("UPDATE events SET reason = 'a mistake' WHERE status = 'revoked'", "registry tells of f, version 1"),
        ("UPDATE events SET at = '2020-01-01T00:00:00+00:00' WHERE status = 'revoked'", "registry tells of f"),
        ("UPDATE functions SET promoted_at = '2020-01-01T00:00:00+00:00', content_sha256 = 'NEW'", "stored of f"),
    ],
)
def test_what_is_out_of_use_is_verified_as_well(cleanroom: Call, tmp_path: Path, edit: str, said: str) -> None:
    """Why a function was revoked, and what it was, could be told otherwise: only what is in use was looked at."""
    promote(tmp_path / "registry")
    cleanroom("registry", "revoke", "f", "--reason", "it gives away names")
    assert cleanroom("registry", "verify").returncode == 0
    with SqlRegistry(f"sqlite:///{tmp_path / 'registry' / 'registry.db'}") as registry:
        (old,) = (entry.promoted for entry in registry.history())
    new = digest(stored(old.model_copy(update={"promoted_at": datetime(2020, 1, 1, tzinfo=UTC)})))
    with closing(sqlite3.connect(tmp_path / "registry" / "registry.db")) as database:
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(edit.replace("NEW", new))
        for _, text in triggers:
            database.execute(text)
        database.commit()
    found = cleanroom("registry", "verify")
    assert (found.returncode, said in found.stderr) == (1, True), found


def test_a_first_promotion_says_that_it_made_a_key(cleanroom: Call, tmp_path: Path) -> None:
    """One line; not again."""
    (tmp_path / "f.py").write_text("def f(df):\n    return df\n")
    (tmp_path / "a.csv").write_text("a\n1\n")
    command = ("verify", "f.py", "--data", "a.csv", "--promote")
    nowhere = {"DOCKER_HOST": "unix:///nowhere/docker.sock"}
    first, second = cleanroom(*command, env=nowhere), cleanroom(*command, env=nowhere)
    assert first.stderr.count("A signing key was made for") == 1
    assert "A signing key was made" not in second.stderr
