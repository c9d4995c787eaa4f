"""Whether a token may ask for one more job: of all that wait, of its share, of its hour. Called by `job_store`."""

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from orchestrator.core.errors import JobRefused
from orchestrator.registry.queue.queue_tables import JobRow, TokenRow
from orchestrator.registry.queue.service_job import JobState, QueueLimits

WAITING = (JobState.QUEUED, JobState.RUNNING)
_HOUR_S = 3600


def check_job_quota(session: Session, token_id: str, limits: QueueLimits, now: float) -> None:
    """Raises JobRefused, which says when to ask again. `now`: seconds since 1970.

    Also where the token was revoked since the request began: it may have been minutes on its way.
    """
    if session.scalar(select(TokenRow.revoked_at).where(TokenRow.id == token_id)):
        raise JobRefused("The token is revoked.", advice="Ask for a new one.", status=401)
    waiting = select(func.count()).select_from(JobRow).where(JobRow.state.in_(WAITING))
    if (session.scalar(waiting) or 0) >= limits.queued:
        raise JobRefused("The queue is full.", advice="Ask again later.", status=429, retry_after_s=5)
    if (session.scalar(waiting.where(JobRow.token_id == token_id)) or 0) >= limits.for_each_token:
        raise JobRefused(
            f"This token has {limits.for_each_token} jobs that are not over.",
            advice="Wait for them, or cancel some.",
            status=429,
            retry_after_s=5,
        )
    # The newest jobs of the hour, as many as it may have: the oldest of them says when there is room again. What a
    # clock that had run ahead dated into the future is not counted, or it would be in the way until then.
    recent = (
        select(JobRow.created_at)
        .where(JobRow.token_id == token_id, JobRow.created_at > moment(now - _HOUR_S), JobRow.created_at <= moment(now))
        .order_by(JobRow.number.desc())
        .limit(limits.per_hour)
    )
    asked = session.scalars(recent).all()
    if len(asked) >= limits.per_hour:
        free_at = datetime.fromisoformat(min(asked)).timestamp() + _HOUR_S
        raise JobRefused(
            f"This token has asked for {limits.per_hour} jobs within an hour.",
            advice="Ask again later, or ask the service's operator for a higher --jobs-per-hour.",
            status=429,
            retry_after_s=min(_HOUR_S, max(1, int(free_at - now) + 1)),
        )


def moment(seconds: float) -> str:
    """The time in ISO 8601 and UTC; texts of later ones are greater."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
