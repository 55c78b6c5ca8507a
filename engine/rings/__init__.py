"""The five rings puzzle: model, scrambles, distance tables, short and shortest solutions."""
