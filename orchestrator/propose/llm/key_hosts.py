"""Whose key may go to which address. Called by `litellm_chat` before each question.

LiteLLM takes a provider's key from the environment and sends it to whatever address it is given. Here a key belongs to
its provider's host: another address gets only the key that was named for it, CLEANROOM_API_KEY.
"""

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
    "huggingface": ".huggingface.co .endpoints.huggingface.cloud",
}


def is_of_provider(model: str, address: str) -> bool:
    """Whether the address is one of the model's provider, reached by HTTPS, to which its key may go."""
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "https" or parts.username is not None or parts.password is not None:
        return False
    hosts = _HOSTS.get(model.split("/", 1)[0], "").split()
    return any(host.endswith(own) if own.startswith(".") else host == own for own in hosts)
