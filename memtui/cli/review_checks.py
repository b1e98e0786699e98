"""What the checks say about a proposed text, in sentences."""

from __future__ import annotations

from memtui.cli.wording_review import ReviewWording
from memtui.memory.checks.findings import RULES, rule_wording
from memtui.memory.live.report import LiveFinding
from memtui.memory.text import one_line, visible
from memtui.memory.types import Lang


def check_text(found: LiveFinding, say: ReviewWording, lang: Lang) -> str:
    """One finding as a sentence, safe to show."""
    parts = {
        name: visible(one_line(part)) if isinstance(part, str) else part for name, part in found.parts.items()
    }
    match found.rule:
        case "field":
            if found.parts["empty"]:
                return say.check_empty.format(field=found.where)
            return say.check_wrong_type if found.where == "type" else say.check_too_large
        case "team-secret":
            return say.check_team_leak.format(**parts)
        case "slug":
            return say.check_slug.format(**parts)
        case "duplicate":
            return say.check_duplicate.format(**parts)
        case "index-lost":
            return say.check_index_lost
        case "index-rotates":
            return say.check_index_rotates.format(**parts)
    return rule_wording(found.rule, lang).filled(parts) if found.rule in RULES else found.rule
