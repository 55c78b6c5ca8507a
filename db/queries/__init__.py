"""Reading the bank: one module a family."""
