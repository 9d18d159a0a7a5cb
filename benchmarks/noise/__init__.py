"""TOWER's experiment: does the trust score fall as noise is put into the data that a model learns from?

Cho, Cousins-Baxter, Ruberto and Terragni 2024, "Automated Trustworthiness Testing for Machine Learning Classifiers"
(arXiv 2406.05251), section IV. The trust score of a model is the share of trustworthy among its judged predictions.
"""
