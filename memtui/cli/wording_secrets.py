"""What ``secrets`` says beside its data, in both languages; as in ``wording``."""

from __future__ import annotations

from memtui.memory.types import Lang
from memtui.memory.wording.sentences import Sentences


class SecretsWording(Sentences):
    """The sentences of the scanner and of the list of allowed values."""

    scanned: str
    scanned_one: str
    secrets_found: str
    secrets_found_one: str
    no_secrets: str
    in_name: str
    skipped_file: str
    why_binary: str
    why_large: str
    why_link: str
    why_not_regular: str
    why_git_data: str
    why_unreadable: str
    how_to_allow: str
    allowed: str
    allowed_already: str
    disallowed: str
    none_allowed: str
    list_problem: str
    head_provider: str
    head_rule: str
    head_shape: str
    head_what: str


_EN = SecretsWording(
    scanned="{count} files looked into",
    scanned_one="{count} file looked into",
    secrets_found="{count} secrets",
    secrets_found_one="{count} secret",
    no_secrets="no secrets",
    in_name="name",
    skipped_file="skipped {path}: {why}",
    why_binary="not a text file",
    why_large="larger than {most:,} bytes",
    why_link="a link",
    why_not_regular="not a regular file",
    why_git_data="git's own data",
    why_unreadable="cannot be read ({reason})",
    how_to_allow="what is no secret: memtui secrets allow FINGERPRINT",
    allowed="let through from now on: {fingerprint} ({rule})",
    allowed_already="let through already: {fingerprint}",
    disallowed="no longer let through: {fingerprint}",
    none_allowed="nothing is let through",
    list_problem="{path}: {problem}",
    head_provider="PROVIDER",
    head_rule="RULE",
    head_shape="SHAPE",
    head_what="WHAT IT IS",
)

_ZH = SecretsWording(
    scanned="已检查 {count} 个文件",
    scanned_one="已检查 {count} 个文件",
    secrets_found="{count} 个秘密",
    secrets_found_one="{count} 个秘密",
    no_secrets="没有秘密",
    in_name="文件名",
    skipped_file="跳过 {path}：{why}",
    why_binary="不是文本文件",
    why_large="大于 {most:,} 字节",
    why_link="是链接",
    why_not_regular="不是普通文件",
    why_git_data="git 自身的数据",
    why_unreadable="无法读取（{reason}）",
    how_to_allow="若不是秘密：memtui secrets allow 指纹",
    allowed="今后放行：{fingerprint}（{rule}）",
    allowed_already="早已放行：{fingerprint}",
    disallowed="不再放行：{fingerprint}",
    none_allowed="没有放行任何值",
    list_problem="{path}：{problem}（清单）",
    head_provider="提供者",
    head_rule="规则",
    head_shape="形状",
    head_what="说明（英文）",
)


def secrets_words(lang: Lang) -> SecretsWording:
    """The catalogue of a language."""
    return _ZH if lang == "zh" else _EN
