"""Old versions of a memory, and the difference between two texts."""
