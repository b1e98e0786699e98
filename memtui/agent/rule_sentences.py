"""What a person typed, cut into the sentences in which a rule may look for a wish; everything else is left out.

Left out are code, quotations of others, what looks like a program's output, questions, what is only supposed, and what
is meant for this once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_SENTENCE = 400
"""Longest sentence that is looked at, characters (ours): a wish is short, a pasted log is not."""
MAX_TEXT = 8_000
"""Longest turn that is looked at, characters (ours): a longer one is a paste; its beginning and end are."""

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_ELEMENT = re.compile(r"<([A-Za-z][\w-]*)\b[^>]*>.*?</\1\s*>", re.DOTALL)
_END = re.compile(r"(?<=[.!?])[)\"']?(?:\s+|$)|(?<=[。！？])|\n+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_OUTPUT = re.compile(
    r"^\s*(?:>|\||\$ |# |#!|//|/\*|\+\+\+|---|@@|[+-] ?\d|at \S+\(|Traceback|File \"|\S+Error\b|\S+Exception\b"
    r"|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\b|\d{4}-\d\d-\d\d[T ]\d\d:|(?:user|assistant|system|human|ai)\s*[:：]"
    r"|npm ERR|error\[|warning:|error:)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[{};]\s*$|=>|==|&&|\|\||^\s*(?:def|class|const|let|var|import|from|return|public|private|fn)\s+\w+.*[(:={]"
)
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|(?<![\w])\"[^\"]*\"|(?<![\w'])'[^']{4,}'(?!\w)")

_ASKS = re.compile(
    r"[?？]\s*[)\"'”」]?\s*$"
    r"|^\W*(?:can|could|would|will|do|does|did|is|are|was|were|should|shall|may|has|have|had)\s+(?:you|we|i|it|they|he|she|this|that|there|the|our|my)\b"
    r"|^\W*(?:why|what|how|who|which|where|whose)\b"
    r"|(?:吗|呢|么)\s*[。！？]?\s*$|^(?:为什么|怎么|如何|是不是|能不能|可不可以|要不要|谁|哪)|是不是|是否|有没有必要|该不该|能否",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|suppose|supposing|imagine|hypothetically|what if|let'?s say|say we|i wonder|wondering"
    r"|i guess|not sure|i think we should|should we|could we|we could|we should (?:maybe|probably)|if we (?:were|had|did)|would be|would have"
    r"|in theory|for example|e\.g\.|considering|thinking (?:of|about)|or should)\b"
    r"|可能|也许|大概|或许|假如|假设|要是|万一|比如|例如|会不会|想象|打算|考虑|不确定|不知道|如果.{0,20}(?:会|怎样|怎么)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:said|says|told|wrote|writes|claims|claimed|insists|insisted|suggests|suggested|recommends|recommended|quot(?:es|ed|ing)|according to"
    r"|keeps? (?:saying|telling)|complains|complained|states|reads|prints|printed|outputs|translate|rephrase|the (?:word|phrase|sentence|string)|asked|asks|wants me to|reported)\b"
    r"|(?:说(?!一[声下])|写着|提示|报错|告诉|建议|要求我|认为|声称|文档里|输出|翻译|润色|文案|这句话)[：:，,了过]?|报告称",
    re.IGNORECASE,
)
_OWN_WORD = re.compile(
    r"\b(?:i|as i|like i|i have|i've|i already) (?:said|told|asked|wrote)\b|我(?:说|告诉|要求|建议|认为)(?!他|她|们)",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:for now|for the moment|this time|(?:just )?this once|right now|today|tonight|tomorrow|yesterday|temporarily|for the time being"
    r"|until|in the meantime|this (?:file|function|class|method|pr|commit|test|case|session|task|branch|line|bug|issue|ticket|one|part"
    r"|script|loop|block|change|step|query|endpoint|page|component|migration|release|sprint|week|morning|afternoon|diff|conversation)"
    r"|in this(?! (?:code ?base|repo|repository|monorepo|project|team|company)\b)|here|next step|then|at the moment|currently|just now|the last (?:one|commit|change))\b"
    r"|^\W*(?:and |but |so |ok(?:ay)?,? )?first\b"
    r"|这次|这回|暂时|目前|现在先|(?:^|[，,。\s])先(?!生)|今天|明天|昨天|本次|临时|这里|这个(?:文件|函数|类|方法|测试|分支|任务|提交|问题|接口|页面|组件|脚本)"
    r"|等会|待会|刚才|这一(?:次|行|步|个)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.

    Attributes:
        text: as typed, without spaces around.
        bare: the same with quotations of others as ``…``; what rules look at.
        after: the sentence behind it on the same line or the next; empty at the end.
        once: whether it speaks of now, here or this.
        chinese: whether it is Chinese.
    """

    text: str
    bare: str
    after: str
    once: bool
    chinese: bool


def is_chinese(text: str) -> bool:
    """Whether a text is Chinese, or as good as."""
    return _CJK.search(text) is not None


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn in which a wish may stand."""
    if len(text) > MAX_TEXT:
        text = f"{text[: MAX_TEXT // 4]}\n{text[-MAX_TEXT // 4 :]}"
    text = _ELEMENT.sub("\n", _FENCE.sub("\n", text)).replace("\u2019", "'")
    found: list[str] = []
    for line in text.split("\n"):
        if _OUTPUT.match(line) or (line.startswith(("    ", "\t")) and not is_chinese(line)):
            found.append("")
            continue
        line_text = re.sub(r"^\s*(?:[-*•]|\d+[.)、])\s+", "", line).strip()
        found += [part.strip() for part in _END.split(line_text) if part and part.strip()]
    for place, part in enumerate(found):
        if not part or len(part) > MAX_SENTENCE or _CODE.search(part):
            continue
        bare = _QUOTED.sub("…", part)
        if _ASKS.search(bare) or _SUPPOSED.search(bare):
            continue
        if _OTHERS.search(bare) and not _OWN_WORD.search(bare):
            continue
        after = found[place + 1] if place + 1 < len(found) else ""
        yield Sentence(part, bare, after, _ONCE.search(bare) is not None, is_chinese(part))
