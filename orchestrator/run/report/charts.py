"""Small bar charts as inline SVG: numbers only, no text from the data. Called by the report's templates."""

from markupsafe import Markup

_WIDTH = 96.0


def change_bars(before: int, after: int | None, scale: int) -> Markup:
    """Two thin bars, before and after, on a scale that the whole report shares."""
    bars = [_bar(before, scale, 0, "was")]
    if after is not None:
        bars.append(_bar(after, scale, 6, "is"))
    return Markup('<svg class="bars" width="{}" height="11" viewBox="0 0 {} 11" aria-hidden="true">{}</svg>').format(
        round(_WIDTH), round(_WIDTH), Markup("").join(bars)
    )


def time_bar(seconds: float, total: float) -> Markup:
    """One bar: the share of the whole time."""
    width = 100.0 * min(1.0, seconds / total) if total > 0 else 0.0
    return Markup(
        '<svg class="time" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="6"/><rect class="is" width="{}" height="6"/></svg>'
    ).format(f"{width:.2f}")


def _bar(value: int, scale: int, y: int, css: str) -> Markup:
    width = 0.0 if not value or not scale else max(1.5, _WIDTH * min(1.0, value / scale))
    return Markup('<rect class="{}" y="{}" width="{}" height="5" rx="1"/>').format(css, y, f"{width:.1f}")
