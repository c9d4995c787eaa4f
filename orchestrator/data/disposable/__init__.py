"""Runs trusted code on hostile bytes in an unprivileged process that handles one request."""
