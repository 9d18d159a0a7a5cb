"""Classifiers behind an HTTP endpoint."""

from __future__ import annotations

import json

from pytest_trust.messages import listed
from pytest_trust.models.adapters import Adapter, GivenNames, Origin
from pytest_trust.models.classes import resolve_classes
from pytest_trust.models.endpoint_client import EndpointClient, Reply
from pytest_trust.models.endpoint_replies import Answered, UnreadableReplyError, read_reply
from pytest_trust.models.endpoint_settings import Address, EndpointSettings

_FIRST_TEXT = "This is a first text."


class EndpointClassifier(Adapter):
    """A classifier that answers JSON over HTTP at ``url``, which is asked once to begin with.

    A request is a POST of ``{"texts": [text, ...]}`` (see :class:`EndpointSettings` for other fields, and for batches,
    threads, patience and pace). Taken as answers are

    - ``{"probabilities": [[...], ...], "classes": [...]}``, a row a text and a column a class; ``classes`` may be left
      out;
    - the list of rows alone;
    - ``[[{"label": ..., "score": ...}, ...], ...]``, all labels of each text in any order, as Hugging Face's services
      give them.

    The classes are those that the first answer names; ``classes`` are names for them, or for the columns of answers
    that name none.

    The environment variable PYTEST_TRUST_ENDPOINT_TOKEN holds a key, which is sent as ``Authorization: Bearer KEY``.
    It is read for each request and neither kept nor shown; user, password and query of ``url`` are sent and not shown.
    Redirects are followed on the same scheme, host and port alone. The model's own state is out of sight: fingerprints
    rest on the shown address and on answers.

    Raises:
        ModelError: ``url`` is no address; the endpoint cannot be reached, does not answer in time or answers something
            else; it names no classes and ``classes`` are not given, or these do not fit.
        ConfigurationError: the key cannot be sent.
        MissingExtraError: httpx is not installed.
    """

    def __init__(self, url: str, *, classes: GivenNames = None, settings: EndpointSettings | None = None) -> None:
        address = Address.of(url)
        del url  # pytest --showlocals would print it with the keys in it
        self.settings = settings or EndpointSettings()
        self.batch_size, self.threads = self.settings.batch_size, self.settings.threads
        self._client = EndpointClient(address, self.settings)
        own = self._asked([_FIRST_TEXT])[1].classes
        super().__init__(own, resolve_classes(own, classes, address.shown), Origin(address.shown))

    def close(self) -> None:
        """Close the connections; happens by itself when the classifier is no longer used."""
        self._client.close()

    def _answer(self, batch: list[str]) -> object:
        reply, answered = self._asked(batch)
        if answered.classes != self.model_classes:
            names = "none" if answered.classes is None else listed(answered.classes)
            expected = "none" if self.model_classes is None else listed(self.model_classes)
            raise self._client.refusal(reply, f"named the classes ({names}); expected ({expected}) as at first")
        return answered.rows

    def _asked(self, batch: list[str]) -> tuple[Reply, Answered]:
        content = json.dumps({**self.settings.other_fields, self.settings.text_field: batch})
        reply = self._client.post(content.encode())
        try:
            return reply, read_reply(reply.outcome.body, len(batch))
        except UnreadableReplyError as error:
            raise self._client.refusal(reply, str(error)) from None

    def _identity(self) -> str:
        return self.source
