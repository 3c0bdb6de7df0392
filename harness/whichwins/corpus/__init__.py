"""Inputs: fixture families and foreign corpora."""
