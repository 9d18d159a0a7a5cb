"""Word embeddings, the members of an ensemble, and their relatedness thresholds."""

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.embeddings.calibration import calibrate_threshold
from pytest_trust.embeddings.custom import CustomEmbedding
from pytest_trust.embeddings.glove import GloVe
from pytest_trust.embeddings.loading import ensemble_names, load_ensemble, pickled_embeddings
from pytest_trust.embeddings.minilm import MiniLM
from pytest_trust.embeddings.specs import KNOWN_EMBEDDINGS
from pytest_trust.embeddings.use import UniversalSentenceEncoder

__all__ = [
    "KNOWN_EMBEDDINGS",
    "CustomEmbedding",
    "Embedding",
    "GloVe",
    "MiniLM",
    "UniversalSentenceEncoder",
    "WordVectors",
    "calibrate_threshold",
    "ensemble_names",
    "load_ensemble",
    "pickled_embeddings",
]
