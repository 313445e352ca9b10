"""Law: take-up, path and material of the step before -> tensions, material and loads.

Numbers in parentheses are equations of docs/theory.md, here and in the rooms beside.
"""
