"""The one writer to stdout and stderr: nothing lost in a pipe, nothing raw on a terminal (design §6, reliability §3)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.cli.output import Output, cells, fitted
from memtui.memory.errors import Refused
from memtui.memory.text import visible
from tests.unit.cli_support import Terminal

ANYTHING = st.text(st.characters(exclude_categories=()))


def made(*, tty: bool = False, **environ: str) -> tuple[Output, Terminal, Terminal]:
    out, err = Terminal(tty), Terminal(tty)
    return Output(environ, out, err), out, err


@given(st.dictionaries(ANYTHING, ANYTHING | st.none() | st.lists(ANYTHING)))
def test_json_reads_back_as_it_was_and_is_safe_to_print(value: dict[str, object]) -> None:
    output, out, _ = made()
    output.json(value)
    text = out.text()
    assert json.loads(text) == json.loads(json.dumps(value))
    assert visible(text, keep_newlines=True) == text


@given(st.binary())
def test_exact_hands_every_byte_on_in_a_pipe(data: bytes) -> None:
    output, out, _ = made()
    output.exact(data.decode("utf-8", "surrogateescape"))
    assert out.bytes.getvalue() == data


@given(ANYTHING)
def test_whatever_is_written_to_a_terminal_is_visible(text: str) -> None:
    output, out, err = made(tty=True, NO_COLOR="1", COLUMNS="60")
    output.line(text, "red")
    output.lines(text)
    output.exact(text)
    output.diff(f"--- {text}\n+{text}\n")
    output.table([[(text, "bold"), (text, None)]])
    output.note(text)
    output.error(text)
    for shown in (out.text(), err.text()):
        assert visible(shown, keep_newlines=True, keep_tabs=True) == shown


def test_a_difference_is_visible_in_a_pipe_too_and_no_text_passes_for_another_line_of_it() -> None:
    output, out, _ = made()
    output.diff("--- a\n+++ b\n-x\x1b[31m\u202e\tz\r\n+y\x0b+ z\u2028-w\n")
    assert out.text() == "--- a\n+++ b\n-x␛[31m⇆\tz\n+y␋+ z␤-w\n"
    output.diff("")
    assert out.text().endswith("-w\n")


@given(ANYTHING, st.integers(1, 40))
def test_fitted_takes_no_more_cells_than_it_may(text: str, width: int) -> None:
    short = fitted(visible(text), width)
    assert cells(short) <= width
    assert short == visible(text) or short.endswith("…")


@pytest.mark.parametrize(
    ("text", "count"),
    [("abc", 3), ("中文", 4), ("e\u0301", 1), ("ｆ", 2), ("", 0), ("한글", 4), ("a…", 2)],
)
def test_cells(text: str, count: int) -> None:
    assert cells(text) == count


def test_styles_are_put_on_around_visible_text_only() -> None:
    output, out, _ = made(tty=True, TERM="xterm")
    output.line("\x1b[31mred", "green")
    assert out.text() == "\x1b[32m␛[31mred\x1b[0m\n"
    output, out, _ = made(tty=True, TERM="xterm")
    output.diff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n")
    assert out.text().splitlines() == [
        "\x1b[1m--- a\x1b[0m",
        "\x1b[1m+++ b\x1b[0m",
        "\x1b[36m@@ -1 +1 @@\x1b[0m",
        "\x1b[31m-x\x1b[0m",
        "\x1b[32m+y\x1b[0m",
        " z",
    ]


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_styles_where_they_are_not_wanted(environ: dict[str, str]) -> None:
    output, out, _ = made(tty=True, **environ)
    output.line("x", "red")
    assert out.text() == "x\n"


def test_an_empty_no_color_does_not_count() -> None:
    assert made(tty=True, NO_COLOR="", TERM="xterm")[0].color


def test_a_row_is_cut_to_the_terminal_and_whole_in_a_pipe() -> None:
    row = [[("slug", None), ("说" * 60, None)]]
    output, out, _ = made(tty=True, COLUMNS="40", NO_COLOR="1")
    output.table(row)
    assert cells(out.text().rstrip("\n")) <= 40
    output, out, _ = made(COLUMNS="40")
    output.table(row)
    assert out.text() == "slug  " + "说" * 60 + "\n"


def test_one_long_cell_moves_its_own_row_only() -> None:
    rows = [[("a" * 100, None), ("x", None)], [("b", None), ("y", None)]]
    output, out, _ = made()
    output.table(rows)
    long, short = out.text().splitlines()
    assert long == "a" * 100 + "  x"
    assert short == "b" + " " * 39 + "  y"
    output, out, _ = made(tty=True, COLUMNS="80", NO_COLOR="1")
    output.table(rows)
    assert out.text().splitlines() == ["a" * 39 + "…  x", short]


def test_an_empty_table_is_nothing() -> None:
    output, out, _ = made()
    output.table([])
    assert out.text() == ""


def test_a_stream_that_cannot_be_written_is_a_sentence() -> None:
    class Full(Terminal):
        def flush(self) -> None:
            raise OSError(28, "No space left on device")

    output = Output({}, Full(False), Terminal(False))
    with pytest.raises(Refused, match="stdout: the output could not be written: No space left on device"):
        output.flush()
