"""The Universal Sentence Encoder on texts that differ in a few words, layer by layer in numpy."""

from pytest_trust.attacks.use.nearby import NearbyUse

__all__ = ["NearbyUse"]
