# data: articles
"""The authors' addresses are in several cases and carry blanks."""
CONTRACT = {"shape": "record", "modifies": ["authors"]}


def lower_emails(record):
    """Lower case, stripped."""
    authors = record.get("authors")
    if not isinstance(authors, list):
        return record
    cleaned = []
    for author in authors:
        if isinstance(author, dict) and isinstance(author.get("email"), str):
            author = {**author, "email": author["email"].strip().lower()}
        cleaned.append(author)
    return {**record, "authors": cleaned}
