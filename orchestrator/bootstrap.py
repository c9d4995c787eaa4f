"""The only place where concrete parts are chosen and wired together. Called by the command line and the library API."""
