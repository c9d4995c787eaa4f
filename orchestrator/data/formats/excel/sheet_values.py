"""Numbers and dates of spreadsheets as texts, and back. Used by `excel_reader` and `excel_edit`."""

from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any


def number_text(stored: str) -> str:
    """A number as a person writes it: 5 and not 5.0, 0.1 and not 0.10000000000000001; whole ones keep all digits."""
    stored = stored.strip()
    if stored.removeprefix("-").isdigit():
        return str(int(stored))
    plain = format(Decimal(repr(float(stored))), "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def is_number(text: str) -> bool:
    """Whether the text is what `number_text` makes, so that it can be stored as a number and be read as the same."""
    try:
        return number_text(text) == text and abs(Decimal(text)) < 10**15
    except (ValueError, OverflowError, InvalidOperation):
        return False


def is_decimal(text: str) -> bool:
    """Whether the text is such a number but for zeros behind its decimals, which no number keeps: 4.50."""
    return "." in text and text[-1:].isdigit() and is_number(text.rstrip("0").rstrip("."))


def iso_text(value: "datetime | date | time | timedelta") -> str:
    """A date without a time of day where that is midnight; a duration as hours, minutes, seconds."""
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
        return f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return value.isoformat().removesuffix("T00:00:00")


class SheetDates:
    """Which styles of a workbook are dates, and what a number stands for in them."""

    def __init__(self, book: Any) -> None:
        self._dates, self._spans, self._epoch = book._date_formats, book._timedelta_formats, book.epoch  # noqa: SLF001

    def is_date(self, style: int) -> bool:
        return style in self._dates

    def text(self, style: int, number: str) -> str | None:
        """The ISO text; None where the style is none of a date."""
        from openpyxl.utils.datetime import from_excel

        if style not in self._dates:
            return None
        try:
            return iso_text(from_excel(float(number), self._epoch, timedelta=style in self._spans))
        except (ValueError, OverflowError):
            return None

    def number(self, style: int, text: str) -> str | None:
        """The number to store for an ISO text in a cell of that style; None where it is none, or no date."""
        from openpyxl.utils.datetime import to_excel

        if style in self._dates and style not in self._spans:
            with suppress(ValueError, OverflowError):
                serial = repr(to_excel(datetime.fromisoformat(text), self._epoch)).removesuffix(".0")
                return serial if self.text(style, serial) == text else None
        return None
