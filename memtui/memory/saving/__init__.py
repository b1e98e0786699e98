"""The save protocol: the journal, how a change is carried out in one step, and recovery after a crash."""
