"""Pipelines of diffusers and a Segment Anything with random weights, made from configs on the spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.tiny_encoders import _clip_tokenizer


def _parts(channels: int) -> dict[str, Any]:
    """UNet, autoencoder, text encoder, tokenizer and scheduler of a small Stable Diffusion."""
    import torch
    from diffusers import AutoencoderKL, PNDMScheduler, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel

    torch.manual_seed(0)
    text = _clip_tokenizer()
    config = CLIPTextConfig(
        vocab_size=len(text), hidden_size=32, intermediate_size=37, num_hidden_layers=2, num_attention_heads=4,
        max_position_embeddings=24, bos_token_id=text.bos_token_id, eos_token_id=text.eos_token_id,
    )  # fmt: skip
    return {
        "unet": UNet2DConditionModel(
            block_out_channels=(16, 32), layers_per_block=1, sample_size=32, in_channels=channels, out_channels=4,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), cross_attention_dim=32, norm_num_groups=8,
        ),
        "vae": AutoencoderKL(
            block_out_channels=(16, 16, 16, 16), in_channels=3, out_channels=3, latent_channels=4, norm_num_groups=8,
            down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4,
        ),
        "text_encoder": CLIPTextModel(config),
        "tokenizer": text,
        "scheduler": PNDMScheduler(skip_prk_steps=True),
    }  # fmt: skip


def save_inpaint(folder: Path) -> Path:
    """Write a tiny inpainting pipeline; returns the folder."""
    from diffusers import StableDiffusionInpaintPipeline

    pipeline = StableDiffusionInpaintPipeline(
        **_parts(9), safety_checker=None, feature_extractor=None, requires_safety_checker=False
    )
    pipeline.save_pretrained(folder)
    return folder


def save_instruct(folder: Path) -> Path:
    """Write a tiny InstructPix2Pix pipeline; returns the folder."""
    from diffusers import StableDiffusionInstructPix2PixPipeline

    pipeline = StableDiffusionInstructPix2PixPipeline(
        **_parts(8), safety_checker=None, feature_extractor=None, requires_safety_checker=False
    )
    pipeline.save_pretrained(folder)
    return folder


def save_sam(folder: Path) -> Path:
    """Write a tiny Segment Anything for pictures of 64 pixels; returns the folder."""
    import torch
    from transformers import (
        SamConfig,
        SamMaskDecoderConfig,
        SamModel,
        SamProcessor,
        SamPromptEncoderConfig,
        SamVisionConfig,
    )
    from transformers.models.sam.image_processing_pil_sam import SamImageProcessorPil

    torch.manual_seed(0)
    config = SamConfig(
        vision_config=SamVisionConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=2, image_size=64, patch_size=8, mlp_dim=64,
            output_channels=16, window_size=4, global_attn_indexes=[1], num_pos_feats=8,
        ),
        prompt_encoder_config=SamPromptEncoderConfig(
            hidden_size=16, image_size=64, patch_size=8, mask_input_channels=4,
        ),
        mask_decoder_config=SamMaskDecoderConfig(
            hidden_size=16, mlp_dim=32, num_hidden_layers=2, num_attention_heads=2, iou_head_hidden_dim=16,
        ),
    )  # fmt: skip
    SamModel(config).save_pretrained(folder)
    images = SamImageProcessorPil(size={"longest_edge": 64}, pad_size={"height": 64, "width": 64})
    SamProcessor(image_processor=images).save_pretrained(folder)
    return folder
