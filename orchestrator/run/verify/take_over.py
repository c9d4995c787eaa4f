"""Takes functions into a registry that were promoted elsewhere, or before there were signatures.

Called by `cleanroom registry adopt` and `import`. All are judged before the first is promoted: if one is rejected, the
registry stays as it is. What a killed process has promoted stays, and is left out when it is tried again.
"""

from collections.abc import Callable, Sequence

from orchestrator.core.errors import NotVerified
from orchestrator.core.ports import Registry
from orchestrator.core.promoted import Promoted
from orchestrator.data.formats import Dataset
from orchestrator.run.services import Services
from orchestrator.run.verify.stored import JudgedAgain, judge_again


def take_over(
    functions: Sequence[Promoted],
    dataset: Dataset,
    services: Services,
    registry: Registry,
    *,
    after: Sequence[Promoted],
    on_verdict: Callable[[JudgedAgain], None],
) -> tuple[Promoted, ...]:
    """Judge the functions on the data and promote them, behind those in `after`.

    Raises NotVerified where one does not pass; SandboxError, RegistryError.
    """
    judged = []
    for one in judge_again(functions, dataset, services, after=after):
        on_verdict(one)
        judged.append(one)
    rejected = [one.function.name for one in judged if one.candidate is None]
    if rejected:
        more = f" and {len(rejected) - 1} more" if len(rejected) > 1 else ""
        raise NotVerified(
            f"{rejected[0]}{more} did not pass on {dataset.name}; nothing was changed.",
            advice="Revoke it where it comes from, or name data that it is for.",
        )
    return tuple(registry.promote(one.candidate, one.evidence) for one in judged if one.candidate is not None)
