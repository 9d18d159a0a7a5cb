"""Runs TextAttack: the code of the process that :class:`~pytest_trust.attacks.textattack.TextAttackRunner` starts.

Nothing else imports it. It is told what to attack through its standard input and answers through its standard output;
while it attacks, it asks for the probabilities of texts the same way. What libraries print goes to standard error.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np

from pytest_trust.attacks.textattack.downloads import (
    ALLOW_DOWNLOADS,
    downloads_allowed,
    no_post_install,
    refuse_network,
    wanted_network,
)
from pytest_trust.attacks.textattack.parts import give_stop_words, missing_parts
from pytest_trust.attacks.textattack.protocol import Message, receive, send
from pytest_trust.attacks.textattack.recipes import Recipe, recipe_named
from pytest_trust.errors import ConfigurationError
from pytest_trust.models.base import Probabilities

# The other process makes batches that suit its model; between batches the time is looked at.
_BATCH = 256
# So much of an error's message is told.
_SAID = 300


class TimeSpentError(Exception):
    """The time for a text is over."""


class Ended(Exception):  # noqa: N818 - nothing went wrong
    """The other process is gone, or has no more to ask."""


class RemoteModel:
    """The classifier as TextAttack takes it: asks the other process.

    ``last_moment`` ends the attack under way, by the monotonic clock.
    """

    def __init__(self, inbox: BinaryIO, outbox: BinaryIO) -> None:
        self._inbox, self._outbox = inbox, outbox
        self.last_moment = float("inf")
        # TextAttack looks at the class of a wrapper's model.
        self.model = self

    def __call__(self, texts: Sequence[str]) -> Probabilities:
        """Probabilities, shape (n, k), float64.

        Raises:
            TimeSpentError: the time for the text under attack is over.
            Ended: there is nobody to ask.
        """
        if time.monotonic() > self.last_moment:
            raise TimeSpentError
        send(self._outbox, {"texts": list(texts)})
        answer = receive(self._inbox)
        if answer is None:
            raise Ended
        probabilities = np.array(answer["probabilities"], dtype=np.float64)
        # TextAttack takes the softmax of a batch whose rows do not sum to one within 1e-6.
        summing_to_one: Probabilities = probabilities / probabilities.sum(axis=1, keepdims=True)
        return summing_to_one


class Worker:
    """Answers requests; recipes are made once."""

    def __init__(self, model: RemoteModel) -> None:
        self._model = model
        self._attacks: dict[str, Any] = {}

    def answer(self, request: Message) -> Message:
        """What becomes of ``request``; an error is an answer too."""
        try:
            return self._attack(request) if "text" in request else self._prepare(recipe_named(request["recipe"]))
        except ConfigurationError as error:
            return {"refused": str(error)}
        except Ended:
            raise
        except Exception as error:
            return {"refused": _told(request["recipe"], error)} if wanted_network(error) else {"failed": _said(error)}

    def _prepare(self, recipe: Recipe) -> Message:
        if recipe.name not in self._attacks:
            self._attacks[recipe.name] = _built(recipe, self._model)
        return {"ready": recipe.name}

    def _attack(self, request: Message) -> Message:
        attack = self._attacks[recipe_named(request["recipe"]).name]
        goal = attack.goal_function
        goal.query_budget = float("inf") if request["max_queries"] is None else request["max_queries"]
        goal.target_class = request["target"]  # read by goals of one class alone
        goal.num_queries = 0
        seconds = request["seconds"]
        self._model.last_moment = float("inf") if seconds is None else time.monotonic() + seconds
        attack.clear_cache()
        _seed(request["seed"])
        return _searched(attack, request)


def _searched(attack: Any, request: Message) -> Message:
    """The text that the search of ``attack`` ends with; none where the budget ended it."""
    goal = attack.goal_function
    try:
        result = attack.attack(request["text"], request["label"])
    except TimeSpentError:
        return {"text": None, "queries": goal.num_queries}
    except Ended:
        raise
    except Exception:
        # Searches for which no query is left stumble over the empty answer.
        if goal.num_queries < goal.query_budget:
            raise
        return {"text": None, "queries": goal.num_queries}
    return {
        "text": result.perturbed_result.attacked_text.text,
        "queries": goal.num_queries,
        "spent": goal.num_queries >= goal.query_budget,
    }


def _seed(seed: int) -> None:
    """Seeds this process, of which TextAttack uses the global generators."""
    import torch

    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def _built(recipe: Recipe, model: RemoteModel) -> Any:
    """The attack of a recipe.

    Raises:
        ConfigurationError: a part of it is not here, or TextAttack cannot be imported.
    """
    if downloads_allowed():
        give_stop_words(fetch=True)
        textattack = _imported()
    else:
        _refuse_missing(recipe)
        give_stop_words(fetch=False)
        with no_post_install():
            textattack = _imported()
    attack = _build(getattr(textattack.attack_recipes, recipe.name), recipe, model)
    attack.goal_function.batch_size = _BATCH
    return attack


def _build(made_by: Any, recipe: Recipe, model: RemoteModel) -> Any:
    if recipe.name == "BadCharacters2021":
        # Its goal is one class; which, is said with each text.
        return made_by.build(model, goal_function_type="targeted_classification")
    return made_by.build(model)


def _imported() -> Any:
    try:
        import textattack
    except Exception as error:
        if wanted_network(error):
            raise
        raise ConfigurationError(
            f"TextAttack cannot be imported: {_said(error)}; expected textattack 0.3.11 with transformers 4 and "
            "flair 0.15: pip install 'pytest-trust[textattack]'"
        ) from error
    return textattack


def _refuse_missing(recipe: Recipe) -> None:
    missing = missing_parts(recipe.parts)
    if missing:
        raise ConfigurationError(
            f"TextAttack's recipe {recipe.short or recipe.name!r} needs what is not on this machine: "
            f"{'; '.join(missing)}; with {ALLOW_DOWNLOADS}=1 in the environment TextAttack fetches what it can"
        )


def _told(recipe: str, error: Exception) -> str:
    return (
        f"TextAttack's recipe {recipe!r} wanted to download something, which is not allowed ({_said(error)}); "
        f"{ALLOW_DOWNLOADS}=1 in the environment allows it"
    )


def _said(error: Exception) -> str:
    """Type and message of ``error`` in one line, of which some libraries make many."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:_SAID]}"


def _taken_over() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of reach of whatever reads standard input or prints."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return inbox, outbox


def main() -> None:
    """Answer requests until there are no more."""
    inbox, outbox = _taken_over()
    if not downloads_allowed():
        refuse_network()
    worker = Worker(RemoteModel(inbox, outbox))
    try:
        while (request := receive(inbox)) is not None:
            send(outbox, worker.answer(request))
    except (Ended, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
