"""Chinese sentences about the index and the findings."""

from __future__ import annotations

from memtui.memory.wording.findings_catalogue import FieldWording, IndexWording, RuleWording

INDEX_ZH = IndexWording(
    cut="> 警告：MEMORY.md {what}，只加载了一部分：{where}。请让每条索引保持一行、约 200 字符以内，细节移到各记忆文件中。",
    over_lines="共 {lines} 行（上限 {limit} 行）",
    over_size="大小为 {size}（上限 {limit}），索引条目过长",
    over_both="共 {lines} 行、{size}",
    cut_tail="{total} 行中有 {lost} 行被截去，从第 {first} 行开始{preview}",
    preview="（“{line}”）",
    cut_head="第 1 行在前 {limit} 个字符之后的内容被截去",
    notice="> 另有 {n} 条较旧的记忆未在此列出，文件仍在本目录中。",
    notice_pattern=r"> 另有 \d+ 条较旧的记忆未在此列出，文件仍在本目录中。",
)

FIELDS_ZH = FieldWording("{field}：{message}", {"name": "名称", "description": "描述", "slug": "文件名"})

RULES_ZH: dict[str, RuleWording] = {
    # 单条记忆本身。
    "unreadable": RuleWording(
        "无法读取的文件",
        "照现在的样子没有读者能使用它。请用编辑器打开并修复提示所指之处；在此之前不会丢失任何内容。",
        "此文件无法作为记忆读取：{problem}",
    ),
    "misread": RuleWording(
        "可能被误读的文件",
        "其他程序可能读出与原意不同的内容，或跳过此文件。重新保存该行通常即可修复。",
        "此处可能与原意不符：{problem}",
    ),
    "oddity": RuleWording("不寻常的文件", "已按原意读取，仅供知悉。", "不寻常，但已按原意读取：{problem}"),
    "conflict-markers": RuleWording(
        "未解决的合并冲突",
        "读者会同时看到两边的内容和冲突标记。请确定哪一边成立，删去其余部分。",
        "此处有未解决的合并冲突",
    ),
    "missing-description": RuleWording(
        "缺少描述", "描述决定一条记忆是否会被查看。请用一行说明它的用处。", "没有描述"
    ),
    "unknown-type": RuleWording(
        "未知类型",
        "只有 user、feedback、project、reference 四种类型；其他类型会被当作没有类型。",
        "类型为 {type}，不属于四种类型",
    ),
    "missing-type": RuleWording(
        "缺少类型", "类型告诉读者如何使用它：user、feedback、project 或 reference。", "没有类型"
    ),
    "too-short": RuleWording(
        "内容过短", "这么少的内容日后帮不上忙。请补充背景与原因，或将其遗忘。", "正文只有 {count} 个字符"
    ),
    "transient-state": RuleWording(
        "临时状态", "正在发生的事很快就不再成立。请只保留长期有效的内容。", "描述了临时状态：{words}"
    ),
    "vague-language": RuleWording(
        "模糊表述", "猜测日后会被当作事实。请查证，或写明把握程度及理由。", "表述模糊：{words}"
    ),
    "code-pattern": RuleWording(
        "粘贴的代码", "代码可在项目中读到，在这里则会过时。请保留其原因。", "看起来像粘贴的代码：{words}"
    ),
    "relative-date": RuleWording(
        "相对日期", "日后无人知道它从哪一天算起。请写明日期。", "依赖书写当天的日期：{words}"
    ),
    "status-noise": RuleWording(
        "一时的状态", "它只在当时成立。请改为保留结果或教训。", "一时的状态：{words}"
    ),
    # 表里不一的文本。
    "invisible-text": RuleWording(
        "不可见字符",
        "模型会读到你在这里看不见的内容。请在源码视图中查看；若非本人写入，请删除。",
        "含有不显示的字符（{kind}）：{shown}",
    ),
    "reserved-tag": RuleWording(
        "可能突破提醒块的标签",
        "构建提醒时会使其失效。若非本人写入，说明有人试图冒充系统。",
        "含有属于系统的标签：{shown}",
    ),
    "instruction-shaped": RuleWording(
        "指令式文本",
        "记忆应陈述事实；此处却要求模型搁置规则、隐瞒、外传机密或放行一切。请核实来源。",
        "读起来像是对模型下达的指令：{words}",
    ),
    "hidden-comment": RuleWording(
        "过长的隐藏注释",
        "渲染后的视图不会显示它，而每个模型都会读到。请在源码视图中阅读。",
        "有 {count} 个字符的 HTML 注释",
    ),
    "secret": RuleWording(
        "密码、密钥与令牌",
        "记忆中的内容会在每次会话中发送给模型。请将其删除，改为写明它存放在何处，并到签发方更换。",
        "此处有秘密（规则 {kind}，第 {line} 行，指纹 {fingerprint}）",
    ),
    "encoded-block": RuleWording(
        "编码内容", "无人能看出其含义，却在每次提示中占用篇幅。", "有 {count} 个字符疑似 base64 的内容"
    ),
    "blank-run": RuleWording(
        "大段空白", "其后的内容落在视野之外。请查看文件末尾。", "有连续 {count} 处空白，其后还有文字"
    ),
    # 索引。
    "index-unreadable": RuleWording(
        "无法读取的索引",
        "其他读者可能同样无法读取，也无从得知它提到了什么。",
        "MEMORY.md 无法读取：{problem}",
    ),
    "index-over-limit": RuleWording(
        "索引超出上限",
        "只会加载开头部分，且没有人会知道缺了什么。请缩短或合并条目，或让分值最低的条目移出：降到上限的 90 %，之后保存的仍会加载。",
        "{lines}/{max_lines} 行，{size:,}/{max_size:,} {unit:字节|UTF-16 单元}：末尾未被加载（只在那里提到的记忆：{lost} 条）",
        "把索引缩短为分值最高的条目",
    ),
    "index-conflict-markers": RuleWording(
        "索引中未解决的合并冲突",
        "读者会同时看到两边的内容和冲突标记。请确定哪些行成立，删去其余部分。",
        "索引中有未解决的合并冲突",
    ),
    "missing-index": RuleWording(
        "缺少索引",
        "没有 MEMORY.md，会话开始时便不知道任何记忆。",
        "{count} 条记忆没有对应的 MEMORY.md",
        "写出索引",
    ),
    "not-loaded": RuleWording(
        "位于截断之后",
        "索引超出上限，此记忆所在的行被截去：没有会话知道它的存在。",
        "索引第 {number} 行提到它，但该行未被加载",
    ),
    "orphan": RuleWording(
        "未列入索引",
        "没有任何一行指向它，因此没有会话知道它的存在。若没有提供修复，说明索引已放不下它的一行：请先缩短索引。",
        "索引中没有提到它",
        "在索引中添加一行",
    ),
    "unlisted": RuleWording(
        "有意未列入索引",
        "索引缩短过，这一行说明了这一点。这些记忆比列出的更旧；仍可经由搜索、选取和链接找到。",
        "没有任何一行提到的较旧记忆：{count} 条；其中可经由链接到达：{linked} 条",
        "更新这一行",
    ),
    "only-through-link": RuleWording(
        "仅经由另一条记忆可达",
        "读者打开另一条之后才会发现它。这也可能是有意为之。",
        "仅可经由 {hub} 到达",
        "在索引中为它添加一行",
    ),
    "dangling-line": RuleWording(
        "指向不存在文件的行", "读者会去找一个并不存在的文件。", "提到的 {target} 并不存在", "删除这一行"
    ),
    "duplicate-line": RuleWording(
        "同一记忆有多行",
        "它们占用篇幅；其中一行更新后，另一行仍是旧的说法。",
        "{target} 不止一行：第 {first}、{others} 行",
        "只保留一行",
    ),
    "old-version-line": RuleWording(
        "指向旧版本的行",
        "读者会把已被取代的内容当作现行内容。",
        "提到的 {target} 是旧版本",
        "改为指向现行版本",
    ),
    "link-outside": RuleWording(
        "指向目录之外的行", "那里的文件不是记忆：不会在此保存、检查或恢复。", "指向目录之外：{target}"
    ),
    "index-near-limit": RuleWording(
        "索引接近上限",
        "很快最新的条目将不再被加载。请合并或缩短一些条目。",
        "{lines}/{max_lines} 行，{size:,}/{max_size:,} {unit:字节|UTF-16 单元}",
        "把索引缩短为分值最高的条目",
    ),
    "long-line": RuleWording(
        "过长的条目",
        "索引空间紧张。请用不到 200 个字符说明何时打开此记忆，其余内容放到记忆中。",
        "{target} 的条目长 {count} 个字符",
    ),
    "prose-in-index": RuleWording(
        "写在索引中的内容",
        "它们占用条目的位置，而且没有类型、时间和历史。请移到记忆文件中。",
        "索引中有 {lines} 行正文，共 {count} 个字符",
    ),
    # 记忆之间、日期、项目。
    "sync-copy": RuleWording(
        "同步工具留下的副本",
        "读者会把它当作一条记忆。请比较两者，保留新内容，然后将其遗忘。",
        "看起来是 {original} 的副本",
        "把这份完全相同的副本移入回收站",
    ),
    "slug-collision": RuleWording(
        "名称冲突",
        "在 macOS 和 Windows 上它们是同一个文件，其中一个会消失。请重命名其一。",
        "在某些系统上与 {other} 同名",
    ),
    "duplicate": RuleWording(
        "重复的记忆",
        "其中一条更新后，另一条仍是旧的说法。请合并它们。",
        "与 {other} 内容相同（相似度 {percent}%，相近的共 {count} 条）",
    ),
    "same-but-numbers": RuleWording(
        "只有数字或名称不同",
        "往往是写法相同的两件事，有时则是一次更新变成了第二个文件。若是后者请合并，否则请在标题中写明差别。",
        "与 {other} 只有数字或名称不同（相近的共 {count} 条）",
    ),
    "same-title": RuleWording(
        "名称与描述相近",
        "无法在两者之间作出选择。请合并，或在描述中写明差别。",
        "与 {other} 的名称和描述相近（相似度 {percent}%，相近的共 {count} 条）",
    ),
    "dangling-link": RuleWording(
        "指向尚不存在的记忆的链接",
        "可能有待撰写，也可能已被重命名。",
        "没有名为 {target} 的记忆",
        "把链接改为名称几乎相同的那条记忆",
    ),
    "stale": RuleWording(
        "久未查看", "它的排名已与被取代的记忆相当。请标记为仍然有效、更新或遗忘。", "已有 {days} 天无人改动"
    ),
    "future-date": RuleWording(
        "日期在将来",
        "在那一天之前它都算作新的，并排在真正的新记忆之上。头部的日期可改为今天；否则是文件自身的时间有误：请标记为仍然有效。",
        "它的日期在将来（还有 {days} 天）",
        "把日期改为今天",
    ),
    "broken-claim": RuleWording(
        "提到的对象不存在", "项目中（已）没有它。请更新或遗忘此记忆。", "项目中没有 {claim}"
    ),
}
