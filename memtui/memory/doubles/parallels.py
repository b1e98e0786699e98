"""Telling a fact told twice from two facts told alike: two runbooks for two clusters, two releases (spec §9; ours).

Texts from one template are alike however they are measured, and say different things. What tells them apart is that
each names something the other does not (a number, a name, an identifier) while the words around it are the same. A
restatement differs in its words and names the same things; what only adds a name says the old fact as well.

What counts as a name: what is written like code or a version, a capital letter within a sentence, what stands before a
word for a kind of thing (``the billing service``, 支付服务), words for environments, days and months, and a word that
comes as often in one text as another word does in the other.

Measured on some 600 alike pairs each (``tests/unit/test_parallels.py``): of those from one template 96 % (English) and 93 %
(Chinese) are told apart; of the restatements none is, of small edits drawn at random up to 4 %.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from memtui.memory.doubles.judged import judged_once
from memtui.memory.doubles.shingles import jaccard, mask_numbers, numbers_in, words
from memtui.memory.lazy import lazy_pattern

SKELETON = 0.85
"""Similarity of the words that are left once what only one text names is taken out, from which both are of one template."""

_ALIKE = 0.5  # below, more than half of the words differ: no names do that

_IDENTIFIER = lazy_pattern(
    r"`[^`\n]{1,80}`|(?<![\w./-])@?[A-Za-z0-9_$]+(?:[-_./:@][A-Za-z0-9_$]+)+|\b[A-Za-z]+\d[A-Za-z0-9]*\b|\b[A-Z]{2,}\b"
    r"|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*"
)
_CAPITAL = lazy_pattern(r"(?<=[a-z0-9,)] )[A-Z][a-z]{2,}\b")
_HEADING = lazy_pattern(r"^#{1,6} .*$", re.MULTILINE)
_KINDS = (
    "account|api|app|bucket|channel|client|cluster|component|customer|database|dashboard|environment|env|gateway|host|library"
    "|model|module|node|package|partner|pipeline|plugin|product|project|queue|region|repo|repository|schema|server|service"
    "|site|store|subsystem|system|table|team|tenant|topic|vendor|worker|workspace|zone"
)
_BEFORE_KIND = lazy_pattern(rf"\b([A-Za-z]{{3,}}) (?:{_KINDS})s?\b", re.IGNORECASE)
_NO_NAME = lazy_pattern(
    "the|this|that|each|every|any|all|our|your|their|its|one|two|same|other|another|new|old|some|and|for|both|"
    "per|with|from|into|main|whole|only|own|separate|single|right|wrong|first|last|next|local|remote|shared|which|what|whose"
)
_KINDS_ZH = "服务|集群|项目|团队|小组|环境|节点|区域|地区|仓库|模块|数据库|队列|系统|平台|客户|供应商|机房|组件|应用|网关|租户|产品|频道|主题|部门"
_FUNCTION_ZH = "在的了和与是有为以及从对把被每各该此这那个之其或上下中内外新旧到于向给让用由请将已也都就不没"
_BEFORE_KIND_ZH = lazy_pattern(
    rf"((?![{_FUNCTION_ZH}])[\u4e00-\u9fff](?![{_FUNCTION_ZH}])[\u4e00-\u9fff])(?:{_KINDS_ZH})"
)
_PERSON_ZH = lazy_pattern(
    r"(?:请|由|找|问|通知|告知|人是|人为|与|跟|交给|联系)"
    r"([王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤][\u4e00-\u9fff])"
)
_LISTED = lazy_pattern(
    r"\b(?:staging|production|prod|development|testing|sandbox|canary|preview|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|june|july|august|september|october|november|december)\b"
    r"|生产|预发|测试环境|开发环境|灰度|(?:周|星期)[一二三四五六日天]|[一二三四五六七八九十]+月",
    re.IGNORECASE,
)
_OFTEN_HAN = 3  # two characters come together twice by chance, and in a synonym
_HAN_PAIR = lazy_pattern(r"(?=([\u4e00-\u9fff]{2}))")
_LATIN = lazy_pattern(r"[A-Za-z][A-Za-z0-9_]{2,}")


@dataclass(frozen=True, slots=True)
class Traits:
    """What of a text tells it from its likes.

    Attributes:
        text: in lower case.
        numbers: its numbers, dates and versions in order.
        names: what it names, in lower case.
        often: words, and pairs of Chinese characters, that stand in it more than once, with their count.
        words: its words.
    """

    text: str
    numbers: tuple[str, ...]
    names: frozenset[str]
    often: dict[str, int]
    words: frozenset[str]


@lru_cache(maxsize=1 << 6)
def traits_of(content: str) -> Traits:
    """Take a text apart."""
    prose = _HEADING.sub("", content)
    names = {match[0].strip("`") for match in _IDENTIFIER.finditer(content)}
    names.update(match[0] for match in _CAPITAL.finditer(prose))
    names.update(
        match[1]
        for pattern in (_BEFORE_KIND, _BEFORE_KIND_ZH, _PERSON_ZH)
        for match in pattern.finditer(content)
    )
    names.update(match[0] for match in _LISTED.finditer(content))
    lowered = content.lower()
    latin, han = _LATIN.findall(lowered), _HAN_PAIR.findall(lowered)
    if len(han) > 8 * len(latin):  # a Latin word in a text that is all Chinese otherwise names something
        names.update(latin)
    often = {word: count for word, count in Counter(latin).items() if count >= 2}
    often.update((word, count) for word, count in Counter(han).items() if count >= _OFTEN_HAN)
    return Traits(
        lowered,
        numbers_in(content),
        frozenset(name.lower() for name in names if not _NO_NAME.fullmatch(name.lower())),
        often,
        frozenset(words(content)),
    )


@judged_once
def differ_in_numbers(one: str, other: str) -> bool:
    """Whether each of two texts has numbers that the other has not, or the same ones in another order.

    To be asked of texts that are alike once numbers are masked. A text that only has more numbers says the same and more.
    """
    first, second = traits_of(one).numbers, traits_of(other).numbers
    only_first, only_second = Counter(first) - Counter(second), Counter(second) - Counter(first)
    if only_first or only_second:
        return bool(only_first and only_second)
    return first != second and mask_numbers(one).split() == mask_numbers(other).split()


@judged_once
def differ_in_names(one: str, other: str) -> bool:
    """Whether two texts are of one template and each names something that the other does not."""
    first, second = traits_of(one), traits_of(other)
    if jaccard(first.words, second.words) < _ALIKE:
        return False
    only_first, only_second = _only(first, second), _only(second, first)
    often_first = {
        word: first.often[word] for word in first.often.keys() - second.words - second.often.keys()
    }
    often_second = {
        word: second.often[word] for word in second.often.keys() - first.words - first.often.keys()
    }
    if often_first and often_second:
        often = set(often_first.values()) & set(often_second.values())
        only_first |= {word for word, n in often_first.items() if n in often and word not in second.text}
        only_second |= {word for word, n in often_second.items() if n in often and word not in first.text}
    if not (only_first and only_second):
        return False
    gone = {word for name in only_first | only_second for word in words(name)}
    gone.update(first.numbers, second.numbers)
    return jaccard(first.words - gone, second.words - gone) >= SKELETON


def _only(traits: Traits, other: Traits) -> set[str]:
    return {name for name in traits.names - other.names if name not in other.text}
