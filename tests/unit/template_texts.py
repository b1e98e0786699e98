"""Pairs of memories from one template that say different things, and pairs that say one thing in two wordings."""

from __future__ import annotations

import random
import re

_EN = (
    (
        "Runbook for the {name} cluster. Drain a node before you upgrade it, wait until the pods of {name} have moved, then run the"
        " upgrade job and watch the board for ten minutes. If the error rate of {name} rises, roll back with the platform chart and"
        " tell {person}. **Why:** the last upgrade without draining cost half an hour."
    ),
    (
        "The {name} service keeps its settings in the parameter store under {name}, not in the repository. Changes need a review by"
        " {person}, and the service has to be restarted, since it reads them once at start. **How to apply:** never edit the values"
        " by hand on a node."
    ),
    (
        "Release {version} of the mobile app was frozen on {date}. The store review took {days} days, and {count} bugs were found"
        " in the field, most of them in the upload of photographs. The hot fix went out without a freeze."
    ),
    (
        "Customer {name} is invoiced every quarter. Their contact is {person}, who wants the numbers by region and as a table. Send"
        " the draft three days ahead and do not attach raw data."
    ),
    (
        "Backups of the {name} database run every night into the bucket {name}-backups and are kept for thirty days. A restore takes"
        " about two hours; try it in staging first and compare row counts with {person} afterwards."
    ),
)
_ZH = (
    (
        "{name}集群的操作手册：升级节点之前必须先排空，等{name}的容器全部迁走之后再执行升级任务，并观察面板十分钟。如果{name}的错误率上升，"
        "就用平台的图表回滚，并通知{person}。**原因：** 上一次没有排空就升级，造成了半小时的中断。"
    ),
    (
        "{name}服务的配置保存在参数中心的 {name} 路径下，而不在代码仓库里。修改需要{person}评审，并且要重启服务，因为它只在启动时读取一次。"
        "**如何应用：** 不要在节点上手工修改数值。"
    ),
    "移动端 {version} 版本在 {date} 封版。商店审核用了 {days} 天，上线之后发现 {count} 个缺陷，大部分出在照片上传。热修复没有再次封版。",
    "客户{name}按季度开票。联系人是{person}，希望数字按地区列成表格。请提前三天发送草稿，不要附上原始数据。",
    "{name}数据库每晚备份到 {name}-backups 存储桶，保留三十天。恢复大约需要两个小时；请先在预发环境演练，之后与{person}核对行数。",
)
_NAMES_EN = (
    "atlas",
    "borealis",
    "orders",
    "billing",
    "eu-west",
    "us-east",
    "Falcon",
    "search",
    "payments",
    "Meridian",
    "kestrel",
)
_NAMES_ZH = (
    "订单",
    "支付",
    "华东",
    "华北",
    "搜索",
    "推荐",
    "atlas",
    "borealis",
    "会员",
    "物流",
    "天枢",
    "玉衡",
)
_PEOPLE_EN = ("Anna", "Bob", "Priya", "Tomas", "Mei Lin", "the data team")
_PEOPLE_ZH = ("张伟", "李娜", "王芳", "数据组", "陈晨")

_RESTATED_EN = (
    ("must", "has to"),
    ("before", "ahead of"),
    ("then", "and after that"),
    ("watch", "keep an eye on"),
    ("rises", "goes up"),
    ("about", "roughly"),
    ("every", "each"),
    ("kept", "stored"),
    ("wants", "asks for"),
    ("never", "do not"),
    ("need", "require"),
    ("the last", "an earlier"),
    ("most", "the majority"),
    ("took", "needed"),
    ("run", "start"),
    ("by hand", "manually"),
    ("afterwards", "later"),
    ("tell", "inform"),
    ("wait until", "make sure that"),
    ("since", "because"),
    ("found", "seen"),
)
_RESTATED_ZH = (
    ("必须", "需要"),
    ("之前", "以前"),
    ("并且", "而且"),
    ("大约", "差不多"),
    ("通知", "告知"),
    ("观察", "盯着"),
    ("上升", "升高"),
    ("大部分", "多数"),
    ("不要", "切勿"),
    ("手工", "手动"),
    ("希望", "要求"),
    ("每晚", "每天夜里"),
    ("保留", "存放"),
    ("之后", "以后"),
    ("如果", "一旦"),
    ("全部", "都"),
    ("修改", "改动"),
    ("请", ""),
    ("造成了", "导致"),
    ("执行", "运行"),
)


def _filled(rng: random.Random, template: str, used: dict[str, str], *, chinese: bool) -> dict[str, str]:
    def other(key: str, choices: list[str]) -> str:
        return rng.choice([choice for choice in choices if choice != used.get(key)])

    return {
        "name": other("name", list(_NAMES_ZH if chinese else _NAMES_EN)),
        "person": other("person", list(_PEOPLE_ZH if chinese else _PEOPLE_EN)),
        "version": other(
            "version", [f"{a}.{b}.{c}" for a in range(2, 5) for b in range(10) for c in range(4)]
        ),
        "date": other("date", [f"2024-{m:02}-{d:02}" for m in range(1, 13) for d in (3, 11, 24)]),
        "days": other("days", [str(n) for n in range(2, 30)]),
        "count": other("count", [str(n) for n in range(3, 90)]),
    }


def parallel_pair(rng: random.Random, *, chinese: bool) -> tuple[str, str]:
    """Two facts of one shape."""
    template = rng.choice(_ZH if chinese else _EN)
    one = _filled(rng, template, {}, chinese=chinese)
    return template.format(**one), template.format(**_filled(rng, template, one, chinese=chinese))


def restated_pair(rng: random.Random, *, chinese: bool, share: float = 0.5) -> tuple[str, str]:
    """One fact in two wordings: other words for some, a sentence more or less, or none of it."""
    text = rng.choice(_ZH if chinese else _EN)
    text = text.format(**_filled(rng, text, {}, chinese=chinese))
    other = text
    for old, new in _RESTATED_ZH if chinese else _RESTATED_EN:
        if rng.random() < share:
            pattern = re.escape(old) if chinese else rf"\b{re.escape(old)}\b"
            other = re.sub(pattern, new, other)
    if rng.random() < 0.3:
        sentences = re.split(r"(?<=[.。] )|(?<=。)", other)
        del sentences[rng.randrange(len(sentences))]
        other = "".join(sentences)
    if rng.random() < 0.3:
        other += "这一点团队已经确认。" if chinese else " The team has agreed on this."
    return text, other
