"""What there is to say about a memory while it is typed, between two keystrokes; and drafts that outlive a crash."""
