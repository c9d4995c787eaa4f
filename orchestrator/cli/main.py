"""The `cleanroom` command: registers the subcommands and turns every error into one sentence and an exit code.

Exit codes: 0 success, 1 rejected, 2 invalid usage, 3 infrastructure, 130 interrupted. Heavy libraries
are imported by the command that needs them.
"""

import atexit
import errno
import gc
import os
import signal
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from orchestrator import __version__
from orchestrator.cli import (
    analyze_command,
    apply_command,
    check_command,
    config_command,
    diff_command,
    doctor_command,
    parse_command,
    redteam_command,
    run_command,
    runs_command,
    setup_command,
    verify_command,
)
from orchestrator.cli.console import INTERRUPTED, say_error, say_failure
from orchestrator.cli.own_options import fitting
from orchestrator.cli.registry import (
    keys_command,
    registry_command,
    registry_exchange_command,
    registry_proof_command,
    review_command,
)
from orchestrator.cli.repeated_options import refuse_twice
from orchestrator.cli.service import (
    broker_command,
    cluster_command,
    mcp_command,
    serve_command,
    tokens_command,
    worker_command,
)
from orchestrator.core.errors import CleanroomError
from orchestrator.data.lean_libraries import import_lean

app = typer.Typer(
    name="cleanroom",
    help="Proved data-cleaning functions: proposed by a model, run in locked-down containers, judged on the host.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cleanroom {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Proved data-cleaning functions: proposed by a model, run in locked-down containers, judged on the host."""


app.command("run")(run_command.run)
app.command("analyze")(analyze_command.analyze)
app.command("verify")(verify_command.verify)
app.command("apply")(apply_command.apply)
app.command("parse")(parse_command.parse)
app.command("check")(check_command.check)
app.command("review")(review_command.review)
app.command("diff")(diff_command.diff)
app.command("config", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(
    config_command.config
)
app.command("setup")(setup_command.setup)
app.command("doctor")(doctor_command.doctor)
app.command("redteam")(redteam_command.redteam)
app.command("serve")(serve_command.serve)
app.command("broker")(broker_command.broker)
app.command("mcp")(mcp_command.mcp)
app.command("worker")(worker_command.worker)
app.add_typer(cluster_command.app, name="cluster")
app.add_typer(registry_command.app, name="registry")
_registry = registry_command.app.command
_registry("verify", rich_help_panel="Proof")(registry_proof_command.verify)
_registry("audit", rich_help_panel="Proof")(registry_proof_command.audit)
_registry("approve", rich_help_panel="Proof")(registry_proof_command.approve)
_registry("suspend", rich_help_panel="Proof")(registry_proof_command.suspend)
_registry("revoke", rich_help_panel="Proof")(registry_proof_command.revoke)
_registry("export", rich_help_panel="Exchange")(registry_exchange_command.export)
_registry("import", rich_help_panel="Exchange")(registry_exchange_command.import_bundle)
_registry("adopt", rich_help_panel="Exchange")(registry_exchange_command.adopt)
app.add_typer(keys_command.app, name="keys")
app.add_typer(runs_command.app, name="runs")
app.add_typer(tokens_command.app, name="tokens")
refuse_twice(app)

_SHOWN_NAME = 40
_UNREAD = 128 + signal.SIGPIPE
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_COLLECT_EVERY = 20_000  # objects; Python's own is 700


def main() -> None:
    """Run the command line; the entry point of the `cleanroom` script."""
    # Before anything heavy is imported: no command multiplies matrices, and pydantic would look for plugins in every
    # package that is installed. Together they cost 0.05 s and more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import_lean()
    # What is imported stays. To look for garbage in it costs 0.1 s, and 0.2 s when Python lets go of it at the end.
    gc.set_threshold(_COLLECT_EVERY)
    atexit.register(gc.freeze)
    for number in (signal.SIGTERM, signal.SIGHUP):  # asked to end, or the terminal is gone
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _terminated)
    try:
        app()
    except CleanroomError as error:
        _fail(error.message, fitting(error.advice, app, sys.argv[1:]), error.exit_code)
    except KeyboardInterrupt:
        _fail("Interrupted.", "", INTERRUPTED)
    except SystemExit as ended:  # what typer makes of an interrupt, without a word
        if ended.code == INTERRUPTED:
            _fail("Interrupted.", "", INTERRUPTED)
        if isinstance(ended.__context__, BrokenPipeError):  # typer and rich make 1 of it, which means "rejected"
            _end_unread()
        raise
    except BrokenPipeError:
        _end_unread()
    except Exception as error:
        if os.environ.get("CLEANROOM_DEBUG"):
            raise
        if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:  # files say it themselves
            reason = os.strerror(error.errno).lower()
            _fail(f"stdout cannot be written: {reason}.", "Free some space, or send it to another place.", 3)
        if _is_out_of_memory(error):
            _fail("There is not enough memory.", "Free some, or raise its limit (`ulimit -v`).", 3)
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            _fail("There are too many open files.", "Raise their limit, for example with `ulimit -n 1024`.", 3)
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:  # of any option that names a file
            named = Path(str(error.filename)).name[:_SHOWN_NAME]
            _fail(f"A name is too long for the file system: {named}….", "Name a shorter one.", 2)
        if isinstance(error, PermissionError) and error.filename is not None:  # of a folder that may not be entered
            _fail(f"You have no permission to look at {error.filename}.", "Check its permissions, or ask its owner.", 2)
        _fail(f"Internal error: {type(error).__name__}: {error}", "Set CLEANROOM_DEBUG=1 to see where.", 3)


def _is_out_of_memory(error: Exception) -> bool:
    """Also where a library cannot be loaded for want of it."""
    if isinstance(error, ImportError):
        return "failed to map segment" in str(error) or "cannot allocate memory" in str(error).lower()
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _end_unread() -> NoReturn:
    """The reader of stdout went away, for example `head`: the exit code of any program to which that happens."""
    _drop_stdout()
    sys.exit(_UNREAD)


def _drop_stdout() -> None:
    """What is left goes nowhere, so that Python does not complain of it at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _terminated(number: int, frame: object) -> NoReturn:
    """To be asked to end is what Ctrl-C is: nothing half-written stays. Asked twice, the process just ends."""
    del frame
    signal.signal(number, signal.SIG_DFL)
    raise KeyboardInterrupt


def _fail(message: str, advice: str, code: int) -> None:
    say_error(message, advice)
    try:
        say_failure(message, advice, code)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _drop_stdout()
    sys.exit(code)
