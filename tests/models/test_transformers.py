from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, ModelError, TrustWarning
from pytest_trust.models import TransformersClassifier, as_classifier, load_model
from pytest_trust.models.abilities import EncodedScoring, ReadsInPart, WordGradients
from pytest_trust.models.masked import MaskedText
from pytest_trust.text import Span

TEXTS = [
    "the film was good",
    "the film was awful",
    "a story so boring, so very boring, that I left long before the end of it",
    "",
    "great",
    "the plot was good",
    "x " * 700,
]


def padded(model: Any, tokenizer: Any, texts: list[str]) -> np.ndarray:
    """The probabilities by the plain use of the library: one padded batch."""
    import torch

    encoded = tokenizer(texts, padding=True, truncation=True, return_tensors="pt", return_token_type_ids=False)
    with torch.inference_mode():
        return model(**encoded).logits.double().softmax(-1).numpy()


def masked(text: str) -> MaskedText:
    """Words are what stands between single spaces."""
    words = text.split(" ")
    names = list(dict.fromkeys(words))
    separators = ("", *[" "] * (len(words) - 1), "")
    return MaskedText(tuple(words), separators, np.array([names.index(word) for word in words], dtype=np.intp))


@contextmanager
def calls_of(model: Any) -> Iterator[list[tuple[int, ...]]]:
    """The shapes of the batches that the model is asked about."""
    shapes: list[tuple[int, ...]] = []
    handle = model.register_forward_pre_hook(
        lambda module, args, kwargs: shapes.append(tuple(kwargs["input_ids"].shape)), with_kwargs=True
    )
    try:
        yield shapes
    finally:
        handle.remove()


def test_a_fine_tuned_folder(fine_tuned_folder: Path, encoder_tokenizer: Any) -> None:
    from transformers import AutoModelForSequenceClassification

    model = load_model(fine_tuned_folder)
    assert isinstance(model, TransformersClassifier)
    assert isinstance(model, EncodedScoring)
    assert isinstance(model, WordGradients)
    assert isinstance(model, ReadsInPart)
    assert (model.classes, model.source) == (("negative", "positive"), str(fine_tuned_folder))
    answer = model.predict_proba(TEXTS)
    assert answer[:3].argmax(axis=1).tolist() == [1, 0, 0]
    plain = AutoModelForSequenceClassification.from_pretrained(fine_tuned_folder).eval()
    assert np.allclose(answer, padded(plain, encoder_tokenizer, TEXTS), rtol=0, atol=1e-6)


def test_the_same_as_a_pipeline(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    from transformers import pipeline

    classify = pipeline("text-classification", model=make_tiny(), tokenizer=tokenizer, device="cpu")
    model = as_classifier(classify, classes="negative,positive")
    assert model.classes == ("negative", "positive")
    assert model.source.endswith(".BertForSequenceClassification")
    for text, answer in zip(TEXTS[:5], model.predict_proba(TEXTS[:5]), strict=True):
        (scores,) = classify([text], top_k=None)
        expected = {score["label"]: score["score"] for score in scores}
        assert answer == pytest.approx([expected["LABEL_0"], expected["LABEL_1"]], abs=1e-6)


def test_a_pipeline_may_have_a_bound_of_its_own(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    from transformers import pipeline

    short = pipeline(
        "text-classification", model=make_tiny(), tokenizer=tokenizer, device="cpu", truncation=True, max_length=9
    )
    model = as_classifier(short)
    assert model.max_length == 9
    assert model.predict_proba([TEXTS[2]])[0].max() == pytest.approx(short(TEXTS[2])[0]["score"], abs=1e-6)


@pytest.mark.parametrize("kind", ["albert", "bert", "distilbert", "electra", "gpt2", "roberta", "xlnet"])
def test_every_architecture_answers_as_for_one_text_alone(
    kind: str, make_tiny: Callable[..., Any], tokenizer: Any
) -> None:
    import torch

    plain = make_tiny(kind, num_labels=3)
    model = as_classifier((plain, tokenizer))
    texts = [text for text in TEXTS[:6] if text] * 2
    answer = model.predict_proba(texts)
    with torch.inference_mode():
        alone = [plain(torch.tensor([tokenizer(text)["input_ids"]])).logits[0].double().softmax(-1) for text in texts]
    assert np.allclose(answer, torch.stack(alone).numpy(), rtol=0, atol=2e-6)
    assert answer.std(axis=0).min() > 1e-3
    assert plain.config.to_dict() == make_tiny(kind, num_labels=3).config.to_dict()


def test_no_batch_is_padded_and_all_texts_of_a_call_are_put_in_order(
    make_tiny: Callable[..., Any], tokenizer: Any
) -> None:
    plain = make_tiny()
    model = as_classifier((plain, tokenizer))
    model.predict_proba(["a"])
    with calls_of(plain) as shapes:
        model.predict_proba(["good film", "a", "the bad film", "story"] * 400)
    assert {length for _, length in shapes} == {3, 4, 5}
    assert sum(rows for rows, _ in shapes) == 1600
    assert len(shapes) == 3 + 2 + 2
    assert max(rows * length for rows, length in shapes) <= 1024


def test_186_classes(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(num_labels=186), tokenizer))
    assert model.predict_proba(["a", "film"] * 700).shape == (1400, 186)


def test_a_text_beyond_the_longest_input_is_cut(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(), tokenizer))
    words = [f"w{i % 10}" for i in range(700)]
    assert model.max_length == 512
    span = model.read_span(" ".join(words))
    assert span.start == 0
    read = " ".join(words)[: span.end]
    assert len(tokenizer(read)["input_ids"]) == 512
    assert np.array_equal(model.predict_proba([" ".join(words)]), model.predict_proba([read]))
    assert model.read_span("a short text ") == Span(0, 13)
    tokenizer.truncation_side = "left"
    span = model.read_span(" ".join(words))
    assert span.end == len(" ".join(words))
    assert np.array_equal(model.predict_proba([" ".join(words)]), model.predict_proba([" ".join(words)[span.start :]]))


def test_roberta_has_fewer_places_than_its_table(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny("roberta", max_position_embeddings=66), tokenizer))
    assert model.max_length == 64
    assert model.predict_proba(["x " * 300]).shape == (1, 2)


def test_a_model_and_a_tokenizer_without_limits(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    tokenizer.model_max_length = int(1e30)
    model = as_classifier((make_tiny("xlnet"), tokenizer))
    assert model.max_length is None
    assert model.read_span("x " * 900) == Span(0, 1800)
    assert TransformersClassifier(make_tiny("xlnet"), tokenizer, max_length=100).max_length == 100
    with pytest.raises(ConfigurationError, match="max_length=0: expected a whole number of at least 1"):
        TransformersClassifier(make_tiny("xlnet"), tokenizer, max_length=0)


def test_a_model_in_training_mode_is_evaluated_and_restored(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    plain = make_tiny()
    expected = as_classifier((plain, tokenizer)).predict_proba(TEXTS[:3])
    plain.train()
    plain.bert.encoder.layer[0].eval()
    modes = [module.training for module in plain.modules()]
    model = as_classifier((plain, tokenizer))
    assert np.array_equal(model.predict_proba(TEXTS[:3]), expected)
    assert [module.training for module in plain.modules()] == modes
    model.word_gradients(masked("good film"), 0)
    assert [module.training for module in plain.modules()] == modes


def test_a_model_that_fails_is_restored_too(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    plain = make_tiny("gpt2").train()
    model = as_classifier((plain, tokenizer))
    plain.score.register_forward_hook(lambda *_: 1 / 0)
    with pytest.raises(ModelError, match="failed on texts: ZeroDivisionError"):
        model.predict_proba(["a film"])
    assert all(module.training for module in plain.modules())
    assert plain.config.pad_token_id is None


def test_a_model_is_never_moved(make_tiny: Callable[..., Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = make_tiny()
    monkeypatch.setattr(type(plain), "to", lambda *_, **__: pytest.fail("moved"))
    model = as_classifier((plain, tokenizer))
    assert model.predict_proba(["a film"]).shape == (1, 2)
    assert {parameter.device.type for parameter in plain.parameters()} == {"cpu"}


def test_scoring_leaves_no_trace_in_pytorch(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    import torch

    plain = make_tiny()
    model = as_classifier((plain, tokenizer))
    before = (torch.get_num_threads(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.random.get_rng_state())
    model.predict_proba(TEXTS)
    model.word_gradients(masked("good film"), 0)
    after = (torch.get_num_threads(), torch.get_default_dtype(), torch.is_grad_enabled(), torch.random.get_rng_state())
    assert before[:3] == after[:3]
    assert torch.equal(before[3], after[3])
    assert all("forward" not in vars(module) for module in plain.modules())
    assert all(parameter.grad is None and parameter.requires_grad for parameter in plain.parameters())


@pytest.mark.parametrize("kind", ["bert", "distilbert", "electra", "roberta"])
def test_the_last_layer_is_computed_for_the_first_token_alone(
    kind: str, make_tiny: Callable[..., Any], tokenizer: Any
) -> None:
    plain = make_tiny(kind)
    model = as_classifier((plain, tokenizer))
    model.predict_proba(["a"])
    layers = getattr(plain.base_model, "encoder", None) or plain.base_model.transformer
    widths: list[int] = []
    for layer in layers.layer:
        feed = getattr(layer, "intermediate", None) or layer.ffn
        feed.register_forward_hook(lambda module, args, out: widths.append(out.shape[1]))
    model.predict_proba(["a good film"])
    assert widths == [5, 1]


def test_a_layer_that_someone_else_has_wrapped_is_left_whole(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    plain = make_tiny()
    layer = plain.bert.encoder.layer[-1]
    layer.forward = layer.forward
    widths: list[int] = []
    layer.intermediate.register_forward_hook(lambda module, args, out: widths.append(out.shape[1]))
    as_classifier((plain, tokenizer)).predict_proba(["a good film"])
    assert 5 in widths
    assert 1 not in widths
    assert "forward" in vars(layer)


def test_a_head_that_reads_all_tokens_gets_all(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    plain = make_tiny("distilbert")
    whole = plain.distilbert.forward

    def mean_first(*args: Any, **kwargs: Any) -> Any:
        states = whole(*args, **kwargs)
        states.last_hidden_state = states.last_hidden_state.mean(1, keepdim=True)
        return states if kwargs.get("return_dict", True) else (states.last_hidden_state,)

    plain.distilbert.forward = mean_first
    expected = padded(plain, tokenizer, ["a good film"])
    assert np.allclose(as_classifier((plain, tokenizer)).predict_proba(["a good film"]), expected, rtol=0, atol=1e-6)


def test_encoded_texts_and_strings_in_any_mixture(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(), tokenizer))
    ids = [np.array(tokenizer(text)["input_ids"], dtype=np.int64) for text in TEXTS[:3]]
    mixed = model.predict_encoded([ids[0], TEXTS[1], ids[2], TEXTS[4]])
    assert np.allclose(mixed, model.predict_proba([TEXTS[i] for i in (0, 1, 2, 4)]), rtol=0, atol=1e-6)
    assert model.predict_encoded([]).shape == (0, 2)


@pytest.mark.parametrize("kind", ["bert", "gpt2", "roberta", "xlnet"])
def test_gradients_are_those_of_finite_differences(kind: str, make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    """Input times gradient is the change of the logit by the relative length of a word's embeddings."""
    import torch

    plain = make_tiny(kind).double()
    text = "an unbelievably good film film"
    encoded = tokenizer(text, return_tensors="pt")
    word_ids = encoded.word_ids()

    def logit(word: int, scale: float) -> float:
        factors = torch.tensor([scale if number == word else 1.0 for number in word_ids], dtype=torch.float64)
        # XLNet keeps the batch in the second dimension.
        shape = (-1, 1, 1) if kind == "xlnet" else (1, -1, 1)
        handle = plain.get_input_embeddings().register_forward_hook(
            lambda module, args, out: out * factors.reshape(shape)
        )
        with torch.no_grad():
            value = plain(encoded["input_ids"]).logits[0, 1].item()
        handle.remove()
        return value

    gradients = as_classifier((plain, tokenizer)).word_gradients(masked(text), 1)
    step = 1e-4
    expected = [(logit(word, 1 + step) - logit(word, 1 - step)) / (2 * step) for word in range(5)]
    assert gradients == pytest.approx(expected, rel=1e-5, abs=1e-8)
    assert np.abs(gradients).min() > 1e-6


def test_gradients_of_words_that_are_not_read(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    import torch

    plain = make_tiny()
    model = TransformersClassifier(plain, tokenizer, max_length=5)
    with torch.inference_mode():
        gradients = model.word_gradients(masked("the bad good film story"), 0)
    assert (gradients != 0).tolist() == [True, True, True, False, False]
    assert model.word_gradients(MaskedText((), ("!",), np.empty(0, dtype=np.intp)), 0).shape == (0,)


def test_a_token_of_two_words_is_shared_by_their_characters(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(), tokenizer))
    whole = model.word_gradients(MaskedText(("film",), ("good ", ""), np.array([0])), 1)
    parts = model.word_gradients(MaskedText(("f", "ilm"), ("good ", "", ""), np.array([0, 1])), 1)
    assert parts == pytest.approx([whole[0] / 4, whole[0] * 3 / 4])


def test_bfloat16_asks_a_copy(make_tiny: Callable[..., Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr("pytest_trust.models.logits.has_bfloat16_instructions", lambda: True)
    plain = make_tiny()
    exact, coarse = (as_classifier((plain, tokenizer), precision=name) for name in ("float32", "bfloat16"))
    assert coarse.precision == "bfloat16"
    difference = np.abs(exact.predict_proba(TEXTS[:3]) - coarse.predict_proba(TEXTS[:3])).max()
    assert 0 < difference < 0.05
    assert {parameter.dtype for parameter in plain.parameters()} == {torch.float32}
    assert exact.fingerprint() != coarse.fingerprint()
    with torch.no_grad():
        plain.classifier.bias += torch.tensor([3.0, 0.0])
    assert np.allclose(exact.predict_proba(TEXTS[:3]), coarse.predict_proba(TEXTS[:3]), rtol=0, atol=0.05)


def test_bfloat16_without_instructions_is_a_warning(
    make_tiny: Callable[..., Any], tokenizer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_trust.models.logits.has_bfloat16_instructions", lambda: False)
    model = as_classifier((make_tiny(), tokenizer), precision="bfloat16")
    with pytest.warns(TrustWarning, match="no instructions for bfloat16"):
        model.predict_proba(["a film"])
    model.predict_proba(["a plot"])


def test_a_model_of_another_dtype_is_used_as_it_is(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    import torch

    plain = make_tiny()
    exact = as_classifier((plain, tokenizer)).predict_proba(TEXTS[:3])
    half = as_classifier((copy.deepcopy(plain).to(torch.float16), tokenizer))
    assert 0 < np.abs(half.predict_proba(TEXTS[:3]) - exact).max() < 0.01


@pytest.mark.parametrize("precision", ["float16", "bf16", None])
def test_other_precisions(precision: Any, make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    for make in (as_classifier, load_model):
        with pytest.raises(ConfigurationError, match=r"precision=.*expected 'float32' or 'bfloat16'"):
            make((make_tiny(), tokenizer), precision=precision)


def test_bfloat16_is_for_transformers_alone() -> None:
    model = as_classifier(lambda texts: [[0.5, 0.5]] * len(texts), classes="no,yes", source="mine")
    with pytest.raises(ConfigurationError, match=r"precision='bfloat16': model mine is no model of transformers"):
        load_model(model, precision="bfloat16")
    assert load_model(model, precision="float32") is model


def test_renaming_keeps_the_abilities(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(), tokenizer))
    renamed = as_classifier(model, classes="0=negative,1=positive")
    assert isinstance(renamed, TransformersClassifier)
    assert renamed is not model
    assert (model.classes, renamed.classes) == (("0", "1"), ("negative", "positive"))
    assert renamed.class_set.originals == ("0", "1")
    assert np.array_equal(renamed.predict_proba(TEXTS[:2]), model.predict_proba(TEXTS[:2]))
    assert np.array_equal(renamed.word_gradients(masked("a film"), 0), model.word_gradients(masked("a film"), 0))
    assert renamed.fingerprint() != model.fingerprint()
    assert as_classifier(renamed, classes="0=negative,1=positive") is renamed


def test_it_can_be_sent_to_another_process(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    model = as_classifier((make_tiny(), tokenizer), classes="no,yes")
    answer = model.predict_proba(TEXTS)
    sent = pickle.loads(pickle.dumps(model))
    assert sent.classes == ("no", "yes")
    assert np.array_equal(sent.predict_proba(TEXTS), answer)


def test_logits_that_are_not_finite(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    import torch

    for value in (float("nan"), float("inf")):
        plain = make_tiny()
        with torch.no_grad():
            plain.classifier.bias[0] = value
        with pytest.raises(ModelError, match=r"returned nan in row 0, column 0"):
            as_classifier((plain, tokenizer)).predict_proba(["a film"])


def test_models_for_other_tasks(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    from transformers import AutoModel, AutoModelForTokenClassification

    config = make_tiny().config
    for kind, found in ((AutoModel, "None"), (AutoModelForTokenClassification, r"\(2, \d+, 2\)")):
        with pytest.raises(ModelError, match=rf"gives logits of shape {found} for .*sequence classification"):
            as_classifier((kind.from_config(config), tokenizer)).predict_proba(["a film"])


def test_token_types_are_those_of_the_tokenizer(
    make_tiny: Callable[..., Any], make_tokenizer: Callable[..., Any]
) -> None:
    plain, tokenizer = make_tiny(type_vocab_size=3), make_tokenizer("[CLS]:2 $A:1 [SEP]:0")
    model = as_classifier((plain, tokenizer))
    for text, answer in zip(TEXTS, model.predict_proba(TEXTS), strict=True):
        given = tokenizer(text, truncation=True, return_tensors="pt")
        assert given["token_type_ids"][0, [0, -1]].tolist() == [2, 0]
        assert answer == pytest.approx(plain(**given).logits[0].double().softmax(-1).tolist(), abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_labels": 1}, r"gives 1 number\(s\) a text .*\[1 - p, p\]"),
        ({"num_labels": 3, "problem_type": "regression"}, r"gives 3 number\(s\) a text .*at least two classes"),
        ({"num_labels": 3, "problem_type": "multi_label_classification"}, "each of its 3 labels for itself"),
    ],
)
def test_heads_without_classes_that_exclude_each_other(
    settings: dict[str, Any], message: str, make_tiny: Callable[..., Any], tokenizer: Any
) -> None:
    with pytest.raises(ModelError, match=message):
        as_classifier((make_tiny(**settings), tokenizer))


def test_classes_by_the_names_of_the_config(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    plain = make_tiny(id2label={0: "LABEL_0", 1: "other"})
    assert as_classifier((plain, tokenizer)).classes == ("LABEL_0", "other")
    with pytest.raises(ModelError, match=r"\(LABEL_0, other\), given are 2 \(bad, good\)"):
        as_classifier((plain, tokenizer), classes="bad,good")
    assert as_classifier((make_tiny(num_labels=3), tokenizer), classes="a,b,c").class_set.originals == ("0", "1", "2")


def test_what_lacks_its_tokenizer_or_is_for_another_task(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    from transformers import AutoModelForTokenClassification, pipeline

    plain = make_tiny()
    tagger = AutoModelForTokenClassification.from_config(plain.config)
    tag = pipeline("token-classification", model=tagger, tokenizer=tokenizer, device="cpu")
    sigmoid = pipeline(
        "text-classification", model=plain, tokenizer=tokenizer, device="cpu", function_to_apply="sigmoid"
    )
    for thing, message in (
        (plain, r"found a model without its tokenizer; expected the pair \(model, tokenizer\)"),
        ((tokenizer, plain), r"found .*Tokenizer.*, .*Bert.*; expected the pair \(model, tokenizer\)"),
        ((plain, "name"), r"found .*Bert.*, builtins.str; expected the pair"),
        (tag, "a pipeline for 'token-classification'; expected one for 'text-classification'"),
        (sigmoid, "turns logits into scores by sigmoid; expected the softmax"),
    ):
        with pytest.raises(ModelError, match=message):
            as_classifier(thing)


def byte_level(**special: Any) -> Any:
    """A byte-level tokenizer with no special tokens around a text, as that of GPT-2."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<end>"]
    )
    backend.train_from_iterator(TEXTS, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=backend, **special)


def test_a_text_without_tokens(make_tiny: Callable[..., Any]) -> None:
    plain = make_tiny("gpt2", vocab_size=400)
    model = as_classifier((plain, byte_level(eos_token="<end>")))
    empty, end = model.predict_proba(["", "<end>"])
    assert np.array_equal(empty, end)
    assert model.word_gradients(MaskedText((), ("",), np.empty(0, dtype=np.intp)), 0).shape == (0,)
    with pytest.raises(ModelError, match="makes no token of an empty text"):
        as_classifier((plain, byte_level())).predict_proba([""])


def test_a_slow_tokenizer(make_tiny: Callable[..., Any]) -> None:
    from transformers import ByT5Tokenizer

    tokenizer = ByT5Tokenizer()
    assert not tokenizer.is_fast
    model = as_classifier((make_tiny(vocab_size=400, max_position_embeddings=16), tokenizer))
    assert model.predict_proba(["a film", ""]).shape == (2, 2)
    assert model.mask_encoder(masked("a film")) is None
    assert model.word_gradients(masked("a film"), 0) is None
    assert model.read_span("0123456789012345") == Span(0, 15)
    assert model.read_span("0123") == Span(0, 4)
    tokenizer.truncation_side = "left"
    assert model.read_span("0123456789012345") == Span(1, 16)
    assert len(model.fingerprint()) == 64


def test_the_fingerprint_of_what_lies_in_memory(make_tiny: Callable[..., Any], tokenizer: Any) -> None:
    import torch

    plain = make_tiny()
    model = as_classifier((plain, tokenizer))
    before = model.fingerprint()
    model.predict_proba(TEXTS)
    assert as_classifier((make_tiny(), copy.deepcopy(tokenizer))).fingerprint() == model.fingerprint() == before
    with torch.no_grad():
        plain.bert.embeddings.word_embeddings.weight[7, 3] += 1e-6
    assert model.fingerprint() != before
    assert as_classifier((make_tiny(id2label={0: "a", 1: "b"}), tokenizer)).fingerprint() != before
    tokenizer.add_tokens(["unheard-of"])
    assert as_classifier((make_tiny(), tokenizer)).fingerprint() != before
