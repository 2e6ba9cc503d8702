package dev.wishdir.bench;

import com.google.gson.JsonObject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Our server and the original one of a game under the same load, in turn, on the same machine:
 * relay latency from {@code wishdir load}, which takes a movement for lost after 2 s, CPU and
 * memory of the server's process from /proc, after a warm-up of 20 s. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.ServerComparison sauerbraten [CLIENTS,CLIENTS…]
 * [SECONDS]}
 */
public final class ServerComparison {
    private static final int PORT = 28_950;
    private static final int WARM_UP = 20;

    /** A server program that can be put under load. */
    private interface Contestant {
        String name();

        List<String> command(Path home, int clients) throws IOException;

        /** Folder in which its program is started. */
        default Path directory() {
            return Path.of("");
        }
    }

    private record Ours(String game) implements Contestant {
        @Override
        public String name() {
            return "Wishdir";
        }

        @Override
        public List<String> command(Path home, int clients) {
            return List.of(
                    "./wishdir",
                    "serve",
                    "--arena",
                    "flat",
                    "--trust",
                    "127.0.0.1",
                    "--" + game,
                    "127.0.0.1:" + PORT,
                    "--max-players",
                    Integer.toString(clients + 2));
        }
    }

    private record Sauerbraten() implements Contestant {
        @Override
        public String name() {
            return "cube2-server";
        }

        @Override
        public List<String> command(Path home, int clients) throws IOException {
            Files.write(
                    home.resolve("server-init.cfg"),
                    List.of(
                            "serverip 127.0.0.1",
                            "serverport " + PORT,
                            "updatemaster 0",
                            "publicserver 0",
                            "maxclients " + clients));
            return List.of("/usr/lib/cube2/cube2_server", "-q" + home);
        }
    }

    private record OpenArena() implements Contestant {
        @Override
        public String name() {
            return "openarena-server";
        }

        @Override
        public List<String> command(Path home, int clients) throws IOException {
            // A player who is hidden behind a wall is not sent: the arena of both servers has none.
            String map = GeneratedPak.write(home.resolve("baseoa"));
            return List.of(
                    "/usr/games/openarena-server",
                    "+set",
                    "dedicated",
                    "1",
                    "+set",
                    "net_ip",
                    "127.0.0.1",
                    "+set",
                    "net_port",
                    Integer.toString(PORT),
                    "+set",
                    "fs_homepath",
                    home.toString(),
                    "+set",
                    "sv_maxclients",
                    Integer.toString(clients + 1),
                    "+set",
                    "sv_pure",
                    "0",
                    "+set",
                    "sv_master1",
                    "",
                    "+set",
                    "bot_enable",
                    "0",
                    "+set",
                    "sv_floodProtect",
                    "0",
                    "+map",
                    map);
        }
    }

    /**
     * The npm library bedrock-protocol, whose RakNet is the original in C++, with a script that
     * relays: movement decided by the server, encrypted and deflated, as ours is by default.
     */
    private record BedrockProtocol() implements Contestant {
        private static final Path SCRIPTS = Path.of("interop/src/test/peers/bedrock");
        private static final Path PEERS =
                Path.of(
                        System.getenv()
                                .getOrDefault(
                                        "WISHDIR_BEDROCK_PEERS", "interop/target/bedrock-peers"));

        @Override
        public String name() {
            return "bedrock-protocol";
        }

        @Override
        public Path directory() {
            return PEERS;
        }

        @Override
        public List<String> command(Path home, int clients) throws IOException {
            if (!Files.exists(PEERS.resolve("node_modules/bedrock-protocol"))) {
                throw new IOException(
                        "npm's bedrock-protocol is missing: copy "
                                + SCRIPTS
                                + "/package.json to "
                                + PEERS
                                + " and run npm install there");
            }
            for (String script : List.of("bedrock-arena.mjs", "bedrock-server.mjs")) {
                Files.copy(
                        SCRIPTS.resolve(script),
                        PEERS.resolve(script),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            return List.of(
                    "node",
                    "bedrock-server.mjs",
                    "--port",
                    Integer.toString(PORT),
                    "--authority",
                    "rewind",
                    "--max",
                    Integer.toString(clients + 2),
                    "--moves",
                    "none");
        }
    }

    private static final Map<String, Contestant> ORIGINALS =
            Map.of(
                    "sauerbraten", new Sauerbraten(),
                    "quake3", new OpenArena(),
                    "bedrock", new BedrockProtocol());

    private ServerComparison() {}

    public static void main(String[] arguments) throws Exception {
        @Nullable Contestant original = arguments.length == 0 ? null : ORIGINALS.get(arguments[0]);
        if (original == null) {
            System.err.println(
                    "usage: ServerComparison "
                            + String.join("|", ORIGINALS.keySet())
                            + " [CLIENTS,…] [SECONDS]");
            System.exit(2);
            return;
        }
        String game = arguments[0];
        String counts = arguments.length > 1 ? arguments[1] : "2,16,48,128";
        int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 10;
        System.out.println(
                "| clients | server | p50 ms | p95 ms | p99 ms | max ms | never came % |"
                        + " packets/s a client | KiB/s a client | CPU % | memory MiB |"
                        + " generator held |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (int clients : Arrays.stream(counts.split(",")).mapToInt(Integer::parseInt).toArray()) {
            System.out.println(row(original, game, clients, seconds));
            System.out.println(row(new Ours(game), game, clients, seconds));
        }
    }

    private static String row(Contestant contestant, String game, int clients, int seconds)
            throws Exception {
        Path home = Files.createTempDirectory("side-by-side");
        try (ServerProcess server =
                ServerProcess.start(
                        contestant.command(home, clients),
                        contestant.directory(),
                        home.resolve("server.log"),
                        PORT)) {
            JsonObject result = load(game, clients, seconds, server);
            JsonObject latency = result.getAsJsonObject("latency");
            return String.format(
                    Locale.ROOT,
                    "| %d | %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f | %.0f | %s"
                            + " |",
                    clients,
                    contestant.name(),
                    latency.get("p50").getAsDouble(),
                    latency.get("p95").getAsDouble(),
                    latency.get("p99").getAsDouble(),
                    latency.get("max").getAsDouble(),
                    100 * result.get("loss").getAsDouble(),
                    result.get("viewer_packets").getAsDouble(),
                    result.get("viewer_bytes").getAsDouble() / 1024,
                    result.get("server_cpu").getAsDouble(),
                    result.get("server_memory").getAsDouble(),
                    result.get("held").getAsBoolean() ? "yes" : "no");
        }
    }

    /** Runs the load and adds what the server's process used while it was measured. */
    private static JsonObject load(String game, int clients, int seconds, ServerProcess server)
            throws Exception {
        Generator generator = Generator.start(game, "127.0.0.1:" + PORT, clients, WARM_UP, seconds);
        // The load ends with its measuring: CPU is taken over the last seconds before its end.
        double cpu = server.cpuWhile(generator::isAlive, seconds);
        JsonObject result = generator.result();
        result.addProperty("server_cpu", cpu);
        result.addProperty("server_memory", server.residentMebibytes());
        return result;
    }
}
