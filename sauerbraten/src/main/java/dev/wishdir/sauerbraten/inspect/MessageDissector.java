package dev.wishdir.sauerbraten.inspect;

import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;

/**
 * Dissects the messages of one connection or demo, following changes of protocol version and mode.
 */
final class MessageDissector {
    private final boolean traces;
    private final @Nullable CapturedClient client;
    private SauerbratenCodec codec;

    /**
     * @param client receives the messages instead of lines; null for lines
     */
    MessageDissector(SauerbratenCodec codec, boolean traces, @Nullable CapturedClient client) {
        this.codec = codec;
        this.traces = traces;
        this.client = client;
    }

    /** Dissects a packet up to the first malformed message. */
    void packet(
            Direction direction,
            int channel,
            boolean reliable,
            Bytes packet,
            Consumer<DissectedFields> dissected) {
        Reader r = Reader.of(packet, traces);
        int from = 0;
        if (client != null) {
            client.onPacket();
        }
        try {
            while (r.remaining() > 0) {
                from = r.position();
                SauerbratenMessage message =
                        channel == 2
                                ? codec.readPacket(direction, channel, r).getFirst()
                                : codec.read(direction, r);
                if (client != null) {
                    Bytes bytes = packet.slice(from, r.position() - from);
                    client.onMessage(direction, codec, message, bytes);
                    follow(message);
                    continue;
                }
                SequencedMap<String, Object> fields = new LinkedHashMap<>();
                fields.put("channel", channel);
                fields.put("reliable", reliable);
                fields.putAll(fields(message));
                Bytes encoded = message instanceof Pos ? r.slice(from, r.position()) : Bytes.EMPTY;
                dissected.accept(
                        new DissectedFields(codec.name(message), fields, encoded, r.traced()));
                follow(message);
            }
        } catch (MalformedPacketException e) {
            dissected.accept(
                    DissectedFields.malformed(e, packet.slice(from, packet.length() - from)));
        }
    }

    private Map<String, Object> fields(SauerbratenMessage message) {
        return message instanceof RelayMessage.Client client
                ? clientFields(client)
                : message.fields();
    }

    private Map<String, Object> clientFields(RelayMessage.Client client) {
        List<Map<String, Object>> messages = new ArrayList<>();
        for (SauerbratenMessage inner : codec.messages(client)) {
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("msg", codec.name(inner));
            fields.putAll(fields(inner));
            messages.add(fields);
        }
        SequencedMap<String, Object> fields = new LinkedHashMap<>();
        fields.put("cn", client.cn());
        fields.put("len", client.messages().length());
        fields.put("msgs", messages);
        return fields;
    }

    private void follow(SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.ServInfo info ->
                    codec = SauerbratenCodec.of(info.protocol()).orElse(codec);
            case MatchMessage.MapChange change -> codec = codec.inMode(change.mode());
            default -> {}
        }
    }
}
