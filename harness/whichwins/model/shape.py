"""Declared targets: what a subject that binds turns a text into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

Kind = Literal["text", "integer"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A small target. `scalars` and `nested` by their canonical name; `aliases` from alias to canonical name.

    Of an accepted text a binder's value holds the members that the target received, under their canonical
    names. Members that were not given are left out; what a binder keeps beside the target stands behind.
    `required` must be given, all else may be left out.
    `populated`: the destination holds values before the text comes.
    """

    scalars: Mapping[str, Kind]
    nested: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    aliases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    required: tuple[str, ...] = ()
    populated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The canonical names."""
        return (*self.scalars, *self.nested)


_OPTIONS = Shape(MappingProxyType({"mode": "text", "limit": "integer"}))

_ORDER = Shape(
    scalars=MappingProxyType({"target": "text", "quantity": "integer"}),
    nested=MappingProxyType({"options": _OPTIONS}),
    aliases=MappingProxyType({"qty": "quantity"}),
    required=("target",),
)

SHAPES: Mapping[str, Shape] = MappingProxyType(
    {"order": _ORDER, "order-onto": replace(_ORDER, required=(), populated=True)}
)
"""The shapes of the built-in cases, by name. `order-onto` is `order` where the destination holds values."""
