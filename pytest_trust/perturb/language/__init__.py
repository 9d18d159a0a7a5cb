"""The rules of English text that perturbations share: words, phrases, names, clauses, letter case."""
