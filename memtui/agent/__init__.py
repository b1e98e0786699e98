"""What agents use: the save tool, and later selection, extraction, review and dream."""
