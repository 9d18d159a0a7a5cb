"""Sessions that are killed, run in parallel and find their files damaged; ``python -m benchmarks.soak`` runs them."""
