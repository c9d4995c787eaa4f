# data: articles
"""A key of the exporter's own is of no use."""
CONTRACT = {"shape": "record", "drops": ["debug"]}


def drop_debug(record):
    """Without `debug`."""
    return {key: value for key, value in record.items() if key != "debug"}
