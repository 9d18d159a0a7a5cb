"""Groups of people replaced by others."""
