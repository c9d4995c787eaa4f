"""Where concrete classes are chosen and wired together. Called by the command line and the library API.

Only what the red team attacks is wired elsewhere: redteam_bootstrap.py.

What a part needs is imported when the part is asked for: `cleanroom analyze` pays for no engine, `verify` for no model.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from orchestrator.core.errors import CandidateError, CleanroomError
from orchestrator.core.settings import Settings
from orchestrator.core.weakened import refuse_weakened

if TYPE_CHECKING:
    from orchestrator.core.exchanges import TokenUsage
    from orchestrator.core.policy import Policy
    from orchestrator.core.ports import Gate, Proposer, Sandbox
    from orchestrator.core.privacy import Header, Privacy
    from orchestrator.model_choice import ModelChoice
    from orchestrator.propose.llm.custom_chat import GeneratesText
    from orchestrator.propose.roles.parser_writer import ParserWriter
    from orchestrator.registry.store import SqlRegistry
    from orchestrator.run.journal.resume import PastRun
    from orchestrator.run.services import Services
    from orchestrator.scale.cluster_address import ClusterAddress

Checked = TypeVar("Checked")

JUDGE = "orchestrator.gate.judge.judge_process:judge"
DECODER = "orchestrator.data.hostile.decoder_process:decode"


@contextmanager
def sandboxed(
    policy: "Policy",
    checks: Path | None = None,
    *,
    light: bool = False,
    verdicts: int | None = None,
    cluster: "ClusterAddress | None" = None,
) -> "Iterator[Services]":
    """The services that judge and apply, on a running engine; containers are destroyed at the end of the block.

    `cluster`: whose workers have the containers, in place of this machine.

    `light`: the first functions need no pandas, so that containers without it are made first. `verdicts`: how many
    functions will be judged, where that is known (0: promoted functions are applied); no more is made ready for them.
    `checks` is a file of the team's own acceptance checks: UsageError where it is not. Raises EngineUnavailable and
    ImageMissing with what to do, PostureError where a strict policy is not met, UsageError where it weakens a layer.
    """
    refuse_weakened(policy)
    from orchestrator.core.jobs import GuestEnvironment
    from orchestrator.data.disposable.disposable_process import DisposableProcess

    environments = (GuestEnvironment.FIRST, GuestEnvironment.CONFIRM)  # apply needs one of each, too: for its audit
    expected = None if verdicts is None else dict.fromkeys(environments, max(1, verdicts))
    with ExitStack() as stack:
        judge = stack.enter_context(DisposableProcess(JUDGE, strict=policy.strict))
        decoder = stack.enter_context(DisposableProcess(DECODER, strict=policy.strict))
        (decoder if verdicts == 0 else judge).start_soon()

        from orchestrator.sandbox.access import open_sandbox

        team = None
        if checks is not None:
            from orchestrator.gate.team.team_process import team_process

            team = stack.enter_context(team_process(checks, strict=policy.strict))
        lanes = None
        sandbox: Sandbox
        if cluster is None:
            sandbox = stack.enter_context(open_sandbox(policy, light=light, expected=expected))
        else:
            from orchestrator.scale.cluster import open_cluster

            sandbox, lanes = stack.enter_context(open_cluster(cluster, policy))

        from orchestrator.run.services import Services  # what is imported from here on is imported while these start
        from orchestrator.sandbox.provision.recipe import read_recipe

        def make_gate() -> "Gate":
            from orchestrator.gate.verifier import Verifier

            return stack.enter_context(closing(Verifier(sandbox, judge, policy, team=team)))

        services = Services(
            sandbox=sandbox,
            make_gate=make_gate,
            decoder=decoder,
            policy=policy,
            policy_sha256=hashlib.sha256(policy.model_dump_json().encode()).hexdigest(),
            open_registry=open_registry,
            lanes=lanes,
            libraries=read_recipe().libraries,  # a cluster has no worker with another image
        )
        if verdicts != 0:
            _ = services.gate  # made now, before there are threads that could ask for it at once
        if verdicts is None:
            decoder.start_soon()  # a run needs it as soon as its first function is promoted
        yield services


@contextmanager
def sandboxed_while(
    check: Callable[[], Checked],
    policy: "Policy",
    checks: Path | None = None,
    *,
    light: bool = False,
    verdicts: int | None = None,
    cluster: "ClusterAddress | None" = None,
) -> "Iterator[tuple[Services, Checked]]":
    """As `sandboxed`; files are checked while the containers start. What is wrong with them is raised first."""
    with ExitStack() as stack:
        try:
            services = stack.enter_context(sandboxed(policy, checks, light=light, verdicts=verdicts, cluster=cluster))
        except CleanroomError:
            check()
            raise
        yield services, check()


def need_no_pandas(sources: Iterable[str]) -> bool:
    """Whether the candidates in these source texts, as far as they can be read, all do without pandas."""
    from orchestrator.core.jobs import Program
    from orchestrator.gate import candidate_file

    candidates = []
    for source in sources:
        with suppress(CandidateError):
            candidates.append(candidate_file.read(source))
    return bool(candidates) and all(c.contract.shape.by_row and Program.of(c).light for c in candidates)


def open_registry(place: str | Path) -> "SqlRegistry":
    """The registry in a folder, a file or at a URL, made when it is not there. Raises RegistryError, UsageError."""
    from orchestrator.registry.location import registry_url
    from orchestrator.registry.store import SqlRegistry

    return SqlRegistry(registry_url(place, create=True))


def custom_proposer(
    model: "GeneratesText",
    policy: "Policy",
    *,
    privacy: "Privacy" = "raw",
    header: "Header" = "check",
    data_sha256: str = "",
) -> "Proposer":
    """A proposer over a model of the caller's own: any object with `generate(messages) -> str`."""
    from orchestrator.propose.wiring import custom_side

    return custom_side(model, policy, privacy=privacy, header=header, mask_key=data_sha256)


def proposer(
    choice: "ModelChoice",
    policy: "Policy",
    used: "TokenUsage | None" = None,
    *,
    passed_s: float = 0.0,
    data_sha256: str = "",
    gate_secret: str = "",
    services: "Services | None" = None,
    on_progress: Callable[[int], None] | None = None,
) -> "Proposer":
    """A proposer with a name of its own, or a language model by its LiteLLM name. Options win over the environment.

    `used`, `passed_s`: what a run that is resumed has spent of its budget, and its seconds. `data_sha256` makes the
    fakes of masked values, so that a resumed or replayed run shows the same ones. `gate_secret`: that of a run that is
    resumed.
    `services` run the probes; without them nothing is explored.
    `on_progress` receives how many characters of an answer have come; answers are then read while they are written.
    """
    from orchestrator.propose.named import PROPOSERS

    settings = Settings.read()
    name = choice.model or settings.model
    if name in PROPOSERS:
        return PROPOSERS[name].make()
    from orchestrator.propose.llm.budget import Budget
    from orchestrator.propose.llm.recording import Recording
    from orchestrator.propose.wiring import ModelAccess, RoleChats, model_side, new_gate_secret

    secret = gate_secret or new_gate_secret(name)
    access = ModelAccess(
        api_base=choice.api_base or settings.api_base,
        api_key=choice.key(),
        timeout_s=choice.timeout_s,
        patience_s=choice.patience_s,
        on_progress=on_progress,
        recording=Recording(choice.record, go_on=used is not None, gate_secret=secret) if choice.record else None,
        gate_secret=secret,
        egress=policy.model.egress,
    )
    return model_side(
        RoleChats(name, choice.named_tester, choice.witness(name), choice.planner, choice.explorer, choice.probes),
        access,
        Budget(choice.budget, used, passed_s=passed_s),
        protocol=choice.protocol,
        privacy=choice.privacy,
        header=choice.header,
        mask_key=data_sha256,
        policy=policy,
        probe_access=services.access._replace(limits=policy.limits) if services else None,
    )


def parser_writer(choice: "ModelChoice", policy: "Policy") -> "ParserWriter | None":
    """The model that writes parsers; None where no language model is named. Raises UsageError."""
    from orchestrator.propose.named import PROPOSERS

    settings = Settings.read()
    if (name := choice.model or settings.model) in PROPOSERS:
        return None
    from orchestrator.propose.wiring import ModelAccess, parser_side

    access = ModelAccess(
        api_base=choice.api_base or settings.api_base,
        api_key=choice.key(),
        egress=policy.model.egress,
    )
    return parser_side(name, access, choice.budget, privacy=choice.privacy, screen=policy.screen)


def proposer_again(
    past: "PastRun", choice: "ModelChoice", services: "Services", *, on_progress: Callable[[int], None] | None = None
) -> "Proposer":
    """The proposer for the rest of a run; what the run has used counts. Raises UsageError where it is another one."""
    opening = past.opening
    made = proposer(
        choice,
        past.policy,
        past.used,
        passed_s=past.seconds,
        data_sha256=opening.data_sha256,
        gate_secret=opening.gate_secret,
        services=services,
        on_progress=on_progress,
    )
    past.check_proposer(made.name)
    return made
