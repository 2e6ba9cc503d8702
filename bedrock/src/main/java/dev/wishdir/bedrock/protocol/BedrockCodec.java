package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.message.InventoryMessage;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads and writes the messages of one version of the protocol. */
public final class BedrockCodec {
    private static final NavigableMap<Integer, BedrockCodec> VERSIONS = new TreeMap<>();
    private static final Map<Integer, BedrockCodec> ITEMLESS = new HashMap<>();

    static {
        for (MessageTable version : BedrockVersions.all()) {
            VERSIONS.put(version.protocol(), new BedrockCodec(version));
            ITEMLESS.put(
                    version.protocol(), new BedrockCodec(version.without(InventoryMessage.class)));
        }
    }

    /** The game's name in the arena, in options and in metrics. */
    public static final String NAME = "bedrock";

    /** The oldest supported version. */
    public static final BedrockCodec OLDEST = VERSIONS.firstEntry().getValue();

    /** The newest supported version. */
    public static final BedrockCodec NEWEST = VERSIONS.lastEntry().getValue();

    /** Protocol 748, the reference: version 1.21.40 to 1.21.44 of the game. */
    public static final BedrockCodec V748 = of(748).orElseThrow();

    private final MessageTable messages;
    private final Dialect dialect;

    private BedrockCodec(MessageTable messages) {
        this.messages = messages;
        dialect = messages.dialect();
    }

    /** The same version that reads only these messages: all others are unknown to it. */
    public BedrockCodec reading(Set<Class<? extends BedrockMessage>> only) {
        return new BedrockCodec(messages.reading(only));
    }

    /**
     * The same version that reads no message about items: they are unknown to it. One for all
     * sessions of a version.
     */
    public BedrockCodec withoutItems() {
        return ITEMLESS.getOrDefault(protocol(), this);
    }

    /** The version with a protocol number; empty if it is not supported. */
    public static Optional<BedrockCodec> of(int protocol) {
        return Optional.ofNullable(VERSIONS.get(protocol));
    }

    /**
     * The newest version that is not newer than a protocol number; the oldest if all are. Versions
     * without a codec of their own open a session as that one does.
     */
    public static BedrockCodec nearest(int protocol) {
        var entry = VERSIONS.floorEntry(protocol);
        return entry == null ? OLDEST : entry.getValue();
    }

    /**
     * The version that a user names by a protocol number or a version of the game. A version of the
     * game without a protocol of its own has that of the one before it.
     */
    public static Optional<BedrockCodec> named(String version) {
        if (version.matches("[0-9]{1,6}")) {
            return of(Integer.parseInt(version));
        }
        if (!version.matches("[0-9]{1,3}(\\.[0-9]{1,3}){2}")
                || number(version) > number(NEWEST.game())) {
            return Optional.empty();
        }
        return VERSIONS.descendingMap().values().stream()
                .filter(each -> number(each.game()) <= number(version))
                .findFirst();
    }

    /** A number for a version of the game; later versions have greater ones. */
    private static int number(String game) {
        int number = 0;
        for (String part : game.split("\\.", -1)) {
            number = number * 1000 + Integer.parseInt(part);
        }
        return number;
    }

    /** The supported protocol numbers, ascending. */
    public static int[] protocols() {
        return VERSIONS.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /** The first version of the game with each supported protocol, ascending. */
    public static List<String> versions() {
        return VERSIONS.values().stream().map(BedrockCodec::game).toList();
    }

    /** The wire format of this version. */
    public Dialect dialect() {
        return dialect;
    }

    /** Whether this version has a change. */
    public boolean has(ProtocolChange change) {
        return dialect.has(change);
    }

    /** A blank message of each kind that this version reads. */
    public List<BedrockMessage> blanks() {
        return messages.blanks();
    }

    /**
     * An empty message of each kind that has a name in this version, whether it reads it or not.
     */
    public List<Unknown> named() {
        return PacketNames.ids(protocol()).stream()
                .map(id -> new Unknown(id, Bytes.EMPTY))
                .toList();
    }

    public int protocol() {
        return messages.protocol();
    }

    /** The game's version, {@code 1.21.40}. */
    public String game() {
        return messages.game();
    }

    /** The name of a message as protocol tables have it, {@code move_player}. */
    public String name(BedrockMessage message) {
        return message instanceof Unknown unknown
                ? PacketNames.of(unknown.id(), protocol())
                : messages.entry(message).name();
    }

    /**
     * Reads a message with its header. A message for another player on a shared screen is unknown
     * too: this implementation has no such players.
     */
    public BedrockMessage read(Reader r) {
        int header = Encoding.uvarint(r, "header", 0);
        MessageTable.Entry<?> entry = messages.entry(header);
        if (entry == null) {
            return Unknown.wire(r, new Unknown(header, Bytes.EMPTY));
        }
        try {
            return entry.read(r, dialect);
        } catch (MalformedPacketException e) {
            throw e.in(entry.name());
        }
    }

    /** Writes a message with its header. */
    public void write(Writer w, BedrockMessage message) {
        if (message instanceof Unknown unknown) {
            Encoding.uvarint(w, "header", unknown.header());
            Unknown.wire(w, unknown);
        } else {
            MessageTable.Entry<?> entry = messages.entry(message);
            Encoding.uvarint(w, "header", entry.id());
            entry.write(w, message, dialect);
        }
    }
}
