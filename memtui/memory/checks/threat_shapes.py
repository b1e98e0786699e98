"""The shapes of text that gives orders to a model instead of informing it, in English and Chinese (reliability §3).

Each shape names sets of words, of each of which one must occur before its pattern is tried: most texts lack one, and a
check of ten thousand memories has to be quick.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to give orders.

    Attributes:
        first: words in lower case; one of them must stand in the text, an English one by itself.
        further: sets of parts of words; one of each must stand in the text, too.
        pattern: what it looks like.
    """

    first: frozenset[str]
    further: tuple[tuple[str, ...], ...]
    pattern: re.Pattern[str]


def _shape(words: str, pattern: str) -> Shape:
    """A shape from its words, sets parted by ``;``, and its pattern."""
    first, *further = (tuple(part.split()) for part in words.split(";"))
    return Shape(frozenset(first), tuple(further), re.compile(pattern, re.IGNORECASE))


_GUARDED = (
    r"(?:credentials?|secrets?|tokens?|passwords?|api[\s_-]?keys?|private\s+keys?|ssh\s+keys?|\.env\b|id_rsa"
    r"|environment\s+variables|~/\.ssh|~/\.aws|cookies)"
)
_PLACE = r"(?:https?://|\bftp://|[\w.+-]+@[\w-]+\.\w|\bwebhook\b|\bpastebin\b)"
_RULES = r"(?:instructions?|prompts?|rules|guidelines|directives|safety|safeguards|context)"
_CARRY = r"(?:send|post|upload|exfiltrate|forward|leak|transmit|e?mail|copy)"
_ORDER = r"(?:always|automatically|please|must|should)\s+(?:\w+\s+)?"
_ALL = r"(?:all|any|every)\s+(?:\w+\s+)?"

_RULE_WORDS = "instruction prompt rule guideline directive safety safeguard context"

INSTRUCTIONS = (
    # Setting earlier instructions aside.
    _shape(
        "ignore disregard forget override bypass; " + _RULE_WORDS,
        r"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:all|any|every|the|your|of|these|those|my|our)\s+)*"
        rf"(?:previous|prior|above|earlier|preceding|existing|system|other|original)\s+(?:\w+\s+)?{_RULES}\b",
    ),
    _shape(
        "ignore disregard override; " + _RULE_WORDS,
        r"\b(?:ignore|disregard|override)\s+(?:all\s+(?:of\s+)?)?(?:your|the\s+system'?s?)\s+(?:\w+\s+)?"
        rf"{_RULES}\b",
    ),
    _shape(
        "dan jailbroken unrestricted unfiltered developer god; you; now",
        r"\byou\s+are\s+now\s+(?:in\s+)?(?:an?\s+)?(?:\w+\s+)?"
        r"(?:DAN|jailbroken|unrestricted|unfiltered|developer\s+mode|god\s+mode)\b",
    ),
    _shape("new; system; prompt instruction", r"\bnew\s+system\s+(?:prompt|instructions?)\s*:"),
    # Hiding something from the person.
    _shape(
        "tell inform mention reveal disclose notify alert telling informing mentioning revealing discloseing notifying alerting; "
        "user human operator; not don never without",
        r"\b(?:do\s+not|don'?t|never|without)\s+(?:ever\s+)?(?:tell|inform|mention|reveal|disclose|notify|alert)(?:ing)?\b"
        r"[^.\n]{0,30}\b(?:users?|humans?|operators?)\b[^.\n]{0,25}"
        r"\b(?:about\s+(?:this|these|it)|of\s+this|this\s+(?:instruction|memory|rule|request|step))\b",
    ),
    _shape(
        "mention reveal disclose; not don never",
        r"\b(?:do\s+not|don'?t|never)\s+(?:mention|reveal|disclose)\s+(?:this|these)\s+(?:\w+\s+)?"
        r"(?:instructions?|memory|rules?|notes?)\b",
    ),
    _shape(
        "silently secretly covertly quietly",
        r"\b(?:silently|secretly|covertly|quietly)\s+"
        r"(?:send|upload|post|exfiltrate|forward|copy|execute|install|disable|grant|leak)\b",
    ),
    # Carrying secrets out.
    _shape(
        "send post upload exfiltrate forward leak transmit mail email copy; http ftp:// @ webhook pastebin; "
        "credential secret token password api private ssh .env id_rsa environment .aws cookies",
        rf"\b{_CARRY}\b[^.\n]{{0,80}}{_GUARDED}[^\n]{{0,80}}{_PLACE}",
    ),
    _shape(
        "curl",
        r"\bcurl\b[^\n]*(?:\$\(\s*cat|\bcat\b|--data(?:-binary)?\s+@|-d\s*@|-F\s*\S*@)[^\n]*"
        r"(?:\.env|id_rsa|\.ssh|\.aws|credentials|secret|passwd)",
    ),
    _shape("base; base64", r"\bbase64\s+(?:-d|-D|--decode)\b[^\n]*\|\s*(?:ba|z)?sh\b"),
    # Taking the brakes off.
    _shape(
        "approve allow accept grant permit; all any every; tool command permission",
        rf"\b{_ORDER}(?:approve|allow|accept|grant|permit)\s+{_ALL}(?:tools?|commands?|permissions?)\b",
    ),
    _shape(
        "disable turn bypass skip; sandbox permission approval safety security secret",
        rf"\b{_ORDER}(?:disable|turn\s+off|bypass|skip)\s+(?:all\s+|the\s+|any\s+)?"
        r"(?:sandbox|permission\s+(?:checks?|prompts?)|approvals?|safety\s+checks?|security\s+checks?|secret\s+scan\w*)",
    ),
    _shape(
        "dangerously; --dangerously-skip-permissions",
        r"\b(?:always|must|please)\s+(?:\w+\s+){0,3}--dangerously-skip-permissions",
    ),
    # The same in Chinese.
    _shape(
        "忽略 无视 忘记 忘掉 理会 覆盖",
        r"(?:忽略|无视|忘记|忘掉|不要理会|覆盖)掉?(?:以上|之前|上面|此前|先前|前面|你的|系统)的?"
        r"(?:所有|全部|一切|任何)?的?(?:指令|指示|提示词?|规则|要求|约束|设定)",
    ),
    _shape(
        "让用户 告诉用户 通知用户 提醒用户 告知用户 瞒着用户 背着用户",
        r"(?:不要|不得|别|切勿)(?:让|告诉|通知|提醒|告知)用户(?:知道|发现|这条|这个|此|上述|有这)|(?:瞒着|背着)用户",
    ),
    _shape(
        "悄悄 偷偷 暗中",
        r"(?:悄悄|偷偷|暗中)地?(?:发送|上传|执行|安装|删除|授权|关闭|转发)",
    ),
    _shape(
        "发送 上传 发到 传到 发给 提交 转发; 把 将; http @ 服务器 邮箱",
        r"[把将][^。\n]{0,20}(?:密钥|密码|令牌|凭证|私钥|口令|token|\.env)[^。\n]{0,20}"
        r"(?:发送|上传|发到|传到|发给|提交|转发)[^。\n]{0,10}(?:https?://|[\w.+-]+@[\w-]+\.\w|服务器|邮箱)",
    ),
    _shape(
        "批准 允许 同意 放行",
        r"(?:自动|一律|总是|必须|请)(?:批准|允许|同意|放行)(?:所有|一切|任何)的?(?:工具|命令|权限|请求|操作)",
    ),
    _shape(
        "跳过 关闭 绕过 禁用",
        r"(?:自动|一律|总是|必须|请)(?:跳过|关闭|绕过|禁用)(?:所有|一切|任何)?的?(?:权限|审批|沙箱|安全检查|确认提示)",
    ),
    _shape(
        "你现在是 从现在起你是 现在你是",
        r"(?:你现在是|从现在起你是|现在你是)[^。\n]{0,12}(?:不受限制|没有限制|开发者模式|越狱)",
    ),
)
"""Every shape. The negations that make a rule of one ("never upload credentials …") are asked where they are used."""
