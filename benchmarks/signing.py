"""What signatures and the log cost: `python -m benchmarks.signing`. Wanted: at most 5 ms of processor time a promotion.

Promotes functions into a new registry under a key made for it, and measures within that the key, the envelope, the
reading and the extending of the log. Processor time, because other work on the machine does not count in it; the rest
of a promotion (the rows, the commit) is printed beside it.
"""

import tempfile
import time
from typing import TYPE_CHECKING, Any

from orchestrator.core.candidate import Candidate, Contract
from orchestrator.core.promoted import Evidence
from orchestrator.core.verdict import CandidateInfo, CheckResult, Outcome, Verdict
from orchestrator.gate.checks.catalog import CHECKS
from orchestrator.registry.log.function_status import LoggedFunctions
from orchestrator.registry.log.log import Log
from orchestrator.registry.signing.identity import Identity, trust_of_one
from orchestrator.registry.signing.keys import SigningKey
from orchestrator.registry.store import SqlRegistry

if TYPE_CHECKING:
    from collections.abc import Callable

WANTED_MS = 5.0
PROMOTIONS = (10, 100, 300)


class Stopwatch:
    """Adds up the processor time of the functions that it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wrap(self, owner: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            begun = time.process_time()
            try:
                return real(*arguments, **options)
            finally:
                self.seconds += time.process_time() - begun

        setattr(owner, name, timed)


def promotable(number: int) -> tuple[Candidate, Evidence]:
    """A small function with the checks of a whole verdict."""
    name = f"f{number}"
    candidate = Candidate(source=f"def {name}(df):\n    return df\n", name=name, contract=Contract(modifies=("a",)))
    checks = tuple(CheckResult(id=check.id, outcome=Outcome.PASS, detail=check.law, cases=3) for check in CHECKS)
    verdict = Verdict(candidate=CandidateInfo.of(candidate), verdict=Outcome.PASS, checks=checks)
    return candidate, Evidence(verdict=verdict, policy_sha256="0" * 64, proposer="benchmark")


def main() -> None:
    SigningKey.new()  # imports what making a key takes, once in a process
    watch = Stopwatch()
    for owner, name in ((Log, "read"), (Log, "append"), (LoggedFunctions, "add"), (LoggedFunctions, "check_rows")):
        watch.wrap(owner, name)
    for promotions in PROMOTIONS:
        begun = time.process_time()
        key = SigningKey.new()
        making = 1000 * (time.process_time() - begun)
        watch.seconds = 0.0
        with tempfile.TemporaryDirectory() as folder:
            registry = SqlRegistry(f"sqlite:///{folder}/r.db", identity=Identity(key, trust_of_one(key.public)))
            begun = time.process_time()
            for number in range(promotions):
                registry.promote(*promotable(number))
            whole = 1000 * (time.process_time() - begun) / promotions
            registry.close()
        each = 1000 * watch.seconds / promotions
        met = "met" if making + each <= WANTED_MS else "MISSED"
        print(
            f"{promotions:4} promotions: key {making:.2f} ms + signing and log {each:.2f} ms of {whole:.2f} ms each "
            f"({WANTED_MS:.0f} ms wanted: {met})"
        )


if __name__ == "__main__":
    main()
