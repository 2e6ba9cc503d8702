package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.inspect.BedrockMessageFields;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.RecordFields;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of Bedrock's messages, for rules. Their values are printed as in the newest version
 * that has the message.
 */
public final class BedrockFields implements MessageFields<BedrockMessage> {
    /** The newest version that has a message, by the message's class. */
    private static final Map<Class<?>, BedrockCodec> CODECS = new LinkedHashMap<>();

    private static final List<BedrockMessage> EXAMPLES = new ArrayList<>();

    static {
        int[] protocols = BedrockCodec.protocols();
        for (int i = protocols.length - 1; i >= 0; i--) {
            BedrockCodec codec = BedrockCodec.of(protocols[i]).orElseThrow();
            for (BedrockMessage blank : codec.blanks()) {
                if (CODECS.putIfAbsent(blank.getClass(), codec) == null) {
                    EXAMPLES.add(blank);
                }
            }
        }
        EXAMPLES.addAll(BedrockCodec.NEWEST.named());
    }

    @Override
    public String name(BedrockMessage message) {
        return codec(message).name(message);
    }

    private static BedrockCodec codec(BedrockMessage message) {
        return CODECS.getOrDefault(message.getClass(), BedrockCodec.NEWEST);
    }

    @Override
    public List<BedrockMessage> examples() {
        return List.copyOf(EXAMPLES);
    }

    @Override
    public Map<String, Object> values(BedrockMessage message) {
        Map<String, Object> values = new LinkedHashMap<>();
        BedrockMessageFields.of(message, codec(message).dialect())
                .forEach((name, value) -> {
                    if (value != null) {
                        values.put(name, value);
                    }
                });
        return values;
    }

    @Override
    public BedrockMessage with(BedrockMessage message, String path, String value) {
        FieldPath field = FieldPath.of(path, value);
        if (message instanceof Unknown) {
            throw field.unknown();
        }
        return RecordFields.with(message, field);
    }
}
