package dev.wishdir.interop;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node of a cluster that serves one game, as a process, and the file of its events. */
final class NodeProcess implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(2);

    final Game game;
    final Peer process;
    final Path events;

    /**
     * @param arena that the server starts with
     * @param options more of {@code serve}
     */
    NodeProcess(Path folder, String host, Game game, String nats, String arena, String... options)
            throws IOException {
        this.game = game;
        events = folder.resolve(host + ".jsonl");
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--" + game.name(),
                                "127.0.0.1:0",
                                "--arena",
                                arena,
                                "--trust",
                                "127.0.0.1",
                                "--events",
                                events.toString(),
                                "--cluster",
                                nats,
                                "--cluster-host",
                                host));
        arguments.addAll(List.of(options));
        process = Peer.wishdir(folder, arguments.toArray(String[]::new));
    }

    /** Starts a nats-server on a free port. */
    static Peer nats(Path folder) throws IOException {
        return Peer.start(folder, Map.of(), "/usr/sbin/nats-server", "-a", "127.0.0.1", "-p", "-1");
    }

    /** Where nodes reach a nats-server. */
    static String address(Peer nats) {
        String listens = nats.awaitLine("Listening for client connections on ", SOON);
        return "nats://127.0.0.1:" + listens.substring(listens.lastIndexOf(':') + 1);
    }

    InetSocketAddress address() {
        String line = process.awaitLine("players connect to 127.0.0.1, port ", SOON);
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)));
    }

    String port() {
        return Integer.toString(address().getPort());
    }

    /** The event of a whole line of the file. */
    static JsonObject event(String line) {
        return JsonParser.parseString(line).getAsJsonObject();
    }

    /** Where an event has its player. */
    static Vec3 position(JsonObject event) {
        return vector(event.getAsJsonArray("position"));
    }

    static Vec3 vector(JsonArray numbers) {
        return new Vec3(
                numbers.get(0).getAsDouble(),
                numbers.get(1).getAsDouble(),
                numbers.get(2).getAsDouble());
    }

    @Override
    public void close() {
        process.close();
    }
}
