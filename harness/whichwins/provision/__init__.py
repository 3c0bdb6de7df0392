"""Runtimes and environments: probe what is there, build what is asked for."""
