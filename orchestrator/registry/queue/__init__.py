"""Jobs and tokens of the service, in the database of the registry. SQL is used in this room only, so they live here."""
