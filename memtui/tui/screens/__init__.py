"""Screens: they decide what happens."""
