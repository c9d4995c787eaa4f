"""How far apart two texts are. The functions are copied into candidates, so they need no module at all."""


def _edits(left: str, right: str, limit: int) -> int:
    """Letters lost, added, replaced or swapped with the next one; `limit` + 1 where there are more than that."""
    if left == right:
        return 0
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end] == right[-1 - end]:
        end += 1
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    if abs(len(left) - len(right)) > limit or min(len(left), len(right)) > 4 * limit + 4:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                row[j] = min(row[j], older[j - 2] + 1)
    return min(row[-1], limit + 1)


def _fingerprint(value: str) -> str:
    """What stays of a text when case, wrapping quotes, separators and "&" or "and" do not count.

    A hyphen at an end parts nothing: A- is another grade than A, as is "A -", and -v an option. A quote at one end
    wraps nothing (P' is another point than P), and a point before a letter or digit is no full stop: .NET, .5 mg.
    Signs and letters that look alike are one: both apostrophes, dashes, the Cyrillic a. Without case, the four letters
    i of Turkish are one: I is the capital of ı there.
    """
    plain = value.replace("İ", "i").casefold()
    if not plain.isascii():
        plain = plain.translate(str.maketrans("’‘ʼ“”„–—‐‑аеорсухкмтнвіı", "'''\"\"\"----aeopcyxkmthbii"))
    plain = plain.replace("&", " and ").replace("_", " ")
    bare = plain.strip(" .,;")
    start = plain.find(bare)
    point = "." if plain[max(0, start - 1) : start] == "." and bare[:1].isalnum() else ""
    plain = bare
    while len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "'\"":
        plain = plain[1:-1].strip(" .,;")
    parts = plain.split(".")
    if len(parts) > 1 and all(len(part) in (1, 2) and part.isalpha() for part in parts):
        plain = "".join(parts)  # i.t, ph.d
    before = "-" if plain[:1] == "-" and plain[1:].lstrip()[:1].isalnum() else ""
    behind = "-" if plain[-1:] == "-" and plain[:-1].rstrip()[-1:].isalnum() else ""
    return point + before + " ".join(plain.replace("-", " ").split()) + behind


def _is_slip_of(text: str, right: str) -> bool:
    """Whether few letters differ in every word, not case or punctuation alone, and no digit is turned into another."""
    plain = ["".join(sign for sign in word.casefold() if sign.isalnum()) for word in (text, right)]
    if plain[0] == plain[1] or not text.strip() or not right or text.replace(".", "").isdecimal():
        return False
    words, rights = text.split(" "), right.split(" ")
    if len(words) == len(rights) + 1:
        at = next((at for at, wanted in enumerate(rights) if words[at] != wanted), len(rights))
        if words[at + 1 :] == rights[at:]:
            return False  # a word more, such as an initial: nobody types that by mistake
    if len(words) != len(rights):  # a blank was lost or added
        words, rights = [text], [right]
    for word, wanted in zip(words, rights):  # noqa: B905 - same length
        limit = max(1, len(wanted) * 2 // 5)
        if len(word) == len(wanted):
            pairs = [(a, b) for a, b in zip(word, wanted) if a != b]  # noqa: B905 - same length
            close = len(pairs) <= limit and not any(a.isdigit() and b.isdigit() for a, b in pairs)
        else:
            digits = ["".join(sign for sign in part if sign.isdigit()) for part in (word, wanted)]
            most = min(limit, 3) if len(wanted) >= 4 else 0
            close = digits[0] == digits[1] and _edits(word, wanted, most) <= most
        if not close:
            return False
    return True
