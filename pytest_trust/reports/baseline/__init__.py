"""A run held against an earlier one: what is kept of each text, what may be compared, the tests and what they say."""
