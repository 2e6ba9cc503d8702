package dev.wishdir.app;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * An operator's orders as lines on standard input, one after the other: the next is read when the
 * last is answered. The end of the input ends nothing: a server that was started without a terminal
 * has none.
 */
final class StdinCommands {
    /** A line as an operator may type it, and no more. */
    private static final int MAX_LINE_CHARS = 4096;

    /** Begins files of Windows editors, which may be the standard input. */
    private static final char MARK = '\uFEFF';

    /** Does what a line says. */
    @FunctionalInterface
    interface Executor {
        /**
         * @return what to print
         * @throws CommandFailedException if nobody does it any more
         */
        String execute(String line) throws CommandFailedException;
    }

    private final BufferedReader reader;
    private final Executor orders;
    private final Consumer<String> answers;

    private StdinCommands(InputStream input, Executor orders, Consumer<String> answers) {
        reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        this.orders = orders;
        this.answers = answers;
    }

    /** Takes orders from now on, in a thread of its own, which keeps no process alive. */
    static void take(InputStream input, Executor orders, Consumer<String> answers) {
        Thread.ofPlatform()
                .name("orders")
                .daemon()
                .start(() -> new StdinCommands(input, orders, answers).run());
    }

    private void run() {
        try {
            for (String line = line(); line != null; line = line()) {
                if (!line.isBlank()) {
                    answers.accept(orders.execute(line));
                }
            }
        } catch (IOException | CommandFailedException _) {
            // There is no terminal any more, or no server: nobody is there to be told.
        }
    }

    private @Nullable String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            if (c == '\n' || c == '\r') {
                return line.toString();
            }
            if (line.length() < MAX_LINE_CHARS && c != MARK) {
                line.append((char) c);
            }
        }
        return line.isEmpty() ? null : line.toString();
    }
}
