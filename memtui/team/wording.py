"""Why something is not shared or does not become a memory here, in both languages; for terminal and screen alike."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.memory.types import Lang
from memtui.team.results import Blocked
from memtui.team.vet import Held, HeldCode

_EN: Mapping[HeldCode, str] = {
    "link": "it is a link",
    "submodule": "it is another repository",
    "folder": "its folder is empty, too deep or too large",
    "mode": "it is no kind of file that memtui knows",
    "name": "not every system can have a file of that name",
    "collision": "some systems take its name for that of another one",
    "too-many": "there are too many",
    "too-large": "it is larger than a memory may be",
    "not-text": "it is no text",
    "old-version": "by its own header it is an old version, and every machine keeps its own",
    "secret": "the secret guard found {rule} in line {line}",
    "missing": "the remote did not send it",
}
_ZH: Mapping[HeldCode, str] = {
    "link": "它是链接",
    "submodule": "它是另一个仓库",
    "folder": "它的文件夹是空的、太深或太大",
    "mode": "memtui 不认识这种文件",
    "name": "并非所有系统都能用这个文件名",
    "collision": "有些系统会把它和另一个文件混为一谈",
    "too-many": "数量太多",
    "too-large": "它超过了一条记忆的大小上限",
    "not-text": "它不是文本",
    "old-version": "它的文件头说它是旧版本，而旧版本由各台机器自行保留",
    "secret": "秘密检查在第 {line} 行发现 {rule}",
    "missing": "远端没有发来它",
}
REASONS: Mapping[Lang, Mapping[HeldCode, str]] = {"en": _EN, "zh": _ZH}
"""By language and code, the sentence."""
_IN_NAME: Mapping[Lang, str] = {
    "en": "the secret guard found {rule} in the name",
    "zh": "秘密检查在名称中发现 {rule}",
}


def held_said(held: Held, lang: Lang) -> str:
    """Why something that others share does not become a memory; of a secret rule and line, never its value."""
    return _said(held.code, held.rule or "", held.line or 0, lang)


def blocked_said(blocked: Blocked, lang: Lang) -> str:
    """Why a memory of ours is not shared; the same."""
    return _said("name" if blocked.rule == "name" else "secret", blocked.rule, blocked.line, lang)


def _said(code: HeldCode, rule: str, line: int, lang: Lang) -> str:
    template = _IN_NAME[lang] if code == "secret" and not line else REASONS[lang][code]
    return template.format(rule=rule, line=line)
