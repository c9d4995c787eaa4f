"""The service: jobs over HTTP, and pages for people. Above everything but the commands."""
