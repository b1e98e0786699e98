"""The secret guard: what in a text is a secret, and the text without it."""
