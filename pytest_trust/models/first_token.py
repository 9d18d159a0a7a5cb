"""The last layer of an encoder for the first token alone, where the head reads no other.

Its query q meets the key K h + c of each state h. The product q K h is (q K) h, and q c is the same for all states,
which the softmax does not see. Its attention, the weighted mean of the values V h + c, is V times the mean of the
states, plus c. So neither keys nor values are ever computed.
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
        first = hidden_states[:, :1]
        output = self.feed(self.mix(self._attention(first, hidden_states), first))
        return (output,) if self.in_tuple else output

    def _attention(self, first: Any, states: Any) -> Any:
        """What the b first tokens, shape (b, 1, width), make of ``states``, shape (b, length, width)."""
        import torch

        to_query, to_key, to_value = self.project
        query = to_query(first).view(len(first), self.n_heads, -1)
        asked = torch.einsum("bhd,hdw->bhw", query, self._by_head(to_key))
        scores = asked @ states.transpose(1, 2) / query.shape[-1] ** 0.5
        weights = torch.softmax(scores, -1, dtype=torch.float32).to(states.dtype)
        attention = torch.einsum("bhw,hdw->bhd", weights @ states, self._by_head(to_value)).reshape(len(first), 1, -1)
        return attention if to_value.bias is None else attention + to_value.bias

    def _by_head(self, linear: Any) -> Any:
        return linear.weight.view(self.n_heads, -1, linear.in_features)


def first_token_layer(model: Any, in_tuple: bool = False) -> FirstTokenLayer | None:
    """The last layer of ``model``, where it is one of BERT's, RoBERTa's, ELECTRA's or DistilBERT's; else None."""
    layer = last_layer(model)
    # An own attribute "forward" is someone else's hook.
    if layer is None or "forward" in vars(layer):
        return None
    names = _children(layer)
    found = None
    if names == _BERT_PARTS:
        found = _bert_layer(layer, in_tuple)
    elif names == _DISTILBERT_PARTS and _children(layer.attention) == _DISTILBERT_ATTENTION:
        found = _distilbert_layer(layer, in_tuple)
    return found if found is not None and all(map(_is_plain, found.project)) else None


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


def _is_plain(linear: Any) -> bool:
    """A linear layer itself: adapters and quantised weights are other types."""
    import torch

    return type(linear) is torch.nn.Linear


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
