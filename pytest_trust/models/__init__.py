"""Models: adapters that make a checked text classifier of what people have."""

from pytest_trust.models.adapters import CallableClassifier, EstimatorClassifier, as_classifier
from pytest_trust.models.answers import check_answer
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.classes import ClassSet, class_aliases, class_set_of, label_indices, resolve_classes
from pytest_trust.models.loading import load_model
from pytest_trust.models.names import ClassNames, parse_class_names, split_class_name

__all__ = [
    "CallableClassifier",
    "ClassNames",
    "ClassSet",
    "EstimatorClassifier",
    "Probabilities",
    "TextClassifier",
    "as_classifier",
    "check_answer",
    "class_aliases",
    "class_set_of",
    "label_indices",
    "load_model",
    "parse_class_names",
    "resolve_classes",
    "split_class_name",
]
