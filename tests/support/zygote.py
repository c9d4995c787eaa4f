"""Where the zygote of a disposable process is found from outside."""

from pathlib import Path

from orchestrator.data.disposable.disposable_process import DisposableProcess


def zygote_pid(process: DisposableProcess) -> int:
    """The zygote's pid: where it has a process namespace of its own, it is the only child of what was started."""
    started = process._current()._process.pid
    if "process namespace" in process.missing:
        return started
    return int(Path(f"/proc/{started}/task/{started}/children").read_text(encoding="ascii"))
