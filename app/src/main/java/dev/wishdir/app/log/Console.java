package dev.wishdir.app.log;

import ch.qos.logback.classic.Level;

import java.io.PrintWriter;

/**
 * Prints messages of a server that are not part of its log, such as its addresses and answers to
 * the operator. Plain text, or JSON if the log is JSON. On any thread.
 */
public final class Console {
    private final PrintWriter out;
    private final LogFormat format;

    public Console(PrintWriter out, LogFormat format) {
        this.out = out;
        this.format = format;
    }

    /**
     * Prints a message.
     *
     * @param event the kind of the message, one word
     */
    public void print(String event, String text) {
        synchronized (out) {
            out.println(format.line(Level.INFO, event, text));
            out.flush();
        }
    }
}
