package dev.wishdir.cluster.nats;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.wishdir.wire.TestPort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A real nats-server, as a process of its own on a free port of this machine. */
public final class NatsServer implements AutoCloseable {
    private static final Pattern LISTENS =
            Pattern.compile("Listening for client connections on [^ ]*:(\\d+)");

    private final List<String> arguments;
    private Process process;
    private int port = -1;

    private NatsServer(List<String> arguments) throws IOException, InterruptedException {
        this.arguments = arguments;
        restart();
    }

    /**
     * Starts a server with further arguments. Without the program the test is skipped, or fails
     * where WISHDIR_REQUIRE_PEERS is true, as in CI.
     */
    public static NatsServer start(String... arguments) throws IOException, InterruptedException {
        if (program().isEmpty()) {
            String missing = "nats-server is missing: install the Debian package nats-server";
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            }
            abort(missing);
        }
        return new NatsServer(List.of(arguments));
    }

    /** Three servers that form a cluster with JetStream. */
    static List<NatsServer> startCluster(Path folder) throws IOException, InterruptedException {
        List<Integer> ports = List.of(TestPort.free(), TestPort.free(), TestPort.free());
        String routes =
                ports.stream()
                        .map(port -> "nats://127.0.0.1:" + port)
                        .collect(Collectors.joining(","));
        List<NatsServer> servers = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            String name = "n" + i;
            servers.add(
                    start(
                            "-js",
                            "-sd",
                            folder.resolve(name).toString(),
                            "-n",
                            name,
                            "--cluster_name",
                            "test",
                            "--cluster",
                            "nats://127.0.0.1:" + ports.get(i),
                            "--routes",
                            routes));
        }
        return servers;
    }

    private static Optional<Path> program() {
        return Stream.of("/usr/sbin/nats-server", "/usr/bin/nats-server")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it, on the same port as before. */
    public void restart() throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                program().orElseThrow().toString(),
                                "-a",
                                "127.0.0.1",
                                "-p",
                                String.valueOf(port)));
        command.addAll(arguments);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CountDownLatch ready = new CountDownLatch(1);
        List<String> lines = new ArrayList<>();
        Process started = process;
        Thread.ofVirtual()
                .start(() -> {
                    try (BufferedReader output = started.inputReader()) {
                        for (String line = output.readLine();
                                line != null;
                                line = output.readLine()) {
                            synchronized (lines) {
                                lines.add(line);
                            }
                            Matcher listens = LISTENS.matcher(line);
                            if (listens.find()) {
                                port = Integer.parseInt(listens.group(1));
                            }
                            if (line.contains("Server is ready")) {
                                ready.countDown();
                            }
                        }
                    } catch (IOException e) {
                        // It was ended, and its output closed with it.
                    }
                });
        if (!ready.await(60, TimeUnit.SECONDS)) {
            close();
            synchronized (lines) {
                fail("nats-server did not start:\n" + String.join("\n", lines));
            }
        }
    }

    int port() {
        return port;
    }

    public String address() {
        return "nats://127.0.0.1:" + port;
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** It stands still, and its connections stand. */
    public void pause() throws IOException, InterruptedException {
        signal(process, "STOP");
    }

    public void resume() throws IOException, InterruptedException {
        signal(process, "CONT");
    }

    /** Sends a signal to a process. */
    public static void signal(Process process, String name)
            throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Waits until something is so, and fails with a message where it never comes. */
    public static void await(String what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("waited " + limit.toSeconds() + " s in vain for: " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
