"""Config, tokenizer and processor of the sample's model, and how it is saved."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    CLIPVisionConfig,
    GenerationConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

from scripts import sample_questions as ask
from scripts.sample_stream import IMAGE_SIZE
from scripts.sample_world import ATTRIBUTES, random_pair

PATCH = 28
SPECIAL = ("<pad>", "<s>", "</s>", "<image>", "<user>", "<assistant>")

CHAT_TEMPLATE = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}{{ '<assistant>' }}"
    "{% elif message['role'] == 'user' %}{{ '<user>' }}{% endif %}"
    "{% if message['content'] is string %}{{ message['content'] | trim }}{% else %}"
    "{% for part in message['content'] if part['type'] == 'image' %}{{ '<image>' }}{% endfor %}"
    "{% for part in message['content'] if part['type'] == 'text' %}{{ part['text'] | trim }}{% endfor %}"
    "{% endif %}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)


def _texts(n_pairs: int) -> list[str]:
    """What the model reads and writes, to learn a vocabulary from."""
    rng = random.Random(0)
    texts: list[str] = []
    for _ in range(n_pairs):
        pair = random_pair(rng)
        questions = [ask.cross_low_choice(pair, rng), ask.cross_high_choice(pair, rng), ask.cross_open(pair, rng)]
        for name in ATTRIBUTES:
            found = (f(pair.source, name, rng) for f in (ask.open_question, ask.low_yes_no, ask.low_choice))
            questions += [q for q in found if q is not None]
        found_high = (ask.high_yes_no(pair.source, rng), ask.high_choice(pair.source, rng))
        questions += [q for q in found_high if q is not None]
        texts += [text for q in questions for text in (q.text, q.answer)]
    return texts


def build_tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE whose words are those of the templates; any other text comes apart into bytes."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        min_frequency=2,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_texts(600), trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        extra_special_tokens={"image_token": "<image>"},
        additional_special_tokens=["<user>", "<assistant>"],
        padding_side="left",
        model_max_length=1024,
        clean_up_tokenization_spaces=False,
    )


def build_processor() -> LlavaProcessor:
    """The processor: squeeze to a square, scale to -1…1, expand `<image>`, with the chat template."""
    side = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    images = CLIPImageProcessorPil(
        size=side,
        do_center_crop=False,
        crop_size=side,
        image_mean=[0.5] * 3,
        image_std=[0.5] * 3,
        do_convert_rgb=True,
    )
    return LlavaProcessor(
        image_processor=images,
        tokenizer=build_tokenizer(),
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=CHAT_TEMPLATE,
        image_token="<image>",
    )


def build_model(tokenizer: Any) -> LlavaForConditionalGeneration:
    """The untrained model: a CLIP tower of 4 layers, a Llama of 4, both 128 wide."""
    vision = CLIPVisionConfig(
        hidden_size=128,
        intermediate_size=384,
        num_hidden_layers=4,
        num_attention_heads=4,
        image_size=IMAGE_SIZE,
        patch_size=PATCH,
        projection_dim=128,
        hidden_act="gelu",
    )
    text = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=384,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=1024,
        rms_norm_eps=1e-5,
        initializer_range=0.08,  # about 128 ** -0.5; with the usual 0.02 attention starts flat and stays so
        tie_word_embeddings=True,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    config = LlavaConfig(
        vision_config=vision,
        text_config=text,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        image_seq_length=(IMAGE_SIZE // PATCH) ** 2,
        vision_feature_layer=-1,
        vision_feature_select_strategy="default",
        projector_hidden_act="gelu",
        tie_word_embeddings=True,
    )
    model = LlavaForConditionalGeneration(config)
    embeddings = model.model.vision_tower.embeddings
    # Positions as loud as colours from the start: the scenes are laid out alike, and the usual 0.02 drowns
    # where a patch is in what it shows.
    torch.nn.init.normal_(embeddings.position_embedding.weight, std=0.5)
    torch.nn.init.normal_(embeddings.patch_embedding.weight, std=0.02)
    for name, weight in model.model.vision_tower.named_parameters():
        if name.endswith(("q_proj.weight", "k_proj.weight")):
            torch.nn.init.normal_(weight, std=0.1)  # attention that differs between places from the start
    model.generation_config = GenerationConfig(
        do_sample=False,
        max_new_tokens=32,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return model


def save_model(model: Any, processor: Any, out: Path) -> None:
    """Write a folder that AutoModelForImageTextToText and AutoProcessor load.

    Weights are stored as float16, half the size, but the config says float32, so that they are loaded and
    run as float32 unless the user asks otherwise.
    """
    out.mkdir(parents=True, exist_ok=True)
    copy.deepcopy(model).half().save_pretrained(out)
    config = (out / "config.json").read_text(encoding="utf-8")
    (out / "config.json").write_text(config.replace('"float16"', '"float32"'), encoding="utf-8")
    processor.save_pretrained(out)
    for path in out.iterdir():
        path.chmod(0o644)
