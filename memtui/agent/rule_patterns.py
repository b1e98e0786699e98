"""The plain ways in which people say what is to be kept, in English and Chinese, as patterns; see ``rules_extractor``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from memtui.memory.types import MemoryType


class Rule(NamedTuple):
    """How one kind of wish is put.

    Attributes:
        name: what it is called in a proposal.
        pattern: what is searched in a sentence whose quotations are taken out.
        confidence: 0.0 to 1.0; a rough order and no probability.
        kind: gives the type of the memory from its text; `kind_of_wish` if None.
        lasting: whether it says itself that it is meant for good.
        whole: whether the sentence is the memory; else it is the pattern's group ``what``.
        asked: whether it asks for a memory in so many words.
    """

    name: str
    pattern: re.Pattern[str]
    confidence: float
    kind: Callable[[str], MemoryType] | None = None
    lasting: bool = False
    whole: bool = True
    asked: bool = False


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_LEAD = (
    r"^\W*(?:(?:ok|okay|and|also|so|oh|hey|btw|by the way|please|pls|one more thing|another thing|important|i (?:already )?(?:told you|said)|as i said|yes|yeah|no|nope|hmm|well"
    r"|great|thanks|thank you|perfect|good|nice|sure|claude)\b[\s,.:;!—–-]*){0,4}"
)
_DO = r"(?:please )?(?:you (?:should|must|need to|have to) |make sure (?:to |you |that you )?|i(?:'d| would)? (?:want|need|like) you to |be sure to )?"

_BAD_AFTER_ALWAYS = (
    r"(?!(?:get|gets|got|see|sees|saw|have|has|had|end|ends|forget|forgot|think|thought|wonder|wondered|seem|seems|run into|hit|struggle|fail|fails|confuse"
    r"|mix|mind|heard|worked|works|returns?|crash|crashes|happen|happens|feel|felt|know|knew|been|was|were|is|are|thought|hear|say|says|find|found|come|comes"
    r"|understood|understand|tried|noticed|noticed|seen|occurs?|did|do that|mess|screw|love|loved|enjoy|enjoyed)\b)"
)
_REMEMBERED = r"(?!\s*(?:when|how|where|why|who|what|which|if|last|me\b|my (?:password|login|choice|device)|seeing|doing|reading|correctly|right|right\?|it\b\s*$|the (?:bug|time|error|issue|last|other|one|day|first|password|discussion|meeting|thing)))"
_STOPPABLE = (
    r"(?:using|adding|writing|creating|putting|committing|pushing|asking|apologi[sz]ing|suggesting|making|generating|including|changing|renaming"
    r"|reformatting|mocking|summari[sz]ing|explaining|editing|removing|deleting|importing|inventing|guessing|skipping|amending|touching|giving)"
)
_TOOL = r"(?!(?:a|an|the|this|that|these|those|it|its|here|my|your|one|two|list|dict|for|while)\b)[`\w@./#+-]+(?: (?!instead|rather|not|for|in|to|when|over|and|because|since|on)[`\w@./#+-]+){0,3}"
_FOR = r"(?: (?:for|in|on|when|to) [^,.;]+?)?"
_ROLE = (
    r"(?:engineer|developer|programmer|scientist|researcher|designer|manager|student|teacher|professor|architect|analyst|consultant|founder|maintainer|postdoc"
    r"|administrator|admin|sysadmin|doctor|physicist|biologist|writer|lead|freelancer|contractor|beginner|economist|statistician|sre|cto|intern|accountant|nurse)"
)
_SYSTEM = r"(?:https?://\S+|linear|jira|notion|slack|confluence|grafana|datadog|sentry|github issues|trello|asana|figma|google docs?|pagerduty|airtable|clickup)"


def kind_of_wish(text: str) -> MemoryType:
    """The type of what somebody wishes: of themselves, of the project, where something is, or how to work."""
    if _REFERS.search(text):
        return MemoryType.REFERENCE
    if _SELF.search(text):
        return MemoryType.USER
    return MemoryType.PROJECT if _PROJECT.search(text) and not _ORDERS.search(text) else MemoryType.FEEDBACK


def _remembered(text: str) -> MemoryType:
    """What somebody wants remembered is a fact, unless it tells what to do."""
    if _REFERS.search(text):
        return MemoryType.REFERENCE
    if _SELF.search(text):
        return MemoryType.USER
    return MemoryType.FEEDBACK if _ORDERS.search(text) or _TO_DO.match(text) else MemoryType.PROJECT


_TO_DO = re.compile(
    r"\W*(?:to|not to|always|never|use|run|ask)\b|.{0,12}(?:都要|先|之前|都用|只用|统一)", re.IGNORECASE
)
_REFERS = re.compile(
    rf"https?://|\b(?:tracked|live|lives|documented|stored|filed) (?:in|at|on) (?:the )?{_SYSTEM}|(?:看板|文档|工单|缺陷|监控|日志)[^，。]{{0,12}}(?:在|用)\s*{_SYSTEM}",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\bi(?:'m| am) (?:an? |the |new to )|\bi (?:work (?:as|at|in|on)|prefer|like|hate|dislike|speak|live|use|never|always|don't like)\b|\bmy (?:name|timezone|time zone|role|job|team|background|native|first language)\b"
    r"|\bi'(?:ve|m) (?:been|a|an)\b|我(?:是|叫|住|在(?:东|西)|更?喜欢|偏好|习惯|讨厌|不喜欢|的(?:时区|名字|职业|母语|背景|角色))",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"\b(?:we|our|us|the (?:project|team|repo|repository|codebase|company|api|service|app|production|staging|deadline|release|client|customer))\b"
    r"|我们|项目|团队|公司|仓库|线上|生产环境|客户|上线|截止",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\W*(?:please )?(?:always|never|don't|do not|stop|use|run|write|ask|keep|make sure|avoid)\b|\byou (?:should|must|need to)\b"
    r"|(?:不要|别|必须|务必|一律|请)",
    re.IGNORECASE,
)


def _always(kind: MemoryType) -> Callable[[str], MemoryType]:
    return lambda _text: kind


EN_RULES: tuple[Rule, ...] = (
    Rule(
        "remember",
        _en(
            _LEAD
            + r"(?:please |just |always )?(?:i (?:want|need|would like|'d like) you to )?(?:(?:remember|memori[sz]e|keep in mind|bear in mind|don't (?:ever )?forget|never forget|make a note|take note|note down"
            r"|(?:save|add|store|put|write) (?:this |that |it |the following )?(?:in|to|into|down in) (?:your |the |project )?memory)(?: of this| the following| this)?"
            + _REMEMBERED
            + r"|note(?= that\b| to self)|for (?:your|the) record|for future reference)"
            r"\s*(?:that\b|this|[:,—–-])*\s*(?P<what>.{8,})$"
        ),
        0.95,
        _remembered,
        lasting=True,
        whole=False,
        asked=True,
    ),
    Rule(
        "from now on",
        _en(
            r"\b(?:from now on(?:wards?)?|going forward|moving forward|from here on(?: out)?|in (?:the )?future(?=,| (?:please|always|never|use|don't|do not|run|write|ask))|in all future \w+|for all future \w+"
            r"|from this point on|henceforth|every time (?:you|we)|whenever you)\b"
        ),
        0.9,
        None,
        lasting=True,
    ),
    Rule(
        "always or never",
        _en(
            _LEAD
            + rf"(?:(?:when(?:ever)?|before|after|if|in|for|on)\b[^,]{{2,60}}, ?)?{_DO}(?:always|never)(?: ever)? (?!(?:mind|again|heard|worked|the|a|an|same|this|that|your|my|in|on)\b){_BAD_AFTER_ALWAYS}[a-z`]"
        ),
        0.85,
    ),
    Rule(
        "we always or never",
        _en(
            _LEAD
            + rf"(?:(?:in|for|on|at) [^,]{{2,40}}, ?)?(?:we|i|our team|this project|the team) (?:always|never) {_BAD_AFTER_ALWAYS}(?!\w+ed\b)[a-z]"
        ),
        0.8,
    ),
    Rule(
        "not again",
        _en(
            _LEAD
            + r"(?:please )?(?:don't|do not|never|dont) (?:ever )?(?!do (?:that|this|it)\b|worry|know|think|see|want|need)[a-z]+\b.{4,}\b(?:again|anymore|any more|any longer)\b"
        ),
        0.85,
        _always(MemoryType.FEEDBACK),
    ),
    Rule(
        "do not ever",
        _en(_LEAD + r"(?:please )?(?:don't|do not|dont) ever (?!do (?:that|this|it)\b)[a-z]+ .{4,}"),
        0.85,
        _always(MemoryType.FEEDBACK),
    ),
    Rule(
        "stop",
        _en(
            _LEAD
            + rf"(?:please )?(?:stop|quit) {_STOPPABLE} (?!(?:that|this|it|those|these|them)\b\W*$).{{4,}}"
        ),
        0.8,
        _always(MemoryType.FEEDBACK),
    ),
    Rule(
        "correction",
        _en(
            r"^\W*(?:no|nope|wrong|actually|not quite|that's (?:wrong|not right|not correct|incorrect)|i (?:said|told you))\b[\s,.:;!—–-]*(?:i told you |please |actually |to )*(?:(?:we|i|you should|always)\s+)?"
            rf"(?:use|prefer|want|write|call it|run|are on|go with|deploy (?:to|with|on)|it's) {_TOOL}{_FOR},?\s*(?:instead of|not|rather than|over|and not|never)\s+{_TOOL}"
        ),
        0.85,
    ),
    Rule(
        "instead of",
        _en(
            _LEAD
            + rf"(?:(?:we|i) (?:only )?(?:use|prefer|run|deploy (?:to|with|on)) {_TOOL}{_FOR},?\s*(?:instead of|not|rather than|over|and not|never) {_TOOL}{_FOR}\W*$"
            rf"|(?:please )?(?:use|prefer) {_TOOL},? (?:instead of|not|rather than|over) {_TOOL}(?: (?:in|for) (?:all |every |the |our )?(?:project|repo|tests|commits|code|new code|scripts|docs)\w*)?\W*$)"
        ),
        0.75,
    ),
    Rule(
        "preference",
        _en(
            _LEAD
            + r"(?:i (?:really |strongly |generally |usually |much )*(?:prefer|hate it when|don't like it when|dislike it when|like it when|hate when) (?!(?:this|that|it|the (?:first|second|latter|former|last|other))\b(?! when))"
            r"|my (?:preference is|preferred \w+ is)).{5,}"
        ),
        0.75,
        _always(MemoryType.USER),
    ),
    Rule(
        "about the person",
        _en(
            _LEAD
            + rf"(?:i(?:'m| am) (?:an?|the) (?:[\w/-]+ ){{0,5}}{_ROLE}\b|i work as an? |i(?:'m| am) (?:completely |pretty |quite |very |totally )?new to (?!this (?:file|bug|error))\w|i(?:'ve| have) been (?:writing|programming|coding|using|working with) .{{2,}}? for|my (?:time ?zone|name|native language|first language|role|job title) is )"
        ),
        0.75,
        _always(MemoryType.USER),
    ),
    Rule(
        "where things are",
        _en(
            _LEAD
            + rf"(?:(?:the|our|all|team|project|customer|pipeline|design)\b[^,.]{{2,60}}? )(?:are|is|live|lives|get|gets)? ?(?:tracked |documented |filed |stored |kept |found |reported )?(?:at|in|on|under) (?:the |our )?(?P<where>{_SYSTEM})"
        ),
        0.8,
        _always(MemoryType.REFERENCE),
    ),
)

_ZH_LEAD = r"^\W*(?:(?:请|麻烦|另外|还有|对了|好的?|嗯|那|顺便|注意|重要|务必|帮我|你要?|也|哦|不对|不是|谢谢|记得|一定要?)[\s，,：:。！]*){0,4}"
ZH_RULES: tuple[Rule, ...] = (
    Rule(
        "remember",
        re.compile(
            _ZH_LEAD
            + r"(?:记住(?!密码|我的?(?:密码|登录|选择)|登录|功能|了吗)|记一下|记下来?|牢记|别忘了|不要忘了?|请记得|记得(?!吗|当时|上次|之前|昨天|好像|以前|有)|(?:保存|写|存|加)(?:到|进|入)记忆(?:里|中)?)"
            r"(?:一下|这一?点|这件事|这条|以下)?[\s：:，,、]*(?P<what>.{4,})$"
        ),
        0.95,
        _remembered,
        lasting=True,
        whole=False,
        asked=True,
    ),
    Rule(
        "from now on",
        re.compile(
            r"(?:^|[，,。：:\s])(?:以后(?!再|看|说|可能|会)|今后|往后|从(?:现在|今|此|这次)(?:开始|起|以后)?|下次(?:起|开始)?|将来)[^，,。]{0,40}?[，,]?.{0,30}?(?:都|一律|要|请|别|不要|必须|只|用|务必|统一|应该|记得|先)"
        ),
        0.9,
        lasting=True,
    ),
    Rule(
        "always or never",
        re.compile(
            _ZH_LEAD
            + r"(?:[^，,。]{1,20}[，,])?(?:我们|你|你要|你必须|团队|项目)?(?:[^，,。]{0,12})(?:永远|始终|务必|一律|统一|必须|每次都要?|任何时候都|绝对?不(?:要|能|许|可)|千万(?:别|不要)|从来不|从不|永不)"
            r"(?!.{0,6}(?:报错|失败|出错|卡|挂|超时|忘|崩|这样|成功|生效|返回)).{3,}"
        ),
        0.8,
    ),
    Rule(
        "not again",
        re.compile(_ZH_LEAD + r"(?:不要|别|请勿|不许|禁止|不准)再.{4,}"),
        0.85,
        _always(MemoryType.FEEDBACK),
    ),
    Rule(
        "correction",
        re.compile(
            r"^\W*(?:不对|不是这样|错了|不|其实|我说(?:过|的是)?|应该(?:是)?|我们|项目|这个项目|团队|公司|不行)[\s，,。：:！]*.{0,20}?(?:用|使用|是|走|叫)\s*[^，,。]{1,24}?[，,]?\s*(?:而不是|不是|不用|别用|不要用|而非)\s*[^，,。]{1,24}\W*$"
        ),
        0.8,
    ),
    Rule(
        "not this but that",
        re.compile(
            r"^\W*(?:不对[，,]?|其实)?(?:我们|项目|这个项目|我|公司|团队|我们的?项目)[^，,。]{0,14}不(?:是|用|使用)[^，,。]{1,24}[，,]?\s*(?:而是|是|而用|用|而使用)[^，,。]{1,40}"
        ),
        0.8,
    ),
    Rule(
        "instead of",
        re.compile(
            _ZH_LEAD
            + r"(?:我们)?(?:统一|都|一直|全部)?用\s*[\w.+#-]+[，,]?\s*(?:而不是|不要用|别用|不用|不要|而非|代替|别)\s*[\w.+#-]+\W*$"
        ),
        0.75,
    ),
    Rule(
        "preference",
        re.compile(
            _ZH_LEAD
            + r"我(?:个人|一般|通常|比较|更|一直|最)*(?:喜欢|偏好|习惯|讨厌|不喜欢|倾向于?)(?!这个|这样|第[一二三])(?:你)?.{3,}"
        ),
        0.75,
        _always(MemoryType.USER),
    ),
    Rule(
        "about the person",
        re.compile(
            _ZH_LEAD
            + r"我(?:是|在做|做)(?:一?(?:名|个|位))?[^，,。]{0,16}(?:工程师|开发者?|程序员|研究员|博士后?|科学家|设计师|产品经理|学生|老师|教授|架构师|分析师|运维|新手|负责人)|我的(?:时区|母语|名字|职业)(?:是|叫)|我对[^，,。]{1,14}(?:不熟|很熟|是新手)"
        ),
        0.75,
        _always(MemoryType.USER),
    ),
    Rule(
        "where things are",
        re.compile(
            rf"^\W*[^，,。]{{0,20}}(?:文档|看板|工单|缺陷|bug|监控|日志|设计稿|需求|任务|面板|仪表盘|地址)[^，,。]{{0,6}}(?:都|统一)?(?:在|记在|放在|是|用)\s*(?P<where>{_SYSTEM})",
            re.IGNORECASE,
        ),
        0.8,
        _always(MemoryType.REFERENCE),
    ),
)
