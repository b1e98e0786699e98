"""What a person asked to be kept, found by rules, without a model: the plain cases, in English and Chinese (spec §14).

It had rather miss a wish than make one up. Only what a person typed may be given to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.agent.rule_patterns import EN_RULES, ZH_RULES, Rule, kind_of_wish
from memtui.agent.rule_sentences import Sentence, is_chinese, sentences
from memtui.memory.quality import Accept, TooShort, check_content_quality
from memtui.memory.relevance.english import STOP_WORDS
from memtui.memory.secrets.guard import find_secrets
from memtui.memory.text import for_prompt, one_line
from memtui.memory.types import MemoryType

MAX_NAME = 60
"""Longest name, characters (ours)."""
MAX_DESCRIPTION = 150
"""Longest description, characters (ours; the client's own index lines are about as long)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something worth keeping.

    Attributes:
        name: title.
        description: one line.
        memory_type: what kind of memory.
        content: the body, with Why and How to apply where they were said.
        quote: the words it was found in.
        rule: which rule found it.
        confidence: 0.0 to 1.0; by rule, a rough order and no probability.
    """

    name: str
    description: str
    memory_type: MemoryType
    content: str
    quote: str
    rule: str
    confidence: float


_WHY = re.compile(
    r"[\s,;(—–-]+(?:because|since|as (?=it|they|we|that|the|our)|so that|otherwise|the reason is(?: that)?|due to)\s+(?P<why>.{6,}?)[).!]*$",
    re.IGNORECASE,
)
_WHY_NEXT = re.compile(
    r"^(?:because|since|otherwise|the reason(?: is|:)|that's because|it's because|reason:|why:)\s*,?\s*(?P<why>.{6,}?)[.!]*$",
    re.IGNORECASE,
)
_ZH_WHY = re.compile(r"[，,；;（(]?\s*(?:因为|由于|原因是|否则|不然|要不然)(?P<why>.{3,}?)[)）。！]*$")
_HOW = re.compile(
    r"\b(?P<how>(?:when(?:ever)?|before|after|every time|for (?:all|any|every)|in (?:all |every )?(?:tests?|commits?|reviews?|pull requests?|prs?|code|docs|migrations?|scripts?|production))\b[^,.;]{0,60})",
    re.IGNORECASE,
)
_ZH_HOW = re.compile(r"(?P<how>(?:每次)?[^，,。]{1,16}(?:时候|时|之前|之后|的时候))")
_OPENER = re.compile(
    r"^\W*(?:(?:ok|okay|and|also|so|oh|hey|btw|by the way|please|pls|one more thing|another thing|important|i (?:already )?(?:told you|said)|as i said|yes|yeah|no|nope|hmm"
    r"|well|great|thanks|thank you|perfect|good|nice|sure|claude|actually|to(?= \w))\b[\s,.:;!—–-]*|(?:不对|好的|嗯|另外|还有|对了|谢谢|顺便)[\s，,：:。！]+)+",
    re.IGNORECASE,
)
_HOLLOW = STOP_WORDS | {
    *(
        "always",
        "never",
        "again",
        "ever",
        "anymore",
        "please",
        "stop",
        "use",
        "thing",
        "things",
        "way",
        "ok",
        "going",
    ),
    *("forward", "future", "remember", "don't", "don", "go", "like", "same"),
}
_WORD = re.compile(r"[A-Za-z0-9][\w.+#/@-]*|[\u3400-\u9fff]")
_ZH_HOLLOW = frozenset("的了是在有和与或都而也把被让给对从到这那些个我请你他她它要不别再以后样做事就会")
_MARK = "[secret "


def extract(text: str) -> tuple[Candidate, ...]:
    """What in one turn that a person typed is worth keeping, in its order.

    Args:
        text: the turn, without reminders and pasted text.
    """
    found: dict[str, Candidate] = {}
    for sentence in sentences(text):
        made = _from_sentence(sentence)
        if made is not None:
            found.setdefault(made.content, made)
    return tuple(found.values())


def _from_sentence(sentence: Sentence) -> Candidate | None:
    for rule in ZH_RULES if sentence.chinese else EN_RULES:
        match = rule.pattern.search(sentence.bare)
        if match is None:
            continue
        if sentence.once and not rule.lasting:
            return None
        made = _candidate(rule, match, sentence)
        if made is not None:
            return made
    return None


def _candidate(rule: Rule, match: re.Match[str], sentence: Sentence) -> Candidate | None:
    text = sentence.text
    if not rule.whole:
        given = match["what"]
        start = sentence.text.find(given) if "…" not in given else -1
        text = sentence.text[start:] if start >= 0 else given
    said = one_line(for_prompt(text)).strip(" \t,，:：;；-—–")
    if find_secrets(said) or _MARK in said or not _says_something(said):
        return None
    fact, why = _split_why(said, sentence.after)
    fact = _OPENER.sub("", fact.rstrip(" ,，;；")) or fact
    content = fact[:1].upper() + fact[1:] if not is_chinese(fact) else fact
    if content[-1:] not in ".!?。！？":
        content += "。" if sentence.chinese else "."
    check = check_content_quality(content)
    # Who says "remember" in so many words is not told that it is too short: a person decides about it anyway.
    if not isinstance(check, Accept) and not (rule.asked and isinstance(check, TooShort)):
        return None
    kind = rule.kind(fact) if rule.kind else kind_of_wish(fact)
    description = content.rstrip(".。")
    how = _how(fact, chinese=sentence.chinese) if kind is MemoryType.FEEDBACK else ""
    body = _body(content, why, how, chinese=sentence.chinese)
    if find_secrets(body):
        return None
    return Candidate(
        _cut(_named(description), MAX_NAME),
        _cut(description, MAX_DESCRIPTION),
        kind,
        body,
        sentence.text,
        rule.name,
        rule.confidence,
    )


def _says_something(text: str) -> bool:
    """Whether there is a thing in it, not only "do that again"."""
    words = [word.lower().strip(".") for word in _WORD.findall(text)]
    things = [word for word in words if word not in _HOLLOW and word not in _ZH_HOLLOW]
    latin = sum(not is_chinese(word) for word in things)
    return latin * 2 + (len(things) - latin) >= 4


def _split_why(text: str, after: str) -> tuple[str, str]:
    """What is wished, and why."""
    match = (_ZH_WHY if is_chinese(text) else _WHY).search(text)
    if match and match.start() > 5:
        return text[: match.start()], match["why"].strip()
    behind = (_ZH_WHY if is_chinese(after) else _WHY_NEXT).match(one_line(for_prompt(after)))
    return text, behind["why"].strip() if behind else ""


def _how(text: str, *, chinese: bool) -> str:
    match = (_ZH_HOW if chinese else _HOW).search(text)
    return match["how"].strip() if match else ""


def _body(content: str, why: str, how: str, *, chinese: bool) -> str:
    parts = [content]
    stop = "。" if chinese else "."
    if why:
        parts.append(
            f"**{'原因：' if chinese else 'Why:'}**{'' if chinese else ' '}{why.rstrip('.。')}{stop}"
        )
    if how:
        parts.append(f"**{'如何应用：' if chinese else 'How to apply:'}**{'' if chinese else ' '}{how}{stop}")
    return "\n\n".join(parts)


def _named(text: str) -> str:
    """A title: without the words that only say that it is a wish."""
    bare = re.sub(
        r"^(?:please|from now on|going forward|moving forward|in (?:the )?future|no|actually|also|and|ok(?:ay)?|so)\b[\s,.:]*",
        "",
        text,
        flags=re.IGNORECASE,
    )
    bare = re.sub(r"^(?:以后|今后|从现在(?:开始|起)|请|不对|下次)[，,：:\s]*", "", bare) or text
    return bare[:1].upper() + bare[1:]


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = text[: most - 1]
    at_word = head.rpartition(" ")[0]
    return f"{(at_word if len(at_word) > most // 2 else head).rstrip(' ,，')}…"
