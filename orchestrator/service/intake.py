"""Takes in what a job is about: keeps its files, asks for room in the queue, cleans up where there is none.

Called by the routes for programs and by the pages, so that both have the same limits.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fastapi import UploadFile

from orchestrator.registry.queue.job_store import JobStore
from orchestrator.registry.queue.service_job import JobKind, NewJob, ServiceJob
from orchestrator.registry.queue.token_store import TokenScope
from orchestrator.service.authorization import Caller
from orchestrator.service.data_fields import check_fits
from orchestrator.service.denied import Denied
from orchestrator.service.service_settings import ServiceSettings
from orchestrator.service.uploads import DATA, EXAMPLES, FUNCTION, JobFolder, JobFolders, data_name, format_by_name

_Sent = tuple[str, UploadFile, int]  # the name under which it is kept, and how many bytes it may have
_SHOWN_NAME = 120
_DAY_S = 86_400.0
_STORED_AGAIN_S = 600  # what was sent is deleted when its job is over, what was made after days


class Intake:
    """New jobs of every kind. Each raises Denied, JobRefused, OutputError, RegistryError."""

    def __init__(self, jobs: JobStore, folders: JobFolders, settings: ServiceSettings) -> None:
        self._jobs, self._folders, self._settings = jobs, folders, settings

    def verification(
        self,
        caller: Caller,
        function: UploadFile,
        data: UploadFile,
        examples: UploadFile | None,
        *,
        quick: bool,
        promote: bool,
        key: str | None,
        reading: Mapping[str, str] = MappingProxyType({}),
    ) -> ServiceJob:
        sent, told = self._described(data, reading)
        files = [(FUNCTION, function, self._settings.max_function), sent]
        words = told | {"quick": quick, "promote": promote}
        if promote:
            words["replace"] = caller.may(TokenScope.REVIEW)
        if examples is not None and (examples.filename or examples.size):  # a form without a choice sends neither
            files.append(self._data(examples, EXAMPLES))
            words["examples"] = files[2][0]
        return self._add(JobKind.VERIFY, caller, files, words, key)

    def application(
        self,
        caller: Caller,
        data: UploadFile,
        *,
        accept_drift: bool,
        key: str | None,
        reading: Mapping[str, str] = MappingProxyType({}),
        columns: Mapping[str, str] = MappingProxyType({}),
    ) -> ServiceJob:
        sent, words = self._described(data, reading)
        words |= {"accept_drift": accept_drift} | ({"columns": dict(columns)} if columns else {})
        return self._add(JobKind.APPLY, caller, [sent], words, key)

    def cleaning(
        self,
        caller: Caller,
        data: UploadFile,
        *,
        instruction: str,
        key: str | None,
        reading: Mapping[str, str] = MappingProxyType({}),
    ) -> ServiceJob:
        sent, words = self._described(data, reading)
        return self._add(JobKind.RUN, caller, [sent], words | {"instruction": instruction}, key)

    def _described(self, data: UploadFile, reading: Mapping[str, str]) -> tuple[_Sent, dict[str, Any]]:
        """The data, and what a job's row says of it: no more than the client has said, for keys of older requests."""
        sent = self._data(data, kind=reading.get("format", ""))
        check_fits(reading.get("format") or format_by_name(sent[0]), reading)
        words = {"data": sent[0], "named": _named(data)}
        return sent, words | ({"reading": dict(reading)} if reading else {})

    def _data(self, file: UploadFile, stem: str = DATA, kind: str = "") -> _Sent:
        return data_name(file.filename, stem, kind), file, self._settings.max_upload

    def _add(
        self,
        kind: JobKind,
        caller: Caller,
        files: list[_Sent],
        words: dict[str, Any],
        key: str | None,
    ) -> ServiceJob:
        folder, fresh = self._folders.new(), False
        try:
            sha256 = self._keep(folder, files, words)
            new = NewJob(kind, caller.token.id, words | {"folder": folder.name}, sha256, key)
            if known := self._jobs.known(new):
                return known
            self._check_stored(caller, folder)
            job, fresh = self._jobs.add(new)
            return job
        finally:
            if not fresh:
                folder.delete()

    def _check_stored(self, caller: Caller, folder: JobFolder) -> None:
        """Raises Denied where the token's files would be larger together than they may be."""
        names = self._jobs.folders_of(caller.token.id, self._settings.keep_days * _DAY_S + _DAY_S)
        if self._folders.size(names | {folder.name}) > self._settings.max_stored:
            raise Denied(
                429,
                f"The files of this token's jobs would be larger than {self._settings.max_stored:,} bytes together.",
                f"What jobs made is deleted after {self._settings.keep_days} days; cancel what waits, or send less.",
                _STORED_AGAIN_S,
            )

    @staticmethod
    def _keep(folder: JobFolder, files: list[_Sent], words: dict[str, Any]) -> str:
        for name, file, limit in files:
            folder.keep(name, file.file, limit)
        return folder.digest(sorted(words.items(), key=lambda word: word[0]))


def _named(file: UploadFile) -> str:
    """The name that the client gave the data, to be shown and for nothing else."""
    return (file.filename or "").replace("\\", "/").rsplit("/", 1)[-1][:_SHOWN_NAME]
