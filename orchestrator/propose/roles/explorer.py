"""The explorer: before anything is proposed for a chunk, the model may look at its rows by small read-only probes.

A probe sees the rows as the model may know them (masked rows under masked privacy), so that its output holds nothing
that a prompt might not. Called by `model_proposer` once per chunk.
"""

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from orchestrator.core.errors import ReplyError
from orchestrator.core.exchanges import Exchange
from orchestrator.core.proposals import ProbeFinding
from orchestrator.core.requests import ProposalRequest
from orchestrator.propose.prompting.helper_notes import libraries
from orchestrator.propose.prompting.prompt_context import MAX_FINDING_CHARS, ContextLimits, findings_of, rows_values
from orchestrator.propose.prompting.prompts import load_prompt
from orchestrator.propose.replies.roles import PROBE_TOOL, Probe, read_probe
from orchestrator.propose.roles.role_client import RoleClient, fitted


class Prober(Protocol):
    """Runs untrusted lines of Python on rows, somewhere safe."""

    def run(self, code: str, rows: pa.Table) -> str:
        """What they printed, or how they failed. Raises SandboxError when the infrastructure fails."""
        ...


class ModelExplorer:
    """A model in the role of the explorer, with at most `probes` probes for each chunk."""

    def __init__(
        self,
        client: RoleClient,
        prober: Prober,
        *,
        probes: int,
        structured: bool | None,
        imports: Sequence[str],
        limits: ContextLimits,
    ) -> None:
        self._client = client
        self._prober = prober
        self._probes = probes
        self._structured = structured
        self._imports = libraries(imports)
        self._limits = limits

    def explore(self, request: ProposalRequest, log: list[Exchange]) -> tuple[ProbeFinding, ...]:
        """What the model looked up. An answer that cannot be read ends the exploration, never the run."""
        findings: list[ProbeFinding] = []
        while len(findings) < self._probes:
            try:
                probe = self._next(request, findings, log)
            except ReplyError:  # kept in the log
                break
            if probe is None:
                break
            output = self._prober.run(probe.code, request.rows)
            findings.append(ProbeFinding(question=probe.question, code=probe.code[:2_000], output=output))
        return tuple(findings)

    def _next(self, request: ProposalRequest, findings: Sequence[ProbeFinding], log: list[Exchange]) -> Probe | None:
        structured = self._client.chat.structured if self._structured is None else self._structured

        def ask(limits: ContextLimits) -> Probe | None:
            values = rows_values(request, limits, findings=findings_of(findings, limits))
            messages = load_prompt("explore").render(
                protocol="structured" if structured else "xml",
                imports=self._imports,
                shape=str(request.shape),
                left=self._probes - len(findings),
                max_chars=MAX_FINDING_CHARS,
                **values,
            )
            return self._client.ask(
                messages,
                read_probe,
                log,
                about=f"probe {len(findings) + 1}",
                wanted="one call of the tool" if structured else "one <exploration> element",
                schema=PROBE_TOOL if structured else None,
            )

        return fitted(ask, self._limits)
