"""What the gate says of plain operations on columns that were written for other functions: what passes is to be read.

    python -m benchmarks.gate.operations [--every N] [--from K] [OPERATION ...]

Nobody tuned the gate for these pairs of a column and an operation, and nobody said whether each is right: to take
the dashes out of an ISBN is, to take them out of a date is not. So it counts, and prints the changes of each column for
which the operation passes; a person reads them and finds what should have been held. Judged by `keeps-information`
alone, in this process and one beside it.
"""

import argparse
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from benchmarks.gate.in_process import suspected
from benchmarks.gate.meaning import with_operation
from orchestrator.core.verdict import Outcome

JOBS = 2
SHOWN = 4
OPERATIONS = {
    "other letters dropped": "text.encode('ascii', 'ignore').decode()",
    "punctuation dropped": r"re.sub(r'[^\w\s]', '', text)",
    "letters dropped": r"re.sub(r'[^\W\d_]', '', text)",
    "figures dropped": r"re.sub(r'\d', '', text)",
    "vowels dropped": "re.sub('[aeiou]', '', text)",
    "doubled characters once": r"re.sub(r'(.)\1+', r'\1', text)",
    "first four characters": "text[:4]",
    "first character dropped": "text[1:]",
    "last character dropped": "text[:-1]",
    "points dropped": "text.replace('.', '')",
    "commas dropped": "text.replace(',', '')",
    "dashes dropped": "text.replace('-', '')",
    "dashes to blanks": "text.replace('-', ' ')",
    "strokes to dashes": "text.replace('/', '-')",
    "blanks dropped": "''.join(text.split())",
    "blanks to underscores": "text.replace(' ', '_')",
    "first word": "(text.split() or [''])[0]",
    "last word": "(text.split() or [''])[-1]",
    "up to a comma": "text.split(',')[0]",
    "up to a dash": "text.split('-')[0].strip()",
    "up to a bracket": "text.split('(')[0].strip()",
    "zeros in front dropped": "text.lstrip('0')",
    "signs at the ends dropped": "text.strip('+-*#!?')",
}


class Judged(NamedTuple):
    """An operation on a column: the outcome, and cells that it changes, before and after."""

    operation: str
    column: str
    outcome: Outcome
    changed: list[tuple[str, str]]


def pairs(operations: list[str], every: int, first: int) -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
    """Operation, entry, source and changes, where the operation changes a cell of every N-th entry's column."""
    for operation in operations:
        one = eval(f"lambda text: {OPERATIONS[operation]}", {"re": re})  # noqa: S307 - our own code
        for name, (source, cells) in list(with_operation(OPERATIONS[operation]).items())[first::every]:
            changed = [(cell, one(cell)) for cell in dict.fromkeys(cells) if one(cell) != cell]
            if changed:
                yield operation, name, source, changed


def judged(pair: tuple[str, str, str, list[tuple[str, str]]]) -> Judged:
    operation, name, source, changed = pair
    return Judged(operation, name, suspected(source, name).outcome, changed)


def main() -> None:
    """Prints, for each operation, how many columns pass, and what changes in these."""
    parser = argparse.ArgumentParser(description="What the gate says of plain operations on anybody's columns.")
    parser.add_argument("operations", nargs="*", metavar="OPERATION", help="one of: " + ", ".join(OPERATIONS))
    parser.add_argument("--every", type=int, default=12, help="every N-th column (12)")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first of them (0)")
    options = parser.parse_args()
    asked = options.operations or list(OPERATIONS)
    if unknown := sorted(set(asked) - set(OPERATIONS)):
        parser.error(f"there is no operation {unknown[0]!r}")
    quiet = partial(warnings.simplefilter, "ignore")
    with ProcessPoolExecutor(JOBS, initializer=quiet) as pool:
        found = list(pool.map(judged, pairs(asked, options.every, options.first), chunksize=4))
    for operation in asked:
        of_this = [one for one in found if one.operation == operation]
        counted = Counter(one.outcome for one in of_this)
        ends = ", ".join(f"{counted[end]} {end}" for end in (Outcome.PASS, Outcome.HOLD, Outcome.FAIL))
        print(f"\n{operation}: {len(of_this)} columns, {ends}")
        for one in of_this:
            if one.outcome is Outcome.PASS:
                print(f"  {one.column}: " + "; ".join(f"{a!r} → {b!r}" for a, b in one.changed[:SHOWN]))


if __name__ == "__main__":
    main()
