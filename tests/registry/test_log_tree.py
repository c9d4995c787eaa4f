"""The Merkle tree against the vectors of Certificate Transparency, and checkpoints against the C2SP specification."""

import base64
import hashlib
import string

import pytest

from orchestrator.core.errors import NotVerified
from orchestrator.registry.log.checkpoint import Checkpoint, read_checkpoint
from orchestrator.registry.log.merkle import EMPTY, Frontier, inclusion_proof, is_included, leaf_hash, root_of
from orchestrator.registry.signing.keys import SigningKey

BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"

# The inputs and roots of certificate-transparency's own tests.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def test_the_tree_is_that_of_the_rfc() -> None:
    """Each root of the vectors, and that of no leaves."""
    assert root_of([]) == EMPTY
    for size, root in enumerate(ROOTS, 1):
        assert root_of([leaf_hash(leaf) for leaf in LEAVES[:size]]).hex() == root


@pytest.mark.parametrize("size", range(1, 20))
def test_every_leaf_is_proved_and_nothing_else_is(size: int) -> None:
    """The proof of each leaf holds for it, at its place, in this tree only."""
    leaves = [leaf_hash(bytes([number])) for number in range(size)]
    root = root_of(leaves)
    for place, leaf in enumerate(leaves):
        proof = inclusion_proof(leaves, place)
        assert is_included(leaf, place, size, proof, root)
        assert not is_included(leaf_hash(b"other"), place, size, proof, root)
        assert not is_included(leaf, place, size, [*proof, EMPTY], root)
        assert not is_included(leaf, -1, size, proof, root)
        assert not is_included(leaf, place + size, size, proof, root)
        for at in range(len(proof)):
            changed = [*proof[:at], hashlib.sha256(proof[at]).digest(), *proof[at + 1 :]]
            assert not is_included(leaf, place, size, changed, root)


@pytest.mark.parametrize(("size", "subtrees"), [(-1, []), (1, []), (2, [EMPTY, EMPTY]), (3, [EMPTY]), (1, [b"short"])])
def test_subtrees_that_do_not_fit_are_refused(size: int, subtrees: list[bytes]) -> None:
    """A size has one way of being put together."""
    with pytest.raises(ValueError, match="do not fit"):
        Frontier(size, subtrees)


def test_a_checkpoint_is_a_signed_note() -> None:
    """Line by line as the specification has it, with the key id of an Ed25519 key."""
    key = SigningKey.new()
    text, signature = Checkpoint("example.org/log", 7, EMPTY).signed(key).split("\n\n")
    assert text == f"example.org/log\n7\n{base64.b64encode(EMPTY).decode()}"
    dash, name, encoded = signature.removesuffix("\n").split(" ")
    assert (dash, name) == ("—", "example.org/log")
    data = base64.b64decode(encoded)
    assert data[:4] == hashlib.sha256(b"example.org/log\n\x01" + key.public.raw).digest()[:4]
    assert key.public.verifies(f"{text}\n".encode(), data[4:])


def test_what_was_signed_is_read() -> None:
    """By the key that signed it; a note can have more signatures, of which unknown ones count for nothing."""
    one, two = SigningKey.new(), SigningKey.new()
    checkpoint = Checkpoint("log", 3, EMPTY)
    note = checkpoint.signed(one) + checkpoint.signed(two).split("\n\n")[1]
    assert read_checkpoint(note).checkpoint == checkpoint
    assert read_checkpoint(note).signed_by([one.public, SigningKey.new().public]) == (one.public,)
    assert read_checkpoint(note).signed_by([one.public, two.public, one.public]) == (one.public, two.public)


def test_no_character_of_a_checkpoint_can_be_changed() -> None:
    """Every single one, in turn, also to the one that base64 reads almost alike: unreadable, or signed by nobody."""
    key = SigningKey.new()
    note = Checkpoint("log", 12, EMPTY).signed(key)
    for at, character in enumerate(note):
        twin = BASE64[BASE64.index(character) ^ 1] if character in BASE64 else "="
        for other in {"x", "1", "\n", " ", "", twin} - {character}:
            changed = note[:at] + other + note[at + 1 :]
            try:
                found = read_checkpoint(changed).signed_by([key.public])
            except NotVerified:
                continue
            assert found == (), (at, other)


@pytest.mark.parametrize(
    "note",
    [
        "", "log\n", "log\n01\nx\n\n— log x\n", "log\n1\n\n", "x" * 20_000,
        f"log\n-1\n{base64.b64encode(EMPTY).decode()}\n\n— log AAAA\n",
        f"log\n1\n{base64.b64encode(EMPTY).decode()}\n\n- log AAAA\n",
        f"log\n1\n{base64.b64encode(EMPTY).decode()}\n\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint_is_refused(note: str) -> None:
    """One sentence."""
    with pytest.raises(NotVerified, match="no signed checkpoint"):
        read_checkpoint(note)
