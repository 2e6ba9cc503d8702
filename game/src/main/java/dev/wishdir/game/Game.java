package dev.wishdir.game;

import dev.wishdir.arena.Level;
import dev.wishdir.motion.Movement;
import dev.wishdir.wire.dissect.Dissector;
import dev.wishdir.world.blocks.BlockArena;
import dev.wishdir.world.blocks.BodyDimensions;
import dev.wishdir.world.blocks.StockMap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one game offers: the entry through which the command line uses it. */
public interface Game {
    /**
     * A setting of this game alone. On the command line it is {@code --GAME-NAME VALUE}.
     *
     * @param name in kebab case: {@code data}
     * @param value what stands for the value in the help: {@code DIR}
     * @param help one sentence
     */
    record Option(String name, String value, String help) {}

    /** The game's name in commands, events and captures: {@code sauerbraten}. */
    String name();

    /** The game's name as players know it: {@code Cube 2: Sauerbraten}. */
    String title();

    /** The UDP port that its players expect. */
    int port();

    /** How many movements a second its clients send. */
    int rate();

    /** The settings that its endpoint takes. */
    List<Option> options();

    /**
     * Checks the settings that its endpoint takes, before anything is opened.
     *
     * @param options by {@link Option#name}, those that are set
     * @throws IllegalArgumentException if a value is wrong; the message names the option
     */
    default void check(Map<String, String> options) {}

    /** The passwords that its clients can give: what they can type, and what its wire carries. */
    default PasswordRules secrets(PasswordRules.Kind kind) {
        return new PasswordRules(
                c -> !Character.isISOControl(c), 256, "without control characters");
    }

    /** The settings that its headless clients take; on the command line {@code --NAME VALUE}. */
    default List<Option> clientOptions() {
        return List.of();
    }

    /** What counts of its players' bodies among blocks; nothing where they can't be there. */
    default Optional<BodyDimensions> body() {
        return Optional.empty();
    }

    /**
     * The files by which its clients have an arena of blocks, as the game names them.
     *
     * @throws IOException if the arena can't be built for this game
     */
    default List<Level.File> files(BlockArena arena) throws IOException {
        return List.of();
    }

    /**
     * A map of the game, of which blocks can be made.
     *
     * @param name of its file, without folder and ending
     * @return nothing where the file is of another game
     * @throws IOException if it is this game's and broken; the message says where
     */
    default Optional<StockMap> map(String name, byte[] file) throws IOException {
        return Optional.empty();
    }

    /**
     * The file of a map that the operator has of the game.
     *
     * @param options the game's own settings, as {@link EndpointContext} has them
     * @return nothing where there is no such map
     * @throws IOException if it can't be read
     */
    default Optional<byte[]> mapFile(String name, Map<String, String> options) throws IOException {
        return Optional.empty();
    }

    /**
     * Opens the server side.
     *
     * @throws IOException if a port can't be bound or a file can't be read; the message tells the
     *     operator what to do
     * @throws IllegalArgumentException if an option's value is wrong; the message names it
     */
    Endpoint serve(EndpointContext context) throws IOException;

    /**
     * Starts a headless client: it connects at once and tells its listener what happens.
     *
     * @throws IOException if no socket can be opened, or a file of an option can't be read
     */
    Client connect(ClientConfig config) throws IOException;

    /**
     * A dissector for one capture.
     *
     * @param explain whether lines carry traces
     * @param keys a file with the keys of encrypted sessions, where the game has such
     * @throws IOException if the key file can't be read
     */
    Dissector dissector(boolean explain, Optional<Path> keys) throws IOException;

    /**
     * The same game, whose clients speak a version, and whose dissectors take a session for one of
     * it where a capture does not say.
     *
     * @param version as players know it, {@code 1.26.51}
     * @throws IllegalArgumentException if the version is not spoken; the message names what is
     */
    default Game ofVersion(String version) {
        throw new IllegalArgumentException(name() + " has no versions to choose from");
    }

    /**
     * How many different tags {@link #encodeLatencyTag} can tell apart. A tag travels in the view
     * angles, so it depends on how finely the game's wire carries them.
     */
    int latencyTagCount();

    /**
     * The view direction that carries a tag: yaw and pitch of a canonical movement.
     *
     * @param tag 0 to {@link #latencyTagCount} - 1
     */
    View encodeLatencyTag(int tag);

    /** The tag that a movement seen by another client carries, or -1 where it carries none. */
    int decodeLatencyTag(Movement seen);

    /** A direction to look in, canonical degrees. */
    record View(double yaw, double pitch) {}
}
