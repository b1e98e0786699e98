"""Passwords in commands: which option of which tool holds one, and what is piped into tools that read one."""

from __future__ import annotations

import re

from memtui.memory.lazy import lazy_pattern
from memtui.memory.secrets.values import (
    is_chosen,
    is_identifier,
    is_key,
    is_password,
    is_placeholder,
    is_url_password,
)

Span = tuple[int, int]

_LINE = 240
"""So far back is a command looked for, in characters (ours)."""
# Options whose value follows at once, or after a blank, by the tools that have them.
_TOOLS = {
    "p": r"mysql\w*|mariadb[\w-]*|sshpass|7za?|rar",
    "p ": r"mongo\w*|(?:docker|podman|nerdctl|crane|oras|buildah|skopeo|helm\sregistry|az|oc|cf|ibmcloud|argocd|nomad|npm)\s[^|;]*login|az\s[^|;]*|twine|cqlsh|snowsql"
    r"|influx|rabbitmqadmin|cypher-shell|psexec\w*|rdesktop|beeline|arangosh|nxc|netexec|crackmapexec|evil-winrm|smbmap|ncftp\w*|svn|hg|sentry-cli|openstack|mc|minio|vncviewer|kafka\S*|nexus|mqtt\w*",
    "P ": r"sqlcmd|bcp|osql|isql|tsql|freebcp|zip|unzip|ipmitool|mosquitto_\w+|ipmi\S*|wget",
    "a ": r"(?:redis|valkey|keydb)-\w+",
    "w ": r"ldap\w+|ds\w+|htdbm|ncat",
    "A ": r"snmp\w+",
    "X ": r"snmp\w+",
    "k ": r"openssl\s[^|;]*",
    "b ": r"htpasswd\b[^|;]*",
}
_BEFORE = {
    option: lazy_pattern(rf"(?<![\w-])(?:{tools})(?:\.exe)?\s[^\n|;]*$", re.IGNORECASE)
    for option, tools in _TOOLS.items()
}
OPTION_HINTS = (" -p", " -a ", " -w ", " -x ", " -k ")
OPTION_PATTERN = (
    r"\s(?P<option>-[paAwXkP])(?P<blank>[ =]?)[\"']?(?P<value>(?<=[\"'])[^\"'\n]{6,128}|[^\s\"']{6,128})"
)
USER_HINTS = (
    " -u",
    " --user",
    " -a ",
    " --creds",
    " --dest-creds",
    " --src-creds",
    " --auth",
    " --proxy-user",
)
USER_PATTERN = r"\s(?:-u(?:ser)?|--user|-a|--creds|--auth|--proxy-user|--dest-creds|--src-creds)[ =]?[\"']?(?P<user>[\w.@+\\-]{1,64})[:%,](?P<value>[^\s\"']{4,128})"
_FETCHES = lazy_pattern(
    r"(?<![\w-])(?:curl|wget|https?|xh|lftp|smbclient|rpcclient|skopeo|podman|docker|etcdctl|ab|hey)\s[^\n|;]*$"
)


def option_password(match: re.Match[str]) -> Span | None:
    """The value of an option that is a password in the command before it."""
    text, start = match.string, match.start()
    option = match["option"][1] + (" " if match["blank"] else "")
    value = match["value"]
    if not (is_password(value, plain=False) or is_chosen(value, "given")):
        return None
    before = text[max(0, start - _LINE) : start + 1].rpartition("\n")[2]
    known = [_BEFORE[each] for each in {option, option.strip()} if each in _BEFORE]
    return match.span("value") if any(pattern.search(before) for pattern in known) else None


def option_user(match: re.Match[str]) -> Span | None:
    """The second half of ``-u user:password``; of words joined to numbers where a tool can take nothing else."""
    user, value, text, start = match["user"], match["value"], match.string, match.start()
    if value.isdigit() or not is_url_password(user, value):
        return None
    before = text[max(0, start - _LINE) : start + 1].rpartition("\n")[2]
    if _FETCHES.search(before):
        return match.span("value") if not is_identifier(value) or is_chosen(value, "given") else None
    bare = match[0][1:3] == "-u" and ":" in match[0][len(match[0]) - len(value) - 1 :]
    return match.span("value") if bare and not is_identifier(value) else None


PIPED_HINTS = ("echo ", "<<<")
PIPED_PATTERN = (
    r"(?:echo\s{1,3}(?:-n\s{1,3})?(?:[\"']?%s(?:\\n)?[\"']?\s)?[\"']?(?:[\w.-]{1,32}:(?=[^\n|]{6,80}chpasswd))?(?P<a>[^\s\"'|]{6,200})[\"']?\s{0,3}\|\s{0,3}[^\n|]{0,80}?"
    r"(?:sudo\s(?:\S{1,12}\s){0,3}?-S|--?pass(?:word|phrase)?-(?:stdin|fd)|--stdin|chpasswd|--with-token|cryptsetup|smbpasswd|kinit|auth\slogin)"
    r"|<<<\s{0,2}[\"']?(?P<b>[^\s\"']{6,200}))"
)


def piped(match: re.Match[str]) -> Span | None:
    """What is piped into a command that reads a password or a token."""
    group = "a" if match["a"] is not None else "b"
    value = match[group]
    if group == "b" and not _READS.search(match.string[max(0, match.start() - _LINE) : match.start()]):
        return None
    return (
        match.span(group)
        if is_password(value, plain=False) or is_chosen(value, "given") or is_key(value)
        else None
    )


_READS = lazy_pattern(
    r"(?:-S|stdin|chpasswd|--with-token|passphrase-fd \d|login|kinit|secrets?[ :](?:put|set))\s*[^\n]{0,20}$"
)

STORED_HINTS = (
    "secret set ",
    "secrets set ",
    "secrets:set ",
    "authtoken ",
    "auth ",
    "change_password ",
    "securestring",
    "printenv ",
    " login ",
    "htpasswd ",
    "identified ",
    "set password ",
    "from-literal=",
    "/user:",
    " /p:",
)
STORED_PATTERN = (
    r"(?:printenv\s\w{0,60}(?:key|token|secret|pass\w{0,6}|pwd|credential)\w{0,20}\n|secrets?[ :]set\s(?:-\S{1,24}\s(?:\S{1,80}\s)?){0,3}?[\w/.-]{1,80}\s(?:[^\n|]{0,80}?(?:--body|-b|--value|-v|--data)[ =])?"
    r"|secrets?[ :]set\s[\w.-]{1,80}="
    r"|(?:ngrok|snyk|doctl|fly|wandb|sentry|infracost)\b[^\n|]{0,40}auth(?:token)?\s(?:add\s|init\s-t\s)?"
    r"|(?:add-)?authtoken\s"
    r"|change_password\s[\w.-]{1,64}\s"
    r"|(?<=vault)\slogin\s(?!-)|(?<=cargo)\slogin\s(?!-)|(?<=wandb)\slogin\s(?!-)"
    r"|htpasswd\s-\w{0,4}b\w{0,4}\s\S{1,80}\s\S{1,64}\s"
    r"|identified\s(?:with\s\S{1,40}\s)?by\s(?:password\s)?(?=[\"'])"
    r"|set\spassword\sfor\s[^\n=]{1,60}=\s?(?:password\()?(?=[\"'])"
    r"|from-literal=[\w.-]{1,80}="
    r"|/user:\S{1,64}\s"
    r"|\s/p:"
    r"|securestring\s{1,3}(?:-string\s{1,3})?(?=[\"']))"
    r"[\"']?(?P<value>(?<=[\"'])[^\"'\n]{6,2000}|[^\s\"']{6,2000})"
)


_NET = lazy_pattern(r"net\suse\s[^\n]{1,200}\Z", re.IGNORECASE)
_RDP = lazy_pattern(r"(?:freerdp\w{0,8}|rdesktop|psexec\w{0,4})(?:\.exe)?\s[^\n]{0,240}\Z", re.IGNORECASE)
_KUBE = lazy_pattern(r"secret[^;]{0,240}\Z", re.IGNORECASE)
"""``kubectl create secret``, maybe some lines before: what a config map is made of is no secret."""
_MEANT = (("/user:", _NET), (" /p:", _RDP), ("from-literal=", _KUBE))
"""What has to stand before such an option of a command for it to be given a secret."""


def stored(match: re.Match[str]) -> Span | None:
    """What a command stores as a secret, or logs in with."""
    value = match["value"]
    said = match[0].lower()
    tool = next((tool for option, tool in _MEANT if said.replace("\t", " ").startswith(option)), None)
    if tool and not tool.search(match.string, max(0, match.start() - _LINE), match.start()):
        return None
    secret = is_password(value, plain=False) or is_chosen(value, "given") or is_key(value)
    return match.span("value") if secret and not is_placeholder(value) else None
