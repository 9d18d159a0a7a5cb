"""What explanations cost: ``python -m benchmarks.explain --json FILE``."""
