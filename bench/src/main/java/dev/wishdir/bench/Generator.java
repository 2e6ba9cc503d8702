package dev.wishdir.bench;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** {@code wishdir load} as a process of its own. */
final class Generator {
    private final Process process;

    private Generator(Process process) {
        this.process = process;
    }

    /**
     * Starts a load.
     *
     * @param more further options
     */
    static Generator start(
            String game, String address, int clients, int warmUp, int seconds, String... more)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "./wishdir",
                                "load",
                                game,
                                address,
                                "--clients",
                                Integer.toString(clients),
                                "--warm-up",
                                Integer.toString(warmUp),
                                "--seconds",
                                Integer.toString(seconds),
                                "--json"));
        command.addAll(List.of(more));
        return new Generator(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits for its end.
     *
     * @throws IOException if it failed
     */
    JsonObject result() throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the load failed: " + output);
        }
        return JsonParser.parseString(output).getAsJsonObject();
    }
}
