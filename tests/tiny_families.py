"""Tiny models with random weights of the families that see pictures, and of text models with windows.

Each is made from a config, wide enough that prompts and pictures change what it writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.tiny_models import CHATML, tokenizer

SMALL = {"intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 16,
    "max_position_embeddings": 512,
    "initializer_range": 0.3,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def _wide(model: Any, *names: str) -> Any:
    """Widen the weights between picture and text, so that pictures count."""
    import torch

    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if any(part in name for part in names):
                parameter.mul_(30)
    return model


def _tokens(**named: str) -> Any:
    """The tokenizer with a family's own special tokens, each known by a name."""
    text = tokenizer()
    text.add_special_tokens({"additional_special_tokens": ["<image>", "<|im_start|>", "<|im_end|>", *named.values()]})
    for name, token in named.items():
        setattr(text, name, token)
        setattr(text, f"{name}_id", text.convert_tokens_to_ids(token))
    return text


def _without_videos(processor: Any) -> Any:
    """A class of processors that need no video processor, which would need torchvision."""

    class WithoutVideos(processor):  # type: ignore[misc]
        def check_argument_for_proper_class(self, name: str, argument: Any) -> None:
            pass

    return WithoutVideos


def llava_next() -> tuple[Any, Any]:
    """LLaVA-NeXT: a picture and its tiles."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaNextConfig,
        LlavaNextForConditionalGeneration,
        LlavaNextProcessor,
    )
    from transformers.models.llava_next.image_processing_pil_llava_next import LlavaNextImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer()
    pins = [[16, 32], [32, 16], [32, 32]]
    vision = CLIPVisionConfig(hidden_size=16, image_size=16, patch_size=8, **SMALL)
    config = LlavaNextConfig(
        vision_config=vision.to_dict(),
        text_config=LlamaConfig(vocab_size=len(text), **TEXT).to_dict(),
        image_token_id=text.convert_tokens_to_ids("<image>"),
        image_grid_pinpoints=pins,
    )
    images = LlavaNextImageProcessorPil(
        size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}, image_grid_pinpoints=pins
    )
    processor = LlavaNextProcessor(
        image_processor=images,
        tokenizer=text,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )
    return _wide(LlavaNextForConditionalGeneration(config), "multi_modal_projector"), processor


def idefics3() -> tuple[Any, Any]:
    """Idefics3: tiles with rows and columns named in the text."""
    import torch
    from transformers import Idefics3Config, Idefics3ForConditionalGeneration, Idefics3Processor, LlamaConfig
    from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer()
    images = Idefics3ImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    processor = Idefics3Processor(images, text, image_seq_len=4)
    config = Idefics3Config(
        vision_config={"hidden_size": 16, "image_size": 32, "patch_size": 8, **SMALL},
        text_config=LlamaConfig(vocab_size=len(text) + 8, **TEXT).to_dict(),
        image_token_id=processor.image_token_id,
        scale_factor=2,
        pad_token_id=0,
    )
    return _wide(Idefics3ForConditionalGeneration(config), "connector"), processor


def smolvlm() -> tuple[Any, Any]:
    """SmolVLM: Idefics3's younger sibling. Its own processor wants a package for numbers in words, for videos alone."""
    import torch
    from transformers import Idefics3Processor, LlamaConfig, SmolVLMConfig, SmolVLMForConditionalGeneration
    from transformers.models.idefics3.image_processing_pil_idefics3 import Idefics3ImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer()
    images = Idefics3ImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    processor = Idefics3Processor(images, text, image_seq_len=4)
    config = SmolVLMConfig(
        vision_config={"hidden_size": 16, "image_size": 32, "patch_size": 8, **SMALL},
        text_config=LlamaConfig(vocab_size=len(text) + 8, **TEXT).to_dict(),
        image_token_id=processor.image_token_id,
        scale_factor=2,
        pad_token_id=0,
    )
    return _wide(SmolVLMForConditionalGeneration(config), "connector"), processor


def internvl() -> tuple[Any, Any]:
    """InternVL, with Qwen2 as its text model."""
    import torch
    from transformers import InternVLConfig, InternVLForConditionalGeneration, InternVLProcessor, Qwen2Config
    from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import GotOcr2ImageProcessorPil

    torch.manual_seed(0)
    text = _tokens(
        start_image_token="<img>", end_image_token="</img>", context_image_token="<IMG_CONTEXT>", video_token="<video>"
    )
    images = GotOcr2ImageProcessorPil(size={"height": 32, "width": 32}, min_patches=1, max_patches=2)
    processor = _without_videos(InternVLProcessor)(images, text, None, image_seq_length=4)
    config = InternVLConfig(
        vision_config={"hidden_size": 16, "image_size": [32, 32], "patch_size": [8, 8], **SMALL},
        text_config=Qwen2Config(vocab_size=len(text) + 8, **TEXT).to_dict(),
        image_token_id=text.context_image_token_id,
        image_seq_length=4,
    )
    return _wide(InternVLForConditionalGeneration(config), "multi_modal_projector"), processor


def qwen2_5_vl() -> tuple[Any, Any]:
    """Qwen2.5-VL: as many tokens as the picture is large, positions in three dimensions."""
    import torch
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration, Qwen2_5_VLProcessor
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    torch.manual_seed(0)
    text = _tokens(
        image_token="<|image_pad|>",
        video_token="<|video_pad|>",
        start_token="<|vision_start|>",
        end_token="<|vision_end|>",
    )
    images = Qwen2VLImageProcessorPil(patch_size=8, merge_size=2, min_pixels=256, max_pixels=2048)
    processor = _without_videos(Qwen2_5_VLProcessor)(images, text, None)
    processor.chat_template = CHATML.replace("<image>", "<|vision_start|><|image_pad|><|vision_end|>")
    config = Qwen2_5_VLConfig(
        vision_config={
            "hidden_size": 32,
            "out_hidden_size": 32,
            "patch_size": 8,
            "num_heads": 2,
            "depth": 2,
            "intermediate_size": 32,
            "window_size": 32,
            "fullatt_block_indexes": [1],
        },
        text_config={
            "vocab_size": len(text) + 8,
            "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 10000.0},
            **TEXT,
        },
        image_token_id=text.image_token_id,
        video_token_id=text.video_token_id,
        vision_start_token_id=text.start_token_id,
    )
    return _wide(Qwen2_5_VLForConditionalGeneration(config), "merger"), processor


def gemma3(window: int = 512) -> tuple[Any, Any]:
    """Gemma 3: attends both ways within a picture, and has layers with a window."""
    import torch
    from transformers import Gemma3Config, Gemma3ForConditionalGeneration, Gemma3Processor
    from transformers.models.gemma3.image_processing_pil_gemma3 import Gemma3ImageProcessorPil

    torch.manual_seed(0)
    text = _tokens(image_token="<image_soft_token>", boi_token="<start_of_image>", eoi_token="<end_of_image>")
    images = Gemma3ImageProcessorPil(size={"height": 32, "width": 32})
    processor = Gemma3Processor(images, text, image_seq_length=4)
    config = Gemma3Config(
        vision_config={"hidden_size": 16, "image_size": 32, "patch_size": 8, **SMALL},
        text_config={
            "vocab_size": len(text) + 8,
            "layer_types": ["sliding_attention", "full_attention"],
            "sliding_window": window,
            "query_pre_attn_scalar": 16,
            **TEXT,
        },
        mm_tokens_per_image=4,
        image_token_id=text.image_token_id,
        boi_token_index=text.boi_token_id,
        eoi_token_index=text.eoi_token_id,
    )
    return _wide(Gemma3ForConditionalGeneration(config), "multi_modal_projector"), processor


PICTURES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "llava_next": llava_next,
    "idefics3": idefics3,
    "smolvlm": smolvlm,
    "internvl": internvl,
    "qwen2_5_vl": qwen2_5_vl,
    "gemma3": gemma3,
    "gemma3_beyond_its_window": lambda: gemma3(window=16),
}


def text_model(name: str) -> tuple[Any, Any]:
    """A text model and its tokenizer: llama, qwen2, qwen3, mistral or gemma3, the last two with a window of 24."""
    import torch
    import transformers

    torch.manual_seed(0)
    made = tokenizer()
    classes = {
        "llama": ("LlamaConfig", {}),
        "qwen2": ("Qwen2Config", {}),
        "qwen3": ("Qwen3Config", {}),
        "mistral": ("MistralConfig", {"sliding_window": 24}),
        "gemma3": (
            "Gemma3TextConfig",
            {
                "sliding_window": 24,
                "layer_types": ["sliding_attention", "full_attention"],
                "query_pre_attn_scalar": 16,
            },
        ),
    }
    config_name, more = classes[name]
    config = getattr(transformers, config_name)(vocab_size=len(made), **TEXT, **more)
    return transformers.AutoModelForCausalLM.from_config(config), made
