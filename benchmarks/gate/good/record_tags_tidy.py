# data: parcels
"""Tags repeat each other in another case and carry stray blanks."""
CONTRACT = {
    "shape": "record",
    "modifies": ["tags"],
    "examples": [
        {"input": {"tags": ["Lamp ", "lamp", "mug"]}, "output": {"tags": ["lamp", "mug"]}},
        {"input": {"tags": []}, "output": {"tags": []}},
    ],
}


def _tidy(tags):
    kept = []
    for tag in tags:
        tidy = tag.strip().lower() if isinstance(tag, str) else tag
        if not isinstance(tag, str) or tidy not in kept:
            kept.append(tidy)
    return kept


def detect(record):
    tags = record.get("tags")
    return isinstance(tags, list) and _tidy(tags) != tags


def tidy_tags(record):
    """Lower case, stripped, each once, in their order."""
    if not detect(record):
        return record
    return {**record, "tags": _tidy(record["tags"])}
