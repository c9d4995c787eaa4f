"""The trust policy: whose signature counts for what, and what is wrong with a file."""

import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from orchestrator.core.errors import UsageError
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.keys import SigningKey
from orchestrator.registry.signing.trust import (
    Person,
    TrustedKey,
    TrustPolicy,
    changing_trust,
    read_trust,
    write_trust,
)

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def key_of(key: SigningKey, expires: date | None = None) -> TrustedKey:
    return TrustedKey(key=key.public.text, expires=expires)


def test_two_keys_of_one_person_are_one_person() -> None:
    """People are counted, not keys, and only those who have the right."""
    one, two, three = SigningKey.new(), SigningKey.new(), SigningKey.new()
    policy = TrustPolicy(
        people={"ana": Person(keys=(key_of(one), key_of(two))), "ben": Person(may=("approve",), keys=(key_of(three),))}
    )
    everybody = (one.public, two.public, three.public, SigningKey.new().public)
    assert policy.people_of(everybody, "approve", NOW) == {"ana", "ben"}
    assert policy.people_of(everybody, "promote", NOW) == {"ana"}


def test_an_expired_key_counts_for_what_it_signed_before() -> None:
    """Up to and with its last day."""
    key = SigningKey.new()
    policy = TrustPolicy(people={"ana": Person(keys=(key_of(key, date(2026, 6, 1)),))})
    assert policy.holder(key.public, NOW) == "ana"
    assert policy.holder(key.public, NOW.replace(day=2)) is None


def test_a_revoked_key_counts_for_nothing() -> None:
    """Whenever it has signed."""
    key = SigningKey.new()
    policy = TrustPolicy(people={"ana": Person(keys=(key_of(key),))}, revoked=(key.public.text,))
    assert policy.holder(key.public, NOW) is None
    assert policy.keys() == ()
    with pytest.raises(UsageError, match="Your signing key is revoked"):
        Identity(key, policy).signer()


def test_one_key_cannot_be_two_people() -> None:
    """It would be two pairs of eyes."""
    key = SigningKey.new()
    with pytest.raises(ValueError, match="stands twice"):
        TrustPolicy(people={"ana": Person(keys=(key_of(key),)), "ben": Person(keys=(key_of(key),))})


def test_who_may_not_sign_hears_of_it() -> None:
    """A key that nobody has, one that is expired, and one that may only approve."""
    key = SigningKey.new()
    with pytest.raises(UsageError, match="unknown or expired"):
        Identity(key, TrustPolicy()).signer()
    old = TrustPolicy(people={"ana": Person(keys=(key_of(key, date(2020, 1, 1)),))})
    with pytest.raises(UsageError, match="unknown or expired"):
        Identity(key, old).signer()
    approver = TrustPolicy(people={"ana": Person(may=("approve",), keys=(key_of(key),))})
    with pytest.raises(UsageError, match="does not let ana promote"):
        Identity(key, approver).signer("promote")
    assert Identity(key, approver).signer("approve")[1] == "ana"


def test_what_was_written_is_read(tmp_path: Path) -> None:
    """All of it, in a file that people can read."""
    policy = TrustPolicy(
        approvals=2, people={"ana.b": Person(may=("approve",), keys=(key_of(SigningKey.new(), date(2027, 12, 31)),))}
    )
    write_trust(tmp_path / "deep" / "trust.yaml", policy)
    assert read_trust(tmp_path / "deep" / "trust.yaml") == policy
    assert "expires: '2027-12-31'" in (tmp_path / "deep" / "trust.yaml").read_text()
    assert read_trust(tmp_path / "none.yaml") is None


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[]", "wrong"),
        ("approvals: -1", "at approvals"),
        ("approvals: many", "at approvals"),
        ("people: {ana: {keys: [{key: ed25519:short}]}}", "a key is written as"),
        ("people: {ana: {may: [everything]}}", "at people.ana.may"),
        ("people: {'a b': {}}", "at people"),
        ("revoked: [x]", "a key is written as"),
        ("aprovals: 2", "at aprovals"),
        ("a: [", "cannot be read: .*, in line 1"),
        ("approvals: 2\npeople: {}\napprovals: 0", "cannot be read: a name stands twice, in line 3"),
        ("a: \x00", "cannot be read: it is no YAML"),
        ("a: " + "[" * 5000, "cannot be read: it is nested too deeply"),
        ("!!python/object/apply:os.system ['true']", "cannot be read: .*, in line 1"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, text: str, word: str) -> None:
    """With the place; an invalid file is never taken for none, under which one's own key would be trusted."""
    path = tmp_path / "trust.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=word):
        read_trust(path)


@pytest.mark.parametrize("what", ["directory", "dangling link", "pipe", "open to all", "too large", "not text"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, what: str) -> None:
    """As above."""
    path = tmp_path / "trust.yaml"
    if what == "directory":
        path.mkdir()
    elif what == "dangling link":
        path.symlink_to(tmp_path / "nothing")
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "open to all":
        write_trust(path, TrustPolicy())
        path.chmod(0o646)
    else:
        path.write_bytes(b"#" * 2**21 if what == "too large" else b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="The trust policy"):
        read_trust(path)


def test_a_file_of_somebody_else_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner could write into it whom to trust; that of root, or one's own, is read."""
    path = tmp_path / "trust.yaml"
    write_trust(path, TrustPolicy())
    assert read_trust(path) == TrustPolicy()
    if os.geteuid() == 0:
        os.chown(path, 12_345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(UsageError, match="can be written by others"):
        read_trust(path)


def test_a_policy_that_is_named_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or whoever takes the file away would let one key be trusted with everything."""
    monkeypatch.setenv("CLEANROOM_TRUST_FILE", str(tmp_path / "trust.yaml"))
    with pytest.raises(UsageError, match="There is no trust policy at"):
        _ = Identity(SigningKey.new()).trust
    write_trust(tmp_path / "trust.yaml", TrustPolicy(approvals=2))
    assert Identity(SigningKey.new()).trust.approvals == 2


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And with both variables: the key lies in the same folder."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CLEANROOM_TRUST_FILE", str(tmp_path / "file" / "trust.yaml"))
    with pytest.raises(UsageError, match="cannot be made or written to: File exists") as caught, changing_trust():
        pass
    assert "CLEANROOM_TRUST_FILE and CLEANROOM_SIGNING_KEY_FILE" in caught.value.advice
