"""What ``memtui extract`` says to a person, in both languages; see ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class ExtractWords(Sentences):
    """The sentences; a template names its parts, the same in both catalogues."""

    proposed: str
    saved: str
    would: str
    skipped: str
    failed: str
    dropped: str
    refused: str
    nothing: str
    done: str
    done_saved: str
    dry_done: str
    disabled: str
    throttled: str
    main_agent_saved: str


_EN = ExtractWords(
    proposed="proposed {slug}: {description}",
    saved="saved {slug}: {description}",
    would="would propose {slug}: {description}",
    skipped="{transcript}: skipped, {why}",
    failed="{transcript}: {reason}",
    dropped="{transcript}: {reason}. Its note is taken out of the queue",
    refused="{transcript}: the model was refused {names}",
    nothing="transcripts read: {count}. Nothing new to propose",
    done="transcripts read: {count}. New proposals in the inbox: {new}; 'memtui review' shows them",
    done_saved="transcripts read: {count}. Memories saved: {new}; 'memtui undo' takes the last one back",
    dry_done="transcripts read: {count}. Proposals that would be made: {new}. Nothing was written",
    disabled="EXTRACT_MEMORY_ENABLED is not set",
    throttled="too few turns since the last time (EXTRACT_MEMORY_THROTTLE_TURNS)",
    main_agent_saved="the session's own agent has saved a memory",
)

_ZH = ExtractWords(
    proposed="已提议 {slug}：{description}",
    saved="已保存 {slug}：{description}",
    would="将提议 {slug}：{description}",
    skipped="{transcript}：已跳过，{why}",
    failed="{transcript}：{reason}",
    dropped="{transcript}：{reason}。已将它的记录移出队列",
    refused="{transcript}：拒绝了模型调用 {names}",
    nothing="已读 {count} 份会话记录，没有新的提议",
    done="已读 {count} 份会话记录，收件箱中新增 {new} 条提议，用 'memtui review' 查看",
    done_saved="已读 {count} 份会话记录，保存了 {new} 条记忆；'memtui undo' 可撤销最后一条",
    dry_done="已读 {count} 份会话记录，将产生 {new} 条提议；未写入任何内容",
    disabled="未设置 EXTRACT_MEMORY_ENABLED",
    throttled="距上次的轮次太少（EXTRACT_MEMORY_THROTTLE_TURNS）",
    main_agent_saved="会话自己的代理已保存过记忆",
)

_CATALOGUES: dict[Lang, ExtractWords] = {"en": _EN, "zh": _ZH}


def extract_words(lang: Lang) -> ExtractWords:
    """The catalogue of a language."""
    return _CATALOGUES[lang]
