"""Where the redirects of a web address with a secret part lead. Called by `object_store`, which then asks there.

obstore follows redirects, too, but tells the next server the whole address it came from, with its signature, as the
Referer, and has no setting against it.
"""

from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

_MOST = 10
_SECONDS = 30.0
_REDIRECTS = (301, 302, 303, 307, 308)
_KEPT = "%/:=&?~#+!$,;'@()*[]"  # as they are in addresses that browsers take


def redirected(url: str, headers: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """The last address, and the headers that may go there: a login only goes to the server that it is for.

    What else goes wrong is left to the real request, which has a sentence for it.
    """
    opener = build_opener(_Stay)
    for _ in range(_MOST):
        to = _next(opener.open, url, headers)
        schemes = ("https",) if url.startswith("https:") else ("http", "https")
        if not to or urlsplit(to).scheme not in schemes:
            break
        headers = headers if urlsplit(to)[:2] == urlsplit(url)[:2] else {}
        url = to
    return url, headers


def _next(get: Any, url: str, headers: Mapping[str, str]) -> str:
    """Where the server sends us; "" where it does not. The body is not read."""
    request = Request(quote(url, safe=_KEPT), headers={"User-Agent": "cleanroom", **headers})  # noqa: S310 - checked
    try:
        with get(request, timeout=_SECONDS):
            return ""
    except HTTPError as answer:
        with answer:
            place = answer.headers.get("location", "") if answer.code in _REDIRECTS else ""
            return urljoin(url, place) if place else ""
    except (OSError, HTTPException, ValueError):
        return ""


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: the redirect becomes an HTTPError."""
