package dev.wishdir.blocks.arena;

import java.io.IOException;

/** Thrown for a malformed arena text; the message begins with the line and the column. */
public final class MalformedArenaException extends IOException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    MalformedArenaException(int line, int column, String what) {
        super("line " + line + ", column " + column + ": " + what);
        this.line = line;
        this.column = column;
    }

    /** Counted from 1. */
    public int line() {
        return line;
    }

    /** Counted from 1. */
    public int column() {
        return column;
    }
}
