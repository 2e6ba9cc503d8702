package dev.wishdir.sauerbraten.message;

import java.util.SequencedMap;

/**
 * A message of Cube 2: Sauerbraten, protocol 260. Immutable; component names are those of the
 * protocol. Numbers and codes of a message belong to {@code SauerbratenCodec}, because they depend
 * on the protocol's version.
 *
 * <p>Each record has a {@code BLANK} and a static method {@code wire} that walks all of the message
 * after its code.
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
     * The message's values by name, in wire order, as the inspector shows them: numbers, booleans,
     * strings, lists and maps of these. Raw bytes are lower-case hex.
     */
    default SequencedMap<String, Object> fields() {
        return Fields.of(this);
    }
}
