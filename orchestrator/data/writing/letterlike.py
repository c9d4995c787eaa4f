"""Symbols that are read as letters: a name can be written in them. Called by `profile.patterns` and `propose.privacy`.

To Unicode they are no letters: radicals, of which Japanese and Chinese names consist where a PDF was read; letters in
circles, brackets and squares; Braille; the tags, which nobody sees; and what is for private use, which fonts of older
programs and PDFs show as letters.
"""

_BLOCKS = (
    (0x249C, 0x24E9), (0x2800, 0x28FF), (0x2E80, 0x2FDF), (0x31C0, 0x31EF), (0x3200, 0x32FF), (0x1F110, 0x1F1FF),
    (0x1F200, 0x1F2FF), (0xE0020, 0xE007F), (0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD),
)  # fmt: skip
LETTERLIKE = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS)
"""For use between the brackets of a regular expression."""
