"""`punctum push dataset` and `metric`, by the real client: what arrives, is refused, stands after a failure."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum import discovery, outward
from punctum.hub.client import target_name
from punctum.hub.plan import Draft, File, Head, Target, listing
from tests.fake_hub import TOKEN, FakeHub
from tests.hub_client import push

BENCHMARKS = ("deepeval", "mvp_bench", "pitt_ads", "vague", "whoops")
LICENCES = {"deepeval": "cc-by-nc-4.0", "mvp_bench": "research-use", "pitt_ads": "on-request"}
SHARD = "test-00000-of-00001.parquet"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "vague"
    outward.build("vague", punctum.sample("vague"), folder, ["ego4d", "person_tags"])
    return folder


@pytest.fixture(scope="module")
def restricted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A benchmark's folder whose card is that of the real data."""
    made: dict[str, Path] = {}

    def one(benchmark: str) -> Path:
        if benchmark not in made:
            made[benchmark] = tmp_path_factory.mktemp("restricted") / benchmark
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(outward, "_sample", lambda name: None)
                outward.build(benchmark, punctum.sample(benchmark), made[benchmark])
        return made[benchmark]

    return one


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def stands(hub: FakeHub, key: str) -> dict[str, bytes]:
    return {name: data for name, data in hub.repos[key].files.items() if name != ".gitattributes"}


def commits(hub: FakeHub) -> list[str]:
    return hub.lines("POST .*/commit/")


def test_a_dataset_arrives_byte_for_byte_by_one_commit(hub: FakeHub, built: Path, capsys: Capture) -> None:
    code, out, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0 and out == f"{hub.url}/datasets/me/vague/commit/{hub.repos['datasets/me/vague'].sha}\n"
    assert stands(hub, "datasets/me/vague") == content(built)
    assert len(commits(hub)) == 1 and hub.large, "large files go ahead of the commit"
    assert hub.repos["datasets/me/vague"].messages[-1] == "Push VAGUE – a sample in its form"
    assert not hub.repos["datasets/me/vague"].private
    assert "this is a sample" in err


def test_what_stands_there_is_not_sent_twice(hub: FakeHub, built: Path, capsys: Capture) -> None:
    push(capsys, "dataset", built, "--repo", "me/vague")
    code, out, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0 and out == f"{hub.url}/datasets/me/vague\n" and "stands there already" in err
    assert len(commits(hub)) == 1


def test_it_loads_from_the_hub(hub: FakeHub, built: Path, tmp_path: Path, capsys: Capture) -> None:
    """As a stranger would load it, with another process, without punctum."""

    push(capsys, "dataset", built, "--repo", "me/vague")
    code = (
        "import sys; sys.modules['punctum'] = None\nfrom datasets import load_dataset\n"
        "rows = load_dataset('me/vague', 'ego4d', split='test')\nprint(len(rows), rows[0]['image'].size)"
    )
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}
    env.pop("HF_DATASETS_CACHE")
    env.pop("HF_TOKEN")
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    from punctum._datasets import load

    rows = load("vague", "ego4d", data_dir=punctum.sample("vague"), cache_dir=str(tmp_path / "cache"))
    assert done.stdout.split("\n")[0] == f"{len(rows)} {rows[0]['image'].size}"


def test_shards_of_an_earlier_build_go_with_the_same_commit(hub: FakeHub, built: Path, capsys: Capture) -> None:
    """Else the card's pattern would read their rows too. What others put there stays."""
    old = {"ego4d/test-00000-of-00002.parquet": b"1", "ego4d/test-00001-of-00002.parquet": b"2", "LICENSE": b"3"}
    hub.add("datasets/me/vague", {**old, "README.md": b"old"})
    code, out, _ = push(capsys, "dataset", built, "--repo", "me/vague", "--dry-run")
    assert code == 0 and len(re.findall(r"remove .*-of-00002", out)) == 2 and not commits(hub)
    code, _, _ = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0 and len(commits(hub)) == 1
    assert stands(hub, "datasets/me/vague") == {**content(built), "LICENSE": b"3"}


def test_a_dry_run_says_everything_and_sends_nothing(
    hub: FakeHub, built: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("dataset", built, "--repo", "me/vague", "--dry-run", "--show")
    code, out, err = push(capsys, *words)
    assert code == 0 and not err
    for name, data in content(built).items():
        assert re.search(rf"add +{len(data):,} bytes  {hashlib.sha256(data).hexdigest()}  {name}\n", out)
    assert (built / "eval.yaml").read_text() in out and "(no text: " in out
    assert push(capsys, *words)[1] == out, "equal bytes when repeated"
    assert {asked.method for asked in hub.asked} <= {"GET", "HEAD"} and not hub.repos
    monkeypatch.setenv("HF_TOKEN", "")
    code, out, _ = push(capsys, *words)
    assert code == 0 and "nobody is logged in" in out


def test_what_is_shown_does_not_command_the_terminal() -> None:
    file = File("a.txt", "plain\ttext\n\x1b[2J\x9b é".encode())
    text = listing(Target("me/x", "dataset"), Head(), Draft((file,), "message"), show=True)
    assert "\\x1b[2J\\x9b é" in text and "plain\ttext" in text and "\x1b" not in text


def test_a_dry_run_needs_no_network(built: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "")
    code, out, _ = push(capsys, "dataset", built, "--repo", "me/vague", "--dry-run")  # HF_HUB_OFFLINE is set
    assert code == 0 and "not seen; shown as though there were none" in out and "HF_HUB_OFFLINE" in out
    assert push(capsys, "dataset", built, "--repo", "me/vague", "--dry-run")[1] == out


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_data_that_may_not_be_passed_on_are_refused_unless_told_by_name(
    hub: FakeHub, restricted: Any, benchmark: str, capsys: Capture
) -> None:
    folder, licence = restricted(benchmark), LICENCES.get(benchmark, "see-source")
    for words in ((), ("--private",), ("--dry-run",), ("--i-may-publish", "apache-2.0")):
        code, _, err = push(capsys, "dataset", folder, "--repo", "me/copy", *words)
        assert code == 2 and licence in err and not hub.repos, words
        assert "Its card says: " in err or "--i-may-publish" in words
    code, _, err = push(capsys, "dataset", folder, "--repo", "me/copy", "--i-may-publish", licence, "--private")
    assert code == 0 and "sample" not in err
    assert stands(hub, "datasets/me/copy") == content(folder) and hub.repos["datasets/me/copy"].private


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: (f / "eval.yaml").unlink(), "is not what punctum build writes"),
        (lambda f: shutil.rmtree(f), "is no folder"),
        (lambda f: shutil.rmtree(f / "ego4d"), "lacks ego4d/test-*.parquet"),
        (lambda f: (f / "ego4d" / SHARD).write_bytes(b"PAR1 cut"), "cannot be read"),
        (lambda f: shutil.copy(f / "ego4d" / SHARD, f / "ego4d/test-00000-of-00002.parquet"), "one build"),
        (lambda f: shutil.copy(f / "person_tags" / SHARD, f / "ego4d" / SHARD), "rows"),
        (lambda f: (f / "README.md").write_text("By `punctum build x`"), "names no configs"),
        (lambda f: (f / "README.md").write_text("---\na: [\n---\nBy `punctum build x`"), "no YAML"),
    ],
)  # fmt: skip
def test_a_folder_that_is_not_whole_is_refused(
    hub: FakeHub, built: Path, tmp_path: Path, change: Any, words: str, capsys: Capture
) -> None:
    folder = shutil.copytree(built, tmp_path / "copy")
    change(folder)
    code, _, err = push(capsys, "dataset", folder, "--repo", "me/vague")
    assert code == 2 and words in err and not hub.asked


def test_only_what_build_wrote_is_pushed(hub: FakeHub, built: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = shutil.copytree(built, tmp_path / "copy")
    (folder / ".env").write_text("SECRET=1")
    (folder / "ego4d" / "notes.txt").write_text("mine")
    code, _, err = push(capsys, "dataset", folder, "--repo", "me/vague")
    assert code == 0 and "did not write it: .env" in err and "ego4d/notes.txt" in err
    assert stands(hub, "datasets/me/vague") == content(built)


@pytest.mark.parametrize("repo", ["vague", "me/", "me/a/b", "me/..", "../x", "me/a--b", "me/a b", "/", "", "me/x.git"])
def test_names_that_are_none_are_refused_at_once(hub: FakeHub, built: Path, repo: str, capsys: Capture) -> None:
    code, _, err = push(capsys, "dataset", built, "--repo", repo)
    assert code == 2 and repr(repo) in err and not hub.asked
    assert target_name("Me-1/a_b.c-d") == "Me-1/a_b.c-d"


def test_without_a_token_it_says_how_to_get_one(
    hub: FakeHub, built: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 2 and not hub.asked
    for word in ("hf auth login", "HF_TOKEN", f"{hub.url}/settings/tokens", "--dry-run"):
        assert word in err


def test_a_token_that_is_not_known(hub: FakeHub, built: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_expired")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and "does not know the token" in err and "hf_expired" not in err and not hub.repos


def test_a_token_that_may_not_write(hub: FakeHub, built: Path, capsys: Capture) -> None:
    code, _, err = push(capsys, "dataset", built, "--repo", "you/vague")
    assert code == 1 and "cannot make dataset you/vague: the token does not allow it" in err
    hub.add("datasets/you/vague", {"README.md": b"theirs"})
    code, _, err = push(capsys, "dataset", built, "--repo", "you/vague")
    assert code == 1 and "may write to you/vague" in err and "Nothing there was changed" in err
    assert stands(hub, "datasets/you/vague") == {"README.md": b"theirs"}


def test_a_pull_request_to_somebody_else(hub: FakeHub, built: Path, capsys: Capture) -> None:
    code, _, err = push(capsys, "dataset", built, "--repo", "you/vague", "--create-pr")
    assert code == 1 and "there is no dataset you/vague, or the token cannot see it" in err and not hub.repos
    hub.add("datasets/you/vague", {"README.md": b"theirs"})
    code, out, err = push(capsys, "dataset", built, "--repo", "you/vague", "--create-pr")
    assert code == 0, err
    assert out == f"{hub.url}/datasets/you/vague/discussions/1\n"
    assert stands(hub, "datasets/you/vague") == {"README.md": b"theirs"}
    pulled = {name: data for name, data in hub.repos["datasets/you/vague"].pulls[0].items() if name[0] != "."}
    assert pulled == content(built)


def test_private_is_not_promised_of_a_public_repository(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.add("datasets/me/vague")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague", "--private")
    assert code == 2 and "is public already" in err and not commits(hub)


@pytest.mark.parametrize("status", [400, 402, 403, 404, 413, 429, 500, 503])
def test_nothing_stands_after_a_refused_commit(hub: FakeHub, built: Path, status: int, capsys: Capture) -> None:
    hub.fail("POST .*/commit/", status, Retry_After="30")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and f"(HTTP {status})" in err and f"fault {status}" in err
    assert "was made and holds nothing of this push" in err and "the same command goes on" in err
    assert stands(hub, "datasets/me/vague") == {}
    uploads = len(hub.lines("PUT /large/"))
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0 and stands(hub, "datasets/me/vague") == content(built)
    assert len(hub.lines("PUT /large/")) == uploads, "large files were there already"


def test_the_same_after_other_steps_fail(hub: FakeHub, built: Path, capsys: Capture) -> None:
    for pattern in ("POST /api/repos/create", "GET /api/datasets/", "POST /api/validate-yaml", "POST .*/preupload/"):
        hub.fail(pattern, 403)
        code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
        assert code == 1 and "(HTTP 403)" in err, pattern
    hub.fail("PUT /large/", 403)
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and "(HTTP 403)" in err and "Nothing there was changed" in err
    assert not commits(hub)


def test_a_connection_that_breaks_before_the_commit(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.fail("POST .*/commit/", "cut")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and f"the connection to {hub.url} failed" in err and "holds nothing of this push" in err
    assert stands(hub, "datasets/me/vague") == {}
    assert push(capsys, "dataset", built, "--repo", "me/vague")[0] == 0
    assert stands(hub, "datasets/me/vague") == content(built)


def test_a_connection_that_breaks_in_the_middle_of_a_large_file(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.fail("PUT /large/", "cut")  # the client tries again by itself
    assert push(capsys, "dataset", built, "--repo", "me/vague")[0] == 0
    assert stands(hub, "datasets/me/vague") == content(built)


def test_a_commit_whose_answer_was_lost_is_seen_to_stand(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.fail("POST .*/commit/", "lost")
    code, out, _ = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0 and out == f"{hub.url}/datasets/me/vague\n" and len(commits(hub)) == 1


def test_a_hub_that_is_gone_when_it_is_asked_again(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.fail("POST .*/commit/", "lost")
    hub.before("POST .*/commit/", lambda: hub.fail("GET /api/datasets/", "cut", times=2))
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and "Whether the commit was made is not known" in err and "not sent twice" in err
    assert push(capsys, "dataset", built, "--repo", "me/vague")[0] == 0 and len(commits(hub)) == 1


def test_a_pull_request_is_not_opened_twice(hub: FakeHub, built: Path, capsys: Capture) -> None:
    """Nor where the answer was lost: it is known again by its title."""
    repo = hub.add("datasets/me/vague")
    repo.titles += ["another", "another", "another"]  # on pages before it
    words = ("dataset", built, "--repo", "me/vague", "--create-pr")
    hub.fail("POST .*/commit/", "lost")
    code, out, _ = push(capsys, *words)
    assert code == 0 and out == f"{hub.url}/datasets/me/vague/discussions/4\n" and len(commits(hub)) == 1
    code, out, err = push(capsys, *words)
    assert code == 0 and out.endswith("/discussions/4\n") and "it is proposed already" in err
    assert len(commits(hub)) == 1 and repo.titles[3].startswith("Push VAGUE – a sample in its form (")
    assert repo.titles[3] in push(capsys, *words, "--dry-run")[1]


def test_a_pull_request_that_failed_says_where_to_look(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.add("datasets/me/vague")
    hub.fail("POST .*/commit/", "cut")
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague", "--create-pr")
    assert code == 1 and f"See {hub.url}/datasets/me/vague/discussions" in err and "not proposed twice" in err


def test_somebody_who_was_faster(hub: FakeHub, built: Path, capsys: Capture) -> None:
    repo = hub.add("datasets/me/vague")
    for status in (409, 412):
        hub.fail("POST .*/commit/", status)
    hub.before("POST .*/commit/", lambda: repo.add({**repo.files, "theirs.txt": b"theirs"}, "theirs"))
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 0, err
    assert stands(hub, "datasets/me/vague") == {**content(built), "theirs.txt": b"theirs"}


def test_a_repository_that_the_hub_shows_late(hub: FakeHub, built: Path, capsys: Capture) -> None:
    """It was made just now, by us or by somebody else: nothing is committed on top of what cannot be seen."""
    unseen = {"X_Error_Code": "RepoNotFound"}
    made = "POST /api/repos/create"
    hub.before(made, lambda: hub.fail("GET /api/datasets/me/vague$", 404, times=2, **unseen))
    assert push(capsys, "dataset", built, "--repo", "me/vague")[0] == 0
    assert b'"parentCommit"' in next(asked for asked in hub.asked if "/commit/" in asked.path).body
    hub.before(made, lambda: hub.fail("GET /api/datasets/me/two$", 404, times=99, **unseen))
    code, _, err = push(capsys, "dataset", built, "--repo", "me/two")
    assert code == 1 and "dataset me/two was made, but the Hub does not show it" in err and len(commits(hub)) == 1


def test_it_gives_up_where_others_never_stop(hub: FakeHub, built: Path, capsys: Capture) -> None:
    hub.fail("POST .*/commit/", 412, times=100)
    code, _, err = push(capsys, "dataset", built, "--repo", "me/vague")
    assert code == 1 and "others commit to dataset me/vague all the time: 8 tries" in err


def test_a_metric_becomes_a_static_space(hub: FakeHub, capsys: Capture) -> None:
    code, out, _ = push(capsys, "metric", "prec_at_k", "--repo-owner", "org")
    space = hub.repos["spaces/org/prec_at_k"]
    assert code == 0 and out == f"{hub.url}/spaces/org/prec_at_k/commit/{space.sha}\n" and space.sdk == "static"
    folder = discovery.metrics()["prec_at_k"]
    wanted = {name: data for name, data in content(folder).items() if "__pycache__" not in name}
    assert stands(hub, "spaces/org/prec_at_k") == wanted, "nothing of the Hub's template is left"
    assert len(commits(hub)) == 1


def test_evaluate_loads_a_pushed_metric(hub: FakeHub, tmp_path: Path, capsys: Capture) -> None:

    push(capsys, "metric", "prec_at_k", "--repo-owner", "org")
    code = (
        "import sys; sys.modules['punctum'] = None\nimport evaluate\nmetric = evaluate.load('org/prec_at_k')\n"
        "print(metric.compute(predictions=[[4, 0, 1]], references=[[0, 1, 2]], k=2)['prec_at_2'])"
    )
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "0", "HF_EVALUATE_OFFLINE": "0"}
    env.pop("HF_TOKEN")
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == "1.0\n"


def test_every_metric_is_pushed_and_a_failure_says_how_far_it_came(hub: FakeHub, capsys: Capture) -> None:
    names = list(discovery.metrics())
    hub.fail(f"POST /api/spaces/me/{names[2]}/commit/", 403)
    code, out, err = push(capsys, "metric", "--all", "--repo-owner", "me")
    assert code == 1 and len(out.splitlines()) == len(names) - 1
    assert f"Of {len(names)} repositories {len(names) - 1} are done: me/{names[0]}, me/{names[1]}, me/{names[3]}" in err
    code, out, err = push(capsys, "metric", "--all", "--repo-owner", "me")
    assert code == 0 and len(out.splitlines()) == len(names) and err.count("stands there already") == len(names) - 1
    assert sorted(hub.repos) == [f"spaces/me/{name}" for name in names]


def test_a_token_that_is_not_known_is_not_tried_everywhere(
    hub: FakeHub, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_expired")
    code, _, err = push(capsys, "metric", "--all", "--repo-owner", "me")
    assert code == 1 and "0 are done: none" in err and len(hub.asked) == 1


def test_words_that_do_not_fit(hub: FakeHub, built: Path, capsys: Capture) -> None:
    for words, said in [
        (("metric", "--repo-owner", "me"), "name a metric, or --all"),
        (("metric", "prec_at_k", "--all", "--repo-owner", "me"), "leave out prec_at_k, or --all"),
        (("metric", "prec_at", "--repo-owner", "me"), "Did you mean prec_at_k?"),
        (("metric", "prec_at_k", "--repo-owner", "me/x"), "--repo-owner 'me/x/prec_at_k'"),
        (("dataset", built, "--repo", "me/x", "--show"), "--show goes with --dry-run"),
    ]:
        code, _, err = push(capsys, *words)
        assert code == 2 and said in err and not hub.asked


def test_quiet_leaves_the_address(hub: FakeHub, built: Path, capsys: Capture) -> None:
    code, out, err = push(capsys, "dataset", built, "--repo", "me/vague", "--quiet")
    assert code == 0 and err == "" and len(out.splitlines()) == 1
    assert hub.asked[0].headers["authorization"] == f"Bearer {TOKEN}"
