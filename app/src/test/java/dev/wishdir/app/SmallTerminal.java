package dev.wishdir.app;

import dev.wishdir.app.terminal.Terminal;

/** A terminal of a size that shows everything. */
public record SmallTerminal(int columns, int rows) implements Terminal {
    @Override
    public boolean showsOutput() {
        return true;
    }

    @Override
    public boolean showsErrors() {
        return true;
    }

    @Override
    public Size size() {
        return new Size(columns, rows);
    }
}
