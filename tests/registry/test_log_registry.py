"""A registry's log: whatever somebody without a trusted key changes in the database shows; nothing is used then."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from orchestrator.core.errors import NotVerified, UsageError
from orchestrator.core.verdict import Outcome
from orchestrator.registry.entries import digest, stored
from orchestrator.registry.log.checkpoint import Checkpoint
from orchestrator.registry.log.merkle import Frontier, leaf_hash
from orchestrator.registry.signing.dsse import read_envelope, seal
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.statement import evidence_of, read_statement
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import KEYS, identity

Open = Callable[..., SqlRegistry]
_OTHER = "(SELECT {0} FROM log_entries WHERE position = {1})"
CHANGES = {
    "an envelope is exchanged": f"UPDATE log_entries SET envelope = {_OTHER.format('envelope', 0)} WHERE position = 1",  # noqa: S608
    "a blank is added": "UPDATE log_entries SET envelope = envelope || ' ' WHERE position = 1",
    "the tail is cut": "DELETE FROM log_entries WHERE position = 3",
    "the middle is cut": "DELETE FROM log_entries WHERE position = 1",
    "everything is cut": "DELETE FROM log_entries",
    "the tail moves": "UPDATE log_entries SET position = 9 WHERE position = 3",
    "an entry is added": "INSERT INTO log_entries SELECT 4, envelope, checkpoint FROM log_entries WHERE position = 3",
    "the head is older": f"UPDATE log_entries SET checkpoint = {_OTHER.format('checkpoint', 2)} WHERE position = 3",  # noqa: S608
    "the head is nothing": "UPDATE log_entries SET checkpoint = '' WHERE position = 3",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "registry.db"


@pytest.fixture
def as_person(path: Path) -> Open:
    """Opens the registry as somebody."""

    def opened(name: str = "ana", *, approvals: int = 0, revoked: tuple[str, ...] = ()) -> SqlRegistry:
        return SqlRegistry(f"sqlite:///{path}", identity=identity(name, approvals=approvals, revoked=revoked))

    return opened


def promote(registry: SqlRegistry, name: str, column: str = "city") -> None:
    made = make_candidate(name, column)
    registry.promote(made, make_evidence(made))


@pytest.fixture
def filled(as_person: Open) -> SqlRegistry:
    """Three promotions and a revocation: positions 0 to 3."""
    registry = as_person()
    for name in ("f0", "f1", "f2"):
        promote(registry, name)
    registry.revoke("f0", "wrong")
    return registry


def change(path: Path, *statements: str) -> None:
    """As somebody who can write to the file: past the triggers."""
    with closing(sqlite3.connect(path)) as raw, raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)


@pytest.mark.parametrize("change_", CHANGES)
def test_a_changed_log_is_noticed(filled: SqlRegistry, as_person: Open, path: Path, change_: str) -> None:
    """Nothing is applied and nothing added. Only what was signed before is no lie of the log itself: see below."""
    change(path, CHANGES[change_])
    registry = as_person()
    for used in (registry.functions, registry.applicable):
        with pytest.raises(NotVerified):
            used()
    if change_ != "everything is cut":  # to the log, these functions are then as from before there were signatures
        with pytest.raises(NotVerified):
            promote(registry, "f3")
    if change_ not in {"the tail is cut", "everything is cut"}:
        with pytest.raises(NotVerified):
            registry.audit()
    assert len(registry.history()) == 3


@pytest.mark.parametrize("change_", ["the tail is cut", "everything is cut", "an entry is added", "the tail moves"])
def test_who_has_it_open_notices_too(filled: SqlRegistry, path: Path, change_: str) -> None:
    """Time and again."""
    assert len(filled.functions()) == 2
    change(path, CHANGES[change_])
    for _ in range(2):
        with pytest.raises(NotVerified):
            filled.functions()


def test_an_old_state_shows_against_a_checkpoint(filled: SqlRegistry, as_person: Open, path: Path) -> None:
    """Cut back to what was signed then, with its rows and events: only a checkpoint kept elsewhere tells."""
    kept = filled.audit().checkpoint
    assert filled.audit(kept).checkpoint == kept
    change(
        path,
        "DELETE FROM log_entries WHERE position = 3",
        "DELETE FROM events WHERE status = 'revoked'",
    )
    back = as_person()
    assert [function.name for function in back.functions()] == ["f0", "f1", "f2"]
    with pytest.raises(NotVerified, match="The log was cut: it has 3 entries, and had 4"):
        back.audit(kept)
    promote(back, "f4")
    with pytest.raises(NotVerified, match="The log was rewritten"):
        back.audit(kept)


def test_a_log_that_has_grown_fits_its_checkpoints(filled: SqlRegistry) -> None:
    """Every checkpoint of it."""
    kept = [filled.audit().checkpoint]
    for number in range(5):
        promote(filled, f"g{number}")
        kept.append(filled.audit().checkpoint)
    for note in kept:
        assert len(filled.audit(note).events) == 9


def test_a_log_that_was_emptied_is_said_to_be_cut(filled: SqlRegistry, tmp_path: Path) -> None:
    """With all that it was about: it was said that the checkpoint is the wrong one."""
    note = filled.audit().checkpoint
    emptied = SqlRegistry(f"sqlite:///{tmp_path}/emptied.db", identity=identity("ana"))
    with pytest.raises(NotVerified, match="The log was cut: it has 0 entries"):
        emptied.audit(note)


def test_the_checkpoint_of_another_log_is_refused(filled: SqlRegistry, tmp_path: Path) -> None:
    """Also where both have the same entries."""
    other = SqlRegistry(f"sqlite:///{tmp_path}/other.db", identity=identity("ana"))
    promote(other, "f0")
    with pytest.raises(NotVerified, match="of another log"):
        filled.audit(other.audit().checkpoint)
    with pytest.raises(NotVerified, match="no signed checkpoint"):
        filled.audit("nonsense")


def test_a_checkpoint_that_nobody_trusted_signed_is_refused(filled: SqlRegistry) -> None:
    """Eve's signature below this very head."""
    text = filled.audit().checkpoint.split("\n")
    forged = Checkpoint(text[0], int(text[1]), bytes.fromhex(filled.audit().root)).signed(KEYS["eve"])
    with pytest.raises(NotVerified, match="not signed by anybody whom you trust"):
        filled.audit(forged)


def test_the_audit_says_what_happened(filled: SqlRegistry, as_person: Open) -> None:
    """In order, with who signed it and why."""
    as_person("ben").approve("f1", "looked at it")
    events = filled.audit().events
    assert [(one.what, one.name, one.people, one.reason) for one in events] == [
        ("promoted", "f0", ("ana",), ""),
        ("promoted", "f1", ("ana",), ""),
        ("promoted", "f2", ("ana",), ""),
        ("revoked", "f0", ("ana",), "wrong"),
        ("approved", "f1", ("ben",), "looked at it"),
    ]
    assert [one.position for one in events] == [0, 1, 2, 3, 4]


def test_a_whole_log_signed_by_a_stranger_is_not_believed(as_person: Open) -> None:
    """Eve makes a registry; Ana neither applies nor extends it."""
    promote(as_person("eve"), "f0")
    registry = as_person("ana")
    for used in (registry.functions, registry.audit, lambda: promote(registry, "f1")):
        with pytest.raises(NotVerified, match="not signed by anybody whom you trust"):
            used()


def test_a_log_that_a_revoked_key_signed_last_is_refused_by_that_name(as_person: Open) -> None:
    """It was said to be a stranger's, whose key could be trusted."""
    promote(as_person("ana"), "f0")
    promote(as_person("ben"), "f1")
    with pytest.raises(NotVerified, match="that last signed the registry's log is revoked") as caught:
        as_person(revoked=("ben",)).functions()
    assert "registry adopt" in caught.value.advice
    assert "keys trust" not in caught.value.advice


def test_a_strangers_entry_promotes_nothing(filled: SqlRegistry, as_person: Open, path: Path) -> None:
    """Ben puts an entry of Eve's into the log, and signs its head: the function is still not believed."""
    stranger = SqlRegistry(f"sqlite:///{path.with_name('eve.db')}", identity=identity("eve"))
    made = make_candidate("g")
    promoted = stranger.promote(made, make_evidence(made)).model_copy(update={"order": 4})
    envelope = seal(evidence_of(promoted).payload(), KEYS["eve"])
    assert filled.functions()
    with closing(sqlite3.connect(path)) as raw, raw:
        rows = raw.execute("SELECT envelope, checkpoint FROM log_entries ORDER BY position").fetchall()
        frontier = Frontier()
        for text, _ in [*rows, (envelope, "")]:
            frontier.append(leaf_hash(text.encode()))
        head = Checkpoint(rows[0][1].split("\n")[0], 5, frontier.root()).signed(KEYS["ben"])
        raw.execute("INSERT INTO log_entries VALUES (4, ?, ?)", (envelope, head))
        raw.execute("ATTACH ? AS eve", (str(path.with_name("eve.db")),))
        columns = "name, version, sha256, source, issue, docstring, has_detect, contract, evidence, promoted_at"
        raw.execute(
            f"INSERT INTO functions ({columns}, apply_order, content_sha256) SELECT {columns}, 4, ? FROM eve.functions",  # noqa: S608
            (digest(stored(promoted)),),
        )
        (number,) = raw.execute("SELECT max(id) FROM functions").fetchone()
        raw.execute("INSERT INTO events (function_id, status, reason, at) VALUES (?, 'active', '', '2026')", (number,))
    with pytest.raises(NotVerified, match="g, version 1, was not signed by anybody who may promote"):
        as_person("ana").functions()
    assert as_person("ana").audit().events[-1].people == ()


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        (
            "INSERT INTO events (function_id, status, reason, at) VALUES (2, 'revoked', '', '2026')",
            "Its log says active",
        ),
        ("DELETE FROM events WHERE status = 'revoked'", "Its log says revoked"),
        ("DELETE FROM functions WHERE name = 'f1'", "has lost f1"),
        ("DELETE FROM events WHERE function_id = 2", "says of f1, version 1: nothing. Its log says active"),
    ],
)
def test_rows_that_contradict_the_log_are_refused(
    filled: SqlRegistry, as_person: Open, path: Path, statement: str, word: str
) -> None:
    """Events and rows are an index; the log decides, and nothing is used until they agree."""
    assert filled.functions()
    change(path, statement)
    with pytest.raises(NotVerified, match=word):
        as_person().functions()


def test_the_stored_bytes_are_those_that_were_signed(filled: SqlRegistry) -> None:
    """The function carries its envelope; what is in it is all that is stored of it but the source."""
    function = filled.functions()[0]
    envelope = read_envelope(function.envelopes[0])
    assert envelope.signed_by([KEYS["ana"].public]) == (KEYS["ana"].public,)
    statement = read_statement(envelope.payload)
    assert statement.sha256 == function.candidate.sha256
    assert statement.predicate["evidence"]["verdict"]["checks"][0]["id"] == "idempotent"
    assert "source" not in statement.predicate["candidate"]


def test_four_eyes_are_those_of_two_people(as_person: Open) -> None:
    """The author does not count, with no key of theirs; nobody counts twice; then it is applied."""
    registry = as_person(approvals=1)
    promote(registry, "f")
    assert len(registry.functions()) == 1
    with pytest.raises(NotVerified, match="waits for the approval of 1 more person"):
        registry.applicable()
    for name in ("ana", "ana-laptop"):
        with pytest.raises(UsageError, match="was promoted by ana: others must approve it"):
            as_person(name, approvals=1).approve("f")
    approval = as_person("ben", approvals=1).approve("f", "read it")
    assert (approval.person, approval.missing) == ("ben", 0)
    assert [function.name for function in registry.applicable()] == ["f"]
    with pytest.raises(UsageError, match="ben has approved f, version 1, already"):
        as_person("ben", approvals=1).approve("f")
    with pytest.raises(NotVerified, match="approval of 1 more person"):
        as_person(approvals=2).applicable()


def test_an_approval_is_of_one_version_only(as_person: Open) -> None:
    """The next version of the function waits again."""
    registry = as_person(approvals=1)
    promote(registry, "f")
    as_person("ben", approvals=1).approve("f")
    promote(registry, "f", "street")
    with pytest.raises(NotVerified, match="f, version 2, waits"):
        registry.applicable()


def test_an_approval_counts_as_long_as_its_key_does(as_person: Open) -> None:
    """When Ben's key is revoked, his approvals are gone; so are promotions of a revoked key."""
    registry = as_person(approvals=1)
    promote(registry, "f")
    as_person("ben", approvals=1).approve("f")
    promote(registry, "g")
    as_person("ben", approvals=1).approve("g")
    promote(registry, "h")  # the head is Ana's again
    with pytest.raises(NotVerified, match="f, version 1, waits"):
        as_person(approvals=1, revoked=("ben",)).applicable()


@pytest.mark.parametrize("how", ["held", "suspended"])
@pytest.mark.parametrize("then", ["approve", "revoke"])
def test_what_only_a_revoked_key_let_into_use_can_be_decided_on(as_person: Open, how: str, then: str) -> None:
    """Nothing could be done with the whole registry any more: it seemed to contradict its log."""
    registry, made = as_person(), make_candidate("f")
    if how == "held":
        registry.hold(made, make_evidence(made, Outcome.HOLD))
    else:
        promote(registry, "f")
        registry.suspend("f", "it acts up")
    as_person("ben").approve("f", "looks right")
    promote(registry, "g")  # the head is Ana's again
    afterwards = as_person(revoked=("ben",))
    for used in (afterwards.functions, afterwards.applicable):
        with pytest.raises(NotVerified, match=rf"f, version 1, .* {how}: nobody who may today has approved it") as said:
            used()
        assert "registry approve f" in said.value.advice
    afterwards.check_stored()
    getattr(afterwards, then)("f", "looked at it again")
    left = ["f", "g"] if then == "approve" else ["g"]
    assert [function.name for function in as_person(revoked=("ben",)).applicable()] == left


def test_what_only_a_revoked_key_signed_is_not_used(as_person: Open) -> None:
    """Ben promotes, Ana promotes, Ben's key is revoked: his function is refused by name."""
    promote(as_person("ben"), "b")
    promote(as_person(), "a")
    with pytest.raises(NotVerified, match="b, version 1, was not signed by anybody who may promote"):
        as_person(revoked=("ben",)).functions()


def test_a_revocation_stays_whoever_signed_it(as_person: Open) -> None:
    """What takes a function out of use counts even after the key that did it was revoked."""
    promote(as_person(), "f")
    as_person("ben").revoke("f", "wrong")
    promote(as_person(), "g")
    assert [function.name for function in as_person(revoked=("ben",)).functions()] == ["g"]


def test_a_suspended_function_is_used_again_once_it_is_approved(as_person: Open) -> None:
    """Approvals from before do not count; without a demand for approvals its author can do it."""
    registry = as_person()
    promote(registry, "f")
    registry.approve("f")
    registry.suspend("f", "a difference")
    assert registry.functions() == ()
    assert registry.history("f")[0].status == "suspended"
    with pytest.raises(UsageError, match="f, version 1, is suspended already"):
        registry.suspend("f", "again")
    registry.approve("f", "mended the data")
    assert [function.name for function in as_person().applicable()] == ["f"]
    assert registry.history("f")[0].status == "active"
    registry.suspend("f", "again")
    registry.revoke("f", "enough")
    assert registry.history("f")[0].status == "revoked"
    with pytest.raises(UsageError, match="f, version 1, was revoked, which is final"):
        registry.approve("f")


def test_a_key_that_may_not_sign_changes_nothing(as_person: Open) -> None:
    """An expired key is refused before anything is written."""
    registry = as_person("old")
    with pytest.raises(UsageError, match="unknown or expired"):
        promote(registry, "f")
    assert registry.history() == ()
    assert registry.audit().events == ()


def test_default_identity_is_the_users_own(path: Path) -> None:
    """Without further words the user's key signs and is trusted."""
    with SqlRegistry(f"sqlite:///{path}") as registry:
        promote(registry, "f")
        assert registry.functions()[0].envelopes[0].count(Identity().key.public.text) == 1
