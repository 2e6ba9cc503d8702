package dev.wishdir.app;

import java.io.PrintWriter;

/** One line on a terminal that says how far something is; nothing where there is no terminal. */
final class Progress {
    private static final int BAR = 20;

    private final PrintWriter out;
    private final Terminal terminal;
    private final boolean shown;

    /**
     * @param out standard error
     */
    Progress(PrintWriter out, Terminal terminal) {
        this.out = out;
        this.terminal = terminal;
        shown = terminal.showsErrors();
    }

    /** Shows one text in place of the one before. */
    void show(String text) {
        if (shown) {
            // A line as wide as the terminal may wrap.
            out.print("\r\u001B[K" + Columns.cut(text, terminal.size().columns() - 1));
            out.flush();
        }
    }

    /** A bar of which some is full. */
    static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * BAR);
        return "[" + "#".repeat(full) + "·".repeat(BAR - full) + "]";
    }

    /** Leaves an empty line for what comes next. */
    void clear() {
        show("");
    }
}
