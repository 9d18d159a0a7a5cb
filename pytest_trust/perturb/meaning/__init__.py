"""Changes around a text and of what it says."""
