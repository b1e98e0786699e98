"""Chinese for the errors of the settings, the command line, and memtui's own mishaps."""

from __future__ import annotations

ROWS: dict[str, str] = {
    # 应用本身。
    "the app needs a terminal, to draw on (stderr) and to read keys from (stdin)": (
        "应用需要终端：在 stderr 上绘制，从 stdin 读取按键"
    ),
    "Scripts use commands, such as 'memtui list'; 'memtui --help' names them all": (
        "脚本请使用命令，例如 'memtui list'；'memtui --help' 列出全部命令"
    ),
    # 设置。
    "this is not TOML: {reason}": "这不是 TOML：{reason}",
    "{what} (at line {line}, column {column})": "{what}（第 {line} 行，第 {column} 列）",
    "Correct or remove the file": "请修正或删除此文件",
    "unknown setting {key!r}": "未知的设置 {key!r}",
    "Known settings are {names}": "已知的设置有 {names}",
    "{key} cannot be {value!r}": "{key} 不能是 {value!r}",
    "Use {names}": "请使用 {names}",
    "Use a list of {names}": "请使用由 {names} 组成的列表",
    "Use true or false": "请使用 true 或 false",
    "Use a whole number from 0 to {most}": "请使用 0 到 {most} 的整数",
    "'memtui team resolve' lists it": "用 'memtui team resolve' 列出",
    "'memtui team resolve' lists what does": "用 'memtui team resolve' 列出待决定的",
    "'memtui team status' lists it": "用 'memtui team status' 列出",
    "'memtui team status' lists what arrived": "用 'memtui team status' 列出收到的",
    "'memtui team status' lists what is": "用 'memtui team status' 列出被扣下的",
    "nothing of {name!r} waits": "没有关于 {name!r} 的待接受内容",
    "nothing of {name!r} is held back": "没有关于 {name!r} 的内容被扣下",
    "nothing waits to be decided about {name!r}": "没有关于 {name!r} 的待决定内容",
    "several texts of {name!r} wait": "{name!r} 有几份文本待决定",
    "Name one by its id: {ids}": "请用编号指明一份：{ids}",
    "others changed it again since you saw it": "你看过之后他人又改动了它",
    "others changed it again, or you did": "他人又改动了它，或你自己改动了",
    "Look at it again and choose then": "请再看一次，然后选择",
    "Look at it: 'memtui team show {slug}'": "请查看：'memtui team show {slug}'",
    "--ours, --theirs, --both and --merged exclude each other": "--ours、--theirs、--both 和 --merged 不能同时使用",
    "there is one memory, of which one text can stand": "这里只有一条记忆，只能留下一份文字",
    "this is no text that can take the place of the other": "它不是能取代另一条的文本",
    "that is about other memories": "那是关于其他记忆的",
    "Both stay as they are": "两条都保持不变",
    "yours is no text that can take its place": "你的不是能取代它的文本",
    "It is an old version now": "它现在是旧版本",
    "name what is to be decided": "请指明要决定的是哪一条",
    "name what was declined, or give --all": "请写明拒绝过的内容，或用 --all",
    "nothing of this name was declined": "没有拒绝过这个名称的内容",
    "name what arrived, or give --all": "请指明收到的哪一条，或用 --all",
    "Use a whole number from {least} to {most}": "请使用 {least} 到 {most} 的整数",
    "Use a name in quotes": "请使用带引号的名称",
    "Write a table: [keys], and below it lines like  undo = 'u'": "请写成表：[keys]，其下各行形如  undo = 'u'",
    "For {action!r} use one key in quotes, or a list of keys: \"u\" or ['u', 'ctrl+z']": (
        "{action!r} 请用一个带引号的键，或键的列表：\"u\" 或 ['u', 'ctrl+z']"
    ),
    "{key} is taken from your own configuration file only": "{key} 只取自你自己的配置文件",
    "Move it there, or remove it": "请移到那里，或将其删除",
    "the configuration cannot be read: {reason}": "无法读取配置：{reason}",
    "no such language: {named!r}": "没有这种语言：{named!r}",
    "Use 'zh' or 'en'": "请使用 'zh' 或 'en'",
    # 命令行。
    "as it was": "原来的内容",
    "as it is now": "现在的内容",
    "the name of the directory is empty": "目录名为空",
    "Is a variable not set?": "是否有变量没有设置？",
    "there is no page {topic!r} in the manual": "手册中没有 {topic!r} 这一页",
    "The pages are {names}": "现有页面：{names}",
    "there is no command or directory {word!r}": "没有名为 {word!r} 的命令或目录",
    "'memtui --help' lists the commands": "'memtui --help' 会列出各命令",
    "See '{command} --help'.": "参见 '{command} --help'。",
    "See 'memtui save --help'": "参见 'memtui save --help'",
    "--content, --file or -": "--content、--file 或 -",
    "a new memory needs {names}": "新记忆需要 {names}",
    "there is an old version of that name, and a memory in its place needs {names}": (
        "已有同名的旧版本，要在该处新建记忆需要 {names}"
    ),
    "unexpected argument {source!r}": "多余的参数 {source!r}",
    "Give the text with --content, --file or a final '-'": "请用 --content、--file 或最后的 '-' 给出正文",
    "the text comes from {places}": "正文来自 {places}",
    "Give it once": "请只给出一次",
    "stdin is closed": "标准输入已关闭",
    "Give the text with --content or --file": "请用 --content 或 --file 给出正文",
    "this is not a regular file": "这不是普通文件",
    "there is no such file": "没有此文件",
    "Name a text file, or '-' for stdin": "请指定文本文件，或用 '-' 表示标准输入",
    "could not read the text: {reason}": "无法读取正文：{reason}",
    "the text is longer than {most:,} bytes": "正文超过 {most:,} 字节",
    "the text is not UTF-8 (byte {byte:,})": "正文不是 UTF-8（第 {byte:,} 字节）",
    "Convert it first": "请先转换编码",
    "there is no rule {rule!r}": "没有名为 {rule!r} 的规则",
    "'memtui check --rules' lists them": "'memtui check --rules' 会列出各规则",
    "nothing was changed, for there is nobody to ask": "未作任何改动，因为无人可以确认",
    "Add --yes to make the change": "要改动请加上 --yes",
    "--loaded and --rebuild exclude each other": "--loaded 与 --rebuild 不能同时使用",
    "--raw and --content exclude each other": "--raw 与 --content 不能同时使用",
    "SLUG and --session exclude each other": "SLUG 与 --session 不能同时使用",
    "there is no session {session!r}, or more than one begins so": "没有会话 {session!r}，或有多个会话以此开头",
    "'memtui receipts' lists them": "'memtui receipts' 会列出各会话",
    "Give one": "请只用其中一个",
    "it is closed, so there is nowhere to print to": "它已关闭，无处可以输出",
    "the output could not be written: {reason}": "无法写出输出：{reason}",
    "permission denied, so this directory cannot be read": "没有权限，无法读取此目录",
    "Ask its owner for access, or look at its mode": "请向所有者申请访问，或检查其权限",
    "{what}, not a memory directory": "{what}，不是记忆目录",
    "this is the whole file system": "这是整个文件系统",
    "this is your home": "这是你的主目录",
    "Name the directory itself; one that holds a {name} is always taken": "请指定记忆目录本身；含有 {name} 的目录总会被接受",
    "this project has no memories yet": "此项目还没有记忆",
    "Name a directory with --dir. There are memories in:\n  {other}\n'memtui where' says more. Looked for:{looked}": (
        "请用 --dir 指定目录。以下目录中有记忆：\n  {other}\n'memtui where' 会说明详情。已查找：{looked}"
    ),
    "Name a directory with --dir, or try 'memtui demo'. If the project was renamed or moved, 'memtui adopt' "
    "takes over its old store. Looked for:{looked}": (
        "请用 --dir 指定目录，或试试 'memtui demo'。如果项目改过名或移动过，'memtui adopt' 可接管它原来的记忆库。"
        "已查找：{looked}"
    ),
    "this is not a directory": "这不是目录",
    "Name a memory directory, or try 'memtui demo'": "请指定记忆目录，或试试 'memtui demo'",
    "Make it with: mkdir -p {path}": "创建方式：mkdir -p {path}",
    "there is no such directory": "没有此目录",
    "Name the project's root": "请指定项目的根目录",
    "no temporary folder for the demo: {reason}": "没有可供演示的临时文件夹：{reason}",
    "Use 'memtui demo --keep DIR'": "请使用 'memtui demo --keep DIR'",
    "the folder is not empty": "文件夹不是空的",
    "this is not a folder": "这不是文件夹",
    "Name one that is empty or new": "请指定空的或新的文件夹",
    "the demo could not be written: {reason}": "无法写出演示内容：{reason}",
    # 监视与程序自身的错误。
    "The directory is not there; memtui waits for it to appear": "目录不存在；memtui 在等待它出现",
    "Events are switched off; changes are found by looking every second": "事件已关闭；改为每秒查看一次",
    "The file system ({kind}) tells of no changes; they are found by looking every second": (
        "文件系统（{kind}）不会通知变化；改为每秒查看一次"
    ),
    "The system gives no events ({reason}); changes are found by looking every second": (
        "系统不提供事件（{reason}）；改为每秒查看一次"
    ),
    "The name of {name} is not UTF-8, so its changes are noticed late; rename it": (
        "{name} 的名称不是 UTF-8，因此会较晚发现它的变化；请重命名"
    ),
    "memtui stopped over an error of its own; what was saved is on disk, and nothing else was changed": (
        "memtui 因自身错误而停止；已保存的内容都在磁盘上，其他内容未作改动"
    ),
    "No report could be written": "无法写出报告",
    "A report without any memory is in {path}": "不含任何记忆的报告在 {path}",
}
"""By English template; both have the same placeholders."""
