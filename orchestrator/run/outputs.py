"""The files that a run writes: one folder, in which nothing foreign is ever overwritten.

Called by `loop.job`, `journal.resume`, `cleanroom registry export` and `cleanroom runs`."""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from orchestrator.core.errors import NotVerified, OutputError, RegistryError, UsageError
from orchestrator.core.fitted import LearntState
from orchestrator.core.promoted import LogProof, Promoted
from orchestrator.core.steps import AnyStep, ApplyStep
from orchestrator.data.data_address import DataAddress, check_local, local_file
from orchestrator.data.files import file_sha256, locked_folder, private_folder, write_file
from orchestrator.registry.bundle import FORMAT, MANIFEST, export_bundle, load_functions, load_stored, vouched_files
from orchestrator.registry.bundle_files import refuse_link
from orchestrator.registry.export.export import export_functions
from orchestrator.registry.functions import has_bundle
from orchestrator.run.journal.journal import is_written

JOURNAL = "run.jsonl"
FUNCTIONS = "cleaning_functions.py"
REPORT = "report.html"
REGISTRY = "registry"
_WAIT = "Choose another --out, or wait for its end."
_BEGINS, _HEAD = b"Cleaning functions that cleanroom proved", 2**16  # how FUNCTIONS begins, since release 0.1.0
_MOST_BYTES = 200  # of the data's name in that of a folder; file systems take 255 in all
_OURS = (FUNCTIONS, REPORT, REGISTRY, JOURNAL)  # the journal last: it marks the folder as ours


@dataclass(frozen=True)
class Outputs:
    """The paths of one run. `overwrite`: it takes the place of an earlier one."""

    folder: Path
    cleaned: Path
    overwrite: bool = False

    @classmethod
    def at(cls, data: Path | DataAddress, out: Path | None, suffix: str, *, overwrite: bool) -> "Outputs":
        """The paths for a new run; nothing is made yet. Raises UsageError when something would be lost."""
        if out is not None:
            check_local(out)
        folder = out if out is not None else _free_folder(data, suffix, overwrite=overwrite)
        _check_free(folder, overwrite=overwrite)
        outputs = cls(folder=folder, cleaned=folder / f"cleaned{suffix}", overwrite=overwrite)
        outputs._check_kept(data)
        return outputs

    @contextmanager
    def claimed(self, *, again: bool = False) -> Iterator[None]:
        """Make the folder, and keep other runs out of it until the block ends. `again`: a run goes on in it.

        Raises UsageError, OutputError.
        """
        if again:  # before a registry is made where the link of a folder that came back from somebody leads
            refuse_link(self.registry)
        with ExitStack() as stack:
            try:
                stack.enter_context(locked_folder(self.folder, wait=False))
            except BlockingIOError:
                raise self._busy(again=again) from None
            except OSError as error:
                raise self._refused(error) from error
            yield

    def make(self) -> None:
        """Make the folder, for its owner only, without what an earlier run left in it.

        Raises OutputError; UsageError where a run is at work in it, or has left something since the paths were chosen.
        """
        _check_free(self.folder, overwrite=self.overwrite)
        if self.journal.is_file() and is_written(self.journal):
            raise self._busy()
        try:
            private_folder(self.folder)
            with suppress(PermissionError):  # if the folder belongs to another user, its permissions stay
                self.folder.chmod(0o700)
            self.clear_partial()
            for path in self._earlier():
                _remove(path)
        except OSError as error:
            raise self._refused(error) from error

    def _earlier(self) -> list[Path]:
        """What an earlier run left, and this one takes the place of."""
        data = (*self.folder.glob("cleaned.*"), *self.folder.glob("quarantine.*"))
        return [*data, *(self.folder / name for name in _OURS)]

    def _check_kept(self, data: Path | DataAddress) -> None:
        if (file := local_file(data)) is None:
            return
        gone = {path.parent.resolve() / path.name for path in self._earlier()}
        named = {file.resolve(), file.parent.resolve() / file.name}  # a link, and what it leads to
        if any(gone & {place, *place.parents} for place in named):
            raise UsageError(
                f"{data} is a result of the run that --overwrite would remove.", advice="Choose another --out."
            )

    def clear_partial(self) -> None:
        """Take away what a process that was killed had begun to write: half of the data, of which nobody knows.

        Only for who has claimed the run's folder and its journal. Raises OutputError.
        """
        try:
            for path in self.folder.glob(".*.part"):
                _remove(path)
        except OSError as error:
            raise self._refused(error) from error

    def _busy(self, *, again: bool = False) -> UsageError:
        advice = "It still runs: wait for its end, or end that process." if again else _WAIT
        return UsageError(f"A run is at work on {self.folder}.", advice=advice)

    def _refused(self, error: OSError) -> OutputError:
        return OutputError(
            f"The folder {self.folder} cannot be made: {error.strerror}.", advice="Choose another --out."
        )

    @property
    def journal(self) -> Path:
        return self.folder / JOURNAL

    @property
    def quarantine(self) -> Path:
        """Where rows go that are set aside."""
        return self.cleaned.with_name(self.cleaned.name.replace("cleaned", "quarantine", 1))

    @property
    def registry(self) -> Path:
        return self.folder / REGISTRY

    @property
    def report(self) -> Path:
        return self.folder / REPORT

    def named(self) -> dict[str, str]:
        """The paths of the results by name, for the summary."""
        return {
            "cleaned data": str(self.cleaned),
            "functions": str(self.folder / FUNCTIONS),
            "report": str(self.report),
            "steps": str(self.journal),
            "registry": str(self.registry),
        }

    @staticmethod
    def prepare_report() -> None:
        """Load in the background what writing a report takes."""

        def load() -> None:
            from orchestrator.run.report.render import load_templates

            load_templates()

        Thread(target=load, name="report", daemon=True).start()

    def write_report(self, steps: Sequence[AnyStep]) -> None:
        """Render the report from the steps so far. Raises OutputError."""
        from orchestrator.run.report import render_report

        write_file(self.report, render_report(steps, out=str(self.folder)).encode())


def with_learnt(functions: Sequence[Promoted], step: ApplyStep) -> tuple[Promoted, ...]:
    """The functions with what the fitted ones have learnt of the whole file, for the file that works without it."""
    learnt = {one.name: LearntState.of(one.text, one.rows) for one in step.learnt}
    return tuple(f.model_copy(update={"learnt": learnt.get(f.name)}) for f in functions)


def export_all(functions: Sequence[Promoted], folder: Path, log: LogProof | None = None) -> None:
    """Write cleaning_functions.py and the bundle with the evidence, whose signed manifest names that file's hash.

    `log`: the registry's, that the functions are in. Raises OutputError, RegistryError; UsageError, also where a file
    of something else would be written over.
    """
    refuse_link(folder / REGISTRY)
    for file, mark in ((folder / FUNCTIONS, _BEGINS), (folder / REGISTRY / MANIFEST, FORMAT.encode())):
        if not _is_free(file, mark):
            raise UsageError(f"{file} is a file of something else.", advice="Name a new folder, or remove it.")
    text = export_functions(functions).encode()
    beside = {FUNCTIONS: hashlib.sha256(text).hexdigest()}
    export_bundle(functions, folder / REGISTRY, log=log, beside=beside)
    write_file(folder / FUNCTIONS, text)


def _is_free(file: Path, mark: bytes) -> bool:
    """Whether nothing of the user's is lost where the file is written: it is not there, or one of ours, or a link."""
    if file.is_symlink() or not file.exists():
        return True
    try:
        with file.open("rb") as found:
            return mark in found.read(_HEAD)
    except OSError:
        return False


def check_exported(place: str) -> None:
    """Check the bundle in the folder, if there is one, and the file of functions that was exported with it.

    One that no signed manifest names is not believed either: it could be anybody's. Raises RegistryError, NotVerified.
    """
    folder, vouched = Path(place), dict[str, str]()
    folders = [folder, folder / REGISTRY]
    if has_bundle(place):
        load_functions(folder, approved=False)
        vouched = vouched_files(folder)
        folders += [folder.parent] if folder.name == REGISTRY else []
    names = {FUNCTIONS, *(Path(name).name for name in vouched)}
    for file in sorted(folder / name for folder in folders for name in names):
        if file.is_file() and file_sha256(file) != vouched.get(file.name):
            raise NotVerified(f"{file} is not the file that was exported.", advice="Export it again.")


def still_exported(place: str, in_use: Sequence[Promoted]) -> list[str]:
    """The functions that the exported files in the folder have, and that are not in use (any more), by name."""
    try:
        stored = load_stored(Path(place)) if has_bundle(place) else []
    except (RegistryError, UsageError):  # whoever wants to use them is told
        return []
    known = {(one.name, one.version) for one in in_use}
    return [one.name for one in stored if (one.name, one.version) not in known]


def _check_free(folder: Path, *, overwrite: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file.", advice="Choose a folder with --out.")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not (folder / JOURNAL).exists():
        raise UsageError(f"The folder {folder} holds other files.", advice="Choose a new folder with --out.")
    if not overwrite:
        raise UsageError(
            f"{folder} holds the results of an earlier run.",
            advice="Choose another --out, or replace them with --overwrite.",
        )


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _free_folder(data: Path | DataAddress, suffix: str, *, overwrite: bool) -> Path:
    """The first of <name>-cleaned, <name>-cleaned-2, … that is free."""
    whole = isinstance(data, Path) and data.name.endswith(suffix)
    name = "stdin" if data == Path("-") else data.name.removesuffix(suffix) if whole else data.stem
    while len(os.fsencode(name)) > _MOST_BYTES:  # as a key of an object store may be
        name = name[:-1]
    first = Path(f"{name}-cleaned")
    if overwrite or not first.exists():
        return first
    number = 2
    while (folder := first.with_name(f"{first.name}-{number}")).exists():
        number += 1
    return folder
