package dev.wishdir.bench;

import dev.wishdir.net.netty.KernelFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** A server as a process of its own, whose CPU and memory are read from /proc. */
final class ServerProcess implements AutoCloseable {
    private static final double TICKS_A_SECOND = 100;

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts a server and waits until its ports are taken.
     *
     * @throws IOException if it does not take them within a minute
     */
    static ServerProcess start(List<String> command, Path directory, Path log, int... ports)
            throws IOException {
        ServerProcess server =
                new ServerProcess(
                        new ProcessBuilder(command)
                                .directory(directory.toAbsolutePath().toFile())
                                .redirectOutput(log.toFile())
                                .redirectErrorStream(true)
                                .start());
        for (int port : ports) {
            server.awaitPort(port);
        }
        return server;
    }

    /** The port is taken once the kernel lists it. */
    private void awaitPort(int port) throws IOException {
        String listed = String.format(Locale.ROOT, ":%04X ", port);
        for (int i = 0; i < 1200 && process.isAlive(); i++) {
            if (KernelFile.read(Path.of("/proc/net/udp")).contains(listed)
                    || KernelFile.read(Path.of("/proc/net/udp6")).contains(listed)) {
                return;
            }
            LockSupport.parkNanos(50_000_000);
        }
        close();
        throw new IOException("the server did not open port " + port);
    }

    /** The share of a core, in percent, that it used in the last seconds of something. */
    double cpuWhile(BooleanSupplier going, int seconds) throws IOException {
        return cpuWhile(List.of(this), going, seconds)[0];
    }

    /** The shares of a core, in percent, that each used in the last seconds of something. */
    static double[] cpuWhile(List<ServerProcess> servers, BooleanSupplier going, int seconds)
            throws IOException {
        List<double[]> samples = new ArrayList<>();
        while (going.getAsBoolean()) {
            double[] sample = new double[servers.size() + 1];
            for (int i = 0; i < servers.size(); i++) {
                sample[i] = servers.get(i).cpuSeconds();
            }
            sample[servers.size()] = System.nanoTime() / 1e9;
            samples.add(sample);
            LockSupport.parkNanos(200_000_000);
        }
        double[] last = samples.getLast();
        double end = last[servers.size()];
        double[] first =
                samples.stream()
                        .filter(sample -> sample[servers.size()] > end - seconds)
                        .findFirst()
                        .orElse(last);
        double passed = Math.max(0.001, end - first[servers.size()]);
        return IntStream.range(0, servers.size())
                .mapToDouble(i -> 100 * (last[i] - first[i]) / passed)
                .toArray();
    }

    double cpuSeconds() throws IOException {
        return cpuSeconds("/proc/" + process.pid());
    }

    /**
     * The CPU time of a process or thread.
     *
     * @param folder of it under /proc
     */
    static double cpuSeconds(String folder) throws IOException {
        String stat = KernelFile.read(Path.of(folder, "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_A_SECOND;
    }

    /** The CPU time by the names of threads, which the kernel cuts to 15 characters. */
    Map<String, Double> cpuSecondsOfThreads() throws IOException {
        Map<String, Double> used = new HashMap<>();
        try (var threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                String name = KernelFile.read(thread.resolve("comm")).strip();
                used.merge(name, cpuSeconds(thread.toString()), Double::sum);
            }
        }
        return used;
    }

    double residentMebibytes() throws IOException {
        return KernelFile.read(Path.of("/proc/" + process.pid() + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Sends it a signal, as {@code STOP}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
