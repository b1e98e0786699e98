"""Spec §10: what a memory names is pulled out and looked up, and a ✗ is only said when it is sure."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.memory.checks.claims import Budget, ProjectIndex, extract_claims, verify_claims


def named(content: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.text) for claim in extract_claims(content)]


def firm(content: str) -> list[bool]:
    return [claim.firm for claim in extract_claims(content)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    files = {
        "src/shop/cart.py": "class Cart:\n    def add_item(self): ...\n    def flush(self): ...\nMAX_ITEMS = 3\n",
        "src/shop/cli.py": "parser.add_argument('--use-real-db')\n@click.option('dry-stock')\n",
        "src/web/Button.tsx": "export const Button = () => null\n",
        "tests/db/conftest.py": "def use_slow_disk(): ...\n",
        "docs/guide.md": "Call `only_in_docs()`.\n",
        ".github/workflows/ci.yml": "on: push\n",
        ".gitignore": "generated/\n*.secret.py\n",
        "node_modules/lib/index.js": "function hiddenAway() {}\n",
    }
    for rel, text in files.items():
        path = root / rel
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def verdicts(project: Path | ProjectIndex, content: str) -> list[bool | None]:
    return [verdict.found for verdict in verify_claims(extract_claims(content), project)]


# --- extraction


@pytest.mark.parametrize(
    ("content", "claims"),
    [
        ("see `tests/db/conftest.py`", [("path", "tests/db/conftest.py")]),
        ("see tests/db/conftest.py.", [("path", "tests/db/conftest.py")]),
        ("at `src/x.rs:42` and src/y.rs:42:7", [("path", "src/x.rs:42"), ("path", "src/y.rs:42:7")]),
        ("`tests/a.py::TestX::test_y`", [("path", "tests/a.py::TestX::test_y")]),
        ("`~/x/y.py`, /etc/app/z.conf", [("path", "~/x/y.py"), ("path", "/etc/app/z.conf")]),
        ("`src\\app\\main.py`", [("path", "src\\app\\main.py")]),
        ("在`src/工具/主.py`和 src/main.py。", [("path", "src/工具/主.py"), ("path", "src/main.py")]),
        ("用例在tests/db/a.py里，用--fast-db标志", [("path", "tests/db/a.py"), ("flag", "--fast-db")]),
        ("**src/a.py**, (src/b.py), [src/c.py]", [("path", f"src/{n}.py") for n in "abc"]),
        ("`conftest.py` `tests/` `./run`", [("path", "conftest.py"), ("path", "tests/"), ("path", "./run")]),
        ("``flush()`` `Foo.bar` `a_b`", [("symbol", "flush()"), ("symbol", "Foo.bar"), ("symbol", "a_b")]),
        ("`Foo::bar()` `flush(force=True)`", [("symbol", "Foo::bar()"), ("symbol", "flush")]),
        ("`MemoryManager` `useThing`", [("symbol", "MemoryManager"), ("symbol", "useThing")]),
        ("flag `--use-real-db`, or --fast=1", [("flag", "--use-real-db"), ("flag", "--fast")]),
        ("`pytest tests/db -q --lf`", [("path", "tests/db"), ("flag", "--lf")]),
        ("`src/**/*.py`", [("path", "src/**/*.py")]),
    ],
)
def test_spec_10_paths_symbols_and_flags_are_found(content: str, claims: list[tuple[str, str]]) -> None:
    assert named(content) == claims


@pytest.mark.parametrize(
    "content",
    [
        "https://example.com/a/b.py and `https://x.dev/c.py`",
        "github.com/a/b.go and `github.com/a/b`",
        "[guide](docs/guide.md) and [[wiki/page.md]]",
        "and/or, read/write, `and/or`, `read/write`, 24/7, I/O",
        "on 2026/03/05, `2026/03/05`, `1.2/3`",
        "`application/json`, `text/html`",
        "`<slug>.md`, `path/to/file.py`, `{name}/x.py`, `$HOME/x.py`",
        "mail ada@example.org/x.py, `@scope/package`",
        "flush() and Foo.bar and snake_case in prose",
        "`Node.js`, `user.name`, `db.internal`, `word`, `a b`, `42`, `v1.2`",
        "an em—dash, a --- rule, -x, `-v`",
        "<!-- src/old.py -->",
        "src/api/handlers in prose",
        "",
    ],
)
def test_spec_10_what_only_looks_like_a_claim_is_none(content: str) -> None:
    assert named(content) == []


@given(st.text(st.sampled_from("ab./\\:`~-_ \n()<>[]*#A0中，。|!@$\"'\t")) | st.text())
def test_any_claim_is_a_slice_of_its_text_in_order(content: str) -> None:
    claims = extract_claims(content)
    assert all(content[c.start : c.end] == c.text != "" for c in claims)
    assert [c.start for c in claims] == sorted(c.start for c in claims)


_PIECES = [
    "`",
    "``",
    "```\n",
    "~~~\n",
    "/",
    "--",
    "--flag-x",
    "e.g. ",
    "[[a]]",
    "@",
    "](a/b.md)",
    "http://a.b/c.py",
    "src/a.py",
]
_PIECES += [
    "在src/a.py里",
    " ",
    "\n",
    "    ",
    " — ",
    "|",
    "。",
    "; ",
    "etc. ",
    "removed",
    "a.b()",
    "foo_bar",
    "::x",
    "#L3",
    ":12",
]


@given(st.lists(st.sampled_from([*_PIECES, "function", "flag", "\t", "<!--", "\\", "."])).map("".join))
def test_what_is_not_looked_for_is_not_there(content: str) -> None:
    # Patterns are spared a text without their signs; behind such signs, which name nothing, every one of them is tried.
    whole = f"{content}\n\n://@](mailto:\n[[\n-- / .\n~~~\n"
    assert extract_claims(whole) == extract_claims(f"{content}\n\n")  # a fence opens with the end of its line


@pytest.mark.parametrize(
    "content",
    [
        "We removed `src/shop/old.py`.",
        "`src/shop/old.py` was renamed.",
        "Create `src/shop/next.py` for it.",
        "Never call `gone_for_good()`.",
        "In the billing repo, `src/pay.py` does it.",
        "e.g. `src/shop/x.py`",
        "已删除 `src/shop/old.py`",
        "不要调用 `gone_for_good()`",
        "计划新建 `src/shop/next.py`",
        "    src/shop/x.py in an indented block",
        "```sh\ncat src/shop/x.py\n```",
        "run `git push --force-thing`, a flag",
        "`SOME_VARIABLE` is a constant",
        "`print()` and `field_name`",
    ],
)
def test_what_is_not_said_to_be_here_is_not_firm(content: str) -> None:
    assert set(firm(content)) == {False}


def test_one_sentence_does_not_soften_the_next() -> None:
    assert firm("We removed `src/a.py`. Tests live in `tests/b.py`") == [False, True]
    assert firm("已删除 `src/a.py`。测试在 `tests/b.py`") == [False, True]


@pytest.mark.parametrize(
    "piece", ["`a", "a.", "a/", "[[", "<!--", "```\n", "a@", "\\a", "`a_b` ", "--a-b ", "A.b::", "]("]
)
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    # Each of these took minutes before its pattern was bounded; the suite's time limit is what would tell.
    content = piece * (400_000 // len(piece))
    assert all(content[c.start : c.end] == c.text for c in extract_claims(content))


@pytest.mark.parametrize("name", ["main.py", "tests/run.sh", "json.c", "src/main.rs", "n.py"])
def test_a_stem_that_ends_in_n_is_no_placeholder(name: str) -> None:
    assert named(f"`{name}`") == [("path", name)]


def test_a_name_says_nothing_of_what_is_done_with_it() -> None:
    assert firm("`tests/missing.py`, tests/removed.py, `remove_item()`") == [True, True, True]


# --- verification


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("`tests/db/conftest.py`", True),
        ("`tests/db/conftest.py:12`", True),
        ("`conftest.py`", True),
        ("`db/conftest.py`", True),
        ("`shop/src/shop/cart.py`", True),  # said from the folder above
        ("`src/web/Button`", True),
        ("`tests/` and `tests/db`", True),
        ("`node_modules/lib/index.js`", True),
        ("`.github/workflows/ci.yml`", True),
        ("`src\\shop\\cart.py`", True),
        ("`tests/db/missing.py`", False),
        ("`src/shop/cart.ts`", False),
        ("`tests/gone/`", False),
        ("`tests/../src/none.py`", False),
        ("`lost_module.py`", False),
        ("`.github/workflows/release.yml`", False),
        ("`elsewhere/x.py`", None),  # no such folder: perhaps no such project
        ("`src/shop`, `feature/branch`", None),
        ("`../other/x.py`", None),
        ("`~/x/y.py`", None),
        ("`/etc/hosts.py`", None),
        ("`src/**/*.py`", None),
        ("`SRC/shop/Cart.py`", None),  # the same name where case does not count
        ("`generated/x.py`, `src/a.secret.py`", None),
        ("`src/build/x.py`, `tests/app.log`", None),
        ("`lost.json`, `main.py`, `README.md`", None),
    ],
)
def test_spec_10_paths(project: Path, content: str, found: bool | None) -> None:
    expected = {found} if "feature" not in content else {True, None}
    assert set(verdicts(project, content)) == expected


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("`add_item()` `Cart.flush` `Cart.flush()` `self.flush()` `MAX_ITEMS` `Cart`s", True),
        ("`remove_item()`", False),
        ("`Cart.checkout()`", False),
        ("the function `take_stock`", False),
        ("函数 `take_stock`", False),
        ("`take_stock`", None),  # a setting of something, perhaps
        ("`Stranger.checkout()`", None),
        ("`only_in_docs()`", None),
        ("`setTimeout()` `NO_SUCH_THING`", None),
        ("flag `--use-real-db` and the option `--use-slow-disk`", True),
        ("flag `--use-fake-db`", False),
        ("标志 `--use-fake-db`", False),
        ("`--use-fake-db`", None),
        ("the pytest flag `--use-fake-db`", None),
        ("the flag `--no-use-real-db`, the flag `--flush`", None),
    ],
)
def test_spec_10_symbols_and_flags(project: Path, content: str, found: bool | None) -> None:
    assert set(verdicts(project, content)) == {found}


def test_verdicts_come_in_the_order_of_the_claims(project: Path) -> None:
    claims = extract_claims("`tests/db/conftest.py`, flag `--use-fake-db`, `tests/db/missing.py`")
    assert [(v.claim.text, v.found) for v in verify_claims(claims[::-1], project)] == [
        ("tests/db/missing.py", False),
        ("--use-fake-db", False),
        ("tests/db/conftest.py", True),
    ]


def test_a_name_in_an_unread_folder_proves_nothing_but_is_not_looked_for(project: Path) -> None:
    assert verdicts(project, "`hiddenAway()`") == [False]


def test_an_absolute_path_below_the_root_counts(project: Path) -> None:
    assert verdicts(project, f"`{project}/src/shop/cart.py` `{project}/src/shop/nope.py`") == [True, False]


def test_links_are_never_followed_out_of_the_root(project: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret_thing.py").write_text("def secret_thing(): ...\n")
    (project / "src/out").symlink_to(outside)
    (project / "src/in").symlink_to(project / "tests")
    (project / "src/alias.py").symlink_to(outside / "secret_thing.py")
    (project / "src/loop").symlink_to("loop")
    index = ProjectIndex(project, clock=time.monotonic)
    assert index.has_path("src/out/secret_thing.py") is None
    assert index.has_path("src/in/db/conftest.py") is True
    assert index.has_path("src/loop/x.py") is None
    assert index.has_word("secret_thing") is False
    assert verdicts(index, "`src/out/missing.py` `src/out/secret_thing.py`") == [None, None]


def test_the_memory_directory_itself_is_no_source(project: Path) -> None:
    memory = project / "memory"
    memory.mkdir()
    (memory / "notes.py").write_text("long_gone_name = 1\n")
    with_it = ProjectIndex(project, clock=time.monotonic)
    without = ProjectIndex(project, clock=time.monotonic, skip=[memory])
    assert (with_it.has_word("long_gone_name"), without.has_word("long_gone_name")) == (True, False)


def test_devices_and_binaries_are_not_read(project: Path) -> None:
    os.mkfifo(project / "src/pipe.py")
    (project / "src/data.py").write_bytes(b"\0\0 binary_word")
    assert ProjectIndex(project, clock=time.monotonic).has_word("binary_word") is False


@pytest.mark.parametrize(
    "budget",
    [Budget(files=1), Budget(total_bytes=10), Budget(file_bytes=10), Budget(seconds=-1.0)],
)
def test_spec_10_a_budget_that_runs_out_makes_unknown_not_missing(project: Path, budget: Budget) -> None:
    claims = extract_claims("`remove_item()`, flag `--use-fake-db`")
    assert [v.found for v in verify_claims(claims, project, budget=budget)] == [None, None]


def test_time_comes_from_the_clock_that_was_passed_in(project: Path) -> None:
    ticks = iter(range(0, 10_000, 10))
    slow = ProjectIndex(project, clock=lambda: float(next(ticks)))
    assert not slow.listed_all
    assert verdicts(slow, "`tests/db/missing.py` `lost_module.py`") == [None, None]
    assert verdicts(slow, "`tests/db/conftest.py`") == [True]  # standing there needs no listing


def test_a_root_that_is_not_there_knows_nothing(tmp_path: Path) -> None:
    assert verdicts(tmp_path / "none", "`src/a.py` `gone_for_good()` flag `--use-fake-db`") == [None] * 3


def test_one_index_reads_a_project_once(project: Path) -> None:
    index = ProjectIndex(project, clock=time.monotonic)
    assert verdicts(index, "`add_item()`") == [True]
    (project / "src/shop/cart.py").unlink()
    assert verdicts(index, "`add_item()` `remove_item()`") == [True, False]


def test_looking_changes_nothing(project: Path) -> None:
    def state() -> list[tuple[str, int, int]]:
        return sorted((str(p), p.lstat().st_mtime_ns, p.lstat().st_size) for p in project.rglob("*"))

    before = state()
    verdicts(project, "`add_item()` `src/x.py` flag `--use-fake-db`")
    assert state() == before


def test_deep_trees_and_odd_names_do_no_harm(project: Path) -> None:
    deep = project
    for _ in range(80):
        deep /= "d"
        deep.mkdir()
    (project / os.fsdecode(b"bad\xff.py")).write_text("odd_word = 1\n")
    index = ProjectIndex(project, clock=time.monotonic)
    assert index.has_word("odd_word") is True
    assert not index.listed_all
    assert verdicts(index, "`src/a\0b.py` `lost_module.py`")[-1] is None


# --- attribute chains and other machines


@pytest.mark.parametrize(
    "text",
    [
        "All requests go through `self.client.post`.",
        "The view calls `cls.objects.get()` and `this.store.dispatch(action)`.",
        "The handler runs `super().save()` and `self.session.headers.update(x)`.",
        "`Cart.objects.filter()` finds them.",  # the project's class, a framework's method
        "`response.raise_for_status()` and `client.messages.create(...)` are used.",
        "`app.call_from_thread()` reaches the screen.",
        "Run one file: `pytest tests/test_x.py -q`.",
        "A module such as that goes to `src/shop/foo.py`.",
        "On Anna's laptop `src/shop/local.py` sets it.",
        "On the build server `src/shop/agent.py` starts jobs.",
        "The host web-1 keeps `src/shop/unit.py`.",
        "所有请求都通过 `self.client.post` 发送。",
        "方法 `this.store.dispatch(x)` 触发更新。",
        "在张伟的电脑上 `src/shop/local.py` 覆盖配置。",
        "生产环境的 `src/shop/local.py` 覆盖配置。",
    ],
)
def test_spec_10_chains_and_other_machines_are_never_called_missing(project: Path, text: str) -> None:
    (project / "src" / "shop" / "app.py").write_text("x = 1\n")
    assert False not in verdicts(project, text)


@pytest.mark.parametrize(
    "text",
    [
        "The method `self.empty_cart()` empties it.",
        "`Cart.remove_item()` takes one out.",
        "The server reads `src/shop/local.py`.",
        "方法 `self.empty_cart()` 清空购物车。",
        "配置在 `src/shop/local.py`。",
    ],
)
def test_spec_10_what_is_the_projects_own_is_called_missing(project: Path, text: str) -> None:
    assert verdicts(project, text) == [False]
