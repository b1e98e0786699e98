"""Memories of a team: one branch of a git remote, merged, vetted and reviewed before it is remembered here."""
