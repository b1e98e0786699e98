"""The JSON Schema of a tool's parameters: an object with these and no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def object_schema(properties: Mapping[str, Mapping[str, Any]], *required: str) -> dict[str, Any]:
    """The schema of a tool that takes ``properties``, of which those ``required`` must be given."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
