"""Spec §16: what counts as "said saved" is a statement that it is done; everything near it stays silent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.claude.said_saved import says_saved

CLAIMS = """\
Saved to memory.
Got it — I've saved this to memory so I'll use tabs from now on.
✅ Saved to memory: you prefer tabs over spaces.
I've added that to your project memory.
I have updated my memory with your preference.
Done. I've recorded it in memory for future sessions.
I've created a new memory file `feedback_tabs.md` and linked it from MEMORY.md.
Memory updated.
**Memory saved.** Next time I'll run the tests first.
I've noted this in your auto memory.
Noted, and saved to memory.
I saved two memories about your build setup.
That's now saved to memory.
I’ve committed this to memory.
I've also stored your preference in my persistent memory.
Updated the memory to reflect the new deploy process.
- Saved your testing preference to memory
The memory has been updated.
I've added an entry to MEMORY.md.
I've written the convention to `MEMORY.md` so it persists.
I fixed the bug in the parser. I've also saved the lesson to memory.
已保存到记忆。
好的，我已经把这个偏好记录到记忆中了。
我已将你的偏好保存到记忆里。
已更新记忆：以后使用 pnpm。
好的，已记住。
我已经记住了，以后都用 tab 缩进。
记忆已更新。
已经写入 MEMORY.md。
已為您儲存到記憶。
我已经帮你记下了。
这条规则我已经加入项目记忆。""".splitlines()

NO_CLAIMS = """\
Should I save this to memory?
Saved to memory?
I can save this to memory if you like.
I'll remember that for this session.
I will save this to memory after the tests pass.
I haven't saved anything to memory.
Nothing was saved to memory.
I couldn't save it to memory because the write was refused.
If I saved this to memory, it would be stale next week.
Would you like me to update the memory file?
You already saved this to memory last week.
This was already recorded in memory.
The result is stored in memory until the process exits.
The buffer is allocated and the data is stored in memory.
The parser loads the whole file into memory.
I've loaded the file into memory and parsed it.
I've reduced memory usage by 30%.
I've added a memory leak test.
I updated the memory limit in docker-compose.yml.
I've written the memory allocator tests.
I've added an in-memory cache.
I've stored the tokens in memory rather than on disk.
I added the field to MemoryEntry.
Memory usage updated every second.
Memory is written by the allocator.
From a previously saved memory, I see that you prefer tabs.
According to my memory, the deploy command is `make ship`.
The test asserts that "Saved to memory." is printed.
> Saved to memory.
I created memory.py with the helpers.
I've added tests for the memory module.
I've updated `memory/disk/files.py` to use O_NOFOLLOW.
I've put the memory tests in a separate folder.
I've created the memory store class.
I updated the memory index code to handle emoji.
Updated memory.md parsing to handle CRLF.
I wrote the memory system documentation.
要不要我把它保存到记忆？
我可以把这个保存到记忆。
没有保存到记忆。
已实现记住密码功能。
数据存储在内存中。
已经修复了内存泄漏。
之前已经保存到记忆里了。
我会把它保存到记忆中。""".splitlines()


@pytest.mark.parametrize("text", CLAIMS)
def test_a_statement_that_it_is_saved_is_a_claim(text: str) -> None:
    assert says_saved(text)
    assert says_saved(f"All tests pass now.\n\n{text}\n\nAnything else?")


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_offers_plans_negations_quotations_and_programs_are_no_claims(text: str) -> None:
    assert not says_saved(text)


def test_code_and_citations_are_no_claims() -> None:
    assert not says_saved("It prints:\n\n```\nSaved to memory.\n```\n\nas expected.")
    assert not says_saved('<cc-memory filenames="a.md">I saved to memory that you like tabs.</cc-memory>')
    assert not says_saved("```\nSaved to memory.")


def test_all_the_silent_ones_together_are_silent() -> None:
    assert not says_saved("\n".join(NO_CLAIMS))


@given(st.text(alphabet="Ii 'vesaddtomry.已保存到记忆\n`\"“”>", max_size=400))
def test_any_text_is_judged_in_time(text: str) -> None:
    assert says_saved(text) in (True, False)
