"""The memory system itself: files, versions, index, decay, checks, reminder. Knows no screen and no model."""
