"""Small models with random weights, made from configs on the spot, for tests of the backends.

Their weights are drawn wide enough that prompts and pictures change what they write.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from PIL import Image

from punctum.records import Picture, Request, Sample, Unit

SPECIAL = ["<pad>", "<s>", "</s>", "<image>", "<|im_start|>", "<|im_end|>"]
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] | trim }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEXTS = ["The answer is A.", " the question about the picture of the man", "Answer: B\nC", " yes no a hat"]


def tokenizer(chat_template: str | None = None) -> Any:
    """Byte-level BPE with a few merges."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=320, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
    )
    bpe.train_from_iterator(TEXTS * 5, trainer)
    made = PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=["<image>", "<|im_start|>", "<|im_end|>"],
    )
    made.chat_template = chat_template
    return made


def _text_config(vocabulary: int, **changes: Any) -> Any:
    from transformers import LlamaConfig

    settings = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "max_position_embeddings": 256,
        "initializer_range": 0.3,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    return LlamaConfig(**{**settings, **changes})


def save_llama(folder: Path, chat_template: str | None = None, **changes: Any) -> Path:
    """Write a tiny Llama with its tokenizer; returns the folder."""
    import torch
    from transformers import LlamaForCausalLM

    torch.manual_seed(0)
    text = tokenizer(chat_template)
    LlamaForCausalLM(_text_config(len(text), **changes)).save_pretrained(folder)
    text.save_pretrained(folder)
    return folder


def save_llava(folder: Path, chat_template: str | None = None) -> Path:
    """Write a tiny LLaVA (16 pixels, four tokens a picture) with its processor; returns the folder."""
    model, processor = llava(chat_template)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def llava(chat_template: str | None = None) -> tuple[Any, Any]:
    """A tiny LLaVA and its processor."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer()
    vision = CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=16,
        patch_size=8,
    )
    config = LlavaConfig(
        vision_config=vision.to_dict(),
        text_config=_text_config(len(text)).to_dict(),
        image_token_id=text.convert_tokens_to_ids("<image>"),
    )
    model = LlavaForConditionalGeneration(config)
    with torch.no_grad():
        for parameter in model.model.multi_modal_projector.parameters():
            parameter.mul_(30)
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}),
        tokenizer=text,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=chat_template,
    )
    return model, processor


def _siglip_processor() -> Any:
    from transformers.models.siglip.image_processing_pil_siglip import SiglipImageProcessorPil

    made = SiglipImageProcessorPil(size={"height": 32, "width": 32})
    made.image_seq_length = 16
    return made


def paligemma() -> tuple[Any, Any]:
    """A tiny PaliGemma and its processor: attends both ways within the prompt."""
    import torch
    from transformers import (
        GemmaConfig,
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        PaliGemmaProcessor,
        SiglipVisionConfig,
    )

    torch.manual_seed(0)
    processor = PaliGemmaProcessor(image_processor=_siglip_processor(), tokenizer=tokenizer())
    text = processor.tokenizer
    vision = SiglipVisionConfig(
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=32,
        patch_size=8,
        projection_dim=32,
    )
    settings = _text_config(len(text) + 8, num_attention_heads=4, num_key_value_heads=1).to_dict()
    kept = {k: v for k, v in settings.items() if k not in ("model_type", "architectures", "head_dim")}
    config = PaliGemmaConfig(
        vision_config=vision.to_dict(),
        text_config=GemmaConfig(head_dim=8, **kept).to_dict(),
        image_token_id=text.convert_tokens_to_ids("<image>"),
        projection_dim=32,
        hidden_size=32,
    )
    return PaliGemmaForConditionalGeneration(config), processor


def instructblip() -> tuple[Any, Any]:
    """A tiny InstructBLIP and its processor: reads the question twice, with two tokenizers."""
    import torch
    from transformers import (
        InstructBlipConfig,
        InstructBlipForConditionalGeneration,
        InstructBlipProcessor,
    )
    from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil

    torch.manual_seed(0)
    second = tokenizer()
    second.model_input_names = ["input_ids", "attention_mask"]
    processor = InstructBlipProcessor(
        image_processor=BlipImageProcessorPil(size={"height": 32, "width": 32}),
        tokenizer=tokenizer(),
        qformer_tokenizer=second,
        num_query_tokens=4,
    )
    small = {"intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "initializer_range": 0.3}
    config = InstructBlipConfig(
        vision_config={"hidden_size": 16, "image_size": 32, "patch_size": 8, **small},
        qformer_config={"hidden_size": 32, "vocab_size": 400, "encoder_hidden_size": 16, **small},
        text_config=_text_config(400).to_dict(),
        num_query_tokens=4,
        image_token_id=processor.tokenizer.convert_tokens_to_ids("<image>"),
    )
    model = InstructBlipForConditionalGeneration(config)
    with torch.no_grad():  # wide enough that the picture counts
        model.language_projection.weight.mul_(10)
    return model, processor


def llava_next() -> tuple[Any, Any]:
    """A tiny LLaVA-NeXT and its processor: pictures are cut into tiles, so that their size makes their length."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlavaNextConfig,
        LlavaNextForConditionalGeneration,
        LlavaNextProcessor,
    )
    from transformers.models.llava_next.image_processing_pil_llava_next import LlavaNextImageProcessorPil

    torch.manual_seed(0)
    text = tokenizer()
    grid = [[16, 32], [32, 16], [32, 32]]
    small = {"intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "hidden_size": 16}
    config = LlavaNextConfig(
        vision_config=CLIPVisionConfig(image_size=16, patch_size=8, **small).to_dict(),
        text_config=_text_config(len(text)).to_dict(),
        image_token_id=text.convert_tokens_to_ids("<image>"),
        image_grid_pinpoints=grid,
    )
    processor = LlavaNextProcessor(
        image_processor=LlavaNextImageProcessorPil(
            size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}, image_grid_pinpoints=grid
        ),
        tokenizer=text,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
    )
    model = LlavaNextForConditionalGeneration(config)
    with torch.no_grad():  # wide enough that the picture counts
        for parameter in model.model.multi_modal_projector.parameters():
            parameter.mul_(30)
    return model, processor


def blip2(language: str = "opt") -> tuple[Any, Any]:
    """A tiny BLIP-2 and its processor, with an OPT or a T5 behind it."""
    import torch
    from transformers import Blip2Config, Blip2ForConditionalGeneration, Blip2Processor, OPTConfig, T5Config
    from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil

    torch.manual_seed(0)
    processor = Blip2Processor(
        image_processor=BlipImageProcessorPil(size={"height": 32, "width": 32}),
        tokenizer=tokenizer(),
        num_query_tokens=4,
    )
    small = {"intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    if language == "opt":
        text: Any = OPTConfig(
            vocab_size=400, hidden_size=32, ffn_dim=64, num_hidden_layers=2, num_attention_heads=2,
            max_position_embeddings=256, word_embed_proj_dim=32, init_std=0.3, **ids,
        )  # fmt: skip
    else:
        text = T5Config(
            vocab_size=400, d_model=32, d_kv=16, d_ff=64, num_layers=2, num_heads=2, initializer_factor=3.0,
            decoder_start_token_id=0, **ids,
        )  # fmt: skip
    config = Blip2Config(
        vision_config={"hidden_size": 16, "image_size": 32, "patch_size": 8, **small},
        qformer_config={"hidden_size": 32, "encoder_hidden_size": 16, **small},
        text_config=text.to_dict(),
        num_query_tokens=4,
        image_token_id=processor.tokenizer.convert_tokens_to_ids("<image>"),
    )
    model = Blip2ForConditionalGeneration(config)
    with torch.no_grad():  # wide enough that the picture counts
        model.language_projection.weight.mul_(30)
    return model, processor


def picture(color: str, size: tuple[int, int] = (20, 16)) -> Picture:
    """A PNG of one colour."""
    buffer = io.BytesIO()
    Image.new("RGB", size, color).save(buffer, "PNG")
    return Picture(data=buffer.getvalue())


def request(prompt: str, *pictures: Picture, **fields: Any) -> Request:
    """A request for a model that looks at the prompt and the pictures alone."""
    sample = Sample(Unit("q", "t"), "choice", (0,), ("a hat", "a man"))
    return Request(sample, prompt, pictures, **fields)


def answers(model: Any, requests: list[Request], generation: Any = None) -> list[Any]:
    """Responses in the order of the requests; checks that each comes exactly once."""
    from punctum.records import Generation

    got: dict[int, Any] = {}
    for batch in model.answer(requests, generation or Generation(max_new_tokens=8)):
        for index, response in batch:
            assert index not in got
            got[index] = response
    assert sorted(got) == list(range(len(requests)))
    return [got[index] for index in range(len(requests))]
