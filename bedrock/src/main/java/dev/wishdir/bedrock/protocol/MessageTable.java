package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.wire.Wire;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The messages of one version of the protocol: the number, name and wire walk of each. */
final class MessageTable {
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

    record Entry<M extends BedrockMessage>(int id, String name, M blank, Walk<M> walk) {
        M read(Wire w, Dialect dialect) {
            return walk.walk(w, blank, dialect);
        }

        @SuppressWarnings("unchecked") // Entries are found by the class of their own blank message.
        void write(Wire w, BedrockMessage message, Dialect dialect) {
            walk.walk(w, (M) message, dialect);
        }
    }

    private static final int IDS = 1024;

    private final int protocol;
    private final String game;
    private final Dialect dialect;
    private final @Nullable Entry<?>[] byId;
    private final Map<Class<?>, Entry<?>> byType;

    private MessageTable(
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
    static MessageTable oldest(int protocol, String game) {
        return new MessageTable(
                protocol, game, Dialect.OLDEST, new @Nullable Entry<?>[IDS], new HashMap<>());
    }

    /**
     * The version after this one.
     *
     * @param changes of the next version
     */
    MessageTable next(int protocol, String game, ProtocolChange... changes) {
        return new MessageTable(
                protocol,
                game,
                dialect.with(changes),
                Arrays.copyOf(byId, IDS),
                new HashMap<>(byType));
    }

    /** The same version without some changes of older ones. */
    MessageTable undoing(ProtocolChange... changes) {
        return new MessageTable(protocol, game, dialect.without(changes), byId, byType);
    }

    /** The same version that reads only these messages: all others are unknown to it. */
    MessageTable reading(Set<Class<? extends BedrockMessage>> messages) {
        return reading(blank -> messages.contains(blank.getClass()));
    }

    /** The same version that reads no message of a kind: these are unknown to it. */
    MessageTable without(Class<? extends BedrockMessage> kind) {
        return reading(blank -> !kind.isInstance(blank));
    }

    private MessageTable reading(Predicate<BedrockMessage> isRead) {
        @Nullable Entry<?>[] some = byId.clone();
        for (int id = 0; id < IDS; id++) {
            Entry<?> entry = some[id];
            if (entry != null && !isRead.test(entry.blank)) {
                some[id] = null;
            }
        }
        return new MessageTable(protocol, game, dialect, some, byType);
    }

    <M extends BedrockMessage> MessageTable add(int id, String name, M blank, Walk<M> walk) {
        Entry<M> entry = new Entry<>(id, name, blank, walk);
        byId[id] = entry;
        byType.put(blank.getClass(), entry);
        return this;
    }

    /** Adds a message that is the same in all versions. */
    <M extends BedrockMessage> MessageTable add(int id, String name, M blank, SameWalk<M> walk) {
        return add(id, name, blank, (w, message, _) -> walk.walk(w, message));
    }

    /** Removes a message that is no longer sent. */
    MessageTable remove(BedrockMessage blank) {
        Entry<?> gone = entry(blank);
        byId[gone.id] = null;
        byType.remove(blank.getClass());
        return this;
    }

    /** A blank message of each kind. */
    List<BedrockMessage> blanks() {
        List<BedrockMessage> blanks = new ArrayList<>();
        for (Entry<?> entry : byId) {
            if (entry != null) {
                blanks.add(entry.blank);
            }
        }
        return blanks;
    }

    /**
     * @throws IllegalArgumentException if the version has no such message
     */
    Entry<?> entry(BedrockMessage message) {
        Entry<?> entry = byType.get(message.getClass());
        if (entry == null) {
            throw new IllegalArgumentException(
                    message.getClass().getSimpleName()
                            + " is not a message of protocol "
                            + protocol);
        }
        return entry;
    }

    /** The message with a number; null if it is unknown. */
    @Nullable Entry<?> entry(int id) {
        return id >>> 10 == 0 ? byId[id] : null;
    }

    /** The number of the protocol. */
    int protocol() {
        return protocol;
    }

    /** The version of the game. */
    String game() {
        return game;
    }

    /** The wire format of this version. */
    Dialect dialect() {
        return dialect;
    }
}
