"""The documented table of the secret guard's rules, made from the rules themselves."""

from __future__ import annotations

from typing import NamedTuple

from memtui.memory.secrets.rules import RULES

_MOST = 4


class RuleRow(NamedTuple):
    """One rule for a reader.

    Attributes:
        id: of the rule.
        provider: who gives out such secrets, or ``generic``.
        shape: what such a secret begins with, or stands beside.
        description: what it is.
    """

    id: str
    provider: str
    shape: str
    description: str


def rule_rows() -> tuple[RuleRow, ...]:
    """Every rule, by provider, those without one last."""
    rows = [
        RuleRow(
            rule.id,
            rule.provider,
            _shape(rule.hints, around=rule.where == "text" or rule.floating),
            rule.description,
        )
        for rule in RULES.values()
    ]
    return tuple(sorted(rows, key=lambda row: (row.provider == "generic", row.provider.lower(), row.id)))


def _shape(hints: tuple[str, ...], *, around: bool) -> str:
    shown = [f"…{hint}…" if around else f"{hint}…" for hint in dict.fromkeys(hint.strip() for hint in hints)]
    return ", ".join([*shown[:_MOST], *(["…"] if len(shown) > _MOST else [])])


def rules_table() -> str:
    """The table in Markdown."""
    rows = "".join(
        f"| {row.provider} | `{row.id}` | `{_cell(row.shape)}` | {row.description} |\n" for row in rule_rows()
    )
    return f"| provider | rule | shape | what it is |\n|---|---|---|---|\n{rows}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
