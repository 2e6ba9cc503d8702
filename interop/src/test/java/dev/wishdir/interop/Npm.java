package dev.wishdir.interop;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;

import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Peers from npm, Bedrock's if not said otherwise, and the scripts that drive them; these print a
 * JSON object a line. As an extension it lets tests run only where packages are installed, and ends
 * their peers after them.
 */
final class Npm implements BeforeEachCallback, AfterEachCallback {
    static final Path PEERS =
            Path.of(System.getenv().getOrDefault("WISHDIR_BEDROCK_PEERS", "target/bedrock-peers"))
                    .toAbsolutePath();

    private static final Path SCRIPTS = Path.of("src/test/peers/bedrock");

    private final Path folder;
    private final Path scripts;
    private final List<String> packages;
    private final List<Peer> peers = new ArrayList<>();

    /**
     * @param packages that are needed
     */
    Npm(String... packages) {
        this(PEERS, SCRIPTS, packages);
    }

    /**
     * @param folder where the packages are installed
     * @param scripts the folder of the scripts
     * @param packages that are needed
     */
    Npm(Path folder, Path scripts, String... packages) {
        this.folder = folder;
        this.scripts = scripts;
        this.packages = List.of(packages);
    }

    /** Goes on only if the packages are installed, and puts the scripts next to them. */
    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        for (String each : packages) {
            if (!Files.exists(folder.resolve("node_modules").resolve(each))) {
                missing(each);
            }
        }
        try (Stream<Path> files = Files.list(scripts)) {
            for (Path script : files.filter(file -> file.toString().endsWith(".mjs")).toList()) {
                put(script, folder.resolve(script.getFileName()));
            }
        }
    }

    /** Copies a file in one step: the tests of another process may be reading it. */
    private void put(Path file, Path copy) throws IOException {
        if (!Files.exists(copy) || Files.mismatch(file, copy) >= 0) {
            Path whole = Files.createTempFile(folder, "script", ".part");
            Files.copy(file, whole, StandardCopyOption.REPLACE_EXISTING);
            Files.move(whole, copy, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void missing(String each) {
        String missing =
                "npm's "
                        + each
                        + " is missing: copy "
                        + scripts
                        + "/package.json to "
                        + folder
                        + " and run npm install there";
        if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
            fail(missing);
        }
        abort(missing);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        peers.forEach(Peer::close);
    }

    /** Starts a script. */
    Peer node(String... command) throws IOException {
        return nodeIn(folder, command);
    }

    /** Starts a script in a folder. */
    Peer nodeIn(Path folder, String... command) throws IOException {
        List<String> whole = new ArrayList<>(List.of("node"));
        whole.addAll(List.of(command));
        Peer peer = Peer.start(folder, Map.of(), whole.toArray(String[]::new));
        peers.add(peer);
        return peer;
    }

    /** What a script has printed of an event; of any packet where none is named. */
    static List<JsonObject> events(Peer peer, String event, String packet) {
        return peer.objects().stream()
                .filter(line -> line.get("ev").getAsString().equals(event))
                .filter(line ->
                        packet.isEmpty()
                                || (line.has("packet")
                                        && line.get("packet").getAsString().equals(packet)))
                .toList();
    }

    static Vec3 position(JsonObject place) {
        return new Vec3(
                place.get("x").getAsDouble(),
                place.get("y").getAsDouble(),
                place.get("z").getAsDouble());
    }
}
