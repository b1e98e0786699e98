"""Claude Code's world: where it keeps its memories, and for which project."""
