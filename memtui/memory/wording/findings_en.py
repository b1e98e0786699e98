"""English sentences about the index and the findings."""

from __future__ import annotations

from memtui.memory.wording.findings_catalogue import FieldWording, IndexWording, RuleWording

INDEX_EN = IndexWording(
    # In a Claude Code directory these are the client's own words: what is shown must be what is loaded.
    cut="> WARNING: MEMORY.md is {what}. Only part of it was loaded: {where}. Keep index entries to one line under "
    "~200 chars; move detail into topic files.",
    over_lines="{lines} lines (limit: {limit})",
    over_size="{size} (limit: {limit}) — index entries are too long",
    over_both="{lines} lines and {size}",
    cut_tail="{lost} of {total} lines were cut off, starting at line {first}{preview}",
    preview=' ("{line}")',
    cut_head="everything after the first {limit} characters of line 1 was cut off",
    notice="> Older memories not listed here: {n}. Their files are in this folder.",
    notice_pattern=r"> Older memories not listed here: \d+\. Their files are in this folder\.",
)

FIELDS_EN = FieldWording(
    "{message}, in the {field}", {"name": "name", "description": "description", "slug": "file name"}
)

RULES_EN: dict[str, RuleWording] = {
    # One memory by itself.
    "unreadable": RuleWording(
        "Files that cannot be read as memories",
        "No reader can use it as it is. Open it in an editor and repair what the message names; nothing is lost until then.",
        "This file cannot be read as a memory: {problem}",
    ),
    "misread": RuleWording(
        "Files that may be misread",
        "Other programs may read something else here than was meant, or skip the file. Saving the line anew repairs most cases.",
        "Something here may be read other than it was meant: {problem}",
    ),
    "oddity": RuleWording(
        "Unusual files",
        "It is read as it was meant; this is only to know.",
        "Unusual, but read as meant: {problem}",
    ),
    "conflict-markers": RuleWording(
        "Unresolved merge conflicts",
        "A reader gets both sides and the markers. Decide which side holds and take the rest out.",
        "An unresolved merge conflict stands here",
    ),
    "missing-description": RuleWording(
        "No description",
        "The description is what decides whether a memory is looked at. Say in one line what it is good for.",
        "It has no description",
    ),
    "unknown-type": RuleWording(
        "Unknown type",
        "Only user, feedback, project and reference are known; readers treat any other type as none.",
        "Its type is {type}, which is none of the four",
    ),
    "missing-type": RuleWording(
        "No type",
        "The type tells a reader how to use it: user, feedback, project or reference.",
        "It has no type",
    ),
    "too-short": RuleWording(
        "Too short",
        "So few words help nobody later. Add what it is about and why, or forget it.",
        "It holds only {count} {count:character|characters} of text",
    ),
    "transient-state": RuleWording(
        "Passing states",
        "What is going on now will not be true for long. Keep what lasts.",
        "It tells a passing state: {words}",
    ),
    "vague-language": RuleWording(
        "Guesses",
        "A guess is read as a fact later. Find out, or say how sure it is and why.",
        "It guesses: {words}",
    ),
    "code-pattern": RuleWording(
        "Pasted code",
        "Code can be read in the project and goes out of date here. Keep why it is so.",
        "It looks like pasted code: {words}",
    ),
    "relative-date": RuleWording(
        "Relative dates",
        "Nobody will know from which day that counts. Write the date.",
        "A date that depends on the day of writing: {words}",
    ),
    "status-noise": RuleWording(
        "Status of the moment",
        "It was true for an hour. Keep the outcome or the lesson instead.",
        "The status of a moment: {words}",
    ),
    # Text that is not what it looks like.
    "invisible-text": RuleWording(
        "Invisible characters",
        "A model reads what you cannot see here. Look at it in the source view, and take it out unless you put it there.",
        "Characters that do not show ({kind}): {shown}",
    ),
    "reserved-tag": RuleWording(
        "Tags that could break out of the reminder",
        "It is made harmless when the reminder is built. If you did not write it, somebody tried to speak for the system.",
        "A tag that belongs to the system: {shown}",
    ),
    "instruction-shaped": RuleWording(
        "Text that gives orders",
        "A memory informs; this tells the model to set rules aside, hide something, send secrets or allow everything. Check where it came from.",
        "It reads like an order to the model: {words}",
    ),
    "hidden-comment": RuleWording(
        "Long hidden comments",
        "No rendered view shows it, every model reads it. Read it in the source view.",
        "An HTML comment of {count} characters",
    ),
    "secret": RuleWording(
        "Passwords, keys and tokens",
        "What stands in a memory is sent to the model in every session. Take it out, say where it is kept instead, and "
        "have it replaced where it was made.",
        "A secret stands here (rule {kind}, line {line}, fingerprint {fingerprint})",
    ),
    "encoded-block": RuleWording(
        "Encoded blocks",
        "Nobody can see what it says, and it costs room in every prompt.",
        "A block of {count} characters that looks like base64",
    ),
    "blank-run": RuleWording(
        "Long runs of blanks",
        "What follows is out of sight. Look at the end of the file.",
        "A run of {count} blanks, and text behind it",
    ),
    # The index.
    "index-unreadable": RuleWording(
        "Index that cannot be read",
        "Other readers may fail on it as well, and nothing can be said about what it names.",
        "MEMORY.md cannot be read: {problem}",
    ),
    "index-over-limit": RuleWording(
        "Index over its limit",
        "Only the beginning is loaded, and nobody is told what is missing. Shorten or merge entries, or let those with the lowest scores leave: down to 90 % of the limits, so that what is saved next still loads.",
        "{lines} of {max_lines} lines, {size:,} of {max_size:,} {unit:bytes|UTF-16 units}: the end is not loaded (memories named only there: {lost})",
        "Shorten the index to what scores best",
    ),
    "index-conflict-markers": RuleWording(
        "Unresolved merge conflicts in the index",
        "A reader gets both sides and the markers. Decide which lines hold and take the rest out.",
        "An unresolved merge conflict stands in the index",
    ),
    "missing-index": RuleWording(
        "No index",
        "Without MEMORY.md no memory is known at the start of a session.",
        "There is no MEMORY.md; memories without a line: {count}",
        "Write the index",
    ),
    "not-loaded": RuleWording(
        "Behind the cut",
        "The index is over its limit, and this memory is named in the part that is cut off: no session knows of it.",
        "Line {number} of the index, which names it, is not loaded",
    ),
    "orphan": RuleWording(
        "Not in the index",
        "No line leads here, so no session knows of it. Where no fix is offered the index has no room left for its line: shorten the index first.",
        "No line of the index names it",
        "Add its line to the index",
    ),
    "unlisted": RuleWording(
        "Left out of the index on purpose",
        "The index was shortened, and says so in this line. These memories are older than those listed; they are found by search, by selection and through links.",
        "Older memories that no line names: {count}; of these, reached through a link: {linked}",
        "Bring the line up to date",
    ),
    "only-through-link": RuleWording(
        "Reached through another memory only",
        "A reader finds it after opening the other one. That may be meant.",
        "It is reached through {hub} only",
        "Add its own line to the index",
    ),
    "dangling-line": RuleWording(
        "Lines that lead nowhere",
        "A reader is promised a file that is not there.",
        "It names {target}, which is not there",
        "Take the line out",
    ),
    "duplicate-line": RuleWording(
        "Several lines for one memory",
        "They take room, and when one is updated the other goes on saying the old.",
        "{target} has a line of its own more than once: {first}, {others}",
        "Keep one line",
    ),
    "old-version-line": RuleWording(
        "Lines that lead to an old version",
        "A reader takes what was superseded for what holds.",
        "It names {target}, an old version",
        "Point it to the version in force",
    ),
    "link-outside": RuleWording(
        "Lines that lead out of the directory",
        "What is there is no memory: it is not kept, checked or restored here.",
        "It leads out of the directory: {target}",
    ),
    "index-near-limit": RuleWording(
        "Index near its limit",
        "Soon the newest entries will not be loaded. Merge or shorten some.",
        "{lines} of {max_lines} lines, {size:,} of {max_size:,} {unit:bytes|UTF-16 units}",
        "Shorten the index to what scores best",
    ),
    "long-line": RuleWording(
        "Long entries",
        "The index is short of room. Say in under 200 characters when to open the memory; the rest belongs there.",
        "The entry of {target} is {count} characters long",
    ),
    "prose-in-index": RuleWording(
        "Facts kept in the index",
        "They take the place of entries, and have no type, no age and no history. Move them to a memory.",
        "{lines} {lines:line|lines} of prose, {count} {count:character|characters}, {lines:stands|stand} in the index",
    ),
    # Memories among each other, the day, the project.
    "sync-copy": RuleWording(
        "Copies left by a sync tool",
        "Readers take it for a memory. Compare the two, keep what is new, and forget it.",
        "It looks like a copy of {original}",
        "Move this equal copy to the trash",
    ),
    "slug-collision": RuleWording(
        "Names that collide",
        "On macOS and Windows they are one file: one of them disappears there. Rename one.",
        "On some systems its name is the same as {other}",
    ),
    "duplicate": RuleWording(
        "Duplicates",
        "When one is updated the other goes on saying the old. Merge them.",
        "{other} says the same ({percent} % alike; alike in all: {count})",
    ),
    "same-but-numbers": RuleWording(
        "Alike but for numbers or names",
        "Often two facts of one shape, sometimes an update that became a second file. If so, merge them; if not, let the titles say how they differ.",
        "{other} differs in its numbers or names only (alike in all: {count})",
    ),
    "same-title": RuleWording(
        "Alike in name and description",
        "Nobody can choose between them. Merge them, or say in the descriptions how they differ.",
        "{other} has much the same name and description ({percent} % alike; alike in all: {count})",
    ),
    "dangling-link": RuleWording(
        "Links to no memory yet",
        "It may be one to be written, or one that was renamed.",
        "There is no memory called {target}",
        "Lead the link to the memory of nearly that name",
    ),
    "stale": RuleWording(
        "Not looked at for long",
        "It ranks with the superseded ones by now. Mark it still true, update it, or forget it.",
        "Nobody has changed it for {days} {days:day|days}",
    ),
    "future-date": RuleWording(
        "Dated in the future",
        "Until that day it counts as new, and ranks above what is. A date in the header can be set to today's; else the"
        " file's own time is wrong: mark it still true.",
        "Its date lies ahead of today (days: {days})",
        "Set its date to today's",
    ),
    "broken-claim": RuleWording(
        "Names what is not there",
        "The project does not have it (any more). Update the memory, or forget it.",
        "The project has no {claim}",
    ),
}
