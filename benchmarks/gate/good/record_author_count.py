# data: articles
"""The number of authors is asked for."""
CONTRACT = {
    "shape": "record",
    "adds": ["author_count"],
    "examples": [
        {"input": {"authors": [{"family": "Knuth"}]}, "output": {"authors": [{"family": "Knuth"}], "author_count": 1}},
        {"input": {"title": "x"}, "output": {"title": "x", "author_count": 0}},
    ],
}


def count_authors(record):
    """One number per record."""
    authors = record.get("authors")
    return {**record, "author_count": len(authors) if isinstance(authors, list) else 0}
