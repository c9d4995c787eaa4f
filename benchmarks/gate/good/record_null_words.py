# data: articles
"""Words for nothing stand where a null belongs, at any depth."""
CONTRACT = {"shape": "record"}
_NOTHING = ("n/a", "-")


def _is_nothing(value):
    return isinstance(value, str) and value in _NOTHING


def _without(value):
    if isinstance(value, dict):
        return {key: _without(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without(inner) for inner in value]
    return None if _is_nothing(value) else value


def _has(value):
    if isinstance(value, dict):
        return any(_has(inner) for inner in value.values())
    if isinstance(value, list):
        return any(_has(inner) for inner in value)
    return _is_nothing(value)


def detect(record):
    return _has(record)


def null_words(record):
    """Null for n/a and a dash."""
    return _without(record)
