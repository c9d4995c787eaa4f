"""Functions that nobody has signed, or nobody who is trusted: which they are, and their bundle once they are adopted.

Called by `cleanroom registry adopt`, which has them judged again in between (`import_functions`).
"""

from collections.abc import Sequence
from pathlib import Path

from orchestrator.core.errors import NotVerified
from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.registry.bundle import MANIFEST, export_bundle, load_functions, load_stored
from orchestrator.registry.functions import has_bundle, has_registry, open_to_read
from orchestrator.registry.log.function_status import LoggedFunction
from orchestrator.registry.signing.identity import Identity
from orchestrator.run.outputs import FUNCTIONS, REGISTRY, export_all


def functions_to_adopt(place: str, *, elsewhere: bool) -> Sequence[Promoted]:
    """The functions in use that are to be judged again, in their order. `place`: as for `apply --functions`.

    Where they stay, those that nobody has signed; where they go `elsewhere`, all, whoever has signed them: nothing but
    their source is believed, and what witnesses said where somebody has signed it whom the user trusts. Raises
    RegistryError, UsageError.
    """
    if not has_registry(place) and has_bundle(place):
        try:
            return load_functions(Path(place), approved=False, importing=True)
        except NotVerified:
            return load_stored(Path(place))
    with open_to_read(place) as registry:
        if not elsewhere:
            return registry.unsigned()
        try:
            signed = {function.candidate.sha256: function for function in registry.signed()}
        except NotVerified:
            signed = {}
        stored = [entry.promoted for entry in registry.history() if entry.status == "active"]
        active = [signed.get(function.candidate.sha256, function) for function in stored]
    return sorted(active, key=lambda function: function.order)


def write_bundle(place: str, functions: Sequence[Promoted], log: LogProof | None) -> None:
    """Write the bundle anew where there is one beside the registry, and the file of functions. Raises OutputError.

    Where others have to approve one of them first, there is no new file of functions, which would run without asking
    for that; whoever reads the bundle asks for it.
    """
    path, run = Path(place), None
    bundle = path / REGISTRY if (path / REGISTRY / MANIFEST).is_file() else path
    if not (bundle / MANIFEST).is_file():
        return
    if bundle != path or (path.name == REGISTRY and (path.parent / FUNCTIONS).is_file()):
        run = bundle.parent
    trust = Identity().trust
    waiting = any(LoggedFunction.of(one.envelopes).missing(one, trust) for one in functions)
    if run is not None and not waiting:
        export_all(functions, run, log)
    else:
        export_bundle(functions, bundle, log=log)
