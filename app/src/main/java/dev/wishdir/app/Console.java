package dev.wishdir.app;

import ch.qos.logback.classic.Level;

import java.io.PrintWriter;

/**
 * What a server prints beside its log: where players connect, answers to an operator. Plain text
 * for people; where the log is JSON, a line of the same form. On any thread.
 */
final class Console {
    private final PrintWriter out;
    private final LogFormat form;

    Console(PrintWriter out, LogFormat form) {
        this.out = out;
        this.form = form;
    }

    /**
     * Prints a text.
     *
     * @param event of what kind it is, in one word
     */
    void print(String event, String text) {
        synchronized (out) {
            out.println(form.line(Level.INFO, event, text));
            out.flush();
        }
    }
}
