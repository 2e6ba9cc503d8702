package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.dissect.Direction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields of Sauerbraten's messages, for rules. */
final class SauerbratenFields implements MessageFields<SauerbratenMessage> {
    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;

    @Override
    public String name(SauerbratenMessage message) {
        return message instanceof RelayMessage.Relayed relayed
                ? name(relayed.message())
                : CODEC.name(message);
    }

    @Override
    public List<SauerbratenMessage> examples() {
        List<SauerbratenMessage> examples = new ArrayList<>();
        for (SauerbratenMessage message : CODEC.blanks(Direction.S2C)) {
            // A relayed message has the number of its sender too.
            examples.add(CODEC.relayed(message) ? new RelayMessage.Relayed(0, message) : message);
        }
        examples.addAll(CODEC.blanks(Direction.C2S));
        return examples;
    }

    @Override
    public Map<String, Object> values(SauerbratenMessage message) {
        return message.fields();
    }

    @Override
    public SauerbratenMessage with(SauerbratenMessage message, String path, String value) {
        return message.with(FieldPath.of(path, value));
    }
}
