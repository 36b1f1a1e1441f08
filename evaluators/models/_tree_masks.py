"""Masks in which each token of a tree sees the prefix, its own ancestors and itself, as models read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from punctum.evaluators.models._prefix import Tree

if TYPE_CHECKING:
    import torch


class CannotShare(Exception):
    """The model's caches or masks are of a kind that rows cannot be put together from."""


class TreeMasks:
    """Makes the masks of one model."""

    def __init__(self, model: Any) -> None:
        """Look at how the model attends.

        Args:
            model: of transformers.

        Raises:
            CannotShare: if its layers keep something else than keys and values, or its attention takes no masks.
        """
        config = model.config.get_text_config(decoder=True)
        self._dtype = model.dtype
        self._attention = getattr(config, "_attn_implementation", None)
        if self._attention not in ("sdpa", "eager"):
            raise CannotShare(f"attention {self._attention} takes no mask of its own")
        self._kinds, self._window = _windows(config)

    def of(self, tree: Tree, positions: torch.Tensor) -> Any:
        """Each token sees the prefix, its ancestors and itself; in sliding layers only those within the window."""
        import torch

        count, start = len(tree), tree.start
        seen = torch.zeros((count, start + count), dtype=torch.bool)
        seen[:, :start] = True
        for branch in tree.branches:
            rows = slice(branch.first, branch.end)
            if branch.above:
                seen[rows, torch.tensor(branch.above) + start] = True
            own = slice(start + branch.first, start + branch.end)
            seen[rows, own] = torch.ones((branch.end - branch.first,) * 2, dtype=torch.bool).tril()
        seen = seen.to(positions.device)
        near = seen
        if self._window is not None:
            places = torch.cat([torch.arange(start, device=positions.device), positions])
            near = seen & (positions[:, None] - places[None] < self._window)
        masks = {"full_attention": self._as_read(seen), "sliding_attention": self._as_read(near)}
        if len(self._kinds) > 1:
            return {kind: masks[kind] for kind in self._kinds}
        return masks[self._kinds[0]]

    def _as_read(self, seen: torch.Tensor) -> torch.Tensor:
        """The mask as this kind of attention wants it, shape (1, 1, tokens, seen)."""
        import torch

        if self._attention == "sdpa":
            return seen[None, None]
        low = torch.finfo(self._dtype).min
        return torch.zeros(seen.shape, dtype=self._dtype, device=seen.device).masked_fill(~seen, low)[None, None]


def _windows(config: Any) -> tuple[tuple[str, ...], int | None]:
    """The kinds of a text model's layers (full_attention, sliding_attention), and the window of the sliding ones.

    Raises:
        CannotShare: for layers of any other kind.
    """
    from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

    layers = DynamicCache(config=config).layers
    kinds: dict[str, None] = {}
    windows = set()
    for layer in layers:
        if type(layer) is DynamicLayer:
            kinds["full_attention"] = None
        elif type(layer) is DynamicSlidingWindowLayer:
            kinds["sliding_attention"] = None
            windows.add(int(layer.sliding_window))
        else:
            raise CannotShare(f"layers of the kind {type(layer).__name__}")
    if len(windows) > 1 or "chunked_attention" in (getattr(config, "layer_types", None) or ()):
        raise CannotShare("layers of several windows, or in chunks")
    return tuple(kinds) or ("full_attention",), next(iter(windows), None)
