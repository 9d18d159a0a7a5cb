"""Scripts that select the word lists of ``pytest_trust/perturb/lexicons`` from packages and public lists."""
