"""Models: adapters that make a checked text classifier of what people have."""

from pytest_trust.models.adapters import CallableClassifier, EstimatorClassifier, as_classifier
from pytest_trust.models.answers import check_answer
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.classes import ClassSet, class_aliases, class_set_of, label_indices, resolve_classes
from pytest_trust.models.endpoint import EndpointClassifier
from pytest_trust.models.endpoint_settings import EndpointSettings, is_address
from pytest_trust.models.loading import load_model
from pytest_trust.models.names import ClassNames, parse_class_names, split_class_name
from pytest_trust.models.transformers import TransformersClassifier
from pytest_trust.models.transformers_files import is_hub_name

__all__ = [
    "CallableClassifier",
    "ClassNames",
    "ClassSet",
    "EndpointClassifier",
    "EndpointSettings",
    "EstimatorClassifier",
    "Probabilities",
    "TextClassifier",
    "TransformersClassifier",
    "as_classifier",
    "check_answer",
    "class_aliases",
    "class_set_of",
    "is_address",
    "is_hub_name",
    "label_indices",
    "load_model",
    "parse_class_names",
    "resolve_classes",
    "split_class_name",
]
