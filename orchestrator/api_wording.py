"""Says of errors what a program can do: arguments of the library, where the messages name options of the command line.

Called at the library's edge by `api` and `api_run`. A command that stands whole in a message (`cleanroom registry …`)
stays: it is for a shell, and the library has no such call.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.core.errors import CleanroomError
from orchestrator.core.option_wording import OptionWording

_ARGUMENTS = {
    "path": "array",
    "timeout": "timeout_s",
    "patience": "patience_s",
    "explore": "probes",
    "tester-model": "tester",
    "planner-model": "planner",
    "explorer-model": "explorer",
    "overwrite": "overwrite=True",
    "strict": "strict=True",
    "max-rejected": "limits=RunLimits(max_rejected=…)",
    "max-iterations": "limits=RunLimits(max_iterations=…)",
}
"""Options whose arguments have other names, or are values."""
_SAME = (
    "out registry quarantine drift on-hold model shape conventions examples privacy header api-base api-key-env "
    "protocol policy record format encoding sheet delimiter parser cluster tls data chunk-rows max-chunks sampling seed"
)
_ARGUMENTS |= {option: option.replace("-", "_") for option in _SAME.split()}
_WORDING = OptionWording(
    _ARGUMENTS, lambda name, value: f'`{name}="{value}"`', lambda columns: f"`columns={dict(columns)}`"
)


@contextmanager
def naming_arguments() -> Iterator[None]:
    """What is raised inside is said in the words of the library. Also a decorator."""
    try:
        yield
    except CleanroomError as error:
        error.message, error.advice = in_arguments(error.message), in_arguments(error.advice)
        error.args = (error.message,)
        raise


def in_arguments(text: str) -> str:
    """The same text with the arguments' names; options that are nobody's argument stay."""
    return _WORDING.of(text)
