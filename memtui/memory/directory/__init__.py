"""What a memory directory holds, kept up to date at the cost of what changed."""
