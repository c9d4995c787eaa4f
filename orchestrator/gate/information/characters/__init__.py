"""Single characters that say something by their form: raised figures, joiners, capitals of codes and units."""
