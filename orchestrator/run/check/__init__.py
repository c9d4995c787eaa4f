"""`cleanroom check`: whether the proof of promoted functions still holds on new data."""
