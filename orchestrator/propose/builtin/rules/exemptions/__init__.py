"""What looks like a mistake and is none: rules on spelling, case, keys and sources ask here. No rule stands here."""
