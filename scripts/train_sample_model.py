"""Train the sample's model: a small LLaVA that looks at the drawings of `sample_world.py`.

    python -m scripts.train_sample_model [--out src/punctum/sample_model] [--threads 2]

First the vision tower alone learns to tell attributes (`sample_attributes.py`), then the whole model learns to
answer. Pictures are drawn as training goes, so that no drawing is seen twice. Scenes of the shipped sample are held
out by what they show (`Scene.key`) and again by the hash of the pixels that the model would see.

Several questions share a picture. They are packed into one row: the picture's tokens once, then every
question with its answer, each of which sees the picture and itself alone and counts its positions from the
picture's end. The loss is on the answers.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from scripts import sample_questions as ask
from scripts.sample_attributes import AttributeHeads
from scripts.sample_drawing import draw, pixel_hash, side_by_side
from scripts.sample_model_files import IMAGE_SIZE, PATCH, build_model, build_processor, save_model
from scripts.sample_world import ATTRIBUTES, Pair, Scene, random_pair

SEED = 20261130
IGNORED = -100
ROW_TOKENS = 190


Pictures = tuple[Image.Image, Image.Image, Image.Image]
"""Source, edited and both side by side, as the model sees them."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast.

    Attributes:
        look: steps in which only the vision tower learns, from attributes.
        answer: steps in which the whole model learns, from questions.
        pairs: pairs a step; a pair is three pictures.
        see_rate, write_rate: highest learning rates of the tower and of the language model.
    """

    look: int = 900
    answer: int = 1200
    pairs: int = 12
    see_rate: float = 1.5e-3
    write_rate: float = 1.5e-3


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as the model sees it, with what it is asked about it."""

    pixels: Image.Image
    questions: list[ask.Question]


def see(picture: Image.Image) -> Image.Image:
    """A picture as the processor makes it: squeezed to the model's square."""
    return picture.resize((IMAGE_SIZE, IMAGE_SIZE), Image.Resampling.BICUBIC)


def pair_pictures(pair: Pair, oversampling: int = 1) -> Pictures:
    """Source, edited and both side by side, as the model sees them."""
    source, edited = (draw(scene, oversampling=oversampling) for scene in (pair.source, pair.edited))
    return see(source), see(edited), see(side_by_side(source, edited))


def training_pairs(
    seed: int, held_out_keys: Collection[tuple[str, ...]], held_out_hashes: frozenset[str]
) -> Iterator[tuple[Pair, Pictures]]:
    """The endless stream of training pairs with their pictures, none of them held out."""
    rng = random.Random(seed)
    while True:
        pair = random_pair(rng, held_out_keys)
        pictures = pair_pictures(pair)
        if held_out_hashes.isdisjoint(map(pixel_hash, pictures)):
            yield pair, pictures


def _some(candidates: Iterator[ask.Question | None], n: int) -> list[ask.Question]:
    """The first n questions that could be asked, of at most 8 n tries."""
    found: list[ask.Question] = []
    for _, question in zip(range(8 * n), candidates, strict=False):
        if question is not None:
            found.append(question)
        if len(found) == n:
            break
    return found


def single_questions(scene: Scene, progress: float, rng: random.Random) -> list[ask.Question]:
    """Questions on one picture of a pair: words first, later mostly yes/no and letters."""
    names = list(ATTRIBUTES)
    early = progress < 0.2
    n_open, n_low, n_high, n_choice = (8, 4, 1, 0) if early else (2, 9, 2, 1)
    attributes = rng.sample(names, len(names))
    questions = _some((ask.open_question(scene, name, rng) for name in attributes), n_open)
    endless = iter(lambda: rng.choice(names), "")
    questions += _some((ask.low_yes_no(scene, name, rng) for name in endless), n_low)
    questions += _some((ask.high_yes_no(scene, rng) for _ in range(99)), n_high)
    if n_choice:
        both = (ask.low_choice(scene, rng.choice(names), rng), ask.high_choice(scene, rng))
        questions += [q for q in both if q is not None and (q.kind == "mcq_low" or rng.random() < 0.4)]
    return questions


def cross_questions(pair: Pair, progress: float, rng: random.Random) -> list[ask.Question]:
    """Questions on a pair side by side."""
    early = progress < 0.2
    n_side, n_low, n_high = (8, 0, 0) if early else (3, 3, 1)
    names = rng.sample(list(ATTRIBUTES), len(ATTRIBUTES))
    questions = _some((ask.cross_side(pair, name, rng) for name in names), n_side)
    questions.append(ask.cross_open(pair, rng))
    questions += [ask.cross_low_choice(pair, rng) for _ in range(n_low)]
    questions += [ask.cross_high_choice(pair, rng) for _ in range(n_high)]
    return questions


@dataclass(frozen=True, slots=True)
class Batch:
    """Packed rows.

    Attributes:
        pixels: (P, 3, S, S), normalised.
        picture: (B,) which of the pictures a row is about.
        ids: (B, T) tokens after the picture's prefix; position 0 of a question is its first token.
        labels: (B, T) the token to be written next, IGNORED where nothing is learnt.
        owner: (B, T) number of the question that a token belongs to, -1 for padding.
        position: (B, T) position within the question.
        kinds: (row, first and last-but-one column of the answer, kind) a question.
    """

    pixels: torch.Tensor
    picture: torch.Tensor
    ids: torch.Tensor
    labels: torch.Tensor
    owner: torch.Tensor
    position: torch.Tensor
    kinds: list[tuple[int, int, int, str]]


def pack(shown: Sequence[Shown], tokenizer: Any) -> Batch:
    """Tokenize the questions of every picture into rows of at most `ROW_TOKENS` tokens."""
    rows: list[list[tuple[int, int, int, int]]] = []
    kinds: list[tuple[int, int, int, str]] = []
    picture: list[int] = []
    ask_id, end_id = tokenizer.convert_tokens_to_ids("<assistant>"), tokenizer.eos_token_id
    for number, item in enumerate(shown):
        prompts = tokenizer([q.text for q in item.questions], add_special_tokens=False)["input_ids"]
        answers = tokenizer([q.answer for q in item.questions], add_special_tokens=False)["input_ids"]
        for owner, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
            ids = [*prompt, ask_id, *answer]
            labels = [IGNORED] * len(prompt) + [*answer, end_id]
            room = (r for r, of in enumerate(picture) if of == number and len(rows[r]) + len(ids) <= ROW_TOKENS)
            at_row = next(room, len(rows))
            if at_row == len(rows):
                rows.append([])
                picture.append(number)
            row, start = rows[at_row], len(rows[at_row])
            kinds.append((at_row, start + len(prompt), start + len(ids), item.questions[owner].kind))
            row += [(i, label, owner, at) for at, (i, label) in enumerate(zip(ids, labels, strict=True))]
    longest = max(map(len, rows))
    filler = (tokenizer.pad_token_id, IGNORED, -1, 0)
    table = torch.tensor([row + [filler] * (longest - len(row)) for row in rows])
    pixels = torch.from_numpy(np.stack([np.asarray(item.pixels) for item in shown]))
    ids_of, labels_of, owner_of, position_of = table.unbind(-1)
    return Batch(normalise(pixels), torch.tensor(picture), ids_of, labels_of, owner_of, position_of, kinds)


def normalise(pixels: torch.Tensor) -> torch.Tensor:
    """(B, S, S, 3) bytes to (B, 3, S, S) in -1…1, as the saved processor does."""
    return pixels.permute(0, 3, 1, 2).float() / 127.5 - 1


def picture_tokens(model: Any, pixels: torch.Tensor) -> torch.Tensor:
    """Projected tokens (P, tokens, width) of pictures (P, 3, S, S)."""
    return torch.stack(list(model.model.get_image_features(pixel_values=pixels).pooler_output))


def answer_logits(model: Any, batch: Batch, pictures: torch.Tensor, prefix: Sequence[int]) -> torch.Tensor:
    """Logits (N, vocabulary) at the N places where `batch.labels` has a token to learn.

    Args:
        model: the whole model.
        batch: packed rows.
        pictures: `picture_tokens` of the batch's pictures.
        prefix: ids of the tokens before the picture.
    """
    embed = model.model.get_input_embeddings()
    n, length = batch.ids.shape
    start = embed(torch.tensor(prefix)).expand(n, -1, -1)
    inputs = torch.cat([start, pictures[batch.picture].to(start.dtype), embed(batch.ids)], dim=1)
    total = inputs.shape[1]
    head = total - length
    causal = torch.ones(total, total, dtype=torch.bool).tril()
    owner = torch.cat([torch.full((n, head), -2), batch.owner], dim=1)
    allowed = causal & ((owner[:, None, :] == owner[:, :, None]) | (owner[:, None, :] == -2))
    mask = torch.zeros(n, 1, total, total).masked_fill(~allowed[:, None], torch.finfo(torch.float32).min)
    position = torch.cat([torch.arange(head).expand(n, -1), batch.position + head], dim=1)
    if torch.is_autocast_enabled("cpu"):
        mask = mask.to(torch.get_autocast_dtype("cpu"))
    hidden = model.model.language_model(
        inputs_embeds=inputs, attention_mask=mask, position_ids=position, use_cache=False
    ).last_hidden_state
    logits: torch.Tensor = model.lm_head(hidden[:, head:][batch.labels != IGNORED])
    return logits.float()


def warm_cosine(step: int, steps: int, high: float, low: float, warm_up: int) -> float:
    """Linear warm-up to `high`, then a cosine down to `low`."""
    if step < warm_up:
        return high * (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return low + (high - low) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


def make_batch(items: Sequence[tuple[Pair, Pictures]], progress: float, rng: random.Random, tokenizer: Any) -> Batch:
    """Three pictures a pair, with fresh questions."""
    shown = []
    for pair, (source, edited, both) in items:
        shown.append(Shown(source, single_questions(pair.source, progress, rng)))
        shown.append(Shown(edited, single_questions(pair.edited, progress, rng)))
        shown.append(Shown(both, cross_questions(pair, progress, rng)))
    return pack(shown, tokenizer)


class Trainer:
    """The model in training, with its optimizer and running accuracies.

    Args:
        plan: how long and how fast.
        held_out: `keys` and `pixels_sha256` of what training must not see.
    """

    def __init__(self, plan: Plan, held_out: dict[str, Any]) -> None:
        torch.manual_seed(SEED)
        self.plan = plan
        self.rng = random.Random(SEED + 1)
        self.processor = build_processor()
        self.tokenizer = self.processor.tokenizer
        self.model = build_model(self.tokenizer)
        self.heads = AttributeHeads((IMAGE_SIZE // PATCH) ** 2, self.model.config.text_config.hidden_size)
        self.prefix = self.tokenizer.convert_tokens_to_ids(["<s>", "<user>"])
        keys = {tuple(key) for key in held_out["keys"]}
        self.stream = training_pairs(SEED, keys, frozenset(held_out["pixels_sha256"]))
        inner = self.model.model
        seeing = [*inner.vision_tower.parameters(), *inner.multi_modal_projector.parameters()]
        seeing += self.heads.parameters()
        writing = list(inner.language_model.parameters())
        self.optimizer = torch.optim.AdamW(
            [{"params": seeing}, {"params": writing}], lr=0.0, betas=(0.9, 0.98), weight_decay=0.03
        )
        self.figures: dict[str, list[float]] = defaultdict(list)
        self.began = time.monotonic()

    def set_rates(self, step: int) -> None:
        """The tower learns fast at first and slowly while the language model learns."""
        plan, answering = self.plan, step - self.plan.look
        see, write = self.optimizer.param_groups
        if answering < 0:
            see["lr"], write["lr"] = warm_cosine(step, plan.look, plan.see_rate, plan.see_rate / 4, 60), 0.0
        else:
            see["lr"] = warm_cosine(answering, plan.answer, plan.see_rate / 4, 1e-6, 1)
            write["lr"] = warm_cosine(answering, plan.answer, plan.write_rate, 1e-5, 60)

    def step(self, step: int) -> None:
        """Draw, ask, learn once."""
        answering = step - self.plan.look
        items = [next(self.stream) for _ in range(self.plan.pairs)]
        if answering >= 0:
            batch = make_batch(items, answering / self.plan.answer, self.rng, self.tokenizer)
        pixels = np.stack([np.asarray(picture) for _, pictures in items for picture in pictures])
        self.set_rates(step)
        with torch.autocast("cpu", torch.bfloat16):
            tokens = picture_tokens(self.model, normalise(torch.from_numpy(pixels)))
            logits = answer_logits(self.model, batch, tokens, self.prefix) if answering >= 0 else None
        loss, figures = self.heads.loss(tokens.float(), [pair for pair, _ in items])
        for name, figure in figures.items():
            self.figures[name].append(figure)
        if logits is not None:
            wanted = batch.labels[batch.labels != IGNORED]
            loss = 0.2 * loss + torch.nn.functional.cross_entropy(logits, wanted)
            self.count(batch, logits.argmax(-1) == wanted)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        for group in self.optimizer.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        self.optimizer.step()

    def count(self, batch: Batch, hits: torch.Tensor) -> None:
        """Keep which questions came out right; every picture is new, so this measures honestly."""
        table = torch.zeros_like(batch.labels, dtype=torch.bool)
        table[batch.labels != IGNORED] = hits
        for row, start, end, kind in batch.kinds:
            self.figures[f"Q {kind}"].append(float(table[row, start:end].all()))

    def report(self, step: int) -> None:
        """Print the accuracies since the last report."""
        minutes = (time.monotonic() - self.began) / 60
        shares = "  ".join(f"{k} {np.mean(v):.2f}" for k, v in sorted(self.figures.items()))
        print(f"{step:5d} {minutes:5.1f} min  {shares}", flush=True)
        self.figures.clear()


def train(out: Path, plan: Plan, held_out: dict[str, Any]) -> None:
    """Train from scratch and save model, processor and what was held out."""
    trainer = Trainer(plan, held_out)
    print(f"{sum(p.numel() for p in trainer.model.parameters()):,} parameters, {len(trainer.tokenizer)} tokens")
    total = plan.look + plan.answer
    for step in range(total):
        trainer.step(step)
        if (step + 1) % 50 == 0:
            trainer.report(step + 1)
        if (step + 1) % 250 == 0 or step + 1 == total:
            save_model(trainer.model, trainer.processor, out)
            (out / "held_out.json").write_text(json.dumps(held_out, indent=1) + "\n")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Train the sample's model.")
    parser.add_argument("--out", type=Path, default=Path("src/punctum/sample_model"))
    for name, value in (("look", Plan.look), ("answer", Plan.answer), ("pairs", Plan.pairs)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    from scripts.make_mvp_bench_sample import held_out

    train(given.out, Plan(given.look, given.answer, given.pairs), held_out())


if __name__ == "__main__":
    main()
