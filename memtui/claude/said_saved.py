"""Whether an assistant says that it has saved a memory; English and Chinese.

Used to find "said saved, wrote nothing", so it had rather miss a claim than raise a false alarm: only what is stated as
done counts; questions, offers, plans, negations, quotations, code and a program's own memory do not.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"“[^”\n]{0,300}”|「[^」\n]{0,300}」|\"[^\"\n]{0,300}\"|^[ \t]*>.*$", re.MULTILINE)
_CITED = re.compile(r"<cc[-_]?memory\b[^>]{0,5000}>.*?(?:</cc[-_]?memory\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.](?=\w)[^.!?。！？\n]*)*[.!?。！？]*")

_KEPT = r"(?:saved|stored|added|recorded|noted|committed|persisted|logged)"
_WROTE = r"(?:written|wrote|updated|created|put)"
_OURS = r"(?:my|your|our|the|project(?:'s)?|persistent|auto|auto-|long[- ]term|session|team|user|feedback|reference|agent|claude)"
_MEMORY = r"(?:memor(?:y|ies)(?:[ -](?:files?|entry|entries|index|notes?))?|memory\.md)"
_END = r"""(?=\s*(?:$|[.!,;:—–()✅✓]+(?:\s|$)|[-–—]\s|(?:with|to|about|so|that|and|for|as|under)\b(?!\s+(?:handle|support|fix|avoid|use))
    |[a-z_\d-]+\.md\b))"""
_PLACE = rf"{_MEMORY}(?:[ -](?:store|directory|folder))?{_END}"
_THING = r"(?:this|that|it|them|both|these|those|everything|all\s+of\s+(?:this|that|it))"
_BECAME = r"(?:(?:has|have)\s+been\s+|is\s+now\s+|are\s+now\s+)?"
_IS_NOW = r"(?:'s|\s+is|\s+are|\s+has\s+been)\s+(?:now\s+)?"
_OPENING = (
    r"^[\s\-*•✅✓☑🧠📝💾⏺●#]*(?:(?:done|ok|okay|sure|great|got\s+it|understood|perfect|noted|yes|all\s+set|alright)"
    r"[\s,:—–\-]+)?(?:(?:and|also|then|so|finally)[\s,]+)?"
)
_I_HAVE = r"\b(?:i(?:'ve|\s+have)?|we(?:'ve|\s+have))\s+(?:also\s+|now\s+|just\s+|successfully\s+|gone\s+ahead\s+and\s+){0,2}"

_ENGLISH = re.compile(
    "|".join(
        (
            # I've saved your preference to memory, I added it to the project memory, I've noted it in your memory
            rf"{_I_HAVE}{_KEPT}\b[^,;:]{{0,120}}?\b(?:to|into|as)\s+(?:an?\s+)?(?:{_OURS}\s+){{0,3}}{_PLACE}",
            rf"{_I_HAVE}(?:{_KEPT}|{_WROTE})\b[^,;:]{{0,120}}?\bin(?:to)?\s+(?:{_OURS}\s+){{1,3}}{_PLACE}",
            rf"{_I_HAVE}(?:{_KEPT}|{_WROTE})\b[^,;:]{{0,120}}?\b(?:to|in|into)\s+memory\.md{_END}",
            # … it in memory, … this to memory
            rf"{_I_HAVE}(?:{_KEPT}|{_WROTE})\s+(?:{_THING}\s+)?(?:to|in|into)\s+{_PLACE}",
            # I've updated my memory, I saved two memories, I've created a memory file
            rf"{_I_HAVE}(?:{_KEPT}|{_WROTE})\s+(?:an?\s+|new\s+|two\s+|three\s+|few\s+|some\s+|{_OURS}\s+|\d+\s+){{0,3}}{_PLACE}",
            # Saved to memory. Saved your testing preference to memory
            rf"{_OPENING}(?:{_KEPT}|{_WROTE})(?:\s+(?:{_THING}|your\s+[\w\s-]{{1,40}}?))?\s+(?:to|into|in)\s+(?:{_OURS}\s+){{0,3}}{_PLACE}",
            # Memory saved. The memory has been updated.
            rf"{_OPENING}(?:the\s+|your\s+|project\s+|new\s+)?{_MEMORY}\s+{_BECAME}(?:saved|updated|recorded|written|created){_END}",
            # Saved a memory about …, Updated the memory
            rf"{_OPENING}(?:saved|updated|recorded|created|wrote)\s+(?:an?\s+|the\s+|new\s+|your\s+){{1,2}}{_PLACE}",
            # That is now saved to memory
            rf"\b{_THING}{_IS_NOW}{_KEPT}\s+(?:to\s+(?:{_OURS}\s+){{0,3}}|in\s+(?:{_OURS}\s+){{1,3}}){_PLACE}",
        )
    ),
    re.IGNORECASE | re.VERBOSE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|never|nothing|no|n't|cannot|can't|couldn't|failed|unable|without|if|whether|unless|would|could|should|shall"
    r"|may|might|can|will|going to|want|need|already|previously|earlier|last time|last session|before|about to"
    r"|once|until|instead of|used to|says|said)\b|n['’]t\b",
    re.IGNORECASE,
)

_CHINESE = re.compile(
    r"(?:已经?|我)(?:帮你|为你|为您|替你|将|把)?[^，,；;]{0,40}?"
    r"(?:保存|记录|写入|添加|加入|存入|存储|更新|记|存|補充|补充|儲存|記錄|寫入|加)(?:到|至|进|進|入|在|于)?了?"
    r"\s*(?:我的|你的|您的|项目的?|專案的?|长期|長期|自动|自動|持久){0,2}\s*(?:记忆|記憶|memory(?![\w\s]*(?:leak|usage))(?!\.\w)|MEMORY\.md)"
    r"|(?:记忆|記憶)(?:文件|檔案|条目|索引|库)?(?:已经?|都已)(?:成功)?(?:更新|保存|写入|寫入|创建|建立|记录|儲存)"
    r"|已经?(?:成功)?(?:更新|保存|写入|寫入|创建|建立|新增|新建|儲存)了?(?:一条|一條|两条|相关|相關|项目|你的|我的)?(?:记忆|記憶)"
    r"|(?:我)?(?:已经?|都)(?:帮你|替你)?(?:记住|記住)了?(?=[，,。！!：:\s]|$|这|這|你|您)"
    r"|(?:我)?已经?(?:帮你|替你|把这条|把這條)?(?:记下|記下)(?:来|來)?了?(?=[，,。！!：:\s]|$)"
)
_CHINESE_NOT = re.compile(
    r"没有|沒有|未|尚未|不会|不會|无法|無法|失败|失敗|是否|要不要|需要我|如果|可以|建议|建議|打算|准备|準備|之前|此前|早就|上次|以前|想要|请|請|将会|將會|会把|會把"
    r"|功能|吗|嗎|密码|密碼"
)
_MAY_CLAIM = re.compile(r"[Mm]emor|MEMOR|记|記")


def says_saved(text: str) -> bool:
    """Whether some sentence states, as done, that something was saved to a memory.

    Args:
        text: what the assistant said, Markdown.
    """
    if not _MAY_CLAIM.search(text):
        return False
    bare = _QUOTED.sub(" … ", _CITED.sub(" ", _FENCE.sub("\n", text)))
    bare = bare.replace("`", "").replace("**", "").replace("’", "'")
    return any(_claims(match[0]) for match in _SENTENCE.finditer(bare) if match[0].strip())


def _claims(sentence: str) -> bool:
    if len(sentence) > 1000 or sentence.rstrip().endswith(("?", "？")):
        return False
    english = _ENGLISH.search(sentence)
    if english and not _NOT_DONE.search(sentence[: english.end()]):
        return True
    chinese = _CHINESE.search(sentence)
    return chinese is not None and not _CHINESE_NOT.search(sentence)
