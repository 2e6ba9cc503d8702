package dev.wishdir.app;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process, as the system's own programs tell of it: Java knows neither a
 * terminal's size nor where standard error goes.
 */
final class ThisTerminal implements Terminal {
    private static final File TERMINAL = new File("/dev/tty");
    private static final int TIMEOUT_SECONDS = 2;
    private static final long SIZE_LIFETIME_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Size known = Size.USUAL;
    private long knownUntil = System.nanoTime();

    @Override
    public boolean showsOutput() {
        return shows(1).orElseGet(ThisTerminal::hasConsole);
    }

    @Override
    public boolean showsErrors() {
        return shows(2).orElseGet(ThisTerminal::hasConsole);
    }

    @Override
    public boolean hasColours() {
        return showsOutput() && hasColours(System.getenv());
    }

    /** What the environment says of colours; see no-color.org. */
    static boolean hasColours(Map<String, String> environment) {
        String kind = environment.getOrDefault("TERM", "");
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !kind.isEmpty()
                && !kind.equals("dumb");
    }

    /** Without a shell, as on Windows. */
    private static boolean hasConsole() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private static Optional<Boolean> shows(int stream) {
        return ended(new ProcessBuilder("sh", "-c", "[ -t " + stream + " ]").inheritIO())
                .map(process -> process.exitValue() == 0);
    }

    @Override
    public synchronized Size size() {
        if (System.nanoTime() - knownUntil >= 0) {
            known = ask();
            knownUntil = System.nanoTime() + SIZE_LIFETIME_NANOS;
        }
        return known;
    }

    private static Size ask() {
        return ended(
                        new ProcessBuilder("stty", "size")
                                .redirectInput(TERMINAL)
                                .redirectError(ProcessBuilder.Redirect.DISCARD))
                .flatMap(ThisTerminal::said)
                .flatMap(ThisTerminal::read)
                .orElseGet(() -> of(System.getenv()));
    }

    /** What the environment says, for where no terminal can be asked. */
    static Size of(Map<String, String> environment) {
        return new Size(
                number(environment.getOrDefault("COLUMNS", "")).orElse(Size.USUAL.columns()),
                number(environment.getOrDefault("LINES", "")).orElse(Size.USUAL.rows()));
    }

    /** What stty says, rows and columns; empty where it knows none, which it says as 0. */
    static Optional<Size> read(String said) {
        String[] words = said.strip().split(" ", -1);
        return words.length != 2
                ? Optional.empty()
                : number(words[0])
                        .flatMap(rows -> number(words[1]).map(columns -> new Size(columns, rows)));
    }

    private static Optional<Integer> number(String digits) {
        return digits.matches("[1-9]\\d{0,4}")
                ? Optional.of(Integer.parseInt(digits))
                : Optional.empty();
    }

    private static Optional<String> said(Process process) {
        try (var out = process.getInputStream()) {
            return Optional.of(new String(out.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A program that has ended; empty where there is none of the name, or it takes too long. */
    private static Optional<Process> ended(ProcessBuilder program) {
        try {
            Process process = program.start();
            if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return Optional.of(process);
            }
            process.destroyForcibly();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }
}
