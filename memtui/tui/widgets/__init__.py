"""Panes: they show, and tell the screen what was asked of them."""
