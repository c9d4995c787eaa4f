"""Promotes from many processes at once. Started by test_registry_crowd.py: `crowd.py URL PROCESSES`.

The processes are forked from one that has imported everything, and begin at the same moment. Each makes its own
connection, promotes a function of its own and a new version of one that all of them have, and revokes its own if its
number is divisible by ten. One line of JSON for each: its number, its seconds, and the error if there was one.
"""

import json
import os
import sys
import time

from orchestrator.core.errors import CleanroomError
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence


def work(url: str, number: int) -> str | None:
    """What one process does; the error that it met."""
    try:
        with SqlRegistry(url) as registry:
            for candidate in (make_candidate(f"own_{number}"), make_candidate("same", f"column_{number}")):
                registry.promote(candidate, make_evidence(candidate))
            if number % 10 == 0:
                registry.revoke(f"own_{number}", "divisible by ten")
    except CleanroomError as error:
        return f"{error.message} {error.advice}"
    return None


def main(url: str, processes: int) -> None:
    ready, go = os.pipe()
    children = []
    for number in range(processes):
        pid = os.fork()
        if pid == 0:
            os.close(go)
            os.read(ready, 1)  # ends when the parent closes its side: for all at once
            start = time.monotonic()
            error = work(url, number)
            line = json.dumps({"number": number, "seconds": time.monotonic() - start, "error": error})
            os.write(1, line.encode() + b"\n")
            os._exit(0)
        children.append(pid)
    os.close(ready)
    os.close(go)
    for pid in children:
        os.waitpid(pid, 0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
