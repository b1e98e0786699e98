"""YAML proper, kept on a short leash: events under a budget, nothing obeyed, every scalar a string (reliability §3).

Imported only by functions that need it: it pulls in PyYAML and python-frontmatter.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

import yaml
from frontmatter.default_handlers import YAMLHandler

from memtui.memory.document.yamltext import MAX_HEADER_BYTES, MAX_SCALAR_CHARS, FrontmatterError
from memtui.memory.wording.saying import Say, plain

MAX_EVENTS: Final = 2_000
MAX_DEPTH: Final = 20

Tree: TypeAlias = "str | list[Tree] | dict[str, Tree]"

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# All that PyYAML's scanner and resolver have been seen to raise on hostile text.
_FAULTS = (yaml.YAMLError, RecursionError, ValueError, KeyError, AttributeError, IndexError, TypeError)


class HeaderHandler(YAMLHandler):
    """A python-frontmatter handler that reads a header strictly and writes nothing.

    ``frontmatter.parse(text, handler=HeaderHandler())`` works with it; python-frontmatter's own writer is lossy, so
    ``export`` refuses (edit lines with ``memtui.memory.document.frontmatter.edit``).
    """

    FM_BOUNDARY = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)

    def load(self, fm: str, **_: object) -> dict[str, Tree]:
        """The mapping that a header is, keys and scalars as strings.

        Raises:
            FrontmatterError: it is not YAML, not a mapping, too large, too deep, or holds what is not obeyed: an
                alias, an anchor, a tag, a directive, a key twice.
        """
        tree = load_tree(fm)
        if not isinstance(tree, dict):
            raise FrontmatterError(
                "the header is not a list of 'key: value' lines", code="header-not-mapping"
            )
        return tree

    def export(self, metadata: dict[str, object], **_: object) -> str:
        """Refuse: rewriting a whole header would lose comments, order and style."""
        raise FrontmatterError(
            Say("headers of {count} keys are edited line by line", count=len(metadata)), code="not-written"
        )


def load_tree(text: str) -> Tree:
    """One YAML document as strings, lists and dicts; an empty one is an empty dict.

    Raises:
        FrontmatterError: see ``HeaderHandler.load``.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_HEADER_BYTES:
        raise FrontmatterError(
            Say("the header is larger than {kib} KiB", kib=MAX_HEADER_BYTES // 1024), code="header-too-large"
        )
    # Bytes that are no UTF-8 arrive as surrogates; the caller reports them, here they only must not stop the rest.
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    try:
        loader = _Loader(text)
        try:
            return _build(loader)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise FrontmatterError(_sentence(error.problem), code="invalid-yaml", line=line) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else None
        raise FrontmatterError(
            _sentence(Say("control characters")), code="invalid-yaml", line=line
        ) from error
    except _FAULTS as error:
        raise FrontmatterError(_sentence(type(error).__name__), code="invalid-yaml") from error


def _sentence(reason: str | None) -> Say:
    return Say(
        "the header is not valid YAML ({reason})", reason=plain(reason) if reason else Say("unknown reason")
    )


def _build(loader: Any) -> Tree:  # noqa: ANN401 - PyYAML's loaders share no typed base
    """Walk events to a tree, refusing on the way what must not be obeyed."""
    root: Tree = {}
    stack: list[
        tuple[dict[str, Tree] | list[Tree], str | None]
    ] = []  # open collections, each with its waiting key
    events = documents = 0
    while True:
        event = loader.get_event()
        if event is None:
            return root
        events += 1
        line = event.start_mark.line + 1 if event.start_mark else None
        if events > MAX_EVENTS:
            raise FrontmatterError(
                Say("the header has over {most} parts", most=MAX_EVENTS), code="header-too-large", line=line
            )
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise FrontmatterError(_sentence(Say("a second document")), code="invalid-yaml", line=line)
            if event.version or event.tags:
                raise FrontmatterError(
                    "a YAML directive in the header is not obeyed", code="yaml-directive", line=line
                )
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            done, _ = stack.pop()
            root = _put(stack, done, line)
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise FrontmatterError(
                "a YAML anchor or alias in the header is not obeyed", code="yaml-alias", line=line
            )
        if getattr(event, "tag", None):  # scalars and collections have one
            raise FrontmatterError("a YAML tag in the header is not obeyed", code="yaml-tag", line=line)
        if isinstance(event, yaml.ScalarEvent):
            if len(event.value) > MAX_SCALAR_CHARS:
                raise FrontmatterError(
                    "a value in the header is too long", code="header-too-large", line=line
                )
            root = _put(stack, event.value, line)
            continue
        if stack and isinstance(stack[-1][0], dict) and stack[-1][1] is None:
            raise FrontmatterError(_sentence(Say("a key that is not text")), code="invalid-yaml", line=line)
        stack.append(({} if isinstance(event, yaml.MappingStartEvent) else [], None))
        if len(stack) > MAX_DEPTH:
            raise FrontmatterError(
                Say("the header is nested over {most} deep", most=MAX_DEPTH),
                code="header-too-deep",
                line=line,
            )


def _put(stack: list[tuple[dict[str, Tree] | list[Tree], str | None]], node: Tree, line: int | None) -> Tree:
    """Hang a finished node where it belongs, and give it back: the last one is the root."""
    if stack:
        _hang(stack, node, line)
    return node


def _hang(stack: list[tuple[dict[str, Tree] | list[Tree], str | None]], node: Tree, line: int | None) -> None:
    holder, key = stack[-1]
    if isinstance(holder, list):
        holder.append(node)
    elif key is not None:
        holder[key] = node
        stack[-1] = (holder, None)
    else:
        assert isinstance(node, str)  # noqa: S101  -- a collection where a key stands is refused when it begins
        if node in holder:
            raise FrontmatterError(
                Say("the key {node!r} stands twice in the header", node=node), code="duplicate-key", line=line
            )
        stack[-1] = (holder, node)


def reads_as_text(value: str) -> bool:
    """Whether ``key: value`` means this very text to a strict YAML parser without quotes.

    Args:
        value: one line without control characters.
    """
    try:
        return bool(load_tree(f"k: {value}\n") == {"k": value} and yaml.load(value, _Loader) == value)  # noqa: S506 - a safe loader
    except (FrontmatterError, *_FAULTS):
        return False
