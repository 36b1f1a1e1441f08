"""Dual encoders with random weights, made from configs on the spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}


def _clip_tokenizer() -> Any:
    """CLIP's own kind: lower case, byte by byte, `</w>` at the end of words."""
    from tokenizers import pre_tokenizers
    from transformers import CLIPTokenizer

    characters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = [*characters, *(f"{c}</w>" for c in characters), "th", "the</w>", "<|startoftext|>", "<|endoftext|>"]
    return CLIPTokenizer(
        vocab={word: place for place, word in enumerate(vocabulary)},
        merges=[("t", "h"), ("th", "e</w>")],
        model_max_length=24,
    )


def save_clip(folder: Path) -> Path:
    """Write a tiny CLIP (16 pixels, texts of 24 tokens) with its processor; returns the folder."""
    import torch
    from transformers import CLIPConfig, CLIPModel, CLIPProcessor
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(0)
    text = _clip_tokenizer()
    config = CLIPConfig(
        text_config={
            **_SMALL,
            "vocab_size": len(text),
            "max_position_embeddings": 24,
            "bos_token_id": text.bos_token_id,
            "eos_token_id": text.eos_token_id,
            "initializer_range": 0.5,
        },
        vision_config={**_SMALL, "image_size": 16, "patch_size": 8},
        projection_dim=16,
    )
    images = CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16})
    CLIPModel(config).save_pretrained(folder)
    CLIPProcessor(image_processor=images, tokenizer=text).save_pretrained(folder)
    return folder


def save_siglip(folder: Path) -> Path:
    """Write a tiny SigLIP (16 pixels, texts filled up to 24 tokens) with its processor; returns the folder."""
    import torch
    from transformers import SiglipConfig, SiglipModel, SiglipProcessor
    from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

    from tests.tiny_models import tokenizer

    torch.manual_seed(0)
    text = tokenizer()
    text.model_max_length = 24
    text.model_input_names = ["input_ids"]  # as the released ones: the filling is read, too
    config = SiglipConfig(
        text_config={**_SMALL, "vocab_size": len(text), "max_position_embeddings": 24, "projection_size": 32},
        vision_config={**_SMALL, "image_size": 16, "patch_size": 8},
    )
    SiglipModel(config).save_pretrained(folder)
    images = SiglipImageProcessorPil(size={"height": 16, "width": 16})
    SiglipProcessor(image_processor=images, tokenizer=text).save_pretrained(folder)
    return folder
