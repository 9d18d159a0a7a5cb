"""Measurements of pytest-trust: ``python -m benchmarks.NAME [--data DIR] --json FILE``."""
