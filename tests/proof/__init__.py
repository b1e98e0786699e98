"""Proofs too long for the suite: run by ``python -m tests.proof``, their small versions by the suite."""
