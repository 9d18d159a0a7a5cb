"""Classifiers behind an endpoint that is served here, on the loopback, and that fails, stalls and answers rubbish."""

from __future__ import annotations

import gc
import json
import logging
import re
import socket
import ssl
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, MissingExtraError, ModelError
from pytest_trust.models import TextClassifier, as_classifier, load_model
from pytest_trust.models.endpoint import EndpointClassifier, EndpointSettings
from pytest_trust.models.endpoint_replies import UnreadableReplyError, read_reply
from pytest_trust.models.endpoint_settings import TOKEN_VARIABLE, is_address, redacted

pytest.importorskip("httpx")

KEY = "sk-very-secret-0123456789"
# Longer than any of these servers takes to answer; waited for in full only where a test says so.
PATIENCE = 30.0

Handler = BaseHTTPRequestHandler
Answer = Callable[[Handler, Any], object]


def probabilities(texts: list[str]) -> list[list[float]]:
    """A row that tells the text: its length over a hundred."""
    return [[len(text) / 100, 1 - len(text) / 100] for text in texts]


def rows(handler: Handler, request: Any) -> object:
    return {"probabilities": probabilities(request["texts"]), "classes": ["neg", "pos"]}


class Served:
    """An endpoint: ``answer`` gives the JSON of a 200, or bytes, or sends what it likes and gives None."""

    def __init__(self) -> None:
        self.answer: Answer = rows
        self.requests: list[Any] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        self.under_way = self.most_under_way = 0
        self.lock = threading.Lock()
        self.released = threading.Event()
        served = self

        class Asked(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                served.connections += 1

            def do_POST(self) -> None:
                served.handle(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                """Clients that give up are what is tested here."""

        self.server = Server(("127.0.0.1", 0), Asked)
        self.url = f"http://127.0.0.1:{self.server.server_port}/predict"
        # Polled often, since shutting down waits for the next poll.
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def handle(self, handler: Handler) -> None:
        request = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self.lock:
            self.requests.append(request)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            answer = self.answer(handler, request)
        finally:
            with self.lock:
                self.under_way -= 1
        if answer is not None:
            send(handler, 200, answer)

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


def send(handler: Handler, status: int, answer: object, **headers: str) -> None:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


CERTIFICATES = ssl.create_default_context()


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither proxy nor key; the certificates, which nothing here needs, are read once instead of for each test."""
    monkeypatch.setattr("ssl.create_default_context", lambda **options: CERTIFICATES)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


@pytest.fixture
def served() -> Iterator[Served]:
    endpoint = Served()
    yield endpoint
    endpoint.close()


@pytest.fixture
def other() -> Iterator[Served]:
    endpoint = Served()
    yield endpoint
    endpoint.close()


def settings(**changed: Any) -> EndpointSettings:
    given = {"timeout": PATIENCE, "total_timeout": PATIENCE, "backoff": 0.001, "retries": 3, **changed}
    return EndpointSettings(**given)


def failing(times: int, failure: Callable[[Handler], None], good: Answer = rows) -> Answer:
    """Fails so many times, then answers."""
    left = iter(range(times))
    lock = threading.Lock()

    def answer(handler: Handler, request: Any) -> object:
        with lock:
            fails = next(left, None) is not None
        return failure(handler) if fails else good(handler, request)

    return answer


def busy(status: int, **headers: str) -> Callable[[Handler], None]:
    return lambda handler: send(handler, status, b"too busy", **headers)


def dropped(handler: Handler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def cut_short(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"probabilities": [[')
    dropped(handler)


def refusal(served: Served, **changed: Any) -> str:
    with pytest.raises(ModelError) as caught:
        EndpointClassifier(served.url, classes=changed.pop("classes", None), settings=settings(**changed))
    assert served.url in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


def test_an_endpoint_that_names_its_classes(served: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings())
    assert isinstance(model, TextClassifier)
    assert model.classes == model.class_set.originals == ("neg", "pos")
    assert model.source == served.url
    assert as_classifier(model) is model
    assert model.predict_proba(["a", "", "ü\ud800"]).tolist() == probabilities(["a", "", "ü\ud800"])
    assert served.requests[1:] == [{"texts": ["a", "", "ü\ud800"]}]
    assert served.headers[1]["content-type"] == "application/json"
    assert "authorization" not in served.headers[1]


def test_an_endpoint_under_other_names_outlives_the_first_one(served: Served) -> None:
    model = as_classifier(EndpointClassifier(served.url, settings=settings()), classes="neg=bad,pos=good")
    gc.collect()
    assert model.classes == ("bad", "good")
    assert model.predict_proba(["abc"]).tolist() == [[0.03, 0.97]]
    assert served.connections == 1


def test_an_address_is_loaded(served: Served) -> None:
    model = load_model(served.url, classes="neg=bad,pos=good")
    assert isinstance(model, EndpointClassifier)
    assert (model.source, model.classes) == (served.url, ("bad", "good"))
    with pytest.raises(ConfigurationError, match=f"precision='bfloat16': model {served.url} is no model of transf"):
        load_model(served.url, precision="bfloat16")


def test_no_texts_make_no_request(served: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings())
    assert model.predict_proba([]).shape == (0, 2)
    assert len(served.requests) == 1


@pytest.mark.parametrize("wrapped", [True, False])
def test_rows_without_classes_take_the_given_names(served: Served, wrapped: bool) -> None:
    def answer(handler: Handler, request: Any) -> object:
        found = probabilities(request["texts"])
        return {"probabilities": found} if wrapped else found

    served.answer = answer
    model = EndpointClassifier(served.url, classes="no,yes", settings=settings())
    assert model.classes == ("no", "yes")
    assert model.predict_proba(["abc"]).tolist() == [[0.03, 0.97]]
    with pytest.raises(ModelError, match=rf"model {served.url} does not say what its classes are.*--trust-classes"):
        EndpointClassifier(served.url, settings=settings())


def test_integer_classes_are_renamed_by_position(served: Served) -> None:
    served.answer = lambda handler, request: {"probabilities": probabilities(request["texts"]), "classes": [0, 1]}
    assert EndpointClassifier(served.url, classes="no,yes", settings=settings()).classes == ("no", "yes")


def test_names_must_fit_the_endpoint_s_own(served: Served) -> None:
    with pytest.raises(ModelError, match=r"its 2 classes are \(neg, pos\), given are 2 \(pos, neg\)"):
        EndpointClassifier(served.url, classes="pos,neg", settings=settings())


def hugging_face(handler: Handler, request: Any) -> object:
    """By falling score, as their services sort them."""
    scores = [
        {"LABEL_10": len(text) / 100, "LABEL_2": 0.3, "LABEL_0": 0.7 - len(text) / 100} for text in request["inputs"]
    ]
    ordered = [sorted(row.items(), key=lambda item: -item[1]) for row in scores]
    return [[{"label": label, "score": score} for label, score in row] for row in ordered]


def test_hugging_face_s_protocol(served: Served) -> None:
    served.answer = hugging_face
    more = {"parameters": {"top_k": None}}
    model = EndpointClassifier(served.url, settings=settings(text_field="inputs", other_fields=more))
    assert model.classes == ("LABEL_0", "LABEL_2", "LABEL_10")
    texts = ["a", "b" * 60, "c" * 35]
    assert np.allclose(model.predict_proba(texts), [[0.69, 0.3, 0.01], [0.1, 0.3, 0.6], [0.35, 0.3, 0.35]])
    assert served.requests[1] == {"inputs": texts, **more}


@pytest.mark.parametrize("threads", [1, 5])
def test_batches_keep_their_order(served: Served, threads: int) -> None:
    def later_ones_first(handler: Handler, request: Any) -> object:
        time.sleep(hash(request["texts"][0]) % 5 / 1000)
        return rows(handler, request)

    served.answer = later_ones_first
    model = EndpointClassifier(served.url, settings=settings(batch_size=4, threads=threads))
    texts = ["x" * i for i in range(90)]
    assert model.predict_proba(texts).tolist() == probabilities(texts)
    sent = [request["texts"] for request in served.requests[1:]]
    assert sorted(sent, key=lambda texts: len(texts[0])) == [texts[i : i + 4] for i in range(0, 90, 4)]
    assert served.most_under_way <= threads


def test_requests_are_under_way_at_once(served: Served) -> None:
    together = threading.Barrier(3)

    def meet(handler: Handler, request: Any) -> object:
        if request["texts"][0].startswith("x"):
            together.wait(PATIENCE)
        return rows(handler, request)

    served.answer = meet
    model = EndpointClassifier(served.url, settings=settings(batch_size=1, threads=3))
    assert model.predict_proba(["x"] * 3).shape == (3, 2)


def test_connections_are_kept_open_and_closed_in_the_end(served: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings(batch_size=1, threads=1))
    model.predict_proba(["x"] * 20)
    assert served.connections == 1
    model.close()
    model.predict_proba(["x"])
    assert served.connections == 2
    del model
    gc.collect()


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_passing_failures_are_tried_again(served: Served, status: int) -> None:
    served.answer = failing(3, busy(status))
    model = EndpointClassifier(served.url, settings=settings())
    assert len(served.requests) == 4
    assert model.classes == ("neg", "pos")


@pytest.mark.parametrize("failure", [dropped, cut_short])
def test_broken_connections_are_tried_again(served: Served, failure: Callable[[Handler], None]) -> None:
    served.answer = failing(2, failure)
    EndpointClassifier(served.url, settings=settings())
    assert len(served.requests) == 3
    served.answer = failing(9, failure)
    message = refusal(served)
    assert "broke the connection or took none (RemoteProtocolError: " in message
    assert "(no status, attempt 4 of at most 4, body: '')" in message


def test_retries_are_used_up(served: Served) -> None:
    served.answer = failing(9, busy(503))
    message = refusal(served, retries=2)
    assert message == (
        f"model {served.url} answered with an error (status 503, attempt 3 of at most 3, body: 'too busy')"
    )
    assert len(served.requests) == 3
    # It did not stall, so that it is asked again.
    served.answer = rows
    EndpointClassifier(served.url, settings=settings())


@pytest.mark.parametrize("status", [400, 401, 500])
def test_lasting_failures_are_not_tried_again(served: Served, status: int) -> None:
    served.answer = lambda handler, request: send(handler, status, {"detail": "no such\x1b[31m\nmodel" + "!" * 500})
    message = refusal(served)
    assert f"answered with an error (status {status}, attempt 1 of at most 4, body: " in message
    assert "no such" in message
    assert "\x1b" not in message
    assert "\n" not in message
    assert message.endswith("!...')")
    assert len(message) < 400
    assert len(served.requests) == 1


def test_an_unreachable_endpoint() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        with pytest.raises(
            ModelError, match=rf"model {url} broke the connection or took none \(ConnectError: .*attempt 2"
        ):
            EndpointClassifier(url, settings=settings(retries=1))


@pytest.mark.parametrize("dated", [False, True])
def test_retry_after_is_honoured(served: Served, dated: bool) -> None:
    arrivals: list[float] = []

    def limited(handler: Handler) -> None:
        # A date has whole seconds, so that up to one of the two is lost.
        asked = formatdate(time.time() + 2, usegmt=True) if dated else "1"
        send(handler, 429, b"slow down", Retry_After=asked)

    inner = failing(1, limited)

    def answer(handler: Handler, request: Any) -> object:
        arrivals.append(time.time())
        return inner(handler, request)

    served.answer = answer
    EndpointClassifier(served.url, settings=settings())
    assert arrivals[1] - arrivals[0] >= 0.9


def test_a_wait_beyond_the_total_limit_is_not_begun(served: Served) -> None:
    served.answer = failing(9, busy(429, Retry_After="3600"))
    message = refusal(served)
    assert "answered with an error and asks to wait 3.6e+03 s (status 429, attempt 1 of at most 4" in message
    assert len(served.requests) == 1


@pytest.mark.parametrize("value", ["soon", "-5", "", "1e3", "\u0665", "Fri, 99 Foo 2020"])
def test_a_malformed_retry_after_is_left_aside(served: Served, value: str) -> None:
    served.answer = failing(1, lambda handler: send(handler, 503, b"", Retry_After=value.encode().decode("latin-1")))
    EndpointClassifier(served.url, settings=settings())
    assert len(served.requests) == 2


def test_pauses_grow_and_vary(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("pytest_trust.models.endpoint_client.time.sleep", pauses.append)
    served.answer = failing(99, busy(503))
    refusal(served, backoff=4.0, retries=3, total_timeout=100.0)
    waits = [pause for pause in pauses if pause]
    assert [4 * 2**i / 2 <= wait <= 4 * 2**i for i, wait in enumerate(waits)] == [True] * 3
    assert len({wait / 2**i for i, wait in enumerate(waits)}) == 3


def test_the_pace_is_kept_by_all_threads(served: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings(batch_size=1, threads=4, rate=50.0))
    begun = time.monotonic()
    model.predict_proba(["x"] * 10)
    assert time.monotonic() - begun >= 9 / 50


def test_repetitions_keep_the_pace_too(served: Served) -> None:
    served.answer = failing(5, busy(503))
    begun = time.monotonic()
    EndpointClassifier(served.url, settings=settings(rate=50.0, backoff=0.0, retries=5))
    assert time.monotonic() - begun >= 5 / 50


def stalls(served: Served) -> Answer:
    def answer(handler: Handler, request: Any) -> object:
        served.released.wait(PATIENCE)
        return None

    return answer


def drips_headers(served: Served) -> Answer:
    def answer(handler: Handler, request: Any) -> object:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nx-drip: ")
        while not served.released.wait(0.01):
            handler.wfile.write(b"x")
        return None

    return answer


def drips_body(served: Served) -> Answer:
    def answer(handler: Handler, request: Any) -> object:
        handler.send_response(200)
        handler.send_header("content-length", "100000")
        handler.end_headers()
        while not served.released.wait(0.01):
            handler.wfile.write(b" ")
        return None

    return answer


def says_processing(served: Served) -> Answer:
    def answer(handler: Handler, request: Any) -> object:
        while not served.released.wait(0.01):
            handler.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n")
        return None

    return answer


@pytest.mark.parametrize("kind", [stalls, drips_headers, drips_body, says_processing])
def test_a_stalling_endpoint_is_given_up(served: Served, kind: Callable[[Served], Answer]) -> None:
    model = EndpointClassifier(served.url, settings=settings())
    # Only now, so that a slow machine cannot fail the first request.
    model._client._settings = settings(timeout=0.15, retries=1)
    served.answer = kind(served)
    with pytest.raises(ModelError, match=r"gave no complete answer within 0\.15 s \(no status, attempt 2 of at most 2"):
        model.predict_proba(["a"])
    asked = len(served.requests)
    # One error a text, as when a fingerprint is taken: none of them waits again.
    for _ in range(20):
        with pytest.raises(ModelError, match=rf"model {served.url} gave no complete.*; it is not asked again"):
            model.predict_proba(["b"])
    assert len(served.requests) == asked == 3


def test_the_total_limit_ends_attempts(served: Served) -> None:
    served.answer = stalls(served)
    begun = time.monotonic()
    message = refusal(served, timeout=0.1, total_timeout=0.35, retries=1000)
    assert time.monotonic() - begun < PATIENCE / 2
    assert "gave no complete answer within" in message
    assert 1 <= len(served.requests) <= 5


def test_a_slow_answer_is_tried_again(served: Served) -> None:
    served.answer = failing(1, lambda handler: stalls(served)(handler, None))
    EndpointClassifier(served.url, settings=settings(timeout=0.5, retries=20))
    assert len(served.requests) >= 2


RUBBISH = {
    "html": (b"<html>Service</html>", r"answered what is not JSON \(JSONDecodeError\)"),
    "nothing": (b"", "not JSON"),
    "bytes": (b"\xff\xfe\x00", "not JSON"),
    "depth": (b"[" * 100_000, "not JSON"),
    "nan": (b"[[NaN, 1.0]]", "answered NaN, which is neither JSON nor a probability"),
    "infinity": (b"[[-Infinity, 1.0]]", "answered -Infinity"),
    "a number": (b"3", "something else than rows"),
    "null": (b"null", "something else than rows"),
    "another object": (b'{"outputs": [[0.5, 0.5]]}', "something else than rows"),
    "labels alone": (b'["pos"]', "something else than rows"),
    "one label a text": (b'[{"label": "pos", "score": 0.9}]', "one label a text; ask for all.*top_k"),
    "no rows": (b"[]", "answered 0 rows to 1 texts"),
    "two rows": (b"[[0.5, 0.5], [0.5, 0.5]]", "answered 2 rows to 1 texts"),
    "an empty row": (b"[[]]", "something else than rows"),
    "strings": (b'[["0.5", "0.5"]]', "answered str '0.5' in row 0; expected numbers"),
    "a null": (b"[[null, 0.5]]", "answered NoneType None in row 0"),
    "booleans": (b"[[true, false]]", "answered bool True in row 0"),
    "nested": (b"[[[0.5], [0.5]]]", r"answered list \[0.5\] in row 0"),
    "classes of another number": (
        b'{"probabilities": [[0.5, 0.5]], "classes": ["a"]}',
        r"2 columns and the classes list \['a'\]",
    ),
    "classes that are no names": (b'{"probabilities": [[0.5, 0.5]], "classes": [[], {}]}', "2 columns and the classes"),
    "one score missing": (b'[[{"label": "a", "score": 0.5}, {"label": "b"}]]', "answered dict .* in row 0"),
    "a label twice": (
        b'[[{"label": "a", "score": 0.5}, {"label": "a", "score": 0.5}]]',
        r"answered row 0 with the labels \(a, a\)",
    ),
    "a score of null": (b'[[{"label": "a", "score": 1.0}, {"label": "b", "score": null}]]', "NoneType None in row 0"),
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_rubbish_is_not_read(kind: str) -> None:
    body, problem = RUBBISH[kind]
    with pytest.raises(UnreadableReplyError, match=problem):
        read_reply(body, 1)


@pytest.mark.parametrize("kind", ["html", "nan", "two rows"])
def test_rubbish_is_named_with_where_it_came_from(served: Served, kind: str) -> None:
    body, problem = RUBBISH[kind]
    served.answer = lambda handler, request: body
    message = refusal(served, classes="x,y")
    assert re.match(rf"model {served.url} .*{problem}", message)
    assert f"(status 200, attempt 1 of at most 4, body: {body.decode()!r})" in message
    assert len(served.requests) == 1


def later(first: object, second: object) -> Answer:
    answers = iter([first, second])
    return lambda handler, request: next(answers)


def label_row(**scores: float) -> list[dict[str, object]]:
    return [{"label": label, "score": score} for label, score in scores.items()]


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        ([[0.5, 0.5]], [[0.5, 0.5], [1.0]], "answered row 1 of 1 columns, row 0 of 2"),
        ([[0.5, 0.5]], [[0.5, 0.5], [1.5, -0.5]], r"returned -0\.5 in row 1, column 1 \(y\)"),
        ([[0.5, 0.5]], [[0.5, 0.5], [0.9, 0.8]], r"returned row 1 that sums to 1\.7"),
        ([[0.5, 0.5]], [[0.2, 0.3, 0.5]] * 2, r"returned an array of shape \(2, 3\)"),
        ([[0.5, 0.5]], {"probabilities": [[0.5, 0.5]] * 2, "classes": ["y", "x"]}, r"\(y, x\); expected \(none\)"),
        (
            {"probabilities": [[0.5, 0.5]], "classes": ["x", "y"]},
            {"probabilities": [[0.5, 0.5]] * 2, "classes": ["y", "x"]},
            r"named the classes \(y, x\); expected \(x, y\) as at first \(status 200, attempt 1",
        ),
        ({"probabilities": [[0.5, 0.5]], "classes": ["x", "y"]}, [[0.5, 0.5]] * 2, r"\(none\); expected \(x, y\)"),
        (
            [label_row(x=0.5, y=0.5)],
            [label_row(x=0.5, y=0.5), label_row(x=0.5, z=0.5)],
            r"answered row 1 with the labels \(x, z\); expected those of row 0, each once \(x, y\)",
        ),
        (
            [label_row(x=0.5, y=0.5)],
            [label_row(x=0.5, y=0.5), label_row(x=1.0)],
            r"answered row 1 with the labels \(x\)",
        ),
        ([label_row(x=0.5, y=0.5)], [label_row(x=0.5, z=0.5)] * 2, r"named the classes \(x, z\); expected \(x, y\)"),
    ],
)
def test_answers_that_change(served: Served, first: object, second: object, problem: str) -> None:
    served.answer = later(first, second)
    model = EndpointClassifier(served.url, classes="x,y", settings=settings())
    with pytest.raises(ModelError, match=problem) as caught:
        model.predict_proba(["a", "b"])
    assert str(caught.value).startswith(f"model {served.url} ")


def test_an_answer_without_end_of_size(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_trust.models.endpoint_client._MOST_BYTES", 1000)
    served.answer = lambda handler, request: b" " * 100_000
    assert "answers with more than 1000 bytes (status 200" in refusal(served)


def test_after_an_error_no_request_is_begun(served: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings(batch_size=1, threads=3))
    served.answer = lambda handler, request: send(handler, 400, b"bad")
    with pytest.raises(ModelError, match="status 400"):
        model.predict_proba(["x"] * 200)
    assert len(served.requests) <= 1 + 3


def test_the_fingerprint_rests_on_address_and_answers(served: Served, other: Served) -> None:
    model = EndpointClassifier(served.url, settings=settings())
    digest = model.fingerprint()
    assert EndpointClassifier(served.url, settings=settings(batch_size=1)).fingerprint() == digest
    assert EndpointClassifier(served.url.replace("//", "//me:pass-word@"), settings=settings()).fingerprint() != digest
    assert EndpointClassifier(other.url, settings=settings()).fingerprint() != digest
    served.answer = lambda handler, request: {
        "probabilities": [[0.5, 0.5]] * len(request["texts"]),
        "classes": ["neg", "pos"],
    }
    assert model.fingerprint() != digest


def test_keys_do_not_change_the_fingerprint(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)
    first = EndpointClassifier(f"{served.url}?key=one", settings=settings()).fingerprint()
    monkeypatch.setenv(TOKEN_VARIABLE, KEY + "-renewed")
    assert EndpointClassifier(f"{served.url}?key=two", settings=settings()).fingerprint() == first


# Keys


def test_the_key_is_sent_and_read_anew_each_time(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY + "\n")
    model = EndpointClassifier(served.url, settings=settings(headers={"X-Team": "trust"}))
    monkeypatch.setenv(TOKEN_VARIABLE, "renewed")
    model.predict_proba(["a"])
    assert [headers["authorization"] for headers in served.headers] == [f"Bearer {KEY}", "Bearer renewed"]
    assert [headers["x-team"] for headers in served.headers] == ["trust"] * 2


def test_user_and_password_are_sent_as_such(served: Served) -> None:
    url = served.url.replace("//", "//me:p%40ss-word@") + "?key=query-secret#part"
    model = EndpointClassifier(url, settings=settings())
    assert model.source == served.url.replace("//", "//***@") + "?***"
    assert served.headers[0]["authorization"] == "Basic bWU6cEBzcy13b3Jk"


def test_given_headers_win(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)
    EndpointClassifier(served.url, settings=settings(headers={"Authorization": "Api-Key 12345"}))
    assert served.headers[0]["authorization"] == "Api-Key 12345"


SECRETS = (KEY, "pass-word", "pass%2Dword", "query-secret", "header-secret", "bWU6cGFzcy13b3Jk")


def echo(handler: Handler) -> bytes:
    """All that was sent, as some servers answer errors."""
    return f"{handler.path} {handler.headers}".encode()


LEAKS: dict[str, Answer] = {
    "an error": lambda handler, request: send(handler, 401, echo(handler)),
    "a failure that passes": lambda handler, request: send(handler, 503, echo(handler)),
    "rubbish": lambda handler, request: echo(handler),
    "labels": lambda handler, request: [label_row(**{echo(handler).decode(): 0.5}) * 2],
    "a cell": lambda handler, request: [[echo(handler).decode(), KEY]],
    "classes": lambda handler, request: {"probabilities": [[0.5, 0.5]], "classes": [echo(handler).decode()]},
    "a redirect": lambda handler, request: send(handler, 307, echo(handler), location=f"http://{KEY}.test/?k={KEY}"),
    "no answer": lambda handler, request: dropped(handler),
}


@pytest.mark.parametrize("kind", LEAKS)
def test_no_key_in_any_error(
    served: Served, kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # On the level below, httpcore prints the headers of answers, and this answer sends the key back in one.
    caplog.set_level(logging.INFO if kind == "a redirect" else logging.DEBUG)
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)
    served.answer = LEAKS[kind]
    url = served.url.replace("//", "//me:pass%2Dword@") + "?api-key=query-secret&query-secret"
    given = settings(headers={"X-Key": "Key header-secret"}, retries=1)
    with pytest.raises(ModelError) as caught:
        EndpointClassifier(url, settings=given)
    # With the local variables of this package's frames, as pytest --showlocals prints them.
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    ours = [f"{frame.line} {frame.locals}" for frame in shown.stack if "/models/endpoint" in frame.filename]
    assert ours
    everything = [*traceback.format_exception(caught.value), *ours, caplog.text, repr(given), str(caught.value)]
    for secret in SECRETS:
        assert not [text for text in everything if secret in text], secret


def test_no_key_in_representations(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)
    model = EndpointClassifier(served.url, settings=settings(headers={"X-Key": "header-secret"}))
    assert served.headers[0]["authorization"] == f"Bearer {KEY}"
    for shown in (repr(model), repr(vars(model)), model.source, model.fingerprint(), repr(vars(model._client))):
        assert KEY not in shown
        assert "header-secret" not in shown
    assert KEY not in repr([value for value in gc.get_referents(model._client) if isinstance(value, str)])


@pytest.mark.parametrize("key", ["two words", "línea", "a\x00b", "line\nline"])
def test_a_key_that_no_header_may_hold(served: Served, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        # The environment takes no zero bytes itself.
        patched.setattr("pytest_trust.models.endpoint_client._token", lambda: key)
        with pytest.raises(ConfigurationError, match=rf"^{TOKEN_VARIABLE} holds characters") as caught:
            EndpointClassifier(served.url, settings=settings())
    assert key not in str(caught.value)
    assert not served.requests


def test_a_header_that_cannot_be_sent_is_not_quoted(served: Served) -> None:
    message = refusal(served, headers={"X-Key": "header-secret\nnext"})
    assert "cannot be asked (LocalProtocolError); are its address and the headers well-formed?" in message
    assert "secret" not in message


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_gets_neither_key_nor_texts(
    served: Served, other: Served, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)
    served.answer = lambda handler, request: send(handler, status, b"moved", location=other.url + "?k=1")
    message = refusal(served, retries=3)
    assert f"redirects to {other.url}?***; followed are the redirects 307 and 308 within a host alone" in message
    assert f"(status {status}, attempt 1 of at most 4" in message
    assert not other.requests


@pytest.mark.parametrize("status", [307, 308])
def test_a_redirect_within_the_host_is_followed(served: Served, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, KEY)

    def answer(handler: Handler, request: Any) -> object:
        if handler.path == "/predict":
            return send(handler, status, b"moved", location="/predict/?v=2")
        assert handler.path == "/predict/?v=2"
        return rows(handler, request)

    served.answer = answer
    EndpointClassifier(served.url, settings=settings())
    assert [headers["authorization"] for headers in served.headers] == [f"Bearer {KEY}"] * 2
    served.answer = lambda handler, request: send(handler, status, b"", location=served.url)
    assert "redirects more than 5 times" in refusal(served)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("https://host/path", "https://host/path"),
        ("https://user:word@host:8080/path?token=x&y#z", "https://***@host:8080/path?***"),
        ("https://user@host", "https://***@host"),
        ("http://[::1]:80/a?b", "http://[::1]:80/a?***"),
        ("http://user:pa/ss@host/", "http://***"),
        ("http://user:p[ss@host/", "http://***"),
    ],
)
def test_redacted_addresses(given: str, shown: str) -> None:
    assert redacted(given) == shown


@pytest.mark.parametrize("spec", ["http://x", "HTTPS://x/y", "http://"])
def test_what_is_taken_for_an_address(spec: str) -> None:
    assert is_address(spec)


@pytest.mark.parametrize("spec", ["http", "module:attribute", "model.joblib", "ftp://x", "httpx://x", "a http://x"])
def test_what_is_not_taken_for_an_address(spec: str) -> None:
    assert not is_address(spec)


@pytest.mark.parametrize("url", ["http://", "http:///path", "ftp://host/x", "http://user:pa/ss@host/", "host/x"])
def test_malformed_addresses(url: str) -> None:
    with pytest.raises(
        ModelError, match=r"is no address of an endpoint; expected https://HOST\[:PORT\]/PATH"
    ) as caught:
        EndpointClassifier(url)
    assert "pa" not in str(caught.value).replace("path", "")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"batch_size": 0}, "batch_size=0: expected a whole number of at least 1"),
        ({"threads": 0}, "threads=0"),
        ({"retries": -1}, "retries=-1"),
        ({"timeout": 0}, "timeout=0: expected a finite number above 0"),
        ({"total_timeout": float("inf")}, "total_timeout=inf"),
        ({"backoff": -0.1}, "backoff=-0.1"),
        ({"rate": 0}, "rate=0"),
        ({"other_fields": {"texts": 1}}, "other_fields has 'texts', which is the field of the texts"),
    ],
)
def test_malformed_settings(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{message}"):
        EndpointSettings(**changed)


def test_without_httpx(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"needs the package 'httpx'.*pytest-trust\[endpoint\]"):
        EndpointClassifier(served.url)
