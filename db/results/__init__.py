"""Bulk writing of results: one module a family."""
