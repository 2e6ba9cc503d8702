package dev.wishdir.bench;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Resources that a command needed from its start to its end.
 *
 * @param seconds of the wall clock
 * @param cpuSeconds of all of its threads
 */
record CommandRun(double seconds, double cpuSeconds) {
    private static final long SAMPLE_INTERVAL_MILLIS = 20;

    /**
     * Runs a command; its output is that of this process.
     *
     * @throws IOException if it fails
     */
    static CommandRun of(String... command) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process process = new ProcessBuilder(List.of(command)).inheritIO().start();
        double cpu = 0;
        do {
            try {
                cpu = Math.max(cpu, ServerProcess.cpuSeconds("/proc/" + process.pid()));
            } catch (IOException _) {
                // It has ended.
            }
        } while (!process.waitFor(SAMPLE_INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
        if (process.exitValue() != 0) {
            throw new IOException(
                    String.join(" ", command) + " ended with status " + process.exitValue());
        }
        return new CommandRun((System.nanoTime() - began) / 1e9, cpu);
    }
}
