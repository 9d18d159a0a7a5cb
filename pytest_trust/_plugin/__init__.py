"""What the hooks and fixtures of :mod:`pytest_trust.plugin` do, one feature a file."""
