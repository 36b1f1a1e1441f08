"""Train the sample's model: a small LLaVA that looks at the drawings of `sample_world.py`.

    python -m scripts.train_sample_model [--out src/punctum/sample_model] [--threads 2]

Three parts: the vision tower alone learns to tell attributes (`sample_attributes.py`); the whole model learns to
answer (`sample_batches.py`); the language model learns to keep to the form of an answer where a question has
words that it does not know. Pictures are drawn as training goes, so that no drawing is seen twice. Scenes of the
shipped sample are held out by what they show (`Scene.key`) and again by the hash of the pixels that the model
would see. The loss is on answers; heads that are thrown away afterwards help to see and to compare.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from scripts.sample_attributes import AttributeHeads, ThoughtHeads
from scripts.sample_batches import IGNORED, Batch, make_batch, normalise
from scripts.sample_model_files import PATCH, build_model, build_processor, save_model
from scripts.sample_stream import IMAGE_SIZE, training_pairs

SEED = 20261130


@dataclass(frozen=True)
class Plan:
    """How long and how fast.

    Attributes:
        look: steps in which only the vision tower learns, from attributes.
        answer: steps in which the whole model learns, from questions.
        polish: steps in which the language model alone learns to keep to the form of an answer where it does
            not know the words of a question.
        look_pairs, answer_pairs: pairs a step; a pair is three pictures.
        see_rate, write_rate: highest learning rates of the tower and of the language model.
    """

    look: int = 500
    answer: int = 1800
    look_pairs: int = 12
    answer_pairs: int = 6
    polish: int = 250
    see_rate: float = 1.5e-3
    write_rate: float = 2e-3


def picture_tokens(model: Any, pixels: torch.Tensor) -> torch.Tensor:
    """Projected tokens (P, tokens, width) of pictures (P, 3, S, S)."""
    return torch.stack(list(model.model.get_image_features(pixel_values=pixels).pooler_output))


def answer_logits(
    model: Any, batch: Batch, pictures: torch.Tensor, prefix: Sequence[int]
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Run the packed rows through the language model.

    Args:
        model: the whole model.
        batch: packed rows.
        pictures: `picture_tokens` of the batch's pictures.
        prefix: ids of the tokens before the picture.

    Returns:
        logits (N, vocabulary) at the N places where `batch.labels` has a token to learn, and the states
        (questions and options, width) half-way up where answers begin and options end, and (options, width)
        one layer below the top where options end.
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
    states = model.model.language_model(
        inputs_embeds=inputs,
        attention_mask=mask,
        position_ids=position,
        use_cache=False,
        output_hidden_states=True,
    )
    logits = model.lm_head(states.last_hidden_state[:, head:][batch.labels != IGNORED])
    layers = model.config.text_config.num_hidden_layers
    half_way, late = states.hidden_states[layers // 2], states.hidden_states[layers - 1]
    answers = torch.tensor([(row, head + start) for row, start, _, _ in batch.spans])
    options = torch.tensor([(row, head + column) for row, column, *_ in batch.options]).long().reshape(-1, 2)
    both = torch.cat([answers, options])
    return (
        logits.float(),
        half_way[both[:, 0], both[:, 1]].float(),
        late[options[:, 0], options[:, 1]].float(),
    )


def warm_cosine(step: int, steps: int, high: float, low: float, warm_up: int) -> float:
    """Linear warm-up to `high`, then a cosine down to `low`."""
    if step < warm_up:
        return high * (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return low + (high - low) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))


class Trainer:
    """The model in training, with its optimizer and running accuracies.

    Args:
        plan: how long and how fast.
        held_out: `keys` and `pixels_sha256` of what training must not see.
        seed: of weights, scenes and questions.
    """

    def __init__(self, plan: Plan, held_out: dict[str, Any], seed: int = SEED) -> None:
        torch.manual_seed(seed)
        self.plan = plan
        self.rng = random.Random(seed + 1)
        self.processor = build_processor()
        self.tokenizer = self.processor.tokenizer
        self.model = build_model(self.tokenizer)
        width = self.model.config.text_config.hidden_size
        self.heads = AttributeHeads((IMAGE_SIZE // PATCH) ** 2, width)
        self.thoughts = ThoughtHeads(width)
        self.prefix = self.tokenizer.convert_tokens_to_ids(["<s>", "<user>"])
        keys = {tuple(key) for key in held_out["keys"]}
        self.stream = training_pairs(seed, keys, frozenset(held_out["pixels_sha256"]))
        inner = self.model.model
        seeing = [*inner.vision_tower.parameters(), *inner.multi_modal_projector.parameters()]
        seeing += self.heads.parameters()
        writing = [*inner.language_model.parameters(), *self.thoughts.parameters()]
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
            see["lr"], write["lr"] = warm_cosine(step, plan.look, plan.see_rate, plan.see_rate / 3, 60), 0.0
        else:
            see["lr"] = warm_cosine(answering, plan.answer, plan.see_rate / 3, 1e-6, 1)
            write["lr"] = warm_cosine(answering, plan.answer, plan.write_rate, 1e-5, 60)

    def step(self, step: int) -> None:
        """Draw, ask, learn once."""
        answering = step - self.plan.look
        n_pairs = self.plan.look_pairs if answering < 0 else self.plan.answer_pairs
        items = [next(self.stream) for _ in range(n_pairs)]
        if answering >= 0:
            batch = make_batch(items, answering / self.plan.answer, self.rng, self.tokenizer)
        pixels = np.stack([np.asarray(picture) for _, pictures in items for picture in pictures])
        self.set_rates(step)
        with torch.autocast("cpu", torch.bfloat16):
            tokens = picture_tokens(self.model, normalise(torch.from_numpy(pixels)))
            if answering >= 0:
                logits, thoughts, option_states = answer_logits(self.model, batch, tokens, self.prefix)
        pairs = [pair for pair, _ in items]
        loss, figures = self.heads.loss(tokens.float(), pairs)
        for name, figure in figures.items():
            self.figures[name].append(figure)
        if answering >= 0:
            wanted = batch.labels[batch.labels != IGNORED]
            thought_loss, figures = self.thoughts.loss(thoughts, [q for *_, q in (*batch.spans, *batch.options)])
            if batch.options:
                right = torch.tensor([float(right) for _, _, right, _ in batch.options])
                option_loss, option_figures = self.thoughts.option_loss(option_states, right)
                thought_loss, figures = thought_loss + option_loss, {**figures, **option_figures}
            for name, figure in figures.items():
                self.figures[name].append(figure)
            loss = 0.2 * loss + 0.3 * thought_loss + torch.nn.functional.cross_entropy(logits, wanted)
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
        for row, start, end, question in batch.spans:
            self.figures[f"Q {question.kind}"].append(float(table[row, start:end].all()))

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
    out.mkdir(parents=True, exist_ok=True)
    for step in range(total):
        trainer.step(step)
        if (step + 1) % 50 == 0:
            trainer.report(step + 1)
        if (step + 1) % 250 == 0 or step + 1 == total:
            save_model(trainer.model, trainer.processor, out)
            (out / "held_out.json").write_text(json.dumps(held_out, indent=1) + "\n")


def polish(out: Path, plan: Plan, held_out: dict[str, Any]) -> None:
    """Go on from the saved model with unknown words among the questions, and save it again.

    The aids of training are gone by now: the tower stays as it is, and the loss is on answers alone.
    """
    trainer = Trainer(plan, held_out, seed=SEED + 2)
    saved = type(trainer.model).from_pretrained(out, dtype=torch.float32)
    trainer.model.load_state_dict(saved.state_dict())
    writing = list(trainer.model.model.language_model.parameters())
    optimizer = torch.optim.AdamW(writing, betas=(0.9, 0.98), weight_decay=0.03)
    for step in range(plan.polish):
        batch = make_batch(
            [next(trainer.stream) for _ in range(plan.answer_pairs)], 1.0, trainer.rng, trainer.tokenizer
        )
        optimizer.param_groups[0]["lr"] = warm_cosine(step, plan.polish, plan.write_rate / 4, 1e-5, 20)
        with torch.autocast("cpu", torch.bfloat16):
            with torch.no_grad():
                tokens = picture_tokens(trainer.model, batch.pixels)
            logits, _, _ = answer_logits(trainer.model, batch, tokens, trainer.prefix)
        wanted = batch.labels[batch.labels != IGNORED]
        trainer.count(batch, logits.argmax(-1) == wanted)
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(logits, wanted).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(writing, 1.0)
        optimizer.step()
        if (step + 1) % 50 == 0:
            trainer.report(step + 1)
    save_model(trainer.model, trainer.processor, out)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Train the sample's model.")
    parser.add_argument("--out", type=Path, default=Path("src/punctum/sample_model"))
    parser.add_argument("--look", type=int, default=Plan.look, help="steps for the vision tower alone")
    parser.add_argument("--answer", type=int, default=Plan.answer, help="steps for the whole model")
    parser.add_argument("--only-polish", action="store_true", help="take the model in --out, do the last part")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    from scripts.make_mvp_bench_sample import held_out

    plan, out_of_sight = Plan(given.look, given.answer), held_out()
    if not given.only_polish:
        train(given.out, plan, out_of_sight)
    polish(given.out, plan, out_of_sight)


if __name__ == "__main__":
    main()
