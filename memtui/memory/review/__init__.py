"""What waits for a person: proposals, and what others changed since the last visit."""
