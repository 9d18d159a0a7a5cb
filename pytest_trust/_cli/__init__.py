"""The commands of ``pytest-trust``, one a file; each imports what it needs when it runs."""
