"""`cleanroom_phones_v1` writes phone numbers in E.164 where they surely are whole numbers."""

import csv
import re

import pytest
from cleanroom_phones_v1 import _COUNTRIES, format_phone
from hypothesis import given
from hypothesis import strategies as st

from tests.support.shared_data import DATA, needs_shared_data

COUNTRIES = st.sampled_from([*_COUNTRIES, "", "XX", "de"])


@pytest.mark.parametrize(
    ("text", "country", "number"),
    [
        ("030/1234 567", "DE", "+49301234567"),
        ("(0)30 998877", "DE", "+4930998877"),
        ("+49-30-55512", "", "+493055512"),
        ("+49 (0)30 123456", "FR", "+4930123456"),
        ("0049 30 123456", "DE", "+4930123456"),
        ("tel:+49-30-123456", "", "+4930123456"),
        ("(212) 555-2368", "US", "+12125552368"),
        ("1-212-555-2368", "US", "+12125552368"),
        ("212.555.2368 x12", "US", "+12125552368;ext=12"),
        ("011 49 30 123456", "US", "+4930123456"),
        ("98765 43210", "IN", "+919876543210"),
        ("09876543210", "IN", "+919876543210"),
        ("8 (495) 123-45-67", "RU", "+74951234567"),
        ("8001234567", "RU", "+78001234567"),
        ("06 1 234 5678", "HU", "+3612345678"),
        ("02 1234567", "IT", "+39021234567"),
        ("01 23 45 67 89", "FR", "+33123456789"),
        ("020\u00a07946\u20110958", "GB", "+442079460958"),
        ("011 98765-4321", "BR", "+5511987654321"),
        ("+353 1 234 5678", "", "+35312345678"),
        ("+290 21234", "", "+29021234"),
    ],
)
def test_numbers_of_a_country_become_e164(text: str, country: str, number: str) -> None:
    """Trunk digits go, leading zeros that belong to a number stay, extensions are kept."""
    assert format_phone(text, country) == number


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("030 1234567", ""),  # of which country?
        ("030 1234567", "XX"),
        ("1 23 45 67 89", "FR"),  # without its trunk digit
        ("555-2368", "US"),  # without its area code
        ("112", "DE"),
        ("+1 123 456 7890", ""),  # no area code begins with 1
        ("+999 123456", ""),  # no country
        ("+33 01 23 45 67 89", ""),
        ("+39 (0)2 1234567", ""),  # the zero belongs to it, or does not
        ("030 123456 / 030 456789", "DE"),
        ("+49 30 1234567890123", ""),
        ("030 123456 (mobile)", "DE"),
        ("1-800-FLOWERS", "US"),
        ("2024-01-02", "US"),
        ("١٢٣٤٥٦٧٨٩٠", "US"),
        ("", "US"),
    ],
)
def test_what_is_not_surely_a_whole_number_is_refused(text: str, country: str) -> None:
    """None, so that the caller leaves it as it is."""
    assert format_phone(text, country) is None


def test_an_extension_is_kept_apart() -> None:
    """As text, its zeros included."""
    assert format_phone("212-555-2368 ext. 007", "US") == "+12125552368;ext=007"
    assert format_phone("212-555-2368", "US") == "+12125552368"


@given(
    st.none() | st.integers() | st.text() | st.from_regex(r"[+]?[0-9 ()./-]{0,25}( x[0-9]+)?", fullmatch=True),
    COUNTRIES,
)
def test_any_value_is_read_or_refused(value: object, country: str) -> None:
    """No value raises; a result is E.164 and reads as itself, whatever the country."""
    found = format_phone(value, country)
    assert found is None or re.fullmatch(r"\+[1-9][0-9]{6,14}(;ext=[0-9]{1,7})?", found)
    assert found is None or format_phone(found, country) == found == format_phone(found, "")


@given(COUNTRIES, st.from_regex(r"[+]?[0-9 ()./-]{5,20}", fullmatch=True))
def test_no_digit_of_the_number_is_lost(country: str, text: str) -> None:
    """A result ends with the digits that were given, without what is dialled in front of them."""
    found = format_phone(text, country)
    digits = re.sub(r"[^0-9]", "", text)
    assert found is None or any(found.endswith(digits[cut:]) for cut in range(5)) or "(0)" in text.replace(" ", "")


class TestRealPhones:
    """Phone numbers of a real table."""

    pytestmark = needs_shared_data

    def test_plain_numbers_of_hospitals_are_read(self) -> None:
        """All but those in which a digit was replaced by a letter."""
        with (DATA / "hospital" / "dirty.csv").open(encoding="utf-8-sig", newline="") as file:
            phones = [row["phone"] for row in csv.DictReader(file)]
        assert len(phones) == 1_000
        for phone in phones:
            assert format_phone(phone, "US") == (f"+1{phone}" if phone.isdigit() else None)
