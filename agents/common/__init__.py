"""What agents, pages and benchmarks share. files.py writes files whole or not at all, markdown.py writes tables, and
cores.py counts the processor's cores.
"""
