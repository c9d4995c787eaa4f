# data: articles
"""Some ORCID iDs of authors are addresses."""
CONTRACT = {
    "shape": "record",
    "modifies": ["authors"],
    "examples": [
        {
            "input": {"authors": [{"family": "Knuth", "orcid": "https://orcid.org/0000-0002-1825-0097"}]},
            "output": {"authors": [{"family": "Knuth", "orcid": "0000-0002-1825-0097"}]},
        },
    ],
}
_START = "https://orcid.org/"


def _bare(author):
    orcid = author.get("orcid") if isinstance(author, dict) else None
    return {**author, "orcid": orcid.replace(_START, "")} if isinstance(orcid, str) else author


def detect(record):
    authors = record.get("authors")
    return isinstance(authors, list) and any(_bare(author) != author for author in authors)


def bare_orcid(record):
    """The iD alone."""
    return {**record, "authors": [_bare(author) for author in record["authors"]]} if detect(record) else record
