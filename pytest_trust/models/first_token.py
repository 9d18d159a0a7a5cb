"""The last layer of an encoder for the first token alone, where the head reads no other.

Keys and values are still those of all tokens; queries, and all that comes after the attention, are needed of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# How near the logits have to be, as a share of the largest.
_TOLERANCE = 1e-5

_BERT_PARTS = {"attention", "intermediate", "output"}
_BERT_MIXED = {"self", "output"}
_BERT_ATTENTION = {"query", "key", "value", "dropout"}
_DISTILBERT_PARTS = {"attention", "sa_layer_norm", "ffn", "output_layer_norm"}
_DISTILBERT_ATTENTION = {"q_lin", "k_lin", "v_lin", "out_lin", "dropout"}


@dataclass(frozen=True, slots=True)
class FirstTokenLayer:
    """A last ``layer`` by its parts.

    ``project`` are its queries, keys and values; ``mix`` makes of attention and input what the feed-forward network
    ``feed`` (residual and normalisation included) takes. ``in_tuple`` tells whether the layer answers with a tuple.
    """

    layer: Any
    project: tuple[Any, Any, Any]
    n_heads: int
    mix: Callable[[Any, Any], Any]
    feed: Callable[[Any], Any]
    in_tuple: bool = False

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The layer computes its first token alone meanwhile."""
        self.layer.forward = self._forward
        try:
            yield
        finally:
            del self.layer.forward

    def _forward(self, hidden_states: Any, *_: Any, **__: Any) -> Any:
        from torch.nn.functional import scaled_dot_product_attention

        first = hidden_states[:, :1]
        to_query, to_key, to_value = self.project
        parts = (to_query(first), to_key(hidden_states), to_value(hidden_states))
        attention = scaled_dot_product_attention(*map(self._heads, parts))
        output = self.feed(self.mix(attention.transpose(1, 2).flatten(2), first))
        return (output,) if self.in_tuple else output

    def _heads(self, states: Any) -> Any:
        return states.unflatten(2, (self.n_heads, -1)).transpose(1, 2)


def first_token_layer(model: Any, in_tuple: bool = False) -> FirstTokenLayer | None:
    """The last layer of ``model``, where it is one of BERT's, RoBERTa's, ELECTRA's or DistilBERT's; else None."""
    layer = last_layer(model)
    # An own attribute "forward" is someone else's hook.
    if layer is None or "forward" in vars(layer):
        return None
    names = _children(layer)
    if names == _BERT_PARTS:
        return _bert_layer(layer, in_tuple)
    if names == _DISTILBERT_PARTS and _children(layer.attention) == _DISTILBERT_ATTENTION:
        return _distilbert_layer(layer, in_tuple)
    return None


def last_layer(model: Any) -> Any:
    """The last layer of the model's encoder, None where it has none by a name that is known."""
    base = getattr(model, getattr(model, "base_model_prefix", ""), None)
    encoder = getattr(base, "encoder", None) or getattr(base, "transformer", None)
    layers = getattr(encoder, "layer", None)
    return layers[-1] if layers else None


def proven_first_token_layer(
    model: Any, logits: Callable[[NDArray[np.int64]], NDArray[np.float64]], samples: Sequence[NDArray[np.int64]]
) -> FirstTokenLayer | None:
    """:func:`first_token_layer`, where the ``logits`` of all ``samples`` are the same with it and without; else None.

    ``samples`` are token numbers of shape (b, length).
    """
    if first_token_layer(model) is None:
        return None
    in_tuple, plain = _watched(model, lambda: [logits(ids) for ids in samples])
    layer = first_token_layer(model, in_tuple)
    return layer if layer is not None and _agrees(layer, lambda: [logits(ids) for ids in samples], plain) else None


def _bert_layer(layer: Any, in_tuple: bool) -> FirstTokenLayer | None:
    own = layer.attention.self if _children(layer.attention) == _BERT_MIXED else layer
    if _children(own) != _BERT_ATTENTION or _looks_elsewhere(layer, own):
        return None
    return FirstTokenLayer(
        layer,
        (own.query, own.key, own.value),
        own.num_attention_heads,
        mix=layer.attention.output,
        feed=lambda states: layer.output(layer.intermediate(states), states),
        in_tuple=in_tuple,
    )


def _looks_elsewhere(layer: Any, attention: Any) -> bool:
    """A layer of a decoder, which sees no later token, or one that adds relative positions."""
    relative = getattr(attention, "position_embedding_type", "absolute") != "absolute"
    return relative or getattr(layer, "is_decoder", False)


def _distilbert_layer(layer: Any, in_tuple: bool) -> FirstTokenLayer:
    own = layer.attention
    return FirstTokenLayer(
        layer,
        (own.q_lin, own.k_lin, own.v_lin),
        own.n_heads,
        mix=lambda attention, first: layer.sa_layer_norm(own.out_lin(attention) + first),
        feed=lambda states: layer.output_layer_norm(layer.ffn(states) + states),
        in_tuple=in_tuple,
    )


def _children(module: Any) -> set[str]:
    return {name for name, _ in module.named_children()}


def _watched(model: Any, work: Callable[[], list[NDArray[np.float64]]]) -> tuple[bool, list[NDArray[np.float64]]]:
    """Whether the last layer answers with a tuple during ``work``, and what ``work`` returned."""
    tuples: list[bool] = []
    handle = last_layer(model).register_forward_hook(lambda *call: tuples.append(isinstance(call[-1], tuple)))
    try:
        answers = work()
    finally:
        handle.remove()
    return any(tuples), answers


def _agrees(
    layer: FirstTokenLayer, work: Callable[[], list[NDArray[np.float64]]], plain: list[NDArray[np.float64]]
) -> bool:
    try:
        with layer.applied():
            short = work()
    except (RuntimeError, ValueError, TypeError, IndexError, AttributeError):
        # What comes after the layer reads other tokens, or calls it in another way.
        return False
    return all(_alike(a, b) for a, b in zip(short, plain, strict=True))


def _alike(ours: NDArray[np.float64], plain: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(plain).all() and np.abs(ours - plain).max() <= _TOLERANCE * np.abs(plain).max())
