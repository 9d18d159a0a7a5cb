"""How far the oracles agree with people: ``python -m benchmarks.oracle``."""
