"""The commands about the directory as a whole: ``check`` and ``index``. What they change they show first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import click

from memtui.cli.complete import complete_rule
from memtui.cli.output import Style
from memtui.cli.session import Session, directory_options, json_option, pass_session, project_option
from memtui.cli.shapes import finding_json, index_json
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.errors import Refused, UsageError
from memtui.memory.findings import RULES, Checker, Finding, rule_wording
from memtui.memory.history import unified_diff
from memtui.memory.index import IndexReport, load_entrypoint, report
from memtui.memory.journal import Edit
from memtui.memory.manager import MemoryManager
from memtui.memory.scan import Directory
from memtui.memory.types import Severity

_STYLES: dict[Severity, Style] = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}

yes_option = click.option("-y", "--yes", is_flag=True, help="Do not ask.")


@click.command("check")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "note", "never"]),
    default="warning",
    show_default=True,
    help="Least severe finding that makes the exit code 1.",
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="RULE",
    shell_complete=complete_rule,
    help="Only this rule; may be given more than once.",
)
@click.option(
    "--fix",
    "fix_rule",
    metavar="RULE",
    shell_complete=complete_rule,
    help="Show what would mend the findings of this rule, then ask.",
)
@click.option("--rules", "list_rules", is_flag=True, help="List the rules and leave.")
@yes_option
@json_option
@project_option
@directory_options
@pass_session
def check_command(
    session: Session,
    *,
    fail_on: str,
    rules: tuple[str, ...],
    fix_rule: str | None,
    list_rules: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Look for what is wrong in the directory, the worst first.

    The exit code is 1 if there is a warning or worse, so that it can guard a repository.
    """
    if list_rules:
        _list_rules(session)
        return 0
    for rule in (*rules, *([fix_rule] if fix_rule else [])):
        _known_rule(rule)
    manager = session.manager()
    findings = _findings(session, manager)
    if fix_rule:
        return _fix(session, manager, [finding for finding in findings if finding.rule == fix_rule], yes=yes)
    found = [finding for finding in findings if not rules or finding.rule in rules]
    if as_json:
        session.out.json([finding_json(finding) for finding in found])
    else:
        _print(session, found)
    if fail_on == "never":
        return 0
    worst = Severity[fail_on.upper()].value
    return int(any(finding.severity.value <= worst for finding in found))


def _findings(session: Session, manager: MemoryManager) -> tuple[Finding, ...]:
    checker = Checker(
        manager.directory, project_root=manager.project_root, clock=session.world.clock, lang=manager.lang
    )
    return checker.update(None)


def _known_rule(rule: str) -> None:
    if rule not in RULES:
        import difflib  # noqa: PLC0415  -- only on the way to an error

        near = difflib.get_close_matches(rule, RULES, n=1)
        todo = f"Did you mean {near[0]!r}?" if near else "'memtui check --rules' lists them"
        raise UsageError(f"there is no rule {rule!r}", todo=todo)


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _print(session: Session, findings: Sequence[Finding]) -> None:
    out = session.out
    for finding in findings:
        name = finding.severity.name.lower()
        out.line(f"{_place(finding)}: {name}: {finding.message} [{finding.rule}]", _STYLES[finding.severity])
    counts = Counter(finding.severity for finding in findings)
    total = ", ".join(
        f"{counts[severity]} {severity.name.lower()}{'' if counts[severity] == 1 else 's'}"
        for severity in Severity
    )
    mendable = dict.fromkeys(finding.rule for finding in findings if finding.fix)
    hint = f"; 'memtui check --fix RULE' mends {', '.join(mendable)}" if mendable else ""
    out.note(f"{total}{hint}" if findings else "nothing found")


def _fix(session: Session, manager: MemoryManager, findings: Sequence[Finding], *, yes: bool) -> int:
    """Show the change that mends the findings, ask, make it: one change, which one undo takes back."""
    fixes = [(_place(finding), finding.fix) for finding in findings if finding.fix]
    shown = manager.planned([fix for _, fix in fixes])
    if not shown:
        session.out.note("nothing to mend")
        return 0
    for place, fix in fixes:
        session.out.note(f"{place}: {fix.label}")
    session.out.diff(edits_diff(shown))
    question = "Make this change?" if len(fixes) == 1 else f"Make these {len(fixes)} changes?"
    if not agreed(session, question, yes=yes):
        return 0
    manager.apply_all([fix for _, fix in fixes], shown=shown)
    for place, fix in fixes:
        session.out.line(f"{place}: done: {fix.label}")
    session.out.note("'memtui undo' takes it back")
    return 0


def edits_diff(edits: Iterable[Edit]) -> str:
    """What some edits change, as one unified diff; a removed or new file is compared with nothing."""
    parts = [
        unified_diff(
            (edit.before or b"").decode("utf-8", "surrogateescape"),
            (edit.after or b"").decode("utf-8", "surrogateescape"),
            old_name=edit.rel if edit.before is not None else "/dev/null",
            new_name=edit.rel if edit.after is not None else "/dev/null",
        )
        for edit in edits
    ]
    return "".join(parts)


def agreed(session: Session, question: str, *, yes: bool) -> bool:
    """Whether the person wants what was shown.

    Raises:
        Refused: there is nobody to ask, and ``--yes`` was not given.
    """
    if yes:
        return True
    if not session.stdin_is_tty():
        raise Refused("nothing was changed, for there is nobody to ask", todo="Add --yes to make the change")
    if session.out.ask(question):
        return True
    session.out.note("nothing was changed")
    return False


def _list_rules(session: Session) -> None:
    rows = [
        [
            (rule.severity.name.lower(), _STYLES[rule.severity]),
            (name, None),
            (rule_wording(name, session.lang()).title, None),
        ]
        for name, rule in RULES.items()
    ]
    session.out.table(rows)


@click.command("index")
@click.option("--loaded", is_flag=True, help="Print exactly what a reader gets of it.")
@click.option("--rebuild", is_flag=True, help="Show it written anew from the memories, then ask.")
@yes_option
@json_option
@directory_options
@pass_session
def index_command(session: Session, *, loaded: bool, rebuild: bool, yes: bool, as_json: bool) -> int:
    """Report how full MEMORY.md is and what of it does not load."""
    if loaded and rebuild:
        raise UsageError("--loaded and --rebuild exclude each other", todo="Give one")
    if rebuild:
        return _rebuild(session, yes=yes)
    directory, out = session.read(), session.out
    _refuse_unreadable(directory)
    if loaded:
        out.exact(load_entrypoint(directory.index_text, directory.convention.unit, lang=session.lang()).text)
        return 0
    text = directory.index_text if directory.index_data is not None else None
    state = report(text, directory.convention)
    if as_json:
        out.json(index_json(state))
    else:
        _print_report(session, state)
    return 0


def _refuse_unreadable(directory: Directory) -> None:
    if directory.index_problem is not None:
        raise Refused(directory.index_problem.message.rstrip("."), where=str(directory.root / INDEX_NAME))


def _print_report(session: Session, state: IndexReport) -> None:
    out = session.out
    if not state.exists:
        out.line(f"there is no {INDEX_NAME}")
        return
    unit = "bytes" if state.unit == "bytes" else "UTF-16 units"
    over: Style | None = "red" if state.bound else "yellow" if state.near else None
    out.line(f"lines    {state.lines:,} of {state.max_lines:,}", over if state.bound != "size" else None)
    out.line(
        f"size     {state.size:,} of {state.max_size:,} {unit}", over if state.bound != "lines" else None
    )
    out.line(f"entries  {state.entries:,}")
    if state.not_loaded:
        out.line(f"{len(state.not_loaded)} do not load:", "red")
        for rel in state.not_loaded:
            out.line(f"  {rel}")
    elif state.bound:
        out.line("the end of it does not load", "red")


def _rebuild(session: Session, *, yes: bool) -> int:
    manager, out = session.manager(), session.out
    _refuse_unreadable(manager.directory)
    before, after = manager.rebuilt_index()
    if before == after:
        out.note("the index is as it would be written anew; nothing to do")
        return 0
    out.diff(unified_diff(before, after, old_name=INDEX_NAME, new_name=INDEX_NAME))
    if not agreed(session, "Write this index?", yes=yes):
        return 0
    manager.rebuild_index()
    out.line("the index was written anew; 'memtui undo' brings the old one back")
    return 0
