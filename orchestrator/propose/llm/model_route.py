"""Which provider is asked under a model's name, as LiteLLM tells it. Called by `litellm_chat`."""

from typing import Any

from orchestrator.core.errors import UsageError
from orchestrator.propose.llm.litellm_errors import Target, mapped


def routed(litellm: Any, model: str, api_base: str | None) -> str:
    """The model with its provider. At an address of its own, a name without a provider speaks OpenAI's protocol."""
    provider = model.split("/", 1)[0]
    if api_base is not None and ("/" not in model or provider not in litellm.provider_list):
        return f"openai/{model}"
    return model


def refuse_unknown(litellm: Any, model: str, api_base: str | None) -> None:
    """Raise UsageError where LiteLLM would not know whom to ask; nobody is asked for that."""
    name = routed(litellm, model, api_base)
    if "/" in name and name.split("/", 1)[0] in litellm.provider_list:
        return
    try:
        litellm.get_llm_provider(name)  # it knows the providers of some names that do not say them
    except Exception as error:  # noqa: BLE001 - the edge of the package: whatever LiteLLM throws is mapped
        failure = mapped(error, Target(model, api_base))
        raise UsageError(failure.message, advice=failure.advice) from None
