"""Logits, and their gradients, of a PyTorch model for sequence classification."""

from __future__ import annotations

import copy
import platform
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ModelError, TrustWarning
from pytest_trust.models.abilities import Encoded
from pytest_trust.models.fingerprints import CANARIES
from pytest_trust.models.first_token import FirstTokenLayer, first_token_layer, proven_first_token_layer
from pytest_trust.models.precision import FLOAT32
from pytest_trust.models.token_batches import score_by_length
from pytest_trust.models.tokens import TextTokens

# Tokens of a batch. On a processor the states of a layer stay in its cache; elsewhere few large batches are best.
_CPU_TOKENS = 1024
_DEVICE_TOKENS = 16384
# No token has this number: every token of a text counts as one of the text.
_NO_TOKEN = -1
_PROOF_TEXTS = (CANARIES[3], CANARIES[4], " ".join(CANARIES[4:9]))


class LogitScorer:
    """Asks ``model``, of PyTorch, for its logits for encoded texts.

    The model is left as it is found: it is evaluated where it was left in training mode, and never moved. In bfloat16
    a copy of it is asked, which is made when it is first needed and made anew once the weights have changed.
    """

    def __init__(self, model: Any, tokens: TextTokens, n_classes: int, precision: str, source: str) -> None:
        self.model = model
        self.tokens = tokens
        self.precision = precision
        self._n_classes = n_classes
        self._source = source
        self._copy = _Copy(model, source)
        self._is_examined = False
        # How the last layer answers where it may be shortened; None where it may not.
        self._in_tuple: bool | None = None

    def logits(self, encoded: Sequence[Encoded]) -> NDArray[np.float64]:
        """Logits of each encoded text, shape (n, k).

        Raises:
            ModelError: the model has no logits of this shape, or cannot be copied.
        """
        with _evaluated(self.model), _inference():
            model = self.model if self.precision == FLOAT32 else self._copy.current()
            with _batched(model), self._shortened(model):
                return score_by_length(
                    encoded, self._n_classes, _tokens_at_once(model), lambda ids: self._logits(model, ids)
                )

    def gradients(self, ids: Encoded, class_index: int) -> NDArray[np.float64] | None:
        """Input times gradient of a class's logit, summed over the embedding of each token, shape (length,).

        The model itself is asked, in its own precision. None where it does not embed its input exactly once.
        """
        import torch

        inputs: list[Any] = []

        def as_input(module: Any, arguments: Any, embeddings: Any) -> Any:
            inputs.append(embeddings.detach().requires_grad_())
            return inputs[-1]

        with _evaluated(self.model), torch.inference_mode(False), torch.enable_grad():
            handle = self.model.get_input_embeddings().register_forward_hook(as_input)
            try:
                logit = self._ask(self.model, ids[None])[0, class_index]
            finally:
                handle.remove()
            if len(inputs) != 1:
                return None
            gradient = torch.autograd.grad(logit, inputs)[0]
        # Some models keep the batch, here of one text, in the second dimension.
        return _numbers((gradient * inputs[0]).sum(-1).flatten())

    def _logits(self, model: Any, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        return _numbers(self._ask(model, ids))

    def _ask(self, model: Any, ids: NDArray[np.int64]) -> Any:
        import torch

        numbers = torch.from_numpy(ids).to(_input_device(model))
        given = {"input_ids": numbers, "attention_mask": torch.ones_like(numbers)}
        types = self.tokens.token_types(ids.shape[1])
        if types is not None:
            given["token_type_ids"] = torch.from_numpy(types).to(numbers.device).expand_as(numbers)
        logits = getattr(model(**given, return_dict=True), "logits", None)
        found = None if logits is None else tuple(logits.shape)
        if found != (len(ids), self._n_classes):
            raise ModelError(
                f"model {self._source} gives logits of shape {found} for {len(ids)} texts; expected "
                f"{(len(ids), self._n_classes)}: a model for sequence classification, one logit for each class of its "
                "config (AutoModelForSequenceClassification)"
            )
        return logits

    @contextmanager
    def _shortened(self, model: Any) -> Iterator[None]:
        """The last layer of ``model`` computes no more than the head reads, where that is proven."""
        if not self._is_examined:
            proven = self._proven()
            self._in_tuple = None if proven is None else proven.in_tuple
            self._is_examined = True
        layer = None if self._in_tuple is None else first_token_layer(model, self._in_tuple)
        with nullcontext() if layer is None else layer.applied():
            yield

    def _proven(self) -> FirstTokenLayer | None:
        """The proof is one of float32: in a coarser precision a small difference may be a real one."""
        import torch

        if _dtypes(self.model) != {torch.float32}:
            return None
        encoded = self.tokens.encode(_PROOF_TEXTS)
        samples = [np.stack([ids, ids[::-1]]) for ids in encoded]
        return proven_first_token_layer(self.model, lambda ids: self._logits(self.model, ids), samples)


class _Copy:
    """A copy of a model in bfloat16."""

    def __init__(self, model: Any, source: str) -> None:
        self._model = model
        self._source = source
        self._made: Any = None
        self._versions: list[tuple[int, int]] = []

    def current(self) -> Any:
        """The copy of the model as it is now."""
        import torch

        versions = [_version(tensor) for tensor in self._model.state_dict().values()]
        if self._made is None or versions != self._versions:
            self._check()
            self._made = copy.deepcopy(self._model).to(torch.bfloat16)
            self._versions = versions
        return self._made

    def _check(self) -> None:
        if getattr(self._model, "hf_device_map", None):
            raise ModelError(
                f"model {self._source} was placed by a device_map and cannot be copied; for bfloat16 load it with "
                "dtype=torch.bfloat16 and ask for the precision float32, which leaves a model as it is"
            )
        if _input_device(self._model).type == "cpu" and not has_bfloat16_instructions():
            warnings.warn(
                "this processor has no instructions for bfloat16, which will be much slower than float32 here "
                "(precision, --trust-precision)",
                TrustWarning,
                stacklevel=2,
            )


def _version(tensor: Any) -> tuple[int, int]:
    """Another one once the tensor was changed, which one made in inference mode does not tell."""
    return tensor.data_ptr(), 0 if tensor.is_inference() else tensor._version


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities of the rows of ``logits``, shape (n, k); not a number where a logit is not finite."""
    with np.errstate(invalid="ignore"):
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


@contextmanager
def _evaluated(model: Any) -> Iterator[None]:
    """The model in evaluation mode; what was in training mode is so again afterwards."""
    training = [module for module in model.modules() if module.training]
    if training:
        model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextmanager
def _batched(model: Any) -> Iterator[None]:
    """A model without a token for padding takes no more than one text at once, unless it is told of one."""
    config = model.config.get_text_config()
    padding = getattr(config, "pad_token_id", None)
    if padding is None:
        config.pad_token_id = _NO_TOKEN
    try:
        yield
    finally:
        if padding is None:
            config.pad_token_id = None


def _inference() -> Any:
    import torch

    return torch.inference_mode()


def _numbers(tensor: Any) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = tensor.detach().double().cpu().numpy()
    return numbers


def _input_device(model: Any) -> Any:
    """Where the model takes its input; weights that are kept elsewhere until they are needed tell nothing."""
    import torch

    try:
        device = model.get_input_embeddings().weight.device
    except (NotImplementedError, AttributeError):
        device = next(model.parameters()).device
    return torch.device("cpu") if device.type == "meta" else device


def _tokens_at_once(model: Any) -> int:
    return _CPU_TOKENS if _input_device(model).type == "cpu" else _DEVICE_TOKENS


def _dtypes(model: Any) -> set[Any]:
    return {parameter.dtype for parameter in model.parameters()}


def has_bfloat16_instructions() -> bool:
    """False only where PyTorch knows that an x86 processor lacks them."""
    import torch

    tell = getattr(torch.cpu, "get_capabilities", None)
    if tell is None or platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    able = tell()
    return bool(able.get("avx512_bf16", True) or able.get("amx_bf16", True))
