"""Makes a machine fit for runs: an engine, a base image, the sandbox image; and says what the machine gives.

Called by `cleanroom setup` (setup.py), `cleanroom doctor` (doctor.py) and bootstrap (image_id.py).
"""
