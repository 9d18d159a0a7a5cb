"""How often each gate passes wrongly where its null hypothesis holds, and how often rightly where it does not.

Suites are simulated as arrays, by the functions that the checks themselves use; no model is involved.
"""
