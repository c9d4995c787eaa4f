"""The refusal of a request, raised wherever one is found out. `problems` makes the answer of it."""


class Denied(Exception):
    """A request that is refused. `status`: of HTTP; `message`: one sentence."""

    def __init__(self, status: int, message: str, advice: str = "", retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.advice, self.retry_after_s = status, message, advice, retry_after_s
