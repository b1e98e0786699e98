"""The one door to the disk: reading without following anybody out, writing all or nothing, locks."""
