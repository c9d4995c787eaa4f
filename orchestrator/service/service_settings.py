"""What `cleanroom serve` was started with, as one value. Read by the HTTP side and by the worker process."""

from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.registry.queue.service_job import QueueLimits

MIB = 2**20


@dataclass(frozen=True)
class ServiceSettings:
    """`registry`: folder, file or URL. `state`: the folder for uploads and results. Sizes are bytes.

    `hosts`: names under which clients may reach the service, besides those of the machine itself. `opened`: the folder
    of a run whose page is shown. `body_s`: seconds that a client has for sending a request. `max_stored`: of all
    files of a token's jobs, sent and made.
    """

    registry: str
    state: Path
    host: str = "127.0.0.1"
    port: int = 8440
    hosts: tuple[str, ...] = ()
    policy: Path | None = None
    strict: bool = False
    lanes: int = 2
    max_upload: int = 256 * MIB
    max_function: int = 1 * MIB
    max_stored: int = 10_240 * MIB
    body_s: float = 300.0
    drain_s: float = 3.0
    keep_days: int = 7
    log_json: bool = False
    opened: Path | None = None
    queue: QueueLimits = field(default_factory=QueueLimits)

    @property
    def jobs_in(self) -> str:
        """The registry that has jobs and tokens. Never that of a run which is shown: whoever sent it made its rows."""
        return self.registry if self.opened is None else str(self.state / "service.db")

    @property
    def max_body(self) -> int:
        """Of a whole request: a function, data, examples, and what stands around them."""
        return self.max_upload + self.max_function + MIB

    @property
    def max_arriving(self) -> int:
        """Of all requests that one token sends at the same time: as much as is kept of it, and one in any case."""
        return max(self.max_stored, self.max_body)

    @property
    def known_hosts(self) -> frozenset[str]:
        """The names that a `Host` header may have: any other is that of a page which tries to reach this machine."""
        return frozenset({"localhost", "127.0.0.1", "[::1]", self._own_host.lower(), *map(str.lower, self.hosts)})

    def address(self, port: int) -> str:
        """Where the service is, as a browser takes it.

        The very address that it listens on: "localhost" may be `::1` first, where another user's program can listen,
        and what is sent there (a token, the code of a login) is theirs.
        """
        return f"http://{self._own_host}:{port}"

    @property
    def _own_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host
