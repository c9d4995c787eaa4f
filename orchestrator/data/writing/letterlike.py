"""Symbols that are read as letters: a name can be written in them. Called by `profile.patterns` and `propose.privacy`.

To Unicode they are no letters: radicals, of which Japanese and Chinese names consist where a PDF was read; letters in
circles, brackets and squares; Braille; and the tags, which nobody sees.
"""

_BLOCKS = (
    (0x249C, 0x24E9), (0x2800, 0x28FF), (0x2E80, 0x2FDF), (0x31C0, 0x31EF), (0x3200, 0x32FF), (0x1F110, 0x1F1FF),
    (0x1F200, 0x1F2FF), (0xE0020, 0xE007F),
)  # fmt: skip
LETTERLIKE = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS)
"""For use between the brackets of a regular expression."""
