"""Judging functions that people wrote. For `cleanroom verify`."""
