package dev.wishdir.app;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** One line on a terminal that says how far something is; nothing where there is no terminal. */
final class Progress implements AutoCloseable {
    private static final int BAR = 20;
    private static final long STEP_NANOS = 200_000_000;

    private final PrintWriter out;
    private final Terminal terminal;
    private final boolean shown;
    private final LongSupplier clock;
    private long next;
    private boolean written;

    /**
     * @param shown whether anything is written at all
     * @param clock nanoseconds
     */
    Progress(PrintWriter out, Terminal terminal, boolean shown, LongSupplier clock) {
        this.out = out;
        this.terminal = terminal;
        this.shown = shown;
        this.clock = clock;
        next = clock.getAsLong() + STEP_NANOS;
    }

    /** On standard error, if that is a terminal. */
    static Progress on(PrintWriter err, Terminal terminal) {
        return new Progress(err, terminal, terminal.showsErrors(), System::nanoTime);
    }

    /** On standard error, if that is a terminal and standard output does not write there too. */
    static Progress besideOutput(PrintWriter err, Terminal terminal) {
        boolean shown = terminal.showsErrors() && !terminal.showsOutput();
        return new Progress(err, terminal, shown, System::nanoTime);
    }

    /** Shows one text in place of the one before. */
    void show(String text) {
        if (shown) {
            // A line as wide as the terminal may wrap.
            out.print("\r\u001B[K" + Columns.cut(text, terminal.size().columns() - 1));
            out.flush();
            written = !text.isEmpty();
        }
    }

    /**
     * Says how far work is, now and then.
     *
     * @param of how much there is to do; 0 where that is not known
     */
    void at(String what, long done, long of) {
        if (!shown || clock.getAsLong() < next) {
            return;
        }
        next = clock.getAsLong() + STEP_NANOS;
        show(
                of == 0
                        ? String.format(Locale.ROOT, "%s: %.1f MB", what, done / 1e6)
                        : String.format(Locale.ROOT, "%s: %d %%", what, done * 100 / of));
    }

    /** A bar of which some is full. */
    static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * BAR);
        return "[" + "#".repeat(full) + "·".repeat(BAR - full) + "]";
    }

    /** Leaves an empty line for what comes next. */
    @Override
    public void close() {
        if (written) {
            show("");
        }
    }
}
