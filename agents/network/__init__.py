"""What trained agents are made of. net.py is the network, a policy and a value over a shared trunk; files.py writes
it and reads it back, or says why it cannot be played with."""
