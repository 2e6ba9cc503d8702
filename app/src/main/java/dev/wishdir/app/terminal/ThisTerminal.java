package dev.wishdir.app.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process, queried with the system's programs, as Java knows neither the size
 * of a terminal nor whether standard error is one.
 */
public final class ThisTerminal implements Terminal {
    private static final File TERMINAL = new File("/dev/tty");
    private static final int TIMEOUT_SECONDS = 2;
    private static final long SIZE_LIFETIME_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Size known = Size.DEFAULT;
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

    /** Whether the environment allows colours; see no-color.org. */
    static boolean hasColours(Map<String, String> environment) {
        String kind = environment.getOrDefault("TERM", "");
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !kind.isEmpty()
                && !kind.equals("dumb");
    }

    /** The answer for systems without a shell, such as Windows. */
    private static boolean hasConsole() {
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private static Optional<Boolean> shows(int stream) {
        return run(new ProcessBuilder("sh", "-c", "[ -t " + stream + " ]").inheritIO())
                .map(process -> process.exitValue() == 0);
    }

    @Override
    public synchronized Size size() {
        if (System.nanoTime() - knownUntil >= 0) {
            known = query();
            knownUntil = System.nanoTime() + SIZE_LIFETIME_NANOS;
        }
        return known;
    }

    private static Size query() {
        return run(new ProcessBuilder("stty", "size")
                        .redirectInput(TERMINAL)
                        .redirectError(ProcessBuilder.Redirect.DISCARD))
                .flatMap(ThisTerminal::output)
                .flatMap(ThisTerminal::parse)
                .orElseGet(() -> of(System.getenv()));
    }

    /** The size in the environment, for systems where it cannot be queried. */
    static Size of(Map<String, String> environment) {
        return new Size(
                number(environment.getOrDefault("COLUMNS", "")).orElse(Size.DEFAULT.columns()),
                number(environment.getOrDefault("LINES", "")).orElse(Size.DEFAULT.rows()));
    }

    /** Parses the output of stty, rows and columns; empty if they are 0, which means unknown. */
    static Optional<Size> parse(String output) {
        String[] words = output.strip().split(" ", -1);
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

    private static Optional<String> output(Process process) {
        try (var out = process.getInputStream()) {
            return Optional.of(new String(out.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Runs a program to its end; empty if it does not exist or takes longer than 2 s. */
    private static Optional<Process> run(ProcessBuilder program) {
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
