package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Map;

/** Lines of the inspector about messages, without bytes and trace. */
public final class TestMessages {
    private TestMessages() {}

    public static DissectedMessage of(
            Direction direction, String game, String name, Map<String, ?> fields) {
        return new DissectedMessage(
                1,
                0,
                direction,
                5,
                game,
                DissectedMessage.Layer.MESSAGE,
                name,
                fields,
                Bytes.EMPTY,
                List.of());
    }
}
