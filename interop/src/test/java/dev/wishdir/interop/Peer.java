package dev.wishdir.interop;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.wire.TestPort;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A real game's program, or ours, that a test runs as a process of its own. */
final class Peer implements AutoCloseable {
    private static final Path JAR = Path.of("../app/target/wishdir.jar").toAbsolutePath();

    /** Displays that a process of these tests may have. */
    private static final int DISPLAYS = 40;

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final List<JsonObject> objects = new ArrayList<>();

    /** How many of the lines have been looked at for objects. */
    private int parsed;

    private final Thread reader;

    private Peer(Process process) {
        this.process = process;
        reader = Thread.startVirtualThread(this::read);
    }

    /**
     * Goes on only if a peer's program is here. Otherwise the test is skipped, or fails where
     * WISHDIR_REQUIRE_PEERS is true, as in CI.
     */
    static void need(String debianPackage, Path program) {
        if (!Files.exists(program)) {
            String missing = program + " is missing: install the Debian package " + debianPackage;
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            } else {
                abort(missing);
            }
        }
    }

    /** Starts a program; what it prints on both outputs can be awaited. */
    static Peer start(Path directory, Map<String, String> environment, String... command)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new Peer(builder.start());
    }

    /**
     * Our own program, as built. It runs for seconds: Java's second compiler and its parallel
     * collector would cost more than they save, half of what a start takes.
     */
    static Peer wishdir(Path directory, String... arguments) throws IOException {
        return wishdir(directory, Map.of(), arguments);
    }

    /** As {@link #wishdir(Path, String...)}, with further variables of the environment. */
    static Peer wishdir(Path directory, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> options = List.of("-XX:AOTCache=" + cache(), "-Xlog:aot*=off");
        return start(directory, environment, command(options, arguments));
    }

    /** As {@link #wishdir(Path, String...)}, for a single start, which the cache does not repay. */
    static Peer wishdirWithoutCache(Path directory, String... arguments) throws IOException {
        return start(directory, Map.of(), command(List.of(), arguments));
    }

    private static String[] command(List<String> options, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1"));
        String hosts = System.getProperty(LocalNamesTest.HOSTS_FILE);
        if (hosts != null) {
            command.add("-D" + LocalNamesTest.HOSTS_FILE + "=" + hosts);
        }
        command.addAll(options);
        command.add("-Dwishdir.made=" + Path.of("target", "made-" + built()).toAbsolutePath());
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    /** The program's last change, in the names of what is cached for it. */
    private static String built() throws IOException {
        long last = Files.getLastModifiedTime(JAR).toMillis();
        try (DirectoryStream<Path> own =
                Files.newDirectoryStream(JAR.resolveSibling("lib"), "wishdir-*.jar")) {
            for (Path jar : own) {
                last = Math.max(last, Files.getLastModifiedTime(jar).toMillis());
            }
        }
        return Long.toHexString(last);
    }

    /**
     * Java's cache of loaded classes, as the launcher of the archive makes it: halves the CPU of a
     * start. The first test that needs it makes it; Java ignores that of other jars.
     */
    private static synchronized Path cache() throws IOException {
        Path cache = Path.of("target", "start-" + built() + ".aot").toAbsolutePath();
        // Of the two processes that run tests one makes it, the other waits.
        try (FileChannel channel =
                        FileChannel.open(
                                Path.of("target", "start.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (!Files.exists(cache)) {
                Path part = cache.resolveSibling("start.part");
                String here = "127.0.0.1:0";
                Process made =
                        new ProcessBuilder(
                                        command(
                                                List.of("-XX:AOTCacheOutput=" + part),
                                                "serve",
                                                "--seconds",
                                                "1",
                                                "--web",
                                                here,
                                                "--sauerbraten",
                                                here,
                                                "--quake2",
                                                here,
                                                "--quake3",
                                                here,
                                                "--bedrock",
                                                here))
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start();
                if (made.onExit().join().exitValue() != 0) {
                    fail("the cache of loaded classes could not be made in " + part);
                }
                Files.move(part, cache, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return cache;
    }

    /** Goes on only if the original clients of OpenArena and Sauerbraten are here, and hands. */
    static void needOriginals() {
        need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        need("cube2-data", Path.of("/usr/share/games/cube2/data"));
        need("openarena", Path.of("/usr/games/openarena"));
        need("xvfb", Path.of("/usr/bin/Xvfb"));
        need("xdotool", Path.of("/usr/bin/xdotool"));
    }

    /**
     * OpenArena's client, which joins and stays.
     *
     * @param home a folder with the player's name
     * @param display number of its display
     */
    static Peer openArena(Path home, int display, String port, int seconds) throws IOException {
        return start(
                Files.createDirectories(home),
                Map.of(
                        "NAME",
                        home.getFileName().toString(),
                        "DISPLAY_NUM",
                        display(display),
                        "ACTIONS",
                        seconds + " echo playing"),
                script("openarena-client.sh"),
                "127.0.0.1:" + port,
                home.toString(),
                Integer.toString(TestPort.free()));
    }

    /** As {@link #openArena}, Sauerbraten's. */
    static Peer sauerbraten(Path home, int display, String port, int seconds) throws IOException {
        return start(
                Files.createDirectories(home),
                Map.of(
                        "NAME",
                        home.getFileName().toString(),
                        "DISPLAY_NUM",
                        display(display),
                        "ACTIONS",
                        "wait"),
                script("sauerbraten-client.sh"),
                "127.0.0.1",
                port,
                home.toString(),
                Integer.toString(seconds));
    }

    /**
     * A number of an X display that no other process of these tests has.
     *
     * @param number below {@value #DISPLAYS}, of this process
     */
    static String display(int number) {
        return Long.toString(100 + ProcessHandle.current().pid() % 1000 * DISPLAYS + number);
    }

    /** A script of this module: {@code src/test/peers/NAME}. */
    static String script(String name) {
        return Path.of("src/test/peers", name).toAbsolutePath().toString();
    }

    /** Waits until something is so, and fails with a message where it never comes. */
    static void await(String what, Duration limit, BooleanSupplier condition) {
        await(() -> what, limit, condition);
    }

    /** As {@link #await(String, Duration, BooleanSupplier)}, with what was seen last. */
    static void await(Supplier<String> what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("waited " + limit.toSeconds() + " s in vain for: " + what.get());
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException e) {
            // The process was ended and its output closed with it.
        }
    }

    /** Gives it a line on its standard input. */
    void type(String line) {
        try {
            Writer input = process.outputWriter();
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            fail("it reads no more: " + String.join("\n", lines()), e);
        }
    }

    /** What it has printed so far. */
    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /**
     * Those of the lines that are JSON objects. Each is parsed once, however often a test asks
     * while it waits: do not change them.
     */
    List<JsonObject> objects() {
        synchronized (lines) {
            for (; parsed < lines.size(); parsed++) {
                String line = lines.get(parsed);
                if (line.startsWith("{")) {
                    objects.add(JsonParser.parseString(line).getAsJsonObject());
                }
            }
            return List.copyOf(objects);
        }
    }

    /** Waits for a line in which a pattern is found, and gives the first. */
    String awaitLine(String pattern, Duration limit) {
        Pattern regex = Pattern.compile(pattern);
        AtomicInteger searched = new AtomicInteger();
        await(
                () -> "a line with /" + pattern + "/ among:\n" + String.join("\n", lines()),
                limit,
                () -> !process.isAlive() || isNewLine(regex, searched));
        return lines().stream()
                .filter(line -> regex.matcher(line).find())
                .findFirst()
                .orElseGet(() ->
                        fail("it ended without /" + pattern + "/:\n" + String.join("\n", lines())));
    }

    /**
     * Whether a pattern is found in a line that has not been searched for it.
     *
     * @param searched how many lines have been
     */
    private boolean isNewLine(Pattern regex, AtomicInteger searched) {
        synchronized (lines) {
            List<String> rest = lines.subList(searched.getAndSet(lines.size()), lines.size());
            return rest.stream().anyMatch(line -> regex.matcher(line).find());
        }
    }

    /** Waits for its end and gives the exit status. */
    int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            fail("still running after " + limit.toSeconds() + " s:\n" + String.join("\n", lines()));
        }
        reader.join();
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, as Ctrl-C or kill would. */
    void terminate() {
        // Process.destroy would close its output before its last words are read.
        process.toHandle().destroy();
    }

    /** Ends it and whatever it has started. */
    @Override
    public void close() {
        List<ProcessHandle> all =
                Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroy);
        for (ProcessHandle each : all) {
            try {
                each.onExit().get(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                each.destroyForcibly();
            } catch (ExecutionException | TimeoutException e) {
                // A game that hangs would go on with a core of its own.
                each.destroyForcibly();
            }
        }
    }
}
