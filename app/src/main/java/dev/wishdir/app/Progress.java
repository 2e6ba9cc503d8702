package dev.wishdir.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How far long work is, in one line of a terminal that is written over and gone at the end. */
final class Progress implements AutoCloseable {
    /** Standard output, by the system's number. */
    static final int OUT = 1;

    /** Standard error, by the system's number. */
    static final int ERR = 2;

    private static final long STEP = 200_000_000;

    private final PrintWriter to;
    private final boolean shown;
    private final LongSupplier clock;
    private long next;
    private int width;

    /**
     * @param shown whether anything is written at all
     * @param clock nanoseconds
     */
    Progress(PrintWriter to, boolean shown, LongSupplier clock) {
        this.to = to;
        this.shown = shown;
        this.clock = clock;
        next = clock.getAsLong() + STEP;
    }

    /** On standard error, if that is a terminal and standard output does not write there too. */
    static Progress besideOutput(PrintWriter err) {
        return new Progress(err, isTerminal(ERR) && !isTerminal(OUT), System::nanoTime);
    }

    /** On standard error, if that is a terminal. */
    static Progress onTerminal(PrintWriter err) {
        return new Progress(err, isTerminal(ERR), System::nanoTime);
    }

    /** Java tells of input and output together alone; Linux of each. */
    private static boolean isTerminal(int descriptor) {
        try {
            String path = Path.of("/proc/self/fd/" + descriptor).toRealPath().toString();
            return path.startsWith("/dev/pts/") || path.startsWith("/dev/tty");
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Says how far it is, now and then.
     *
     * @param of how much there is to do; 0 where that is not known
     */
    void at(String what, long done, long of) {
        if (!shown || clock.getAsLong() < next) {
            return;
        }
        next = clock.getAsLong() + STEP;
        String text =
                of == 0
                        ? String.format(Locale.ROOT, "%s: %.1f MB", what, done / 1e6)
                        : String.format(Locale.ROOT, "%s: %d %%", what, done * 100 / of);
        write(text);
    }

    private void write(String text) {
        to.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
        to.flush();
        width = text.length();
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (width > 0) {
            write("");
            to.print("\r");
            to.flush();
        }
    }
}
