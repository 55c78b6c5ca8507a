"""Asking what is stored: one module a family, each with `Filters`, `SORTS`, `query`, `show` and `stats`."""
