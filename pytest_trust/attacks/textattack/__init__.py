"""Recipes of TextAttack against a model of this process, and substitutions of this package for attacks of its parts."""

from pytest_trust.attacks.textattack.process import TextAttackError
from pytest_trust.attacks.textattack.runner import TextAttackRunner, attack_with_recipe
from pytest_trust.attacks.textattack.transformation import as_transformation

__all__ = ["TextAttackError", "TextAttackRunner", "as_transformation", "attack_with_recipe"]
