"""kill -9 at every statement of a promotion, an approval, a suspension, an import and an export.

A process is forked for each; it kills itself just before or just after its k-th statement, for every k.
"""

import os
import signal
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect

from orchestrator.core.errors import RegistryError, UsageError
from orchestrator.registry.bundle import export_archive, export_bundle, load_functions
from orchestrator.registry.store import SqlRegistry
from tests.registry.conftest import make_candidate, make_evidence
from tests.registry.people import identity

pytestmark = pytest.mark.slow

Step = Callable[[SqlRegistry], object]


def opened(path: Path, name: str = "ana") -> SqlRegistry:
    return SqlRegistry(f"sqlite:///{path}", identity=identity(name))


def promote(registry: SqlRegistry, name: str) -> None:
    made = make_candidate(name)
    registry.promote(made, make_evidence(made))


def wrap(owner: Any, name: str, tick: Callable[[], None]) -> None:
    """Tick before and after each call."""
    real = getattr(owner, name)

    def ticking(*arguments: Any, **options: Any) -> Any:
        tick()
        answer = real(*arguments, **options)
        tick()
        return answer

    setattr(owner, name, ticking)


def killed_at(moment: int, work: Callable[[], object]) -> bool:
    """Do the work in a forked process that dies at this moment; whether it did."""
    pid = os.fork()
    if pid == 0:
        count = 0

        def tick(*_: Any) -> None:
            nonlocal count
            count += 1
            if count == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        for name in ("before_cursor_execute", "after_cursor_execute"):
            event.listen(Engine, name, tick)
        wrap(DefaultDialect, "do_commit", tick)
        wrap(os, "replace", tick)
        try:
            work()
        except BaseException:  # noqa: BLE001 - this is a process of its own
            os._exit(1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def import_bundle(bundle: Path) -> Step:
    """What `registry import --no-rerun` does."""

    def work(registry: SqlRegistry) -> None:
        known = {function.candidate.sha256 for function in registry.functions()}
        for function in load_functions(bundle, identity("ana"), importing=True):
            if function.candidate.sha256 not in known:
                registry.promote(function.candidate, function.evidence)

    return work


@pytest.mark.parametrize("what", ["promote", "approve", "suspend", "revoke", "import"])
def test_a_killed_change_is_whole_or_not_there(tmp_path: Path, what: str) -> None:
    """At every moment: the log proves, it has grown from what it was, rows and log agree, and it goes on."""
    source = opened(tmp_path / "source.db", "ben")
    for name in ("g", "h"):
        promote(source, name)
    export_bundle(source.functions(), tmp_path / "bundle", log=source.log_proof(), identity=identity("ben"))
    works: dict[str, Step] = {
        "promote": lambda registry: promote(registry, "g"),
        "approve": lambda registry: registry.approve("f"),
        "suspend": lambda registry: registry.suspend("f", "why"),
        "revoke": lambda registry: registry.revoke("f", "why"),
        "import": import_bundle(tmp_path / "bundle"),
    }
    work = works[what]
    path, moment, seen = tmp_path / "registry.db", 0, set()
    registry = opened(path)
    promote(registry, "f")
    registry.close()
    clean = path.read_bytes()
    while True:
        moment += 1
        for file in tmp_path.glob("registry.db*"):
            file.unlink()
        path.write_bytes(clean)
        before = opened(path).audit()
        if not killed_at(moment, lambda: work(opened(path))):
            break
        after = opened(path)
        log = after.audit(before.checkpoint)
        seen.add(len(log.events))
        promoted = {function.name for function in after.functions()} - {"f"}
        assert len(promoted) == [event.what for event in log.events[1:]].count("promoted")
        with suppress(RegistryError, UsageError):  # it was done already
            work(after)
        assert opened(path).audit(log.checkpoint).events
        opened(path).functions()
    assert moment > 10
    assert seen == ({1, 2, 3} if what == "import" else {1, 2})


def test_a_killed_export_is_the_old_one_or_the_new_one_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive is whole; a folder that was half replaced is never believed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # who is killed leaves temporary files
    registry = opened(tmp_path / "registry.db")
    promote(registry, "f")
    folder, archive = tmp_path / "bundle", tmp_path / "bundle.zip"
    moment, refused = 0, 0
    before = registry.functions()
    promote(registry, "g")
    after, log = registry.functions(), registry.log_proof()
    while True:
        moment += 1
        export_bundle(before, folder, log=log, identity=identity("ana"))
        export_archive(before, archive, log=log, identity=identity("ana"))

        def work() -> None:
            export_archive(after, archive, log=log, identity=identity("ana"))
            export_bundle(after, folder, log=log, identity=identity("ana"))

        if not killed_at(moment, work):
            break
        assert len(load_functions(archive, identity("ana"))) in {1, 2}
        try:
            assert len(load_functions(folder, identity("ana"))) in {1, 2}
        except RegistryError:
            refused += 1
    assert moment > 10
    assert refused
