"""Asks an HTTP endpoint with patience of known length, and lets no key out.

An attempt runs in a thread of its own, whose frames hold the keys, and gives its outcome as a value: so no traceback,
not even one with local variables, can show them, and the caller can stop waiting whatever the server does.
"""

from __future__ import annotations

import os
import queue
import random
import threading
import time
import weakref
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

from pytest_trust._version import __version__
from pytest_trust.errors import ConfigurationError, ModelError, missing_extra
from pytest_trust.models.endpoint_settings import TOKEN_VARIABLE, Address, EndpointSettings, hidden, redacted

_TOO_MANY_REQUESTS, _UNAVAILABLE = 429, 503
_PASSING = (_TOO_MANY_REQUESTS, 502, _UNAVAILABLE, 504)
# The two redirects that keep a POST with its body.
_REDIRECTS = (307, 308)
_MOST_REDIRECTS = 5
_MOST_BYTES = 64 * 2**20
_EXCERPT = 200
# Keys are taken out before the excerpt is cut, lest the cut goes through one.
_LOOKED_AT = 2**16
# httpx takes no timeout of zero.
_SHORTEST_TIMEOUT = 0.001


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one attempt: an answer (``problem`` is empty) or a failure, that may pass or not.

    ``status`` is 0 where there was no complete answer; ``pause`` is what the server asked to wait, in seconds.
    """

    problem: str = ""
    status: int = 0
    body: bytes = field(default=b"", repr=False)
    passing: bool = False
    stalled: bool = False
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of the last attempt at a request, and how many there were."""

    outcome: Outcome
    attempts: int


class EndpointClient:
    """Posts JSON to one address over connections that are kept open; may be used by several threads.

    Raises:
        MissingExtraError: httpx is not installed.
        ModelError: no client can be made for the address, the proxies and the certificates of this machine.
    """

    def __init__(self, address: Address, settings: EndpointSettings) -> None:
        self.address = address
        self._settings = settings
        self._transport = _transport(address, settings.threads)
        # Also at the end of the process, so that no connection is left open.
        weakref.finalize(self, self._transport.close)
        self._pace = _Pace(settings.rate)
        self._jitter = random.Random()
        self._given_up: str | None = None

    def __reduce__(self) -> str:
        raise TypeError("an endpoint is asked by the threads of one process, which keeps its keys and its pace")

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def post(self, content: bytes) -> Reply:
        """The endpoint's answer to the JSON text ``content``.

        Raises:
            ModelError: it answered with a status that no repetition mends, or the patience of the settings is used up.
                Once it was because the endpoint stalled, it is not asked again.
            ConfigurationError: the key in the environment cannot be sent.
        """
        _check_token()
        if self._given_up:
            raise ModelError(f"{self._given_up}; it is not asked again")
        self._pace.wait()
        last_moment = time.monotonic() + self._settings.total_timeout
        for attempt in range(1, self._settings.retries + 2):
            outcome = self._attempt(content, last_moment)
            if not outcome.problem:
                return Reply(outcome, attempt)
            pause = max(outcome.pause, self._backoff(attempt))
            if not outcome.passing or attempt > self._settings.retries or time.monotonic() + pause >= last_moment:
                break
            time.sleep(pause)
            self._pace.wait()
        raise self._failure(Reply(outcome, attempt))

    def refusal(self, reply: Reply, problem: str) -> ModelError:
        """The error for a reply: address, problem, status, attempts and the beginning of the body, without keys."""
        status = f"status {reply.outcome.status}" if reply.outcome.status else "no status"
        attempts = f"attempt {reply.attempts} of at most {self._settings.retries + 1}"
        body = self._excerpt(reply.outcome.body)
        return ModelError(f"model {self.address.shown} {self._clean(problem)} ({status}, {attempts}, body: {body})")

    def _attempt(self, content: bytes, last_moment: float) -> Outcome:
        """What came of one attempt, after ``timeout`` seconds at the latest and not after ``last_moment``."""
        seconds = max(_SHORTEST_TIMEOUT, min(self._settings.timeout, last_moment - time.monotonic()))
        box: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        threading.Thread(target=lambda: box.put(self._exchange(content, seconds)), daemon=True).start()
        try:
            return box.get(timeout=seconds)
        except queue.Empty:
            return _no_answer(seconds)

    def _exchange(self, content: bytes, seconds: float) -> Outcome:
        import httpx

        try:
            return self._answer(content, seconds)
        except httpx.TimeoutException:
            return _no_answer(seconds)
        except (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError) as error:
            text = f"{type(error).__name__}: {error}"
            return Outcome(f"broke the connection or took none ({text})", passing=True)
        except Exception as error:
            # The text of other errors may quote what was to be sent.
            return Outcome(f"cannot be asked ({type(error).__name__}); are its address and the headers well-formed?")

    def _answer(self, content: bytes, seconds: float) -> Outcome:
        """The outcome of an exchange that ended in an answer, redirects within the same origin followed."""
        import httpx

        last_moment = time.monotonic() + seconds
        url = httpx.URL(self.address.url)
        for _ in range(_MOST_REDIRECTS):
            response, body = self._sent(url, content, last_moment)
            if len(body) > _MOST_BYTES:
                return Outcome(f"answers with more than {_MOST_BYTES} bytes", response.status_code)
            if not response.has_redirect_location:
                return _judged(response.status_code, body, response.headers)
            target = url.join(response.headers["location"])
            if response.status_code not in _REDIRECTS or _origin(target) != _origin(url):
                where = hidden(redacted(str(target)), self._secrets())
                problem = f"redirects to {where}; followed are the redirects 307 and 308 within a host alone"
                return Outcome(problem, response.status_code)
            url = target
        return Outcome(f"redirects more than {_MOST_REDIRECTS} times", response.status_code)

    def _sent(self, url: Any, content: bytes, last_moment: float) -> tuple[Any, bytes]:
        """The response to one request, and its body."""
        import httpx

        timeout = httpx.Timeout(max(_SHORTEST_TIMEOUT, last_moment - time.monotonic()))
        extensions = {"timeout": timeout.as_dict()}
        request = httpx.Request("POST", url, headers=self._headers(), content=content, extensions=extensions)
        with closing(self._transport.handle_request(request)) as response:
            body = bytearray()
            for part in response.iter_bytes():
                body += part
                if time.monotonic() > last_moment:
                    raise httpx.ReadTimeout("the answer does not end in time")
                if len(body) > _MOST_BYTES:
                    break
        return response, bytes(body)

    def _headers(self) -> Any:
        """The httpx.Headers of a request; the key is read anew each time and kept nowhere."""
        import httpx

        headers = httpx.Headers({"accept": "application/json", "content-type": "application/json"})
        headers["user-agent"] = f"pytest-trust/{__version__}"
        authorization = f"Bearer {token}" if (token := _token()) else self.address.authorization
        if authorization:
            headers["authorization"] = authorization
        headers.update(self._settings.headers)
        return headers

    def _secrets(self) -> list[str]:
        words = [word for value in self._settings.headers.values() for word in (value, *value.split())]
        return [_token(), *self.address.secrets, *words]

    def _backoff(self, attempt: int) -> float:
        """Seconds to wait after failed attempt number ``attempt``, so that many clients do not come back at once."""
        return self._settings.backoff * 2.0 ** (attempt - 1) * self._jitter.uniform(0.5, 1.0)

    def _failure(self, reply: Reply) -> ModelError:
        problem = reply.outcome.problem
        if reply.outcome.pause:
            problem += f" and asks to wait {reply.outcome.pause:.3g} s"
        error = self.refusal(reply, problem)
        if reply.outcome.stalled:
            self._given_up = str(error)
        return error

    def _excerpt(self, body: bytes) -> str:
        text = self._clean(body[:_LOOKED_AT].decode("utf-8", errors="replace"))
        return repr(text[:_EXCERPT] + ("..." if len(text) > _EXCERPT else ""))

    def _clean(self, text: str) -> str:
        """``text`` of a server in one line, without the keys that it may have sent back."""
        return "".join(character if character.isprintable() else " " for character in hidden(text, self._secrets()))


class _Pace:
    """Lets callers of all threads through at most ``rate`` times a second."""

    def __init__(self, rate: float | None) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Wait for the caller's turn."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next)
            self._next = turn + self._gap
        time.sleep(turn - now)


def _transport(address: Address, connections: int) -> Any:
    """What sends requests, without the client around it, which logs addresses with the keys in them."""
    try:
        import httpx
    except ModuleNotFoundError as error:
        raise missing_extra("httpx", "endpoint", f"model {address.shown}") from error
    try:
        url = httpx.URL(address.url)
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=connections)
        return httpx.HTTPTransport(proxy=_proxy(url.scheme, url.host), limits=limits)
    except Exception as error:
        raise ModelError(
            f"model {address.shown} cannot be asked ({type(error).__name__}): its address is malformed, or the proxy "
            "or the certificates that the environment names cannot be used"
        ) from None


def _proxy(scheme: str, host: str) -> str | None:
    """The proxy that this machine's environment names for a host."""
    from urllib.request import getproxies, proxy_bypass

    if proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def _token() -> str:
    return os.environ.get(TOKEN_VARIABLE, "").strip()


def _check_token() -> None:
    if not all("!" <= character <= "~" for character in _token()):
        raise ConfigurationError(f"{TOKEN_VARIABLE} holds characters that no header may; expected a key")


def _origin(url: Any) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _judged(status: int, body: bytes, headers: Mapping[str, str]) -> Outcome:
    if 200 <= status < 300:
        return Outcome(status=status, body=body)
    pause = _seconds(headers.get("retry-after", "")) if status in (_TOO_MANY_REQUESTS, _UNAVAILABLE) else 0.0
    return Outcome("answered with an error", status, body, passing=status in _PASSING, pause=pause)


def _no_answer(seconds: float) -> Outcome:
    return Outcome(f"gave no complete answer within {seconds:.3g} s", passing=True, stalled=True)


def _seconds(retry_after: str) -> float:
    """What a header Retry-After asks to wait, which is a number of seconds or a date; zero where it is neither."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return 0.0
