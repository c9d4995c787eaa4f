"""Reads phone numbers that people wrote. Called by cleaning functions, in the sandbox and in exported files.

Country codes are those that the ITU has assigned (List of Recommendation ITU-T E.164 assigned country codes); how
numbers are dialled inside of a country is known of the common ones alone, and nothing is guessed of the others.

Frozen: what was proved with version 1 must go on running with exactly this text. A change makes a version 2 beside it.
"""

import re

__all__ = ["format_phone"]

_LONGEST = 80
_CODES = frozenset(
    """
    1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86
    90 91 92 93 94 95 98 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237
    238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263 264 265 266
    267 268 269 290 291 297 298 299 350 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 376 377 378 380
    381 382 383 385 386 387 389 420 421 423 500 501 502 503 504 505 506 507 508 509 590 591 592 593 594 595 596 597
    598 599 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691 692 800 808 850 852 853
    855 856 870 878 880 881 882 883 886 960 961 962 963 964 965 966 967 968 970 971 972 973 974 975 976 977 979 992
    993 994 995 996 998
    """.split()  # noqa: SIM905 - read more easily than a list
)
# Country code; what is dialled before an area code (`-`: nothing; `?`: may be missing); fewest and most digits without
# it; what is dialled before a foreign country's code.
_COUNTRIES = {
    name: (code, trunk, int(fewest), int(most), abroad)
    for name, code, trunk, fewest, most, abroad in (
        line.split()
        for line in """
        US 1 1? 10 10 011
        CA 1 1? 10 10 011
        RU 7 8? 10 10 810
        KZ 7 8? 10 10 810
        EG 20 0 8 10 00
        ZA 27 0 9 9 00
        GR 30 - 10 10 00
        NL 31 0 9 9 00
        BE 32 0 8 9 00
        FR 33 0 9 9 00
        ES 34 - 9 9 00
        HU 36 06 8 9 00
        IT 39 - 6 11 00
        RO 40 0 9 9 00
        CH 41 0 9 9 00
        AT 43 0 4 13 00
        GB 44 0 9 10 00
        DK 45 - 8 8 00
        SE 46 0 7 9 00
        NO 47 - 8 8 00
        PL 48 - 9 9 00
        DE 49 0 5 11 00
        MX 52 - 10 10 00
        AR 54 0? 10 11 00
        BR 55 0? 10 11 -
        CL 56 - 9 9 -
        CO 57 - 10 10 -
        MY 60 0 8 10 00
        AU 61 0 9 9 0011
        ID 62 0 8 12 -
        PH 63 0 8 10 00
        NZ 64 0 8 10 00
        SG 65 - 8 8 -
        TH 66 0 8 9 -
        JP 81 0 9 10 010
        KR 82 0 8 10 -
        VN 84 0 9 10 00
        CN 86 0? 10 11 00
        TR 90 0? 10 10 00
        IN 91 0? 10 10 00
        PK 92 0 9 10 00
        MA 212 0 9 9 00
        NG 234 0 8 10 009
        KE 254 0 9 9 000
        PT 351 - 9 9 00
        LU 352 - 4 11 00
        IE 353 0 7 9 00
        FI 358 0 5 12 00
        BG 359 0 7 9 00
        EE 372 - 7 8 00
        LV 371 - 8 8 00
        UA 380 0 9 9 00
        RS 381 0 8 10 00
        HR 385 0 8 9 00
        SI 386 0 8 8 00
        CZ 420 - 9 9 00
        SK 421 0 9 9 00
        HK 852 - 8 8 -
        AE 971 0 8 9 00
        IL 972 0 8 9 -
        SA 966 0 8 9 00
        """.strip().splitlines()
    )
}
_BY_CODE = {code: (trunk, fewest, most) for code, trunk, fewest, most, _ in _COUNTRIES.values()}
_EXTENSION = re.compile(r"(?:;ext=|,? *(?:extension|ext|x)\.?:? *|,? *# *)([0-9]{1,7})$", re.IGNORECASE)
_NUMBER = re.compile(r"(?:tel:)?([+]?)([0-9 ()./-]+)", re.IGNORECASE)
_BLANKS = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")
_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_NORTH_AMERICA = re.compile(r"[2-9][0-9]{2}[2-9][0-9]{6}")


def format_phone(value: object, country: str) -> str | None:
    """("030/12345 x6", "DE") is "+493012345;ext=6".

    That is E.164, with the extension as in RFC 3966. `country`: as "DE", that of numbers without a country code; with
    "" they are not read. None where country code, trunk digits or length are not those of the country, and for anything
    else that is not surely one whole number.
    """
    if not isinstance(value, str) or not isinstance(country, str) or len(value) > _LONGEST:
        return None
    text = _DASHES.sub("-", _BLANKS.sub(" ", value)).strip()
    extension = ""
    if match := _EXTENSION.search(text):
        text, extension = text[: match.start()].rstrip(), f";ext={match[1]}"
    match = _NUMBER.fullmatch(text)
    if match is None or not _in_place(text):
        return None
    home = _COUNTRIES.get(country.strip().upper())
    abroad = home[4] if home else "00"
    bare = _digits(match[2])
    if match[1]:
        whole = _international(match[2])
    elif abroad != "-" and bare.startswith(abroad):
        whole = _international(match[2], len(abroad))
    else:
        whole = _national(bare, home) if home else None
    return f"+{whole}{extension}" if whole else None


def _international(written: str, skipped: int = 0) -> str | None:
    """The digits of a number with its country code, without the (0) that some write behind it; None for none."""
    digits = _digits(written)[skipped:]
    code = next((digits[:length] for length in (1, 2, 3) if digits[:length] in _CODES), None)
    if code is None:
        return None
    rest, known = digits[len(code) :], _BY_CODE.get(code)
    trunk = known[0].rstrip("?") if known else "-"
    if "(0)" in written.replace(" ", ""):
        if trunk != "0" or not rest.startswith("0"):
            return None
        rest = rest[1:]
    return _whole(code, rest)


def _national(digits: str, home: tuple[str, str, int, int, str]) -> str | None:
    """The same of a number that is dialled inside of the country."""
    code, trunk, fewest, most, _ = home
    prefix = trunk.rstrip("?")
    if prefix == "-":
        return _whole(code, digits)
    whole_already = prefix != "0" and trunk.endswith("?") and fewest <= len(digits) <= most
    if digits.startswith(prefix) and not whole_already:
        return _whole(code, digits[len(prefix) :])
    return _whole(code, digits) if trunk.endswith("?") else None


def _whole(code: str, rest: str) -> str | None:
    """Country code and the rest, if they can be a number."""
    trunk, fewest, most = _BY_CODE.get(code, ("-", 5, 15 - len(code)))
    if not fewest <= len(rest) <= most or len(code + rest) > 15:
        return None
    if (trunk.startswith("0") and rest.startswith("0")) or (code == "1" and not _NORTH_AMERICA.fullmatch(rest)):
        return None
    return code + rest


def _digits(text: str) -> str:
    return "".join(each for each in text if each.isdecimal())


def _in_place(text: str) -> bool:
    """Whether brackets and strokes stand as in one number: `030 12/030 34` are two."""
    brackets = "".join(each for each in text.replace("(0)", "") if each in "()")
    before, stroke, behind = text.partition("/")
    return (
        brackets in ("", "()")
        and not text.endswith(")")
        and not (stroke and (not before or "/" in behind or behind.strip().startswith("0")))
    )
