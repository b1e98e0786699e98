"""Every action of the app as a row of a table: bindings, key bar, palette, help and the README are made from it."""
