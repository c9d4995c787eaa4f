"""Keys: their files, and what is no key."""

import threading
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from orchestrator.core.errors import UsageError
from orchestrator.data.machine_key import machine_key
from orchestrator.registry.signing.identity import Identity
from orchestrator.registry.signing.keyring import revoke_key, trust_key
from orchestrator.registry.signing.keys import PublicKey, SigningKey, decode_base64, make_key, own_key_file, read_key
from orchestrator.registry.signing.trust import read_trust, trust_file


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The config folder of a user who has nothing in it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "cleanroom"


def test_a_key_is_made_when_it_is_first_needed(config: Path) -> None:
    """For its owner only; the same one is found again, and is trusted where nothing else is said."""
    key, person = Identity().signer("promote")
    assert own_key_file() == config / "signing.key"
    assert own_key_file().stat().st_mode & 0o777 == 0o600
    assert config.stat().st_mode & 0o777 == 0o700
    again, same = Identity().signer("approve")
    assert (again.public, same) == (key.public, person)
    assert key.public.verifies(b"x", again.sign(b"x"))


@pytest.mark.parametrize("home", ["", "below", "./below"])
def test_no_key_is_made_or_looked_for_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    """A HOME that is empty or relative names no home: whoever sent the current folder would say whom to trust.

    Negative control: with a whole path there is a key.
    """
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", home)
    with pytest.raises(UsageError, match="no place for a signing key"):
        own_key_file()
    with pytest.raises(UsageError, match="no place for a signing key"):
        trust_file()
    assert machine_key() is None
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("HOME", str(tmp_path))
    assert own_key_file() == tmp_path / ".config" / "cleanroom" / "signing.key"
    assert machine_key() is not None


@pytest.mark.parametrize("text", ["AAB=", "AB==", "AA=", "AA", "AA==\n", "A A=", "AA==AA=="])
def test_a_signature_is_written_in_one_way_only(text: str) -> None:
    """The unused bits of the last character, padding and blanks could be written otherwise."""
    assert decode_base64("AA==") == b"\0"
    with pytest.raises(ValueError, match=r"base64|[Pp]ad"):
        decode_base64(text)


def test_nothing_is_made_to_verify(config: Path) -> None:
    """Who only reads gets no key, and trusts nobody."""
    assert Identity().trust.keys() == ()
    assert not config.exists()


def test_processes_that_begin_together_use_one_key(config: Path) -> None:
    """The first one's key stays."""
    found: list[PublicKey] = []
    threads = [threading.Thread(target=lambda: found.append(Identity().key.public)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert [path.name for path in config.iterdir()] == ["signing.key"]


def test_processes_that_change_the_policy_together_lose_nothing(config: Path) -> None:
    """Each read it before the other had written it: a key was said to be revoked, and counted on."""
    own = Identity().key.public
    keys = [SigningKey.new().public.text for _ in range(12)]
    both = threading.Barrier(len(keys))

    def change(number: int, key: str) -> None:
        both.wait()
        if number % 2:
            revoke_key(key)
        else:
            trust_key(key, f"person{number}", may=None, expires=None)

    threads = [threading.Thread(target=change, args=numbered) for numbered in enumerate(keys)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    policy = read_trust(config / "trust.yaml")
    assert policy is not None
    assert set(policy.revoked) == set(keys[1::2])
    trusted = policy.keys()
    assert {key.text for key in trusted} == {own.text, *keys[::2]}


def _pem(key: "ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey", password: bytes = b"") -> bytes:
    how = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how)


@pytest.mark.parametrize("content", ["empty", "text", "curve", "password", "public", "long", "cut"])
def test_a_file_that_is_no_key_is_refused_and_kept(config: Path, content: str) -> None:
    """Nothing is put in its place."""
    key = ed25519.Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    data = {
        "empty": b"",
        "text": b"secret",
        "curve": _pem(ec.generate_private_key(ec.SECP256R1())),
        "password": _pem(key, b"password"),
        "public": public,
        "long": b"x" * 20_000,
        "cut": _pem(key)[:60],
    }[content]
    config.mkdir(parents=True)
    (config / "signing.key").write_bytes(data)
    (config / "signing.key").chmod(0o600)
    with pytest.raises(UsageError, match="is not a signing key") as caught:
        Identity().signer()
    assert "move it away: `cleanroom keys new` then makes one" in caught.value.advice
    assert (config / "signing.key").read_bytes() == data


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_can_read_is_refused(config: Path, mode: int) -> None:
    """The advice says how to mend it."""
    make_key(own_key_file())
    own_key_file().chmod(mode)
    with pytest.raises(UsageError, match="is open to others") as caught:
        Identity().signer()
    assert "chmod 600" in caught.value.advice


def test_a_link_is_not_followed(config: Path, tmp_path: Path) -> None:
    """Not to a key, and not when one is made."""
    make_key(tmp_path / "elsewhere.key")
    config.mkdir(parents=True)
    own_key_file().symlink_to(tmp_path / "elsewhere.key")
    with pytest.raises(UsageError, match="cannot be read"):
        Identity().signer()


def test_the_variable_names_the_key(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is named and missing is an error, not a new key."""
    monkeypatch.setenv("CLEANROOM_SIGNING_KEY_FILE", str(tmp_path / "ci.key"))
    with pytest.raises(UsageError, match="There is no key at"):
        Identity().signer()
    made = make_key(tmp_path / "ci.key")
    assert Identity().signer()[0].public == made.public
    assert not config.exists()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the place of the config folder gives one sentence, with another way."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    with pytest.raises(UsageError, match="cannot be") as caught:
        Identity().signer()
    assert caught.value.advice


@pytest.mark.parametrize(
    "text", ["", "ed25519:", "ed25519:" + "A" * 43, "rsa:" + "A" * 43 + "=", "ed25519:" + "A" * 42 + "B=", "x\n"]
)
def test_a_text_that_is_no_public_key_is_refused(text: str) -> None:
    """Only one way of writing each key is read: the last one has bits that no byte has."""
    with pytest.raises(ValueError, match="a key is written"):
        PublicKey(text)


def test_a_public_key_equals_itself_only() -> None:
    """By its bytes."""
    key = SigningKey.new().public
    assert PublicKey(key.text) == key
    assert len({key, PublicKey(key.text), SigningKey.new().public}) == 2
    assert "ed25519:" in repr(key)


def test_a_key_that_does_not_show_itself(tmp_path: Path) -> None:
    """The private key is in no representation of the object."""
    key = make_key(tmp_path / "x.key")
    secret = (tmp_path / "x.key").read_text().splitlines()[1]
    assert secret[20:40] not in repr(key) + str(vars(key).keys())
    assert read_key(tmp_path / "nothing.key") is None
