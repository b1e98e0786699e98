"""What a model does with memories: saving, choosing, extracting, dreaming; and what rules do of that without one."""
