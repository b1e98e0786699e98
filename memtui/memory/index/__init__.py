"""``MEMORY.md``: read, changed a line at a time, kept within its limits, and what a reader gets of it."""
