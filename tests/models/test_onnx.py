"""Classifiers in ONNX files: small graphs of an embedding and a linear head, whose answers numpy works out again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_trust.errors import MissingExtraError, ModelError
from pytest_trust.models import TextClassifier, as_classifier, load_model
from pytest_trust.models.abilities import EncodedScoring, ReadsInPart
from pytest_trust.models.masked import MaskedText
from pytest_trust.models.onnx import OnnxClassifier, OnnxTextClassifier, read_onnx
from pytest_trust.models.onnx_file import is_onnx
from pytest_trust.text import Span

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

WORDS = ["[UNK]", "[CLS]", "[SEP]", "good", "bad", "film", "a", "the", "plot", "not", "very", "!"]
CLASSES = ["negative", "neutral", "positive"]
POSITIONS = 12
WIDTH = 8
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
TEXTS = ["good film", "The plot: not very good!", "", "bad", "unseen words here", "a bad film", "a very very bad plot"]

Make = Callable[..., Path]


def table(name: str, *shape: int) -> NDArray[np.float32]:
    """Weights that are the same in every run, and differ between names."""
    return np.random.default_rng(sum(name.encode())).normal(size=shape).astype(np.float32)


def weights(k: int = 3) -> dict[str, NDArray[np.float32]]:
    shapes = {"words": (len(WORDS), WIDTH), "positions": (POSITIONS, WIDTH), "types": (2, WIDTH), "head": (WIDTH, k)}
    return {name: table(name, *shape) for name, shape in shapes.items()} | {"bias": table("bias", k)}


def token_graph(
    *,
    inputs: Sequence[str] = INPUTS,
    dtype: int = TensorProto.INT64,
    output: str = "logits",
    shape: Sequence[Any] = ("texts", "tokens"),
    quantized: bool = False,
    k: int = 3,
    external: Path | None = None,
) -> Any:
    """Sum of word, position and type embeddings, mean over the attention mask, linear head."""
    node = helper.make_node
    nodes = [
        node("Cast", ["input_ids"], ["ids"], to=TensorProto.INT64),
        node("Gather", ["words", "ids"], ["states"]),
        node("Shape", ["ids"], ["length"], start=1, end=2),
        node("Squeeze", ["length"], ["end"]),
        node("Range", ["zero", "end", "one"], ["places"]),
        # Fails on more tokens than there are positions, as a model does.
        node("Gather", ["positions", "places"], ["placed"]),
        node("Add", ["states", "placed"], ["hidden"]),
    ]
    hidden = "hidden"
    if "token_type_ids" in inputs:
        nodes += [node("Gather", ["types", "token_type_ids"], ["typed"]), node("Add", [hidden, "typed"], ["sum"])]
        hidden = "sum"
    if quantized:
        nodes += [
            node("DynamicQuantizeLinear", [hidden], ["bytes", "scale", "point"]),
            node("DequantizeLinear", ["bytes", "scale", "point"], ["coarse"]),
        ]
        hidden = "coarse"
    if "attention_mask" in inputs:
        nodes += [
            node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            node("Unsqueeze", ["mask", "last"], ["weight"]),
            node("Mul", [hidden, "weight"], ["weighed"]),
            node("ReduceSum", ["weighed", "first"], ["total"], keepdims=0),
            node("ReduceSum", ["weight", "first"], ["count"], keepdims=0),
            node("Div", ["total", "count"], ["pooled"]),
        ]
    else:
        nodes += [node("ReduceMean", [hidden, "first"], ["pooled"], keepdims=0)]
    nodes += [node("MatMul", ["pooled", "head"], ["raw"])]
    nodes += [node("Add", ["raw", "bias"], ["scores" if output == "probabilities" else output])]
    if output == "probabilities":
        nodes += [node("Softmax", ["scores"], ["probabilities"], axis=1)]
    constants = {"zero": np.int64(0), "one": np.int64(1), "last": np.array([2]), "first": np.array([1])}
    held = [numpy_helper.from_array(np.asarray(value), name) for name, value in (weights(k) | constants).items()]
    graph = helper.make_graph(
        nodes,
        "classifier",
        [helper.make_tensor_value_info(name, dtype, shape) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["texts", k])],
        held,
    )
    return model_of(graph)


def text_graph(*, maps: bool, rank: int = 2, numbered: bool = False) -> Any:
    """Knows "good" and "bad"; all else has the probability one half."""
    node, ml = helper.make_node, "ai.onnx.ml"
    names = {"classlabels_int64s": [0, 1]} if numbered else {"classlabels_strings": ["neg", "pos"]}
    nodes = [
        node(
            "LabelEncoder",
            ["text"],
            ["known"],
            domain=ml,
            keys_strings=["good", "bad"],
            values_floats=[0.75, 0.25],
            default_float=0.5,
        ),
        node("Reshape", ["known", "column"], ["good"]),
        node("Sub", ["one", "good"], ["bad"]),
        node("Concat", ["bad", "good"], ["probabilities"], axis=1),
    ]
    outputs = [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["n", 2])]
    if maps:
        nodes += [node("ZipMap", ["probabilities"], ["output_probability"], domain=ml, **names)]
        key = TensorProto.INT64 if numbered else TensorProto.STRING
        value = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
        kind = helper.make_sequence_type_proto(helper.make_map_type_proto(key, value))
        outputs = [helper.make_value_info("output_probability", kind)]
    shape = ["n", 1][:rank]
    held = [numpy_helper.from_array(np.array([-1, 1]), "column"), numpy_helper.from_array(np.float32(1), "one")]
    graph = helper.make_graph(
        nodes, "strings", [helper.make_tensor_value_info("text", TensorProto.STRING, shape)], outputs, held
    )
    return model_of(graph)


def model_of(graph: Any) -> Any:
    # An older format than the package writes by itself, which every supported runtime reads.
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 3)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    onnx.checker.check_model(model)
    return model


def tokenizer(text_type: int = 0, special: bool = True) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    if special:
        template = f"[CLS]:0 $A:{text_type} [SEP]:{text_type}"
        made.post_processor = processors.TemplateProcessing(
            single=template, pair=f"{template} $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
    return made


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """A folder with a model, its tokenizer and its configuration; ``graph`` are the options of its graph."""

    def made(
        config: dict[str, Any] | None = None, tokens: Any = None, name: str = "model", folder: str = "m", **graph: Any
    ) -> Path:
        path = tmp_path / folder
        path.mkdir(exist_ok=True)
        onnx.save(token_graph(**graph), path / f"{name}.onnx")
        (tokens or tokenizer()).save(str(path / "tokenizer.json"))
        given = (
            {"id2label": dict(enumerate(CLASSES)), "max_position_embeddings": POSITIONS} if config is None else config
        )
        (path / "config.json").write_text(json.dumps(given))
        return path

    return made


def read(path: Path, **more: Any) -> OnnxClassifier:
    model = read_onnx(path, "reviews", **more)
    assert isinstance(model, OnnxClassifier)
    return model


def ids_of(text: str, limit: int = POSITIONS) -> list[int]:
    """[CLS], the words, [SEP]; the texts of these tests have spaces around words, and marks at their ends."""
    for mark in ":!":
        text = text.replace(mark, f" {mark}")
    words = [WORDS.index(word) if word in WORDS else 0 for word in text.lower().split()]
    return [1, *words[: limit - 2], 2]


def expected(texts: Sequence[str], k: int = 3, types: Callable[[int], Sequence[int]] = lambda n: [0] * n) -> Any:
    held = {name: values.astype(np.float64) for name, values in weights(k).items()}
    rows = []
    for text in texts:
        ids = ids_of(text)
        states = held["words"][ids] + held["positions"][: len(ids)] + held["types"][list(types(len(ids)))]
        logits = states.mean(axis=0) @ held["head"] + held["bias"]
        rows.append(np.exp(logits) / np.exp(logits).sum())
    return np.array(rows)


def close(found: Any, wanted: Any) -> bool:
    return bool(np.allclose(found, wanted, rtol=0.0, atol=1e-6))


def test_a_folder(make: Make) -> None:
    folder = make()
    model = read(folder)
    assert isinstance(model, TextClassifier)
    assert model.classes == tuple(CLASSES)
    assert model.source == "reviews"
    assert as_classifier(model) is model
    answer = model.predict_proba(TEXTS)
    assert close(answer, expected(TEXTS))
    # The softmax is taken in float64: rows of float32 would miss one by more.
    assert np.abs(answer.sum(axis=1) - 1).max() < 1e-15
    assert model.predict_proba([]).shape == model.predict_encoded([]).shape == (0, 3)


def test_a_file_of_any_name_with_its_tokenizer_beside_it(make: Make) -> None:
    folder = make(name="sentiment")
    assert close(read(folder / "sentiment.onnx").predict_proba(TEXTS), expected(TEXTS))
    with pytest.raises(ModelError, match=r"model file .*model\.onnx is missing; expected an ONNX file"):
        read_onnx(folder, "reviews")


@pytest.mark.parametrize("inputs", [("input_ids", "attention_mask"), ("token_type_ids", "input_ids")])
@pytest.mark.parametrize("dtype", [TensorProto.INT64, TensorProto.INT32])
def test_inputs_go_by_name_and_type(make: Make, inputs: Sequence[str], dtype: int) -> None:
    answer = read(make(inputs=inputs, dtype=dtype)).predict_proba(TEXTS)
    if "token_type_ids" in inputs:
        assert close(answer, expected(TEXTS))
    else:
        shift = weights()["types"][0]
        assert not close(answer, expected(TEXTS))
        assert np.abs(shift).max() > 0.1


def test_types_of_tokens_are_the_tokenizer_s(make: Make) -> None:
    answer = read(make(tokens=tokenizer(text_type=1))).predict_proba(TEXTS)
    assert close(answer, expected(TEXTS, types=lambda n: [0] + [1] * (n - 1)))
    assert not close(answer, expected(TEXTS))


@pytest.mark.parametrize("output", ["probabilities", "output_probability"])
def test_probabilities_are_taken_as_they_are(make: Make, output: str) -> None:
    model = read(make(output=output))
    if output == "probabilities":
        assert close(model.predict_proba(TEXTS), expected(TEXTS))
        return
    # This graph gives logits under the name of probabilities, which are not turned into any.
    with pytest.raises(
        ModelError, match=r"model reviews returned .* logits are turned into probabilities by a softmax"
    ):
        model.predict_proba(TEXTS)


def test_names_of_nameless_classes(make: Make) -> None:
    folder = make(config={"id2label": {str(i): f"LABEL_{i}" for i in range(3)}})
    assert read(folder).classes == ("0", "1", "2")
    assert read(folder, classes="low,mid,high").classes == ("low", "mid", "high")
    assert read(make(config={}), classes="low,mid,high").classes == ("low", "mid", "high")
    with pytest.raises(ModelError, match=r"model reviews does not say what its classes are.*--trust-classes"):
        read(make(config={}))
    with pytest.raises(ModelError, match=r"its 3 classes are \(negative, neutral, positive\), given are 3 \(a, b, c\)"):
        read(make(), classes="a,b,c")


def test_texts_of_equal_length_are_run_together_and_none_is_padded(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_trust.models.onnx._BATCH_TOKENS", 8)
    model = read(make())
    shapes, run = [], model._model.run

    def noting(output: str, feeds: dict[str, Any]) -> Any:
        assert all((feeds["attention_mask"] == 1).ravel())
        shapes.append(feeds["input_ids"].shape)
        return run(output, feeds)

    monkeypatch.setattr(model._model, "run", noting)
    texts = ["good", "bad film", "bad", "a film", "film", "plot"]
    assert close(model.predict_proba(texts), expected(texts))
    assert shapes == [(2, 4), (2, 3), (2, 3)]


@pytest.mark.parametrize("quantized", [False, True])
def test_an_answer_does_not_depend_on_the_texts_around(make: Make, quantized: bool) -> None:
    model = read(make(quantized=quantized))
    texts = ["good film", "bad plot", "a film", "not very", "very good", "the plot"]
    alone = np.vstack([model.predict_proba([text]) for text in texts])
    together = model.predict_proba(texts)
    assert np.array_equal(together, alone) if quantized else close(together, alone)
    # Were they run together, it would: the model rounds states by the largest in the batch.
    model._batch_tokens = 1024
    assert close(model.predict_proba(texts), alone) is not quantized


def test_a_text_that_is_too_long_is_cut(make: Make) -> None:
    model = read(make())
    text = " ".join(["good film", *["very"] * 30, "bad"])
    assert close(model.predict_proba([text]), expected([text]))
    assert model.read_span(text) == Span(0, len("good film") + 8 * len(" very"))
    assert model.read_span("good film") == Span(0, 9)
    assert isinstance(model, ReadsInPart)


@pytest.mark.parametrize(
    ("tokenizer_config", "config", "cut", "limit"),
    [
        ({"model_max_length": 7}, POSITIONS, 5, 7),
        ({"model_max_length": 1e30}, POSITIONS, 5, POSITIONS),
        ({}, POSITIONS, None, POSITIONS),
        ({}, None, 6, 6),
        ({"model_max_length": 12}, 9, None, 9),
        ({"model_max_length": 8, "truncation_side": "left"}, POSITIONS, None, 8),
    ],
)
def test_the_limit_is_the_configured_one(
    make: Make, tokenizer_config: dict[str, Any], config: int | None, cut: int | None, limit: int
) -> None:
    tokens = tokenizer()
    if cut:
        tokens.enable_truncation(cut)
    tokens.enable_padding(length=POSITIONS)
    given = {"id2label": dict(enumerate(CLASSES))} | ({"max_position_embeddings": config} if config else {})
    folder = make(config=given, tokens=tokens)
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer_config))
    model = read(folder)
    words = ["film"] * 10 + ["bad"] * 10
    read_words = words[-(limit - 2) :] if "truncation_side" in tokenizer_config else words[: limit - 2]
    assert close(model.predict_proba([" ".join(words)]), expected([" ".join(read_words)]))


@pytest.mark.parametrize(
    ("family", "limit"), [("roberta", POSITIONS - 2), ("mpnet", POSITIONS - 2), ("bert", POSITIONS)]
)
def test_families_whose_positions_begin_late(make: Make, family: str, limit: int) -> None:
    given = {"id2label": dict(enumerate(CLASSES)), "max_position_embeddings": POSITIONS, "model_type": family}
    model = read(make(config={**given, "pad_token_id": 1}))
    assert model.read_span("a " * 30) == Span(0, 2 * (limit - 2) - 1)


def masked(text: str) -> MaskedText:
    words = text.split()
    distinct = list(dict.fromkeys(words))
    separators = ("", *[" "] * (len(words) - 1), "")
    return MaskedText(tuple(words), separators, np.array([distinct.index(word) for word in words], dtype=np.intp))


@pytest.mark.parametrize("text", ["the good film not bad not good", " ".join(["very good film !"] * 5)])
def test_texts_under_masks_are_encoded_without_strings(make: Make, text: str) -> None:
    model = read(make())
    assert isinstance(model, EncodedScoring)
    given = masked(text)
    masks = np.random.default_rng(0).random((40, int(given.ids.max()) + 1)) < 0.5
    encoder = model.mask_encoder(given)
    assert encoder is not None
    encoded, strings = encoder(masks), given.strings(masks)
    assert [row.tolist() for row in encoded] == [ids_of(string) for string in strings]
    mixed = [string if i % 3 else row for i, (string, row) in enumerate(zip(strings, encoded, strict=True))]
    assert np.allclose(model.predict_encoded(mixed), model.predict_proba(strings), rtol=0.0, atol=1e-12)


def test_a_tokenizer_without_special_tokens(make: Make) -> None:
    model = read(make(tokens=tokenizer(special=False)))
    with pytest.raises(ModelError, match="FileTokenizer makes no token of an empty text"):
        model.predict_proba([""])
    assert model.predict_proba(["good"]).shape == (1, 3)
    assert model.fingerprint() == model.fingerprint()
    folder = make(tokens=tokenizer(special=False))
    (folder / "tokenizer_config.json").write_text(json.dumps({"bos_token": {"content": "[CLS]"}, "eos_token": "[SEP]"}))
    answer = read(folder).predict_proba(["", "[CLS]"])
    assert np.array_equal(answer[0], answer[1]) is False
    assert np.isfinite(answer).all()


def test_what_is_taken_for_onnx(make: Make, tmp_path: Path) -> None:
    folder = make()
    assert is_onnx(folder)
    assert is_onnx(folder / "model.onnx")
    assert is_onnx(tmp_path / "missing.ONNX")
    assert not is_onnx(tmp_path)
    (folder / "model.safetensors").touch()
    assert not is_onnx(folder)


def test_files_and_folders_are_loaded(make: Make, tmp_path: Path) -> None:
    folder = make()
    for spec in (folder, folder / "model.onnx"):
        model = load_model(spec)
        assert isinstance(model, OnnxClassifier)
        assert (model.source, model.classes) == (str(spec), tuple(CLASSES))
    renamed = load_model("m", classes="negative=bad,neutral=so,positive=good", rootpath=tmp_path)
    assert (renamed.source, renamed.classes) == ("m", ("bad", "so", "good"))
    assert close(renamed.predict_proba(TEXTS), expected(TEXTS))
    with pytest.raises(ModelError, match=r"model file .*missing\.onnx is missing"):
        load_model("missing.onnx")


# Strings


@pytest.mark.parametrize("rank", [1, 2])
def test_a_model_of_strings_that_names_its_classes(tmp_path: Path, rank: int) -> None:
    onnx.save(text_graph(maps=True, rank=rank), tmp_path / "pipeline.onnx")
    model = read_onnx(tmp_path / "pipeline.onnx", "reviews")
    assert isinstance(model, OnnxTextClassifier)
    assert not isinstance(model, (EncodedScoring, ReadsInPart))
    assert model.classes == ("neg", "pos")
    assert model.predict_proba(["good", "bad", "ü"]).tolist() == [[0.25, 0.75], [0.75, 0.25], [0.5, 0.5]]


def test_numbered_classes_of_a_model_of_strings(tmp_path: Path) -> None:
    onnx.save(text_graph(maps=True, numbered=True), tmp_path / "pipeline.onnx")
    assert read_onnx(tmp_path / "pipeline.onnx", "reviews").classes == ("0", "1")
    assert read_onnx(tmp_path / "pipeline.onnx", "reviews", classes="no,yes").classes == ("no", "yes")


def test_a_model_of_strings_with_a_table(tmp_path: Path) -> None:
    onnx.save(text_graph(maps=False), tmp_path / "model.onnx")
    model = read_onnx(tmp_path, "reviews", classes="no,yes")
    assert model.predict_proba(["good", "bad"]).tolist() == [[0.25, 0.75], [0.75, 0.25]]
    with pytest.raises(ModelError, match=r"model reviews does not say what its classes are"):
        read_onnx(tmp_path, "reviews")
    (tmp_path / "config.json").write_text('{"id2label": {"1": "pos", "0": "neg"}}')
    assert read_onnx(tmp_path, "reviews").classes == ("neg", "pos")


# Fingerprints


def test_the_fingerprint_is_that_of_the_files(make: Make) -> None:
    first = read(make()).fingerprint()
    assert read(make(folder="copy")).fingerprint() == first
    others = [
        make(folder="weights", quantized=True),
        make(folder="names", config={"id2label": dict(enumerate("abc")), "max_position_embeddings": POSITIONS}),
        make(folder="limit", config={"id2label": dict(enumerate(CLASSES)), "max_position_embeddings": 8}),
        make(folder="tokens", tokens=tokenizer(text_type=1)),
    ]
    digests = [read(folder).fingerprint() for folder in others]
    assert len({first, *digests}) == 5


@pytest.mark.parametrize("name", ["model.onnx_data", "weights.bin", f"{'w' * 200}.bin"], ids=["beside", "own", "long"])
def test_weights_in_a_file_of_their_own_count(make: Make, name: str) -> None:
    folder = make()
    onnx.save(token_graph(), folder / "model.onnx", save_as_external_data=True, location=name, size_threshold=100)
    model = read(folder)
    assert close(model.predict_proba(TEXTS), expected(TEXTS))
    before = model._origin.identity
    (folder / "notes.txt").write_text("of no consequence")
    assert read(folder)._origin.identity == before
    data = folder / name
    data.write_bytes(data.read_bytes() + b"\0")
    assert read(folder)._origin.identity != before


# What is refused


@pytest.mark.parametrize(
    ("graph", "problem"),
    [
        ({"shape": (1, "tokens")}, r"has the inputs \(input_ids: tensor\(int64\) \[1, 'tokens'\], .*both free"),
        ({"shape": ("texts", 8)}, r"has the inputs .*'texts', 8\].*expected numbers of shape \(texts, tokens\)"),
        ({"output": "embeddings"}, r"has the outputs \(embeddings: .*expected logits or probabilities or output_prob"),
        (
            {"k": 2},
            r"gives logits of shape \(1, 2\); expected \(1, 3\), a column a class \(negative, neutral, positive",
        ),
    ],
)
def test_graphs_of_another_kind(make: Make, graph: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelError, match=f"^model reviews {problem}"):
        read(make(**graph)).predict_proba(["good"])


def test_inputs_that_are_not_of_texts(tmp_path: Path) -> None:
    pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["n", 3])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 3])
    graph = helper.make_graph([helper.make_node("Identity", ["pixels"], ["logits"])], "g", [pixels], [logits])
    onnx.save(model_of(graph), tmp_path / "model.onnx")
    with pytest.raises(
        ModelError, match=r"has the inputs \(pixels: .*expected input_ids of tokens, or one input of str"
    ):
        read_onnx(tmp_path, "reviews")


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (
            {"id2label": {"0": "a", "1": "b"}, "problem_type": "multi_label_classification"},
            "scores each of its 2 labels for itself",
        ),
        ({"id2label": {"0": "a", "2": "b"}}, r"has the id2label .* expected labels of 0, 1 and so on"),
        ({"id2label": ["a", "b"]}, r"has the id2label \['a', 'b'\]"),
        ({"id2label": {"0": "a"}}, r"gives 1 number\(s\) a text"),
    ],
)
def test_configurations_of_another_kind(make: Make, config: dict[str, Any], problem: str) -> None:
    with pytest.raises(ModelError, match=f"^model reviews {problem}"):
        read(make(config=config))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("model.onnx", "rubbish", r"model file .*model\.onnx cannot be read as ONNX \(\w+: "),
        ("model.onnx", "", r"model file .*model\.onnx cannot be read as ONNX"),
        ("config.json", "{", r"config\.json cannot be read as JSON"),
        ("config.json", "[]", r"config\.json holds a list; expected a JSON object"),
        ("tokenizer.json", "{}", r"the tokenizer .*tokenizer\.json cannot be read"),
        ("tokenizer.json", None, r"the tokenizer .*tokenizer\.json is missing; expected it beside the model"),
    ],
)
def test_damaged_files(
    make: Make, name: str, content: str | None, problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = make()
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_text(content)
    with pytest.raises(ModelError, match=problem):
        read_onnx(folder, "reviews")
    assert capfd.readouterr() == ("", "")


def test_logits_that_are_no_numbers(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    model = read(make())
    monkeypatch.setattr(model._model, "run", lambda output, feeds: np.full((1, 3), np.inf, dtype=np.float32))
    with pytest.raises(ModelError, match="model reviews returned nan in row 0"):
        model.predict_proba(["good"])


def test_an_error_of_the_runtime_names_the_model(make: Make) -> None:
    model = read(make(config={"id2label": dict(enumerate(CLASSES))}))
    with pytest.raises(ModelError, match=r"model reviews failed on texts: "):
        model.predict_proba(["very " * 20])
    with pytest.raises(ModelError, match=r"model reviews failed on texts: "):
        model.predict_encoded([np.arange(20)])


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_without_a_package(make: Make, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"needs the package '{package}'.*pytest-trust\[onnx\]"):
        read_onnx(folder, "reviews")


@pytest.mark.parametrize(("said", "threads"), [("1", 1), ("3,2", 3), ("", 0), ("many", 0), (None, 0)])
def test_threads_are_those_of_the_environment(
    make: Make, said: str | None, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if said is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", said)
    options = read(make())._model._session.get_session_options()
    assert options.intra_op_num_threads == threads


def test_another_process_reads_the_file_anew(make: Make) -> None:
    import cloudpickle

    model = read(make())
    assert np.array_equal(cloudpickle.loads(cloudpickle.dumps(model)).predict_proba(TEXTS), model.predict_proba(TEXTS))
