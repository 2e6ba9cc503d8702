package dev.wishdir.game;

import dev.wishdir.arena.validation.MovementLimits;
import dev.wishdir.game.operator.PasswordRules;
import dev.wishdir.motion.Movement;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A game that Wishdir supports: its endpoint, headless client, dissector and maps. A game that has
 * only an endpoint is complete for a server; the rest has defaults.
 *
 * <p>{@link java.util.ServiceLoader} finds it: its module names the class in {@code
 * META-INF/services/dev.wishdir.game.Game}.
 */
public interface Game extends GamePresentation, GameMaps, GameCaptures, GameProxy {
    /**
     * A setting of one game. On the command line it is {@code --GAME-NAME VALUE}.
     *
     * @param name in kebab case: {@code data}
     * @param value placeholder of the value in the help: {@code DIR}
     * @param help one sentence
     * @param file what the game does with a file that the value names
     */
    record Option(String name, String value, String help, FileAccess file) {
        /** The use of a file that a setting names. */
        public enum FileAccess {
            /** The setting names none, or one that need not be there. */
            NONE,
            READ,
            /** It is created if it is missing. */
            CREATE
        }

        /** A setting that names no file. */
        public Option(String name, String value, String help) {
            this(name, value, help, FileAccess.NONE);
        }

        public Option {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(help, "help");
            Objects.requireNonNull(file, "file");
        }

        /**
         * Whether an option is on.
         *
         * @param otherwise what holds where it is not set
         * @throws IllegalArgumentException if it is neither on nor off
         */
        public static boolean isOn(Map<String, String> options, String name, boolean otherwise) {
            String value = options.getOrDefault(name, otherwise ? "on" : "off");
            return switch (value) {
                case "on" -> true;
                case "off" -> false;
                default ->
                        throw new IllegalArgumentException(
                                "option " + name + " must be on or off, is '" + value + "'");
            };
        }

        /**
         * Refuses options that a game does not have, such as misspelt ones.
         *
         * @throws IllegalArgumentException that names the option, and those that the game has
         */
        public static void requireKnown(
                Game game, List<Option> known, Map<String, String> options) {
            List<String> names = known.stream().map(Option::name).sorted().toList();
            for (String name : options.keySet()) {
                if (!names.contains(name)) {
                    throw new IllegalArgumentException(
                            "option "
                                    + name
                                    + " is not known to "
                                    + game.name()
                                    + ", which has "
                                    + (names.isEmpty() ? "none" : String.join(", ", names)));
                }
            }
        }
    }

    /** Default UDP port. */
    int port();

    /**
     * A port that its endpoint opens besides {@link #port}.
     *
     * @param purpose {@code the server browser}
     * @param offset from the game's port
     * @param isTcp TCP, not UDP
     */
    record Port(String purpose, int offset, boolean isTcp) {}

    /** The ports besides {@link #port}; none by default. */
    default List<Port> ports() {
        return List.of();
    }

    /** Whether its master servers list IPv6 addresses; false by default. */
    default boolean isListedByIpv6() {
        return false;
    }

    /** Movements per second that its clients send. */
    int movementRate();

    /** The settings of its endpoint; none by default. */
    default List<Option> options() {
        return List.of();
    }

    /**
     * Checks the settings of its endpoint, before anything is opened.
     *
     * @param options by {@link Option#name}, only those that are set
     * @throws IllegalArgumentException for an unknown option or a wrong value; the message begins
     *     with "option" and its name
     */
    default void check(Map<String, String> options) {
        Option.requireKnown(this, options(), options);
    }

    /**
     * Checks a context before anything is opened, on the cycle's thread.
     *
     * @throws IllegalArgumentException as {@link #check(Map)}, or for a password that players of
     *     this game cannot type; the message says which are allowed
     * @throws IllegalStateException on another thread than the cycle's
     */
    default void check(EndpointContext context) {
        context.cycle().checkThread("opens an endpoint");
        check(context.options());
        check("password", PasswordRules.Kind.JOIN, context.password());
        check("adminPassword", PasswordRules.Kind.ADMIN, context.adminPassword());
    }

    private void check(String name, PasswordRules.Kind kind, String password) {
        passwordRules(kind)
                .problem(password)
                .ifPresent(why -> {
                    throw new IllegalArgumentException(
                            name + " cannot be typed by players of " + title() + ": " + why);
                });
    }

    /**
     * Checks a configuration before a client is opened, on the cycle's thread.
     *
     * @throws IllegalArgumentException for an option that the game's clients do not have
     * @throws IllegalStateException on another thread than the cycle's
     */
    default void check(ClientConfig config) {
        config.cycle().checkThread("connects a client");
        Option.requireKnown(this, clientOptions(), config.options());
    }

    /** The passwords that its clients can type and its protocol can carry. */
    default PasswordRules passwordRules(PasswordRules.Kind kind) {
        return new PasswordRules(
                c -> !Character.isISOControl(c), 256, "without control characters");
    }

    /** The settings of its headless clients; on the command line {@code --NAME VALUE}. */
    default List<Option> clientOptions() {
        return List.of();
    }

    /**
     * The limits by which its server validates movements that clients report; empty if the server
     * moves the players itself.
     */
    default Optional<MovementLimits> movementLimits() {
        return Optional.empty();
    }

    /**
     * Opens the server side.
     *
     * @throws IOException if a port can't be bound or a file can't be read; the message says what
     *     to do
     * @throws IllegalArgumentException for a wrong option; the message names it
     * @throws IllegalStateException on another thread than the cycle's
     */
    Endpoint serve(EndpointContext context) throws IOException;

    /**
     * Starts a headless client, which connects at once.
     *
     * @throws IOException if no socket can be opened, or a file of an option can't be read
     * @throws IllegalArgumentException for a wrong option; the message names it
     * @throws IllegalStateException on another thread than the cycle's
     * @throws UnsupportedOperationException if the game has no headless client, as by default
     */
    default Client connect(ClientConfig config) throws IOException {
        throw new UnsupportedOperationException(title() + " has no headless client");
    }

    /**
     * The same game for one protocol version: spoken by its clients, and assumed by its dissectors
     * if a capture does not say.
     *
     * @param version as players know it, {@code 1.26.51}
     * @throws IllegalArgumentException for an unsupported version; the message names the supported
     *     ones
     */
    default Game ofVersion(String version) {
        throw new IllegalArgumentException(name() + " supports only one version");
    }

    /**
     * The number of tags that {@link #encodeLatencyTag} distinguishes. A tag travels in the view
     * angles, so it depends on their resolution in the game's protocol. 0, the default, if it has
     * no tags: then the latency of its servers can't be measured.
     */
    default int latencyTagCount() {
        return 0;
    }

    /**
     * The view angles that carry a latency tag.
     *
     * @param tag 0 to {@link #latencyTagCount} - 1
     */
    default View encodeLatencyTag(int tag) {
        throw new UnsupportedOperationException(title() + " has no latency tags");
    }

    /** The latency tag of a movement that another client received, or -1 for none. */
    default int decodeLatencyTag(Movement seen) {
        return -1;
    }

    /** View angles, canonical degrees. */
    record View(double yaw, double pitch) {}
}
