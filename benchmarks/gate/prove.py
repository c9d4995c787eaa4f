"""Chooses the mutants of the bench and proves each: writes proofs.tsv, one line per mutant with its witness.

    python -m benchmarks.gate.prove [PER_FUNCTION]

Needed again only when a good function, a table or an edit changes: the bench leaves out what no longer has a proof.
"""

import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

from benchmarks.gate.corpus import Function, good
from benchmarks.gate.witness import Prover
from benchmarks.gate.wrong_functions import PROOFS, digest, proved_mutants

PER_FUNCTION = 4
PROVERS = 2


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PER_FUNCTION
    warnings.simplefilter("ignore")  # escapes in the sources of mutants
    functions = [function for function in good() if function.shape == "table"]
    with ThreadPoolExecutor(PROVERS) as pool:
        parts = pool.map(lambda n: _lines(functions[n::PROVERS], count), range(PROVERS))
        PROOFS.write_text("".join(sorted(line for part in parts for line in part)))


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
