"""One memory file: its header read tolerantly, edited line by line, written anew; what an entry is made of."""
