"""The trust policy: whose signature may promote, and how many people must approve. Called by `identity`.

A YAML file, `trust.yaml` in the user's config folder or CLEANROOM_TRUST_FILE:

    approvals: 1                     # people other than the author who must approve a function before it is applied
    people:
      ana:
        may: [promote, approve]
        keys:
          - key: ed25519:…
            expires: 2027-12-31
    revoked: [ed25519:…]             # keys that count for nothing, whenever they signed
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from orchestrator.core.errors import UsageError
from orchestrator.core.value import Value
from orchestrator.data.files import locked_folder, private_folder, write_file
from orchestrator.data.text import clean_text
from orchestrator.registry.signing.keys import PublicKey, config_folder

Right = Literal["promote", "approve"]
VARIABLE = "CLEANROOM_TRUST_FILE"
_MAX_BYTES = 2**20
_HEADER = "# Whose signature counts in registries of cleanroom: docs/signatures.md. Changed by `cleanroom keys`.\n"


def _key(text: str) -> str:
    return PublicKey(text).text


KeyText = Annotated[str, AfterValidator(_key)]
# The length apart from the pattern: a hundred times all of Unicode's letters take 0.03 s to compile.
PersonName = Annotated[str, Field(pattern=r"^[\w.@-]+$", max_length=100)]


class TrustedKey(Value):
    """A public key, and the last day on which it may sign."""

    key: KeyText
    expires: date | None = None


class Person(Value):
    """A person with all their keys: what two of them sign, one person has signed."""

    may: tuple[Right, ...] = ("promote", "approve")
    keys: tuple[TrustedKey, ...] = ()


class TrustPolicy(Value):
    """Whose signature counts for what."""

    approvals: int = Field(default=0, ge=0, le=100)
    people: dict[PersonName, Person] = Field(default_factory=dict)
    revoked: tuple[KeyText, ...] = ()

    @model_validator(mode="after")
    def _one_person_per_key(self) -> Self:
        named = [one.key for person in self.people.values() for one in person.keys]
        twice = next((key for key in named if named.count(key) > 1), None)
        if twice is not None:
            raise ValueError(f"the key {twice} stands twice")
        return self

    def holder(self, key: PublicKey, at: datetime) -> str | None:
        """Whose key it was at that time; None where it was nobody's, expired, or is revoked."""
        if key.text in self.revoked:
            return None
        for name, person in self.people.items():
            for one in person.keys:
                if one.key == key.text:
                    return name if one.expires is None or at.date() <= one.expires else None
        return None

    def keys(self) -> tuple[PublicKey, ...]:
        """Every key of a person that is not revoked, expired ones too: they had signed before."""
        named = [one.key for person in self.people.values() for one in person.keys]
        return tuple(PublicKey(text) for text in named if text not in self.revoked)

    def people_of(self, keys: Iterable[PublicKey], right: Right, at: datetime) -> frozenset[str]:
        """The different people behind the keys who had the right at that time."""
        names = {self.holder(key, at) for key in keys}
        return frozenset(name for name in names if name is not None and right in self.people[name].may)


def trust_file() -> Path:
    """Where the trust policy lies or is to lie."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else config_folder() / "trust.yaml"


def read_trust(path: Path) -> TrustPolicy | None:
    """The policy in the file; None where there is no file. Raises UsageError that names what is wrong."""
    if not os.path.lexists(path):
        return None

    import yaml

    from orchestrator.data.user_files.yaml_text import read_yaml, why_unreadable

    try:
        raw = _content(path)
        if len(raw) > _MAX_BYTES:
            raise UsageError(f"The trust policy {path} is larger than 1 MiB.", advice="Name a YAML file.")
        content = read_yaml(raw.decode("utf-8-sig"))
        return TrustPolicy.model_validate({} if content is None else content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = clean_text(".".join(str(part) for part in first["loc"]), 100)
        what = clean_text(first["msg"].removeprefix("Value error, "), 200)
        at = f" at {where}" if where else ""
        raise UsageError(f"The trust policy is wrong{at}: {what}.", advice=f"Correct {path}.") from error
    except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
        reason = why_unreadable(error)
        raise UsageError(f"The trust policy {path} cannot be read: {reason}.", advice="Correct the file.") from error


def _content(path: Path) -> bytes:
    """A little more than is allowed of it. Raises OSError; UsageError where others than the user may write it."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        known = os.fstat(file.fileno())
        if not stat.S_ISREG(known.st_mode):
            raise UsageError(f"The trust policy {path} is not a regular file.", advice="It is to be a YAML file.")
        if known.st_uid not in {0, os.geteuid()} or known.st_mode & stat.S_IWOTH:
            raise UsageError(
                f"The trust policy {path} can be written by others.", advice=f"Make it yours alone: `chmod 600 {path}`."
            )
        return file.read(_MAX_BYTES + 1)


@contextmanager
def changing_trust() -> Iterator[None]:
    """Around reading and writing the policy: of two processes that change it, none takes back what the other did."""
    folder = trust_file().parent
    with ExitStack() as stack:
        try:
            stack.enter_context(locked_folder(folder, wait=True))
        except OSError as error:
            raise _no_folder(folder, error) from error
        yield


def write_trust(path: Path, policy: TrustPolicy) -> None:
    """Write the policy to the file, whole or not at all. Raises OutputError, UsageError."""
    import yaml

    plain: dict[str, Any] = policy.model_dump(mode="json", exclude_none=True)
    try:
        private_folder(path.parent)
    except OSError as error:
        raise _no_folder(path.parent, error) from error
    write_file(path, (_HEADER + yaml.safe_dump(plain, sort_keys=False, allow_unicode=True)).encode())


def _no_folder(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        f"The folder {folder} cannot be made or written to: {error.strerror}.",
        advice="Name files elsewhere with CLEANROOM_TRUST_FILE and CLEANROOM_SIGNING_KEY_FILE.",
    )
