package dev.wishdir.app.command;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Executes operator commands from standard input, one line at a time. The end of the input does not
 * stop the server, as a server without a terminal has no input.
 */
public final class StdinCommands {
    /** Maximum length of a line; the rest is ignored. */
    private static final int MAX_LINE_CHARS = 4096;

    /** Files of Windows editors, which may be standard input, begin with this character. */
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** Executes a line. */
    @FunctionalInterface
    public interface Executor {
        /**
         * @return the answer to print
         * @throws CommandFailedException if no command can be executed any more
         */
        String execute(String line) throws CommandFailedException;
    }

    private final BufferedReader reader;
    private final Executor executor;
    private final Consumer<String> answers;

    private StdinCommands(InputStream input, Executor executor, Consumer<String> answers) {
        reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        this.executor = executor;
        this.answers = answers;
    }

    /** Starts to read commands in a daemon thread. */
    public static void start(InputStream input, Executor executor, Consumer<String> answers) {
        Thread.ofPlatform()
                .name("stdin-commands")
                .daemon()
                .start(() -> new StdinCommands(input, executor, answers).run());
    }

    private void run() {
        try {
            for (String line = line(); line != null; line = line()) {
                if (!line.isBlank()) {
                    answers.accept(executor.execute(line));
                }
            }
        } catch (IOException | CommandFailedException _) {
            // The terminal or the server is gone, so no answer can be printed.
        }
    }

    private @Nullable String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            if (c == '\n' || c == '\r') {
                return line.toString();
            }
            if (line.length() < MAX_LINE_CHARS && c != BYTE_ORDER_MARK) {
                line.append((char) c);
            }
        }
        return line.isEmpty() ? null : line.toString();
    }
}
