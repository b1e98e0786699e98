"""Texts to compare: memories in English, Chinese and both, unrelated to each other, and edits that leave one alike.

English words and what follows what come from the prose of the standard library's own help, so the mix of common and
rare words, and of letters, is that of real text; half of the words follow their real predecessor, the others are
drawn by frequency. Chinese is drawn from everyday and technical words with frequencies that fall off by rank.
"""

from __future__ import annotations

import random
import re
from bisect import bisect
from collections import Counter
from functools import cache
from itertools import accumulate, pairwise
from pydoc_data.topics import topics
from typing import Literal

Language = Literal["en", "zh", "mixed"]
EditKind = Literal["words", "sentence", "order", "punctuation", "cut"]
LANGUAGES: tuple[Language, ...] = ("en", "zh", "mixed")
EDIT_KINDS: tuple[EditKind, ...] = ("words", "sentence", "order", "punctuation", "cut")

_ZH = """的 是 在 了 和 有 不 我们 这个 用户 使用 需要 可以 时候 问题 项目 代码 测试 数据 文件 系统 运行 时间 进行 通过 如果 因为 所以
但是 而且 或者 没有 已经 还是 就是 这样 那么 什么 怎么 为什么 应该 必须 不要 不能 一定 总是 从不 每次 之前 之后 以后 以前 现在 今天 明天 昨天
星期 月份 年底 开始 结束 完成 提交 分支 合并 发布 版本 部署 环境 生产 开发 服务器 数据库 接口 请求 响应 错误 异常 日志 监控 报警 指标 面板 配置
参数 变量 函数 类型 模块 组件 页面 按钮 样式 布局 设计 需求 文档 说明 注释 命名 规范 风格 习惯 偏好 角色 背景 经验 领域 研究 论文 实验 结果 模型
训练 推理 评估 指南 建议 反馈 纠正 确认 同意 拒绝 讨论 会议 同事 团队 负责人 经理 客户 合同 预算 成本 价格 风险 安全 权限 密钥 令牌 登录 认证 授权
加密 备份 恢复 迁移 升级 降级 回滚 灰度 流量 缓存 队列 线程 进程 内存 磁盘 网络 延迟 吞吐 性能 优化 瓶颈 并发 锁 事务 索引 查询 语句 表格 字段 主键
外键 约束 天体 物理 恒星 演化 双星 星系 望远镜 观测 光谱 质量 密度 温度 压力 速度 方程 数值 模拟 积分 网格 精度 误差 统计 分布 概率 样本 方差 均值
回归 聚类 分类 特征 标签 标注 清洗 采集 存储 传输 压缩 解析 编译 链接 调试 断点 堆栈 依赖 打包 安装 卸载 镜像 容器 集群 节点 调度 任务 定时 触发
通知 邮件 消息 群组 频道 链接 地址 域名 证书 过期 续签 申请 审批 流程 步骤 顺序 优先 级别 重要 紧急 简单 复杂 清楚 模糊 完整 部分 全部 单独 一起
分别 直接 间接 手动 自动 默认 可选 必填 支持 兼容 限制 上限 下限 范围 长度 大小 数量 次数 频率 周期 间隔 等待 重试 超时 失败 成功 状态 原因 影响
解决 办法 方案 计划 目标 截止 日期 里程碑 优化器 学习 笔记 总结 复盘 改进 重构 拆分 抽象 封装 继承 多态 线上 线下 本地 远程 仓库 主干 标记 评审
意见 批准 驳回 修改 新增 删除 更新 保留 移动 复制 粘贴 搜索 过滤 排序 分页 展示 隐藏 打开 关闭 启动 停止 暂停 继续 中断 退出 返回 输入 输出 格式
编码 字符 中文 英文 翻译 术语 单位 货币 税率 发票 订单 库存 物流 仓储 门店 会员 积分 优惠 活动 推广 渠道 转化 留存 增长 收入 利润 季度 年度 报告
图表 看板 大屏 手机 平板 电脑 浏览器 插件 扩展 脚本 命令 终端 窗口 快捷键 主题 颜色 字体 图标 动画 声音 视频 图片 附件 下载 上传 同步 冲突 草稿
归档 记忆 上下文 提示 对话 助手 工具 调用 代理 检索 向量 嵌入 相似 重复 阈值 衰减 召回 准确 幻觉 事实 来源 引用 证据 核实 假设 结论 例外 规则""".split()  # noqa: SIM905 - as a list it would be five hundred lines
_NAMES = [
    "auth",
    "billing",
    "cache",
    "deploy",
    "export",
    "feed",
    "gateway",
    "ingest",
    "jobs",
    "kernel",
    "ledger",
    "metrics",
    "notify",
    "orbit",
    "parser",
    "queue",
]


class _Draw:
    """Draws items by weight."""

    def __init__(self, weights: dict[str, float]) -> None:
        self.items = list(weights)
        self.sums = list(accumulate(weights.values()))

    def one(self, rng: random.Random) -> str:
        return self.items[bisect(self.sums, rng.random() * self.sums[-1]) % len(self.items)]


@cache
def _english() -> tuple[_Draw, dict[str, _Draw]]:
    prose = re.sub(r"\n\n( {6,}.*\n?)+", "\n", "\n".join(topics.values()))
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", prose)
    after: dict[str, Counter[str]] = {}
    for one, two in pairwise(words):
        after.setdefault(one.lower(), Counter())[two.lower()] += 1
    common = Counter(word.lower() for word in words)
    return _Draw(dict(common)), {word: _Draw(dict(found)) for word, found in after.items()}


@cache
def _chinese() -> _Draw:
    return _Draw({word: 1 / (rank + 12) for rank, word in enumerate(dict.fromkeys(_ZH))})


def english_sentence(rng: random.Random) -> str:
    draw, after = _english()
    word = draw.one(rng)
    found = [word]
    for _ in range(rng.randint(4, 18)):
        word = after[word].one(rng) if word in after and rng.random() < 0.5 else draw.one(rng)
        roll = rng.random()
        shown = word
        if roll < 0.02:
            shown = f"`{rng.choice(_NAMES)}_{word}`"
        elif roll < 0.04:
            shown = str(rng.randint(2, 2000))
        elif roll < 0.05:
            shown = f"{rng.choice(_NAMES)}/{word}.py"
        found.append(shown + ("," if rng.random() < 0.07 else ""))
    text = " ".join(found)
    return text[0].upper() + text[1:].rstrip(",") + rng.choice([".", ".", ".", ".", ":", "?", "!"])


def chinese_sentence(rng: random.Random) -> str:
    found = []
    for _ in range(rng.randint(4, 16)):
        found.append(_chinese().one(rng))
        if rng.random() < 0.12:
            found.append("，")
        elif rng.random() < 0.03:
            found.append(str(rng.randint(2, 2000)))
    return "".join(found).rstrip("，") + rng.choice("。。。。！？；")


def sentence(rng: random.Random, language: Language) -> str:
    zh = language == "zh" or (language == "mixed" and rng.random() < 0.5)
    return chinese_sentence(rng) if zh else english_sentence(rng)


def memory(rng: random.Random, language: Language, chars: int) -> str:
    """A memory of about so many characters, in paragraphs, lists and headings."""
    parts: list[str] = []
    length = 0
    while length < chars:
        roll = rng.random()
        join = "" if language == "zh" else " "
        if roll < 0.1 and chars > 300:
            part = f"## {sentence(rng, language)[:24].rstrip('.。，,')}"
        elif roll < 0.35 and chars > 300:
            part = "\n".join(f"- {sentence(rng, language)}" for _ in range(rng.randint(2, 5)))
        else:
            part = join.join(sentence(rng, language) for _ in range(rng.randint(1, 5)))
        parts.append(part)
        length += len(part) + 2
    return "\n\n".join(parts)[:chars].rstrip()


def short_memory(rng: random.Random, language: Language) -> str:
    """One or two sentences, 20 to 80 characters."""
    chars = rng.randint(20, 80)
    text = ""
    while len(text) < chars:
        text += ("" if not text or language == "zh" else " ") + sentence(rng, language)
    return text[:chars].rstrip()


def edited(rng: random.Random, text: str, language: Language, kind: EditKind) -> str:
    """The same memory after a small edit: what a second session writes who did not look whether it is there."""
    if kind == "words":
        tokens = re.findall(r"[\u4e00-\u9fff]{1,2}|[^\u4e00-\u9fff\s]+|\s+", text)
        where = [i for i, token in enumerate(tokens) if token.strip()]
        for i in rng.sample(where, max(1, min(len(where) // 25, 12))):
            tokens[i] = (
                _chinese().one(rng) if re.match(r"[\u4e00-\u9fff]", tokens[i]) else _english()[0].one(rng)
            )
        return "".join(tokens)
    if kind == "sentence":
        extra = sentence(rng, language)[: max(8, len(text) // 5)]
        return f"{text}\n{extra}" if rng.random() < 0.5 else f"{extra}\n{text}"
    if kind == "order":
        parts = text.split("\n\n") if "\n\n" in text else re.split(r"(?<=[.。！？；!?])", text)
        rng.shuffle(parts)
        return ("\n\n" if "\n\n" in text else "").join(parts)
    if kind == "punctuation":
        swap = str.maketrans({",": ";", ".": "!", "，": "、", "。": "；", "`": "", "-": "*"})
        return text.translate(swap)
    cut = rng.randint(0, len(text) // 12)
    return text[cut:]
