"""The address of a model's server, fit to be shown and recorded. Used by `config`, journals and messages of errors."""

import re
from urllib.parse import urlsplit


def without_secrets(api_base: str) -> str:
    """Without user, password and whatever is asked of it, which may be a key."""
    try:
        _ = urlsplit(api_base).port
    except ValueError:
        return "…"  # where a password has a sign that an address cannot have, nobody knows where it ends
    return re.sub(r"//[^/]*@", "//", re.split(r"[?#]", api_base, maxsplit=1)[0])
