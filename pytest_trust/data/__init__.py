"""Texts with their labels, from files, import paths and objects."""

from pytest_trust.data.columns import parse_columns
from pytest_trust.data.dataset import TextDataset
from pytest_trust.data.loading import load_dataset

__all__ = ["TextDataset", "load_dataset", "parse_columns"]
