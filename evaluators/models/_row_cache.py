"""A cache of keys and values with room to grow. Imports torch and transformers: import this where it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import DynamicCache, DynamicLayer

from punctum.evaluators.models._prefix import Ids, Tree

_BLOCK = 32  # tokens by which a full buffer grows


class RoomyLayer(DynamicLayer):  # type: ignore[misc]  # transformers' caches are untyped
    """A layer of a cache that writes new states into a buffer.

    `DynamicLayer` copies all its states at every token. Here only a full buffer is copied; what attention sees is
    a view of it. Whatever puts other tensors in the place of the view (beam search reorders rows) is noticed, and
    the layer goes on from there.
    """

    def __init__(self, keys: torch.Tensor, values: torch.Tensor, length: int) -> None:
        """Wrap two buffers.

        Args:
            keys, values: shape (rows, heads, room, size); the layer owns them.
            length: how many places are filled.
        """
        super().__init__()
        self.device, self.dtype = keys.device, keys.dtype
        self._room = (keys, values)
        self.keys, self.values = keys[:, :, :length], values[:, :, :length]
        self.is_initialized = True

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add the states of new tokens; returns those of all."""
        length = self.keys.shape[-2]
        end = length + key_states.shape[-2]
        if not self._is_view(self.keys, 0) or not self._is_view(self.values, 1) or end > self._room[0].shape[-2]:
            self._room = (self._larger(self.keys, end), self._larger(self.values, end))
        for buffer, new in zip(self._room, (key_states, value_states), strict=True):
            buffer[:, :, length:end] = new
        self.keys, self.values = (buffer[:, :, :end] for buffer in self._room)
        return self.keys, self.values

    def _is_view(self, states: torch.Tensor, which: int) -> bool:
        buffer = self._room[which]
        return states.data_ptr() == buffer.data_ptr() and states.shape[0] == buffer.shape[0]

    @staticmethod
    def _larger(states: torch.Tensor, end: int) -> torch.Tensor:
        rows, heads, length, size = states.shape
        buffer = states.new_zeros((rows, heads, end + _BLOCK, size))
        buffer[:, :, :length] = states
        return buffer


def of_layers(layers: list[DynamicLayer]) -> DynamicCache:
    """A cache of these layers."""
    cache = DynamicCache()
    cache.layers = list(layers)
    return cache


def of_states(states: list[tuple[torch.Tensor, torch.Tensor]]) -> DynamicCache:
    """A cache that begins with these keys and values, which stay as they are."""
    layers = []
    for keys, values in states:
        layer = DynamicLayer()
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values = keys, values
        layers.append(layer)
    return of_layers(layers)


def states_of(cache: Any) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Keys and values of each layer, shape (1, heads, length, size)."""
    return [(layer.keys, layer.values) for layer in cache.layers]


def gather_index(rows: Sequence[Ids], tree: Tree, length: int) -> torch.Tensor:
    """Where each place of the padded rows stands among prefix and tree, shape (rows, length); pads point to 0."""
    index = torch.zeros((len(rows), length), dtype=torch.long)
    for number, (row, path) in enumerate(zip(rows, tree.paths, strict=True)):
        first = length - len(row)
        index[number, first : first + tree.start] = torch.arange(tree.start)
        if path:
            index[number, first + tree.start :] = torch.tensor(path) + tree.start
    return index
