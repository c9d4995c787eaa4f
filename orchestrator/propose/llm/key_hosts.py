"""Whose key may go to which address. Called by `litellm_chat` before each question and by `egress` at each request.

LiteLLM takes a provider's key from the environment and sends it to whatever address it is given. Here a key belongs to
its provider's host: another address gets only the key that was named for it, CLEANROOM_API_KEY or --api-key-env.
"""

import os
from urllib.parse import urlsplit

# The hosts of providers as LiteLLM names them; one that begins with a dot stands for all below it.
_HOSTS = {
    "openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "azure": ".openai.azure.com .cognitiveservices.azure.com",
    "azure_ai": ".services.ai.azure.com .inference.ai.azure.com .models.ai.azure.com",
    "gemini": "generativelanguage.googleapis.com",
    "mistral": "api.mistral.ai",
    "codestral": "codestral.mistral.ai",
    "groq": "api.groq.com",
    "deepseek": "api.deepseek.com",
    "openrouter": "openrouter.ai",
    "xai": "api.x.ai",
    "together_ai": "api.together.xyz api.together.ai",
    "fireworks_ai": "api.fireworks.ai",
    "perplexity": "api.perplexity.ai",
    "cohere": "api.cohere.ai api.cohere.com",
    "cohere_chat": "api.cohere.ai api.cohere.com",
    "cerebras": "api.cerebras.ai",
    "nvidia_nim": "integrate.api.nvidia.com",
    "huggingface": "huggingface.co .huggingface.co .endpoints.huggingface.cloud",
}


OWNERS = {
    **{f"{provider.upper()}_API_KEY": provider for provider in _HOSTS},
    "OPENAI_LIKE_API_KEY": "openai",
    "ANTHROPIC_AUTH_TOKEN": "anthropic",
    "AZURE_OPENAI_API_KEY": "azure",
    "AZURE_AD_TOKEN": "azure",
    "GOOGLE_API_KEY": "gemini",
    "OR_API_KEY": "openrouter",
    "TOGETHERAI_API_KEY": "together_ai",
    "TOGETHER_API_KEY": "together_ai",
    "FIREWORKS_API_KEY": "fireworks_ai",
    "FIREWORKSAI_API_KEY": "fireworks_ai",
    "PERPLEXITYAI_API_KEY": "perplexity",
    "CO_API_KEY": "cohere",
    "HF_TOKEN": "huggingface",
}
"""The variables that LiteLLM takes these providers' keys from."""
_ALSO = {"mistral": ("codestral",), "azure": ("azure_ai",), "azure_ai": ("azure",)}  # one account, several names


def is_well_known(model: str) -> bool:
    """Whether the model's provider is one of those whose hosts are listed here."""
    return "/" not in model or model.split("/", 1)[0] in _HOSTS


def may_have_key(variable: str, address: str) -> bool:
    """Whether the key in a variable of the environment may go to the address.

    It may go to its provider, and where the environment itself, beside the key, says that the provider is.
    """
    provider = OWNERS[variable]
    if any(is_of_provider(f"{each}/", address) for each in (provider, *_ALSO.get(provider, ()))):
        return True
    places = (os.environ.get(f"{provider.upper()}_{word}", "") for word in ("API_BASE", "BASE_URL"))
    there = urlsplit(address)
    return any(urlsplit(place)[:2] == there[:2] for place in places if place)


def is_of_provider(model: str, address: str) -> bool:
    """Whether the address is one of the model's provider, reached by HTTPS, to which its key may go."""
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https" or parts.username is not None or parts.password is not None:
        return False
    hosts = _HOSTS.get(model.split("/", 1)[0], "").split()
    return any(host.endswith(own) if own.startswith(".") else host == own for own in hosts)
