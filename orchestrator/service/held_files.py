"""What a run that was a job has held, as files: whoever has asked for the run cannot review it where it lies.

Called by the worker. A source is verified again as a job that stores it in the registry; there it waits for a review.
"""

import re
from pathlib import Path

from orchestrator.data.files import write_file
from orchestrator.registry.functions import open_to_read
from orchestrator.run.verify.questions_file import write_questions

QUESTIONS = "held_questions.jsonl"
_NOT_PLAIN = re.compile(r"\W", re.ASCII)


def held_files(run: Path) -> list[str]:
    """Write the source of each function that waits in the run's registry, and what is asked of them all; the names.

    Raises OutputError, RegistryError.
    """
    with open_to_read(run) as registry:
        held = registry.held()
    names = []
    for number, function in enumerate(held, 1):
        names.append(f"held_{number}_{_NOT_PLAIN.sub('_', function.name)[:60]}.py")
        write_file(run / names[-1], function.candidate.source.encode())
    if any(function.evidence.verdict.questions for function in held):
        write_questions([function.evidence.verdict for function in held], run / QUESTIONS)
        names.append(QUESTIONS)
    return names
