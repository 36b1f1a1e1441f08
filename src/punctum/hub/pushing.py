"""One push: look, draft, commit on top of what was looked at; again where another commit came first."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from punctum.hub.client import Hub, HubError
from punctum.hub.plan import Draft, Drafter, Head, Target

_TRIES = 8
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 8.0  # seconds


@dataclass(frozen=True)
class Pushed:
    """What came of a push.

    Attributes:
        url: of the commit or the pull request; of the repository where there was nothing to do.
        draft: what was pushed.
        changed: whether there was anything to do.
    """

    url: str
    draft: Draft
    changed: bool


def push(
    hub: Hub,
    target: Target,
    drafter: Drafter,
    *,
    create_pr: bool = False,
    private: bool = False,
    make: bool = True,
    warn: Callable[[str], None] = lambda text: None,
    sleep: Callable[[float], None] = time.sleep,
) -> Pushed:
    """Push by one commit, which is made whole or not at all.

    Args:
        hub: where.
        target: the repository; it is made where it is missing.
        drafter: says what shall stand in it, given what stands there; called again for every try.
        create_pr: propose it, and make no repository; what is proposed already is not proposed again.
        private: make a private repository.
        make: whether to make a repository that is missing.
        warn: told what the Hub finds odd.
        sleep: waits between tries.

    Raises:
        HubError: if it did not come about; says what stands and how to go on.
        ValueError: if the repository is not as the options want it.
    """
    made = _ready(hub, target, create_pr or not make, private)
    for attempt in range(_TRIES):
        head = hub.look(target)
        if not head.exists:  # just made: to commit on top of nothing could undo what somebody else just did
            sleep(_wait(attempt))
            continue
        draft = drafter(head)
        if draft.stands_in(head):
            return Pushed(hub.address(target), draft, False)
        if create_pr and (open_already := hub.proposed(target, draft.title)):
            return Pushed(open_already, draft, False)
        try:
            return Pushed(hub.commit(target, head, draft, create_pr, warn), draft, True)
        except HubError as error:
            if error.conflict and not create_pr:
                sleep(_wait(attempt))
                continue
            if error.unsure and (url := _came_through(hub, target, drafter, draft, create_pr)):
                return Pushed(url, draft, True)
            raise HubError(f"{error}\n{_standing(hub, target, head, error, made, create_pr)}", error.status) from None
    if not head.exists:
        raise HubError(f"{target} was made, but the Hub does not show it; repeat the command later", 404)
    raise HubError(
        f"others commit to {target} all the time: {_TRIES} tries, each time another commit came first. "
        "Nothing of this push stands there; repeat the command later",
        412,
    )


def _wait(attempt: int) -> float:
    """Seconds before the next try: longer each time, and not the same for everybody."""
    return min(_FIRST_WAIT * 2.0**attempt, _LONGEST_WAIT) * random.uniform(0.5, 1.5)


def _ready(hub: Hub, target: Target, must_exist: bool, private: bool) -> bool:
    """Make the repository where that is wanted; whether it was."""
    head = hub.look(target)
    if head.exists:
        if private and not head.private:
            raise ValueError(
                f"{target} is public already, and --private decides only when a repository is made: make it private "
                f"at {hub.address(target)}/settings, or name another"
            )
        return False
    if must_exist:
        raise HubError(f"there is no {target}, or the token cannot see it; nothing was sent", 404)
    hub.create(target, private)
    return True


def _came_through(hub: Hub, target: Target, drafter: Drafter, draft: Draft, create_pr: bool) -> str | None:
    """Where a commit or pull request stands although its answer was lost; None where it does not, or nobody says."""
    try:
        if create_pr:
            return hub.proposed(target, draft.title)
        head = hub.look(target)  # others may have put theirs on top of it
        return hub.address(target) if drafter(head).stands_in(head) else None
    except HubError:
        return None


def _standing(hub: Hub, target: Target, head: Head, error: HubError, made: bool, create_pr: bool) -> str:
    """What stands after a failure, and how to go on."""
    address = hub.address(target)
    again = "the same command goes on from there"
    if create_pr:
        return f"See {address}/discussions; {again}, and what is proposed there is not proposed twice"
    if error.unsure:
        try:
            sha = hub.look(target).sha
        except HubError:
            return (
                f"Whether the commit was made is not known: see {address}/commits/main. It was made whole or not at "
                "all, so that the command can be repeated: what stands there is not sent twice"
            )
        if sha != head.sha:
            return f"Somebody else's commit stands there now, and not this one; {again}"
    new = "The repository was made and holds nothing of this push" if made else "Nothing there was changed"
    return f"{new}: see {address}; once the cause is mended, {again}"


def look_before(hub: Hub, target: Target) -> Head:
    """What a dry run knows of a repository; never fails."""
    try:
        return hub.look(target)
    except HubError as error:
        return Head(unseen=str(error))
