"""The commands about the directory as a whole: ``check`` and ``index``. What they change they show first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import click

from memtui.cli.complete import complete_rule
from memtui.cli.options import directory_options, json_option, pass_session, project_option, share_option
from memtui.cli.output import Style
from memtui.cli.session import Session
from memtui.cli.shapes import finding_json, fixing_json, index_json, loaded_json, rebuilt_json, rule_json
from memtui.cli.wording import CliWording, counted
from memtui.memory.checks.findings import RULES, Checker, Finding, rule_wording
from memtui.memory.conventions import INDEX_NAME
from memtui.memory.directory.scan import Directory
from memtui.memory.errors import Refused, UsageError
from memtui.memory.index.entrypoint import IndexReport, load_entrypoint, report
from memtui.memory.index.tally import fix_sentences, tally, unheard_sentence
from memtui.memory.managing.manager import MemoryManager
from memtui.memory.saving.records import Edit
from memtui.memory.types import Severity
from memtui.memory.versions.history import unified_diff
from memtui.memory.wording.saying import Say
from memtui.memory.wording.units import unit_word

_STYLES: dict[Severity, Style] = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}

_MOST_NAMED = 5
"""Memories that a finding about many names where nobody asked for it; of more only how many (ours)."""

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
@share_option
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
        _list_rules(session, as_json=as_json)
        return 0
    for rule in (*rules, *([fix_rule] if fix_rule else [])):
        _known_rule(rule)
    manager = session.manager()
    findings = _findings(session, manager)
    if fix_rule:
        mendable = [finding for finding in findings if finding.rule == fix_rule]
        return _fix(session, manager, fix_rule, mendable, yes=yes, as_json=as_json)
    found = [finding for finding in findings if not rules or finding.rule in rules]
    if as_json:
        session.out.json([finding_json(finding) for finding in found])
    else:
        _print(session, found, names=bool(rules))
    if fail_on == "never":
        return 0
    worst = Severity[fail_on.upper()].value
    return int(any(finding.severity.value <= worst for finding in found))


def _findings(session: Session, manager: MemoryManager) -> tuple[Finding, ...]:
    checker = Checker(
        manager.directory,
        project_root=manager.project_root,
        clock=session.world.clock,
        lang=manager.lang,
        allowed=manager.allowed_secrets,
    )
    return checker.update(None)


def _known_rule(rule: str) -> None:
    if rule not in RULES:
        import difflib  # noqa: PLC0415  -- only on the way to an error

        near = difflib.get_close_matches(rule, RULES, n=1)
        todo = Say("Did you mean {near!r}?", near=near[0]) if near else "'memtui check --rules' lists them"
        raise UsageError(Say("there is no rule {rule!r}", rule=rule), todo=todo)


def _place(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path


def _print(session: Session, findings: Sequence[Finding], *, names: bool) -> None:
    """The findings, a line each; ``names`` asks for all memories of one that is about many."""
    out, say = session.out, session.words()
    for finding in findings:
        name = finding.severity.name.lower()
        out.line(f"{_place(finding)}: {name}: {finding.message} [{finding.rule}]", _STYLES[finding.severity])
        if finding.names:
            named = finding.names if names else finding.names[:_MOST_NAMED]
            rest = len(finding.names) - len(named)
            more = say.more_named.format(rest=rest, rule=finding.rule) if rest else ""
            out.line(f"  {say.list_separator.join(named)}{more}", "dim")
    if not findings:
        out.note(say.nothing_found)
        return
    total = _totals(Counter(finding.severity for finding in findings), say)
    rules = say.list_separator.join(dict.fromkeys(finding.rule for finding in findings if finding.fix))
    out.note(say.mends.format(total=total, rules=rules) if rules else total)


def _totals(counts: Counter[Severity], say: CliWording) -> str:
    templates = {
        Severity.ERROR: (say.errors_one, say.errors),
        Severity.WARNING: (say.warnings_one, say.warnings),
        Severity.NOTE: (say.notes_one, say.notes),
    }
    return say.list_separator.join(
        counted(counts[severity], *templates[severity]).format(count=counts[severity])
        for severity in Severity
    )


def _fix(
    session: Session,
    manager: MemoryManager,
    rule: str,
    findings: Sequence[Finding],
    *,
    yes: bool,
    as_json: bool,
) -> int:
    """Show the change that mends the findings, ask, make it: one change, which one undo takes back."""
    out, say = session.out, session.words()
    fixable = [finding for finding in findings if finding.fix]
    fixes = [finding.fix for finding in fixable if finding.fix]
    shown = manager.planned(fixes)
    diff = edits_diff(shown)
    change = None
    if not shown:
        out.note(say.nothing_to_mend)
    else:
        for finding, fix in zip(fixable, fixes, strict=True):
            out.note(f"{_place(finding)}: {fix.label}")
    unit, rest = manager.directory.convention.unit, len(findings) - len(fixable)
    for sentence in fix_sentences(rule, shown, unit, session.lang(), rest=rest):
        out.note(sentence)
    if shown:
        show_diff(session, diff, as_json=as_json)
        question = counted(len(fixes), say.ask_changes_one, say.ask_changes).format(count=len(fixes))
        if agreed(session, question, yes=yes):
            change = manager.apply_all(fixes, shown=shown)
    if as_json:
        out.json(fixing_json(rule, fixable if shown else (), diff, change))
    elif change is not None:
        for finding, fix in zip(fixable, fixes, strict=True):
            out.line(say.mended.format(place=_place(finding), label=fix.label))
        out.note(say.undo_takes_back)
    return 0


def show_diff(session: Session, diff: str, *, as_json: bool) -> None:
    """What would change, before the question; where stdout is for the answer's JSON, beside it."""
    if as_json:
        session.out.note(diff.rstrip("\n"))
    else:
        session.out.diff(diff)


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
    session.out.note(session.words().nothing_changed)
    return False


def _list_rules(session: Session, *, as_json: bool) -> None:
    lang = session.own_lang()
    if as_json:
        session.out.json(
            [rule_json(name, rule.severity, rule_wording(name, lang)) for name, rule in RULES.items()]
        )
        return
    rows = [
        [
            (rule.severity.name.lower(), _STYLES[rule.severity]),
            (name, None),
            (rule_wording(name, lang).title, None),
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
        return _rebuild(session, yes=yes, as_json=as_json)
    directory, out = session.read(), session.out
    _refuse_unreadable(directory)
    if loaded:
        read = load_entrypoint(directory.index_text, directory.convention.unit, lang=session.lang())
        if as_json:
            out.json(loaded_json(read))
        else:
            out.exact(read.text)
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
        raise Refused(directory.index_problem.message, where=str(directory.root / INDEX_NAME))


def _print_report(session: Session, state: IndexReport) -> None:
    out, say = session.out, session.words()
    if not state.exists:
        out.line(say.no_index.format(name=INDEX_NAME))
        return
    unit = unit_word(state.unit, session.lang())
    over: Style | None = "red" if state.bound else "yellow" if state.near else None
    lines = say.index_lines.format(count=f"{state.lines:,}", most=f"{state.max_lines:,}")
    size = say.index_size.format(count=f"{state.size:,}", most=f"{state.max_size:,}", unit=unit)
    out.line(lines, over if state.bound != "size" else None)
    out.line(size, over if state.bound != "lines" else None)
    out.line(say.index_entries.format(count=f"{state.entries:,}"))
    if state.not_loaded:
        lost = len(state.not_loaded)
        out.line(counted(lost, say.not_loaded_one, say.not_loaded).format(count=lost), "red")
        for rel in state.not_loaded:
            out.line(f"  {rel}")
    elif state.bound:
        out.line(say.end_not_loaded, "red")


def _rebuild(session: Session, *, yes: bool, as_json: bool) -> int:
    manager, out, say = session.manager(), session.out, session.words()
    _refuse_unreadable(manager.directory)
    before, after = manager.rebuilt_index()
    diff = unified_diff(before, after, old_name=INDEX_NAME, new_name=INDEX_NAME)
    change = None
    if before == after:
        out.note(say.rebuild_nothing)
    else:
        show_diff(session, diff, as_json=as_json)
        made = tally(before, after, manager.directory.convention.unit)
        if unheard := unheard_sentence(made, session.lang()):
            out.note(unheard)
        if agreed(session, say.ask_rebuild, yes=yes):
            change = manager.rebuild_index()
    if as_json:
        out.json(rebuilt_json(diff, change))
    elif change is not None:
        out.line(say.rebuilt)
    return 0
