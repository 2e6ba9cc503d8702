package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which message has which number, and its walk, in one version of the protocol. What the versions
 * change stands in {@link BedrockVersions}.
 */
public final class BedrockCodec {
    /** A message's wire walk, {@code MovePlayer::wire}. */
    @FunctionalInterface
    interface Walk<M extends BedrockMessage> {
        M walk(Wire w, M message, Dialect dialect);
    }

    /** The walk of a message that no version changes. */
    @FunctionalInterface
    interface SameWalk<M extends BedrockMessage> {
        M walk(Wire w, M message);
    }

    private record Entry<M extends BedrockMessage>(int id, String name, M blank, Walk<M> walk) {
        M read(Wire w, Dialect dialect) {
            return walk.walk(w, blank, dialect);
        }

        @SuppressWarnings("unchecked") // Entries are found by the class of their own blank message.
        void write(Wire w, BedrockMessage message, Dialect dialect) {
            walk.walk(w, (M) message, dialect);
        }
    }

    private static final int IDS = 1024;
    private static final NavigableMap<Integer, BedrockCodec> VERSIONS = new TreeMap<>();

    static {
        for (BedrockCodec version : BedrockVersions.all()) {
            VERSIONS.put(version.protocol, version);
        }
    }

    /** The game's name, by which everything else calls it. */
    public static final String NAME = "bedrock";

    /** The oldest version that is spoken here. */
    public static final BedrockCodec OLDEST = VERSIONS.firstEntry().getValue();

    /** The newest version that is spoken here. */
    public static final BedrockCodec NEWEST = VERSIONS.lastEntry().getValue();

    /** Protocol 748, the reference: version 1.21.40 to 1.21.44 of the game. */
    public static final BedrockCodec V748 = of(748).orElseThrow();

    private final int protocol;
    private final String game;
    private final Dialect dialect;
    private final @Nullable Entry<?>[] byId;
    private final Map<Class<?>, Entry<?>> byType;

    private BedrockCodec(
            int protocol,
            String game,
            Dialect dialect,
            @Nullable Entry<?>[] byId,
            Map<Class<?>, Entry<?>> byType) {
        this.protocol = protocol;
        this.game = game;
        this.dialect = dialect;
        this.byId = byId;
        this.byType = byType;
    }

    /** The first of a chain of versions; its messages are added to it. */
    static BedrockCodec oldest(int protocol, String game) {
        return new BedrockCodec(
                protocol, game, Dialect.OLDEST, new @Nullable Entry<?>[IDS], new HashMap<>());
    }

    /**
     * The version after this one.
     *
     * @param changes what it does otherwise
     */
    BedrockCodec next(int protocol, String game, ProtocolChange... changes) {
        return new BedrockCodec(
                protocol,
                game,
                dialect.with(changes),
                Arrays.copyOf(byId, IDS),
                new HashMap<>(byType));
    }

    /** The same version gone back on some changes of older ones. */
    BedrockCodec undoing(ProtocolChange... changes) {
        return new BedrockCodec(protocol, game, dialect.without(changes), byId, byType);
    }

    /** The same version that reads only these messages: all others are unknown to it. */
    public BedrockCodec reading(Set<Class<? extends BedrockMessage>> messages) {
        @Nullable Entry<?>[] some = byId.clone();
        for (int id = 0; id < IDS; id++) {
            Entry<?> entry = some[id];
            if (entry != null && !messages.contains(entry.blank.getClass())) {
                some[id] = null;
            }
        }
        return new BedrockCodec(protocol, game, dialect, some, byType);
    }

    <M extends BedrockMessage> BedrockCodec add(int id, String name, M blank, Walk<M> walk) {
        Entry<M> entry = new Entry<>(id, name, blank, walk);
        byId[id] = entry;
        byType.put(blank.getClass(), entry);
        return this;
    }

    /** Adds a message that is the same in all versions. */
    <M extends BedrockMessage> BedrockCodec add(int id, String name, M blank, SameWalk<M> walk) {
        return add(id, name, blank, (w, message, _) -> walk.walk(w, message));
    }

    /** Removes a message that is no longer sent. */
    BedrockCodec remove(BedrockMessage blank) {
        Entry<?> gone = entry(blank);
        byId[gone.id] = null;
        byType.remove(blank.getClass());
        return this;
    }

    private Entry<?> entry(BedrockMessage message) {
        Entry<?> entry = byType.get(message.getClass());
        if (entry == null) {
            throw new IllegalArgumentException(
                    message.getClass().getSimpleName() + " is no message of protocol " + protocol);
        }
        return entry;
    }

    /** The version with a protocol number, if it is spoken here. */
    public static Optional<BedrockCodec> of(int protocol) {
        return Optional.ofNullable(VERSIONS.get(protocol));
    }

    /**
     * The version that a user means: a protocol number, or a version of the game. One of the game
     * that brought no protocol of its own has that of the one before it.
     */
    public static Optional<BedrockCodec> named(String version) {
        if (version.matches("[0-9]{1,6}")) {
            return of(Integer.parseInt(version));
        }
        if (!version.matches("[0-9]{1,3}(\\.[0-9]{1,3}){2}")
                || number(version) > number(NEWEST.game)) {
            return Optional.empty();
        }
        return VERSIONS.descendingMap().values().stream()
                .filter(each -> number(each.game) <= number(version))
                .findFirst();
    }

    /** A version of the game, such that later ones are greater. */
    private static int number(String game) {
        int number = 0;
        for (String part : game.split("\\.", -1)) {
            number = number * 1000 + Integer.parseInt(part);
        }
        return number;
    }

    /** The protocol numbers that are spoken here, ascending. */
    public static int[] protocols() {
        return VERSIONS.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** How this version writes its messages. */
    public Dialect dialect() {
        return dialect;
    }

    /** Whether this version does something the new way. */
    public boolean has(ProtocolChange change) {
        return dialect.has(change);
    }

    /** The protocol's number. */
    public int protocol() {
        return protocol;
    }

    /** The game's version, {@code 1.21.40}. */
    public String game() {
        return game;
    }

    /** The name of a message as protocol tables have it, {@code move_player}. */
    public String name(BedrockMessage message) {
        return message instanceof Unknown unknown
                ? PacketNames.of(unknown.id(), protocol)
                : entry(message).name;
    }

    /**
     * Reads a message with its header. A message for another player on a shared screen is unknown
     * too: this implementation has no such players.
     */
    public BedrockMessage read(Reader r) {
        int header = Encoding.uvarint(r, "header", 0);
        Entry<?> entry = header >>> 10 == 0 ? byId[header] : null;
        return entry == null
                ? Unknown.wire(r, new Unknown(header, Bytes.EMPTY))
                : entry.read(r, dialect);
    }

    /** Writes a message with its header. */
    public void write(Writer w, BedrockMessage message) {
        if (message instanceof Unknown unknown) {
            Encoding.uvarint(w, "header", unknown.header());
            Unknown.wire(w, unknown);
        } else {
            Entry<?> entry = entry(message);
            Encoding.uvarint(w, "header", entry.id);
            entry.write(w, message, dialect);
        }
    }
}
