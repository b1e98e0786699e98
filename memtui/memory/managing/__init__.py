"""Every change to a memory directory: planned, carried out as one, undone; `MemoryManager` is its door."""
