"""What is known of values of one kind: dates, units, countries, colours. For the comparisons of `gate/information`."""
