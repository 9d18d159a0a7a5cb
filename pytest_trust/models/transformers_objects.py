"""Models of the transformers library, and what goes with them, as people hold them in hand."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from pytest_trust.errors import ModelError
from pytest_trust.messages import listed
from pytest_trust.models.fingerprints import qualified_name

_TASK = "text-classification"
_MODEL = ("transformers.modeling_utils", "PreTrainedModel")
_TOKENIZER = ("transformers.tokenization_utils_base", "PreTrainedTokenizerBase")
_PIPELINE = ("transformers.pipelines.base", "Pipeline")


@dataclass(frozen=True, slots=True)
class Parts:
    """A model with its tokenizer; ``max_length`` is a bound of tokens that a pipeline has of its own."""

    model: Any
    tokenizer: Any
    max_length: int | None = None


def is_of_transformers(thing: object) -> bool:
    """True for a model of transformers, a pipeline, or a pair with a tokenizer; nothing is imported for it."""
    if isinstance(thing, (tuple, list)):
        return len(thing) == 2 and any(_is(item, _MODEL) or _is(item, _TOKENIZER) for item in thing)
    return _is(thing, _MODEL) or _is(thing, _PIPELINE)


def parts_of(thing: Any, source: str) -> Parts:
    """The model and the tokenizer of a pipeline or a pair.

    Raises:
        ModelError: it is a model alone, a pair of something else, or a pipeline for another task or with own scores.
    """
    if _is(thing, _PIPELINE):
        return _of_pipeline(thing, source)
    if isinstance(thing, (tuple, list)) and _is(thing[1], _TOKENIZER) and hasattr(thing[0], "config"):
        return Parts(*thing)
    found = listed(map(qualified_name, thing)) if isinstance(thing, (tuple, list)) else "a model without its tokenizer"
    raise ModelError(f"model {source}: found {found}; expected the pair (model, tokenizer), or a pipeline {_TASK!r}")


def name_of(thing: Any) -> str:
    """What messages call it: the type of the model."""
    if isinstance(thing, (tuple, list)):
        return qualified_name(thing[0])
    return qualified_name(thing.model if _is(thing, _PIPELINE) else thing)


def _of_pipeline(pipeline: Any, source: str) -> Parts:
    if pipeline.task != _TASK:
        raise ModelError(f"model {source} is a pipeline for {pipeline.task!r}; expected one for {_TASK!r}")
    own = getattr(pipeline, "_postprocess_params", {}).get("function_to_apply")
    own = getattr(own, "value", own)
    if own not in (None, "softmax"):
        raise ModelError(
            f"model {source} is a pipeline that turns logits into scores by {own!s}; expected the softmax, so that "
            "the scores of a text are probabilities: a multi-label model is given as one classifier per label"
        )
    length = getattr(pipeline, "_preprocess_params", {}).get("max_length")
    return Parts(pipeline.model, pipeline.tokenizer, length)


def _is(thing: object, name: tuple[str, str]) -> bool:
    kind = getattr(sys.modules.get(name[0]), name[1], None)
    return kind is not None and isinstance(thing, kind)
