"""What every screen shows, as pure functions from the model to lines of text: no widget, no clock, no file."""
