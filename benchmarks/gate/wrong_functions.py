"""The wrong functions of the bench: the hand-written ones, and for each good one a few mutants that are proved.

Called by prove.py, which chooses them, by the bench and by the sample of it that the tests run. Kinds take turns, so
that a kind with many mutants does not drown the others.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.gate.corpus import Function, good, wrong_by_hand
from benchmarks.gate.mutate import Mutant, mutants
from benchmarks.gate.witness import Prover

PROOFS = Path(__file__).parent / "proofs.tsv"
TRIES = 4  # per mutant that is wanted


@dataclass(frozen=True)
class Wrong:
    """A wrong function with the proof that it is one."""

    function: Function
    witness: str


def proved_mutants(good: Function, count: int, prover: Prover) -> Iterator[Wrong]:
    """Up to `count` edits of a good function and half as many ways of tampering, all proved to behave differently."""
    made = list(mutants(good))
    for tampering, wanted in ((False, count), (True, count // 2)):
        found = 0
        for mutant in _in_turn(good, [m for m in made if m.tampering is tampering])[: wanted * TRIES]:
            witness = prover.differ(good.source, mutant.armed or mutant.function.source, good.data)
            if witness:
                yield Wrong(mutant.function, witness)
                found += 1
            if found == wanted:
                break


@cache
def wrong_functions(name: str = "") -> tuple[Wrong, ...]:
    """All of them whose name contains `name`. A mutant that is not as it was when it was proved is left out."""
    proofs = dict(_proof(line) for line in PROOFS.read_text().splitlines())
    made = [
        Wrong(function, function.witness or "written by hand") for function in wrong_by_hand() if name in function.name
    ]
    parents = {key.partition("~")[0] for key in proofs if name in key}
    for function in good():
        if function.name not in parents:
            continue
        for mutant in mutants(function):
            sha, witness = proofs.get(mutant.function.name, ("", ""))
            if sha == digest(mutant.function.source)[:12] and name in mutant.function.name:
                made.append(Wrong(mutant.function, witness))
    return tuple(made)


def _proof(line: str) -> tuple[str, tuple[str, str]]:
    name, sha, witness = line.split("\t")
    return name, (sha, witness)


def _in_turn(good: Function, made: Sequence[Mutant]) -> list[Mutant]:
    """The first of every kind, then the second of every kind …, in an order that is another for each function."""
    seen: dict[str, int] = {}
    ranked = []
    for mutant in sorted(made, key=lambda m: digest(m.function.name)):
        kind = mutant.function.kind
        seen[kind] = seen.get(kind, 0) + 1
        ranked.append((seen[kind], digest(good.name + kind), mutant))
    return [mutant for _, _, mutant in sorted(ranked, key=lambda entry: entry[:2])]


def digest(text: str) -> str:
    """The hex SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
