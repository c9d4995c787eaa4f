"""A sandbox's posture as seen from inside, compared with what was asked for. For doctor and strict sandboxes."""
