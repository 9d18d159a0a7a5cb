"""TOKI-guided attacks against A2T's: the same texts, search and constraints, other substitutions."""
