"""Manifests to subjects: data only."""
