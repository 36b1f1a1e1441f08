"""The judge after the answer: a model that says what no rule can read of an answer, or whether it is right.

A judge is asked through the response store like every other model. Its words are kept as they are (`verdict`), and
what they mean is read from them again whenever answers are scored.
"""

from __future__ import annotations

from dataclasses import replace

from punctum import answers
from punctum.evaluators.asking import OnStage, ask
from punctum.evaluators.base import Judgement, Task
from punctum.evaluators.models.base import Model
from punctum.evaluators.options import Options
from punctum.evaluators.reading import is_right
from punctum.records import Generation, Prediction, Request, Sample
from punctum.store import ResponseStore

Judged = tuple[Sample, Prediction]

#: The rule of answers that the parser could not read and the judge could.
READ_BY_JUDGE = "judge"


def read_yes_no(words: str) -> str | None:
    """The verdict Yes or No in a judge's words; None for Unknown and whatever says neither."""
    return answers.parse_yes_no(words).value


def with_verdict(judgement: Judgement, sample: Sample, prediction: Prediction, words: str | None) -> Prediction:
    """The prediction as a verdict makes it.

    Args:
        judgement: what the judge was asked.
        sample: the question.
        prediction: the answer as the parser read it.
        words: the judge's; None where there are none. An answer that counts by its verdict alone has failed then.
    """
    if not _wants(judgement, prediction):
        return prediction
    if words is None:
        return replace(prediction, error="no verdict on this answer") if judgement.decides else prediction
    word = judgement.read(words)
    if judgement.decides:
        rule = f"judge: {word or 'unreadable'}"
        return replace(prediction, correct=word == "yes", rule=rule, verdict=words)
    if word is None:
        return replace(prediction, rule="judge: unreadable", verdict=words)
    return replace(prediction, parsed=word, correct=is_right(sample, word), rule=READ_BY_JUDGE, verdict=words)


def _wants(judgement: Judgement, prediction: Prediction) -> bool:
    """Whether there is anything to judge: words that nobody could read, or that were read and must be weighed."""
    if prediction.error is not None or prediction.output is None or not prediction.output.strip():
        return False
    return (prediction.parsed is not None) == judgement.decides


def judge_generation(judgement: Judgement, options: Options) -> Generation:
    """How the judge writes."""
    own = {"max_new_tokens": judgement.max_new_tokens, "seed": options.generation.seed}
    return Generation.of({**own, **options.judge_settings})


def ask_judge(
    task: Task,
    judged: list[Judged],
    options: Options,
    judge: Model,
    store: ResponseStore | None,
    on_stage: OnStage | None = None,
) -> None:
    """Ask the judge about every answer that wants a verdict.

    Args:
        task: one with a `judgement`.
        judged: the answers, read by the parser. They are replaced one by one as verdicts come, so that those that
            came are there when the run is stopped. Where the judge's call failed, the answer is not there to be
            counted: it has an `error`.
        options: how.
        judge: the model.
        store: where verdicts are kept and looked up.
        on_stage: called with "judge" and the number of requests; see `runs.run_task`.
    """
    judgement = task.judgement
    assert judgement is not None
    places = [place for place, (_, prediction) in enumerate(judged) if _wants(judgement, prediction)]
    if not places:
        return
    requests = [_request(judgement, *judged[place], options) for place in places]
    report = on_stage("judge", len(requests)) if on_stage else None
    for index, response in ask(judge, requests, judge_generation(judgement, options), store, report):
        sample, prediction = judged[places[index]]
        if response.error is None:
            prediction = with_verdict(judgement, sample, prediction, response.text)
        else:
            prediction = replace(prediction, correct=False, error=f"judge: {response.error}")
        judged[places[index]] = sample, prediction


def _request(judgement: Judgement, sample: Sample, prediction: Prediction, options: Options) -> Request:
    """The judge's question has the form yes/no, which baselines and replays answer too."""
    words = prediction.parsed if judgement.decides else prediction.output
    asked = replace(sample, form="yes_no", gold="", options=(), option_kinds=(), permutation=(), pictures=())
    prompt = options.prompts.render(judgement.prompt, **judgement.fields(sample, str(words).strip()))
    return Request(asked, prompt)
