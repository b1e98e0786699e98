"""The word lists behind ``claim_text``, ``claims`` and ``project_index``: what is an ending, what is said of things that are not there, what is defined elsewhere."""

from __future__ import annotations

import builtins
import re

from memtui.memory.lazy import lazy_pattern


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SOURCE_ENDINGS = _words(
    "py pyi pyx js jsx mjs cjs ts tsx mts cts vue svelte rs go java kt kts scala groovy swift m mm c cc cpp cxx h hh hpp cs"
    " fs vb rb php pl pm lua r jl dart ex exs erl hrl hs ml mli clj cljs elm nim zig sol sh bash zsh fish ps1 bat sql"
    " graphql gql proto tf hcl css scss sass less html htm jinja j2 tcss",
)
"""Endings of files that hold code: where a symbol or a flag lives."""
_OTHER_ENDINGS = _words(
    "md mdx rst adoc txt toml yaml yml json jsonc json5 ini cfg conf xml svg csv tsv ipynb lock env properties gradle cmake"
    " mk dockerfile plist service jsonl png jpg pdf",
)
KNOWN_ENDINGS = SOURCE_ENDINGS | _OTHER_ENDINGS

# Endings of files that are often not in a checkout: kept private, generated, or locked per machine.
PRIVATE_ENDINGS = _words("env lock log csv tsv png jpg pdf jsonl")
# Folders whose content is often generated.
GENERATED_FOLDERS = _words(
    "dist build target out output outputs results artifacts coverage htmlcov tmp temp logs log data cache bin obj public .cache"
    " .claude .vscode .idea .venv venv node_modules __pycache__ site-packages .git .memtui",
)
# Pairs of words that only look like paths, and the first halves of MIME types.
NOT_PATHS = _words(
    "and/or or/and either/or he/she his/her read/write write/read input/output yes/no true/false on/off client/server tcp/ip ci/cd"
    " n/a i/o a/b w/o km/h 24/7 before/after request/response key/value success/failure open/closed",
)
MIME_TYPES = _words("application text image audio video font multipart message model")

# Said of something that is gone, is yet to come, must not be used, is only an example, or lies elsewhere.
NOT_HERE = lazy_pattern(
    r"\b(?:remov|delet|dropp?(?:ed|s)?\b|renam|mov(?:ed|es?|ing)\b|replac|deprecat|retir|obsolet|supersed|former|previous|legacy"
    r"|migrat|instead|rather than|no longer|used to\b|not any ?more|gone\b|was\b|were\b|old\b|never\b|not?\b|none\b|yet\b|n't\b|n’t\b|avoid|without|forbid|ban(?:ned)?\b"
    r"|will\b|plan(?:s|ned|ning)?\b|todo\b|would\b|could\b|propos|creat|new\b|add(?:s|ed|ing)?\b|introduc|generat|writes?\b|writing|outputs?\b|produc"
    r"|missing|absent|lack|unless|e\.g|examples?\b|for instance|such as|like\b|content of|contents of|contains?\b|named\b|called\b|upstream|downstream"
    r"|other\b|another\b|repo\b|repos\b|repository|repositories|submodule|machine|laptop|home directory|locally|install|plugin"
    r"|workstation|bastion|ssh\b|scp\b|rsync\b|hosts?\b|computer|desktop|raspberry|nas\b|vms?\b"
    r"|(?:on|from|to)\s+(?:the\s+|our\s+|a\s+|an\s+|each\s+|every\s+|all\s+|\w+[’']s\s+)?(?:[\w-]+\s+){0,2}"
    r"(?:servers?|box(?:es)?|instances?|pc|mac|nodes?|clusters?|devices?|runners?|containers?)\b"
    r"|(?:on|from)\s+(?:prod|production|staging|ci)\b)"
    r"|删|移除|移到|改名|重命名|更名|换成|替换|取代|废弃|弃用|过时|不再|没有|曾|以前|之前|原来|旧|不要|不能|不会|不用|禁止|避免|切勿|将|计划|打算|待|如果|若"
    r"|新建|新增|创建|添加|生成|输出|例如|比如|譬如|类似|仓库|服务器|电脑|主机|机器|笔记本|设备|节点|集群|容器|机房|跳板|线上|生产环境|预发|本机|本地|安装|缺|上游|另一|其他|名为|叫做",
    re.IGNORECASE,
)
# Where one sentence ends and what is said of its things ends with it.
SENTENCE_END = lazy_pattern(
    # One class first, so that `re` skips what ends nothing.
    r"[.!?;。！？；\s](?:(?<=[。！？；\n])|(?<=[.!?;])(?=\s)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bcf.)(?<!\betc.)|(?<=\s)[—–-]\s|(?<=[|]\s))"
)
# The start of a line in an indented block.
INDENTED = lazy_pattern(r"(?:^|(?<=\n))(?: {4}|\t)")
# File names that are said of any project, or that only stand for one.
COMMON_NAMES = lazy_pattern(
    r"__\w+__\.py|(?:setup|main|app|conftest|manage|wsgi|asgi|index|lib|mod|utils?|helpers?|config|settings|models?|views|module|script|hello"
    r"|server|client|sample\w*|example\w*|foo\w*|bar\w*|my_?\w*|a|b|x|file\d*|test|tests|test_(?:mod|file|foo|something|module|x))\.\w+",
    re.IGNORECASE,
)
# File names that only stand for one wherever they are said to lie.
PLACEHOLDER_NAMES = lazy_pattern(
    r"(?:foo\w*|bar|baz|[abxyz]|my_\w+|some_?\w*|your_?\w*|example\w*|test_(?:[abxyz]|foo|bar|mod|file|something|module|name|it))\.\w+",
    re.IGNORECASE,
)
# Words that say that a name is code of this project.
CUE = lazy_pattern(
    r"\b(?:function|method|class|helper|fixture|constant|variable|module|decorator|macro|struct|enum|trait|interface|routine|handler|wrapper|attribute|property|subclass)"
    r"|函数|方法|类|常量|变量|模块|装饰器|宏|结构体|枚举|接口|夹具|属性",
    re.IGNORECASE,
)
# Words that say that an option is meant, not only used in passing.
FLAG_CUE = lazy_pattern(
    r"\b(?:flags?|options?|switch(?:es)?|arguments?)\b|标志|选项|参数|开关", re.IGNORECASE
)
# Programs whose options are not defined in a project.
PROGRAM = lazy_pattern(
    r"\b(?:git|gh|npm|npx|pnpm|yarn|bun|deno|node|pip|pipx|uvx?|poetry|conda|tox|nox|pytest|ruff|mypy|black|eslint|prettier|tsc|vite|webpack"
    r"|jest|vitest|playwright|cargo|rustc|rustup|go|gofmt|mvn|gradle|docker|podman|compose|kubectl|helm|terraform|aws|gcloud|az|heroku|vercel"
    r"|curl|wget|ssh|scp|rsync|tar|make|cmake|bazel|brew|apt|apt-get|dnf|systemctl|journalctl|psql|mysql|sqlite3|redis-cli|sed|awk|grep|rg"
    r"|find|ls|claude|codex|ffmpeg|python3?|ruby|bundle|rails|gem|php|composer|java|javac|dotnet|swift|xcodebuild|alembic|django-admin|celery"
    r"|gunicorn|uvicorn|sphinx-build|mkdocs|hatch|twine|pre-commit|coverage|perl|strace|gdb|valgrind|nvidia-smi|srun|sbatch|torchrun)\b",
)
COMMON_FLAGS = _words(
    "--help --version --verbose --quiet --force --dry-run --all --yes --no-verify --amend --debug --watch --json --color --no-color --no-cache"
    " --rebase --squash --ff-only --no-ff --force-with-lease --hard --soft --staged --cached --global --save-dev --frozen-lockfile --release"
    " --locked --workspace --recursive --follow --detach --rm --build --no-deps --editable --upgrade --user --fix --check --strict --cov --lf"
    " --max-old-space-size --inspect --bail --runinband --coverage --headless --port --host --config --output --input --silent",
)
ANYWHERE = frozenset(dir(builtins)) | _words(
    "main malloc calloc realloc free printf fprintf sprintf memcpy memset strlen sizeof assert exit abort fork exec select poll epoll"
    " setTimeout setInterval clearTimeout clearInterval fetch require parseInt parseFloat alert then catch finally panic unwrap expect"
    " println eprintln vec make append len cap new delete useState useEffect useMemo useCallback useRef useContext describe it test"
    " expect beforeEach afterEach console now count sum avg coalesce concat replace substring date_trunc row_number",
)
LIBRARIES = _words(
    "node.js next.js vue.js nuxt.js react.js three.js d3.js express.js chart.js nest.js ember.js backbone.js asp.net",
)


def ending_of(path: str) -> str:
    """The ending of a path's last part, lower case and without its dot; empty for ``Makefile`` and ``.env``."""
    stem, dot, ending = path.rstrip("/").rpartition("/")[2].rpartition(".")
    return ending.lower() if dot and stem.strip(".") else ""
