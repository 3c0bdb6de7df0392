"""Renderings of an analysis: pure functions to text."""
