"""Loads and renders `prompts/*.yaml`. Called by `model_proposer`.

A prompt file holds: purpose, version, roles, variables (name → what it is), messages (role, content as Jinja2). What a
template uses and what the file declares must be the same set, and a value for each must be given: a typo is an error
here and not a hole in a prompt.
"""

import functools
from dataclasses import dataclass
from typing import Any, get_args

import jinja2
import jinja2.meta
import yaml

from orchestrator.core.errors import ProposalError
from orchestrator.data.assets import asset
from orchestrator.data.helper_modules import text_sha256
from orchestrator.propose.llm.chat import Message, Role

_KEYS = {"purpose", "version", "roles", "variables", "messages"}
# A prompt is plain text: HTML escaping would change the data that it shows.
_ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined,
    autoescape=False,  # noqa: S701 - no HTML is made here
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=False,
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file. `sha256` identifies its exact text in the evidence of what it led to."""

    name: str
    purpose: str
    version: int
    variables: dict[str, str]
    templates: tuple[tuple[Role, str], ...]
    sha256: str

    def render(self, **values: object) -> tuple[Message, ...]:
        """The messages with every variable filled in. Raises ProposalError for a missing or an unknown variable."""
        if wrong := set(values) ^ set(self.variables):
            raise ProposalError(f"The prompt {self.name} and its values disagree on: {', '.join(sorted(wrong))}.")
        try:
            return tuple(
                Message(role, _ENVIRONMENT.from_string(content).render(values).strip() + "\n")
                for role, content in self.templates
            )
        except jinja2.TemplateError as error:
            raise ProposalError(f"The prompt {self.name} cannot be rendered: {error}.") from error


@functools.cache
def load_prompt(name: str) -> Prompt:
    """The prompt in `prompts/<name>.yaml`. Raises ProposalError when the file is missing or wrong."""
    try:
        text = (asset("prompts") / f"{name}.yaml").read_text(encoding="utf-8")
    except OSError as error:
        raise ProposalError(f"The prompt {name} is missing.", advice="Install cleanroom again.") from error
    return parse_prompt(name, text)


def parse_prompt(name: str, text: str) -> Prompt:
    """Reads a prompt file and checks it against itself. Raises ProposalError."""
    try:
        raw: Any = yaml.safe_load(text)
        templates = tuple((m["role"], str(m["content"])) for m in raw["messages"])
        variables = {str(k): str(v) for k, v in raw["variables"].items()}
        used = jinja2.meta.find_undeclared_variables(_ENVIRONMENT.parse("".join(c for _, c in templates)))
        roles = {role for role, _ in templates}
        problem = _KEYS ^ set(raw) | used ^ set(variables) | roles ^ set(raw["roles"]) | roles - set(get_args(Role))
        prompt = Prompt(name, str(raw["purpose"]), int(raw["version"]), variables, templates, text_sha256(text))
    except (yaml.YAMLError, jinja2.TemplateError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ProposalError(f"The prompt {name} cannot be read: {error}.", advice="Install cleanroom again.") from error
    if problem:
        raise ProposalError(
            f"The prompt {name} uses and declares different things: {', '.join(sorted(map(str, problem)))}.",
            advice="Install cleanroom again.",
        )
    return prompt
