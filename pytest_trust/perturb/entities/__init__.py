"""Names, numbers and dates replaced by others of their kind."""
