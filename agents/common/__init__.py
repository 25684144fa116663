"""What agents, pages and benchmarks share. files.py writes files whole or not at all; command.py says how commands
begin and end, and lets Ctrl-C wait; statistics.py has win shares, margins, and means with intervals; markdown.py writes
tables; cores.py lists the processor's cores; versions.py names what can change a game or a number; cluster.py has work
done on other machines."""
