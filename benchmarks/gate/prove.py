"""Chooses the mutants of the bench and proves each: writes proofs.tsv, one line per mutant with its witness. Proves the
wrong forms of the functions of meaning, too: writes meaning/proved.tsv, one line per file with its digest.

    python -m benchmarks.gate.prove [PER_FUNCTION]

Needed again only when a good function, a table or an edit changes: the bench leaves out what no longer has a proof, and
tests prove anew what a file holds that changed.
"""

import sys
import warnings
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from benchmarks.gate.corpus import Function, good
from benchmarks.gate.meaning import HERE, Meaning, meanings
from benchmarks.gate.witness import FEW_FIRST, Prover, difference
from benchmarks.gate.wrong_functions import PROOFS, digest, proved_mutants

PER_FUNCTION = 4
PROVERS = 2
PROVED_FILES = HERE / "proved.tsv"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PER_FUNCTION
    warnings.simplefilter("ignore")  # escapes in the sources of mutants
    functions = [function for function in good() if function.shape == "table"]
    with ThreadPoolExecutor(PROVERS) as pool:
        parts = pool.map(lambda n: _lines(functions[n::PROVERS], count), range(PROVERS))
        PROOFS.write_text("".join(sorted(line for part in parts for line in part)))
    prove_meaning()


def prove_meaning() -> None:
    """Write down the digest of each file of `meaning/` all of whose wrong forms behave otherwise than the good one."""
    alike = {one.kind for one in meanings() if unproved([one])}
    files = sorted({one.kind for one in meanings()} - alike)
    PROVED_FILES.write_text("".join(f"{name}\t{_digest_of(name)}\n" for name in files))


def changed_since_proved() -> set[str]:
    """The files of `meaning/` that are not as they were when their wrong forms were proved."""
    proved = dict(line.split("\t") for line in PROVED_FILES.read_text().splitlines())
    return {one.kind for one in meanings() if proved.get(one.kind) != _digest_of(one.kind)}


def unproved(functions: Iterable[Meaning], every: int = 1) -> list[str]:
    """Wrong forms that behave as their good function on all drawn inputs; of all, or of every so many."""
    pairs = [(one, edited) for one in functions for edited in one.wrong]
    return [
        edited.name for one, edited in pairs[::every] if not difference(one.source, edited.source, one.name, FEW_FIRST)
    ]


@cache
def _digest_of(name: str) -> str:
    return digest((HERE / f"{name}.yaml").read_text(encoding="utf-8"))[:12]


def _lines(functions: list[Function], count: int) -> list[str]:
    made = []
    with Prover() as prover:
        for function in functions:
            for wrong in proved_mutants(function, count, prover):
                witness = " ".join(wrong.witness.split())[:160]
                made.append(f"{wrong.function.name}\t{digest(wrong.function.source)[:12]}\t{witness}\n")
    return made


if __name__ == "__main__":
    main()
