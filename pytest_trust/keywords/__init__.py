"""The keyword index: word pools, clusters, keywords, and relatedness to a class."""

from pytest_trust.keywords.build import build_index, index_origin
from pytest_trust.keywords.cache import cached_index, default_index_path
from pytest_trust.keywords.file import dump_index, load_index
from pytest_trust.keywords.index import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, MemberSettings
from pytest_trust.keywords.pool import PoolWord
from pytest_trust.keywords.relatedness import ClassRelatedness, Relation

__all__ = [
    "ClassKeywords",
    "ClassRelatedness",
    "IndexOrigin",
    "IndexSettings",
    "KeywordIndex",
    "MemberSettings",
    "PoolWord",
    "Relation",
    "build_index",
    "cached_index",
    "default_index_path",
    "dump_index",
    "index_origin",
    "load_index",
]
