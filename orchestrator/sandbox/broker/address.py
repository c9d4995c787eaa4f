"""Where the broker listens and where its clients look for it. Called by broker_client.py and by the command."""

import grp
import os
import socket
import stat
from contextlib import closing
from pathlib import Path

from orchestrator.core.errors import UsageError

VARIABLE = "CLEANROOM_BROKER"
DEFAULT = Path("/run/cleanroom/broker.sock")
OFF = "off"


def named() -> Path | None:
    """The socket that the environment names; None where it names none."""
    given = os.environ.get(VARIABLE, "")
    return Path(given) if given not in ("", OFF) else None


def switched_off() -> bool:
    return os.environ.get(VARIABLE) == OFF


def is_likely() -> bool:
    """Whether a broker is worth a knock: one is named, or something lies where this machine's would listen."""
    return not switched_off() and (named() is not None or os.path.exists(DEFAULT))  # noqa: PTH110 - never raises


def listen(path: Path, group: str = "") -> socket.socket:
    """A listening socket for its owner and the group. Raises UsageError where it cannot be, or a broker is there."""
    try:
        gid = grp.getgrnam(group).gr_gid if group else -1
    except KeyError:
        raise UsageError(f"There is no group {group}.", advice=f"Make it: groupadd --system {group}.") from None
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        _clear(path)
        before = os.umask(0o177)
        try:
            listener.bind(str(path))
        finally:
            os.umask(before)
        os.chown(path, -1, gid)
        path.chmod(0o660)
        listener.listen(64)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"The broker cannot listen at {path}: {error.strerror or error}.", advice="Name another place: --socket."
        ) from error
    except BaseException:
        listener.close()
        raise
    return listener


def _clear(path: Path) -> None:
    """Take away what a broker that is gone left behind, and nothing else."""
    if not os.path.lexists(path):
        return
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise UsageError(f"{path} is there and is no socket.", advice="Name another place: --socket.")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)) as knock:
        try:
            knock.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise UsageError(f"A broker is already there at {path}.", advice="Stop it first, or name another --socket.")
