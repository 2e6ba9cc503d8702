package dev.wishdir.sauerbraten.message;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.RecordFields;

import java.util.SequencedMap;

/**
 * A message of Cube 2: Sauerbraten, protocol 260. Immutable; components have the names of the
 * protocol. Its code and name are in {@code SauerbratenCodec}, as they depend on the protocol
 * version.
 *
 * <p>Each record has a {@code BLANK} to read into, and a static method {@code wire} that walks the
 * message after its code.
 */
public sealed interface SauerbratenMessage
        permits ActionMessage,
                AdminMessage,
                AuthMessage,
                BotMessage,
                CaptureMessage,
                ChatMessage,
                DemoMessage,
                EditMessage,
                FlagMessage,
                ItemMessage,
                LifeMessage,
                MatchMessage,
                RelayMessage,
                RosterMessage,
                SessionMessage,
                TokenMessage,
                MovementMessage {
    /**
     * The values by name, in wire order, for the inspector: numbers, booleans, strings, lists and
     * maps of these. Bytes are lower-case hex.
     */
    default SequencedMap<String, Object> fields() {
        return Fields.of(this);
    }

    /**
     * This message with another value of a field: a number, boolean or text, or one in a list.
     *
     * @throws IllegalArgumentException if it can't be set, or does not allow the value
     */
    default SauerbratenMessage with(FieldPath field) {
        return RecordFields.with(this, field);
    }
}
