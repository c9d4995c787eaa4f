"""How cleanroom connects to PostgreSQL unless an address says otherwise. Used by `postgresql_rows` and the registry."""

import logging

CONNECTION_DEFAULTS = {
    "application_name": "cleanroom",
    "client_encoding": "utf8",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "tcp_user_timeout": "30000",  # milliseconds, of what is sent; a server that keeps silent: `silent_server`
}

# What psycopg logs of a lost connection stood on a terminal before the one sentence that says it. Who wants it sets up
# logging, and still gets it.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
