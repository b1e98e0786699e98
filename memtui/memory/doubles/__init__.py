"""Which memories say the same, exactly, among ten thousand."""
