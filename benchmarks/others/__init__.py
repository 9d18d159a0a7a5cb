"""Classifiers from packages that nobody here wrote, through the ready suites."""
