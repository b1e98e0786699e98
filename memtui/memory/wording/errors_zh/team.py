"""Chinese for the errors of the secret guard and the sharing of team memories."""

from __future__ import annotations

ROWS: dict[str, str] = {
    # 团队与秘密。
    "there is no such file or folder": "没有这个文件或文件夹",
    "Check the path": "请检查路径",
    "Name files or folders": "请指定文件或文件夹",
    "a value is named by its fingerprint, or by --file and --line": "请用指纹，或用 --file 与 --line 指定一个值",
    "Give one of the two": "请给出其中之一",
    "{least} characters of the fingerprint at least are needed": "至少需要指纹的 {least} 个字符",
    "no one secret is meant by that": "所指的不是恰好一个秘密",
    "Fingerprints there: {known}": "那里的指纹：{known}",
    "the second opinion ({name}) does not work here": "第二意见（{name}）在此无法使用",
    "Go on without --second-opinion": "请不用 --second-opinion 继续",
    "team memory is switched off": "团队记忆未开启",
    "Set TEAMMEM=1, or write 'team = true' into {path}": "设置 TEAMMEM=1，或在 {path} 中写入 'team = true'",
    "it is not said where they go": "没有说明要去哪里",
    "Name a store with --to, or --scope team or private": "请用 --to 指定记忆库，或用 --scope team 或 private",
    "--scope stays within this store, so --to and --merge do not go with it": "--scope 只在本记忆库之内，不能与 --to 或 --merge 同用",
    "Take two steps": "请分两步进行",
    "; ": "；",
    "give {names} to the team": "将 {names} 交给团队",
    "make {names} private": "将 {names} 转为私有",
    "give the team a copy of {names}": "将 {names} 的副本交给团队",
    "make a private copy of {names}": "为 {names} 建立私有副本",
    "this is the team's already": "这已是团队的记忆",
    "this is private already": "这已是私有的记忆",
    "this would give the team a secret ({found})": "这会把秘密交给团队（{found}）",
    "Take it out, or keep the memory private. If it is no secret: memtui secrets allow {fingerprint}. "
    "To share it all the same, type the slug: --allow-secret {slug}": "请将其去掉，或将记忆保持私有。若它不是秘密：memtui secrets allow {fingerprint}。"
    "若仍要共享，请输入 slug：--allow-secret {slug}",
    "{rule} in the name of {rel} [{fingerprint}]": "{rel} 的文件名中有 {rule} [{fingerprint}]",
    "{rule} in {rel}, line {line} [{fingerprint}]": "{rel} 第 {line} 行有 {rule} [{fingerprint}]",
    "no one allowed value has the fingerprint {fingerprint!r}": "没有恰好一个已放行的值具有指纹 {fingerprint!r}",
    "Allowed are: {known}": "已放行的有：{known}",
    "there is no folder to keep the list of allowed secrets in": "没有存放放行清单的文件夹",
    "the list of allowed secrets cannot be written: {reason}": "无法写入放行清单：{reason}",
    "the list of allowed secrets cannot be read: {reason}": "无法读取放行清单：{reason}",
    "the list of allowed secrets is longer than {most:,} bytes": "放行清单超过 {most:,} 字节",
    "line {line} of the list of allowed secrets says nothing": "放行清单第 {line} 行没有意义",
    # 团队记忆的同步。
    "{what} ({detail})": "{what}（{detail}）",
    "sync {names}": "同步 {names}",
    "git is not installed, or not on the PATH": "没有安装 git，或它不在 PATH 中",
    "Install it; what you change here is kept until then": "请安装 git；在此之前，您在这里的改动会保留",
    "this git is too old to share with": "此 git 过旧，无法用来共享",
    "memtui needs git 2.29 or newer": "memtui 需要 git 2.29 或更新版本",
    "the remote cannot be reached": "无法连接远程仓库",
    "the remote did not answer in time": "远程仓库没有及时应答",
    "What you change here is kept and shared once it works": "您在这里的改动会保留，恢复后即会共享",
    "the remote does not let you in": "远程仓库拒绝了您的登录",
    "Try 'git ls-remote' with its address until that works, then sync again": (
        "请用 'git ls-remote' 加其地址试到成功，然后重新同步"
    ),
    "the repository or the branch is no longer there": "仓库或分支已不存在",
    "Check the address; 'memtui team init REMOTE' sets another one or makes the branch anew": (
        "请检查地址；'memtui team init REMOTE' 可换用另一个地址或重建分支"
    ),
    "others keep sharing in the same moment": "其他人一直在同一时刻共享",
    "Sync again in a minute": "请过一分钟再同步",
    "the remote does not take the change": "远程仓库不接受此改动",
    "Ask whoever keeps it whether you may write to this branch": "请向仓库的管理者确认您能否写入此分支",
    "the folder of the shared history cannot be written": "无法写入共享历史的文件夹",
    "stopped before it was done": "尚未完成就已停止",
    "Sync again when you like; nothing is half done": "可随时重新同步；没有做了一半的改动",
    "this address is not one that memtui shares with": "memtui 不会与此地址共享",
    "Use https://, ssh://, user@host:path or the path of a folder": (
        "请使用 https://、ssh://、user@host:path 或文件夹的路径"
    ),
    "an address is no place for a password or token": "地址中不应含有密码或令牌",
    "this is no name of a branch": "这不是分支的名称",
    "the secret guard keeps this from being shared": "密钥防护阻止了共享",
    "Take the secret out of the memory, and change it where it is used": "请从记忆中删去密钥，并在使用它的地方更换它",
    "git could not do it": "git 未能完成",
    "Try again; 'memtui team status' shows where things stand": "请重试；'memtui team status' 可查看现状",
    "there is too much in it": "内容过多",
    "a tree of the commit is damaged": "提交中的一个目录已损坏",
    "the remote's branch holds more files than memtui looks at": "远端分支上的文件多于 memtui 会查看的数量",
    "Take out what is no memory, or share through another branch; what you change here is kept": (
        "请去掉不是记忆的文件，或改用另一个分支共享；您在此处的改动已保存"
    ),
    "a commit is not there": "缺少一个提交",
    "a file of ours is not there": "缺少我们的一个文件",
    "another memtui is sharing this directory's team memories": "另一个 memtui 正在共享此目录的团队记忆",
    "this directory is not shared": "此目录没有共享",
    "Begin with 'memtui team init REMOTE'": "请先运行 'memtui team init REMOTE'",
    "only what the secret guard holds back can be let through": "只有被密钥防护拦下的内容才能放行",
    "you and others changed this at the same time; theirs stands, and this is yours": (
        "您和其他人同时改动了它；现行的是对方的版本，这是您的版本"
    ),
    "others deleted this while you changed it; yours stands": "您改动它时其他人删除了它；现行的是您的版本",
    "you deleted this while others changed it; theirs stands": "您删除它时其他人改动了它；现行的是对方的版本",
    "you and others made a memory of this name; both are kept, and this would make them one with your text": (
        "您和其他人各建了一条同名的记忆；两条都已保留，接受则合成一条，以您的文字为准"
    ),
    "you and others gave this another name; both are kept, and this would leave yours alone": (
        "您和其他人各给它改了名；两条都已保留，接受则只留下您的"
    ),
}
"""By English template; both have the same placeholders."""
