"""What is wrong with a directory, and its mechanical fixes: one decorated function for each rule."""
