"""The Hub, by way of huggingface_hub: look, make, commit; and what its errors mean for the person who pushes."""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.hub.plan import Draft, Head, Remote, Target
from punctum.sheets import printable
from punctum.version import __version__

if TYPE_CHECKING:
    from huggingface_hub import HfApi

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
#: Another commit came first; what is to be done is to look again.
_CONFLICTS = (409, 412)


class HubError(RuntimeError):
    """The Hub refused, failed, or could not be reached.

    Attributes:
        status: of HTTP; None where no answer came.
        conflict: whether another commit came first.
        unsure: whether the Hub may have done what it was asked, though it did not say so.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.conflict = status in _CONFLICTS
        self.unsure = status is None or status >= 500


class NoToken(ValueError):
    """Nobody is logged in."""


def target_name(repo: str, option: str = "--repo") -> str:
    """The name of a repository, checked.

    Raises:
        ValueError: if it is not of the form OWNER/NAME.
    """
    if not _NAME.fullmatch(repo) or ".." in repo or "--" in repo or repo.endswith((".git", "-", ".")):
        raise ValueError(
            f"{option} {repo!r} is no name of a repository: give OWNER/NAME, of letters, digits, '-', '_' and '.', "
            "where OWNER is a user or an organisation on the Hub"
        )
    return repo


class Hub:
    """The Hub at `HF_ENDPOINT`, or the public one, as whoever is logged in.

    Args:
        need_token: whether to refuse at once when nobody is.

    Raises:
        NoToken: if nobody is logged in.
    """

    def __init__(self, need_token: bool = True) -> None:
        from huggingface_hub import HfApi, get_token

        self._token = get_token()
        endpoint = os.environ.get("HF_ENDPOINT", "").rstrip("/") or None
        self.api: HfApi = HfApi(
            endpoint=endpoint, token=self._token, library_name="punctum", library_version=__version__
        )
        if need_token and not self._token:
            raise NoToken(
                "nobody is logged in, and pushing needs a token that may write: make one at "
                f"{self.api.endpoint}/settings/tokens, then `hf auth login`, or set HF_TOKEN in the environment; "
                "--dry-run shows what would be pushed without one"
            )

    def address(self, target: Target) -> str:
        """Where a person looks at the repository."""
        return f"{self.api.endpoint}/{target.path}"

    def look(self, target: Target) -> Head:
        """What stands in a repository now; a `Head` without commit where there is none that can be seen.

        Raises:
            HubError: if the Hub does not say.
        """
        from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

        with self._explained(target, "look at"):
            try:
                info = self.api.repo_info(target.repo, repo_type=target.kind)
            except GatedRepoError:
                raise
            except RepositoryNotFoundError as error:
                if error.response.status_code == 401 and self._token:
                    raise
                return Head() if self._token else Head(unseen="nobody is logged in, who might see a private one")
            tree = self.api.list_repo_tree(target.repo, recursive=True, revision=info.sha, repo_type=target.kind)
            files = {f.path: _remote(f) for f in tree if hasattr(f, "blob_id")}
            return Head(info.sha, bool(info.private), files, partial(self._read, target, str(info.sha)))

    def _read(self, target: Target, sha: str, path: str) -> bytes:
        with self._explained(target, f"read {path} of"), tempfile.TemporaryDirectory() as folder:
            file = self.api.hf_hub_download(
                target.repo, path, repo_type=target.kind, revision=sha, cache_dir=folder
            )  # a folder of its own: what stands there is read once
            return Path(file).read_bytes()

    def create(self, target: Target, private: bool) -> None:
        """Make a repository; nothing happens where somebody else just did.

        Raises:
            HubError: if the Hub refuses.
        """
        sdk = "static" if target.kind == "space" else None
        with self._explained(target, "make"):
            self.api.create_repo(
                target.repo, repo_type=target.kind, private=private or None, exist_ok=True, space_sdk=sdk
            )

    def commit(self, target: Target, head: Head, draft: Draft, create_pr: bool, warn: Callable[[str], None]) -> str:
        """Send what is missing, large files first, and close with one commit on top of `head`.

        Args:
            target: the repository.
            head: what stood there when the draft was made.
            draft: what shall stand there.
            create_pr: as a pull request.
            warn: told what the Hub finds odd.

        Returns:
            the address of the commit, or of the pull request.

        Raises:
            HubError: if the Hub refuses, or another commit came first.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        sent, removed = draft.against(head)
        operations: list[Any] = [CommitOperationAdd(file.path, _handed(file.source)) for file in sent]
        operations += [CommitOperationDelete(path) for path in removed]
        with self._explained(target, "commit to"), warnings.catch_warnings(record=True) as odd:
            warnings.simplefilter("always")
            done = self.api.create_commit(
                target.repo,
                operations,
                commit_message=draft.title if create_pr else draft.message,
                commit_description=draft.description,
                repo_type=target.kind,
                create_pr=create_pr,
                parent_commit=head.sha,
            )
        for warning in odd:
            if issubclass(warning.category, UserWarning):
                warn(self._clean(str(warning.message)))
        return str(done.pr_url if create_pr else done.commit_url)

    def proposed(self, target: Target, title: str) -> str | None:
        """The address of an open pull request of that title; None if there is none.

        Raises:
            HubError: if the Hub does not say.
        """
        with self._explained(target, "look for pull requests to"):
            found = self.api.get_repo_discussions(
                target.repo, repo_type=target.kind, discussion_type="pull_request", discussion_status="open"
            )
            return next((str(pull.url) for pull in found if pull.title == title), None)

    @contextmanager
    def _explained(self, target: Target, doing: str) -> Iterator[None]:
        """Turn what the client raises into a `HubError` in plain words, without the token."""
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled

        try:
            yield
        except HubError:
            raise
        except HFValidationError as error:
            raise ValueError(self._clean(str(error))) from None
        except HfHubHTTPError as error:
            raise self._refused(target, doing, error) from None
        except OfflineModeIsEnabled:
            raise HubError(f"cannot {doing} {target}: HF_HUB_OFFLINE is set in the environment; unset it") from None
        except Exception as error:
            cause = error.__cause__ if isinstance(error, RuntimeError) else None
            if isinstance(cause, HfHubHTTPError):  # a large file's upload
                raise self._refused(target, doing, cause) from None
            if isinstance(error, ValueError) and "README.md" in str(error):
                said = self._clean(str(error))
                raise HubError(f"the Hub refuses the head of README.md for {target}: {said}", 400) from None
            kind = type(cause or error).__name__
            said = self._clean(f"{kind}: {cause or error}")
            raise HubError(f"cannot {doing} {target}: the connection to {self.api.endpoint} failed ({said})") from None

    def _refused(self, target: Target, doing: str, error: Any) -> HubError:
        status = int(error.response.status_code)
        server = error.server_message or error.response.headers.get("X-Error-Message") or ""
        said = f" The Hub says: {self._clean(server.strip())}" if server.strip() else ""
        wait = error.response.headers.get("Retry-After")
        owner = target.repo.partition("/")[0]
        meaning = {
            400: "the Hub does not take what was sent.",
            401: "the Hub does not know the token; it may have expired or been revoked. `hf auth login` takes another.",
            402: "the Hub wants a subscription or credits for it.",
            403: f"the token does not allow it. It must be one that may write to {target.repo}, or make "
            f"repositories of {owner}; `hf auth whoami` says whose it is.",
            404: "there is no such repository, or the token cannot see it.",
            409: "another commit came first.",
            412: "another commit came first.",
            413: "it is too large for the Hub.",
            429: f"too many requests; wait{f' {wait} seconds' if wait else ' a while'}.",
        }.get(status, "the Hub failed." if status >= 500 else "the Hub refused it.")
        return HubError(f"cannot {doing} {target}: {meaning}{said} (HTTP {status})", status)

    def _clean(self, text: str) -> str:
        """The text without the token, and without control characters of a terminal."""
        text = text.replace(self._token, "(token)") if self._token else text
        return printable(text, "\n")


def _remote(file: Any) -> Remote:
    return Remote(file.blob_id, file.lfs.sha256 if file.lfs else None)


def _handed(source: Path | bytes) -> str | bytes:
    return source if isinstance(source, bytes) else str(source)
