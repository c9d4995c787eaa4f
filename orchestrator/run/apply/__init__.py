"""Promoted functions on a whole data set: batches in sandboxes, checked on the host, written all or nothing."""
