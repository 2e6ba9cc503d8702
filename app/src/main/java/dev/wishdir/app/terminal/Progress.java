package dev.wishdir.app.terminal;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A progress line on a terminal; prints nothing without a terminal. */
public final class Progress implements AutoCloseable {
    private static final int BAR_COLUMNS = 20;
    private static final long UPDATE_INTERVAL_NANOS = 200_000_000;

    private final PrintWriter out;
    private final Terminal terminal;
    private final boolean enabled;
    private final LongSupplier clock;
    private long next;
    private boolean written;

    /**
     * @param enabled whether to print at all
     * @param clock in nanoseconds
     */
    Progress(PrintWriter out, Terminal terminal, boolean enabled, LongSupplier clock) {
        this.out = out;
        this.terminal = terminal;
        this.enabled = enabled;
        this.clock = clock;
        next = clock.getAsLong() + UPDATE_INTERVAL_NANOS;
    }

    /** Progress on standard error, if that is a terminal. */
    public static Progress on(PrintWriter err, Terminal terminal) {
        return new Progress(err, terminal, terminal.showsErrors(), System::nanoTime);
    }

    /** Progress on standard error, if that is a terminal and standard output is not. */
    public static Progress unlessOutputIsTerminal(PrintWriter err, Terminal terminal) {
        boolean enabled = terminal.showsErrors() && !terminal.showsOutput();
        return new Progress(err, terminal, enabled, System::nanoTime);
    }

    /** Replaces the line. */
    public void show(String text) {
        if (enabled) {
            // A line as wide as the terminal may wrap.
            out.print("\r\u001B[K" + Columns.cut(text, terminal.size().columns() - 1));
            out.flush();
            written = !text.isEmpty();
        }
    }

    /**
     * Shows the progress, at most five times a second.
     *
     * @param total amount of work; 0 if unknown
     */
    public void update(String what, long done, long total) {
        if (!enabled || clock.getAsLong() < next) {
            return;
        }
        next = clock.getAsLong() + UPDATE_INTERVAL_NANOS;
        show(
                total == 0
                        ? String.format(Locale.ROOT, "%s: %.1f MB", what, done / 1e6)
                        : String.format(Locale.ROOT, "%s: %d %%", what, done * 100 / total));
    }

    /** A progress bar. */
    public static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0, 1) * BAR_COLUMNS);
        return "[" + "#".repeat(full) + "·".repeat(BAR_COLUMNS - full) + "]";
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (written) {
            show("");
        }
    }
}
