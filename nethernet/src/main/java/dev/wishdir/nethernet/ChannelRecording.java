package dev.wishdir.nethernet;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A recording of decrypted data-channel messages, as one of the peers can write it.
 *
 * <p>Each line is JSON with {@code t} in milliseconds, {@code dir} ({@code out} is the client's
 * unless {@code side} is {@code server}), {@code label} and {@code hex}.
 */
final class ChannelRecording {
    private static final InetSocketAddress NOWHERE =
            new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
    private static final int MAX_PACKET_BYTES = 64 << 20;
    private static final int LOOKED_AT = 4096;
    private static final String CUT = "...";
    private static final double MILLIS = 1000;

    private final String name;
    private final ApplicationDissector application;
    private final Consumer<DissectedMessage> lines;
    private final SegmentCodec client = new SegmentCodec(MAX_PACKET_BYTES);
    private final SegmentCodec server = new SegmentCodec(MAX_PACKET_BYTES);

    ChannelRecording(
            String name, ApplicationDissector application, Consumer<DissectedMessage> lines) {
        this.name = name;
        this.application = application;
        this.lines = lines;
    }

    /** Whether a file starts like a recording. */
    static boolean recognises(Bytes content) {
        int length = Math.min(content.length(), LOOKED_AT);
        String text = new String(content.slice(0, length).toArray(), StandardCharsets.UTF_8);
        return text.startsWith("{")
                && (text.contains('"' + DataChannels.RELIABLE + '"')
                        || text.contains('"' + DataChannels.UNRELIABLE + '"'));
    }

    void explain(Bytes content) {
        int number = 0;
        for (String line : new String(content.toArray(), StandardCharsets.UTF_8).lines().toList()) {
            number++;
            if (!line.isBlank()) {
                message(number, line);
            }
        }
    }

    private void message(int number, String text) {
        Map<String, Object> json;
        try {
            json = JsonUtil.parseJson(text);
        } catch (JoseException e) {
            throw new MalformedPacketException(0, "line " + number, "is not JSON");
        }
        boolean fromClient = "server".equals(json.get("side")) != "out".equals(json.get("dir"));
        Direction direction = fromClient ? Direction.C2S : Direction.S2C;
        double time = json.get("t") instanceof Number t ? t.doubleValue() / MILLIS : 0;
        String hex = String.valueOf(json.get("hex"));
        boolean cut = hex.endsWith(CUT);
        Bytes message;
        try {
            message = Bytes.ofHex(cut ? hex.substring(0, hex.length() - CUT.length()) : hex);
        } catch (IllegalArgumentException e) {
            throw new MalformedPacketException(0, "line " + number, "has no hex");
        }
        String label = String.valueOf(json.get("label"));
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("channel", label);
        fields.put("length", json.getOrDefault("length", message.length()));
        if (message.length() > 0) {
            fields.put("countdown", message.get(0) & 0xFF);
        }
        if (cut) {
            fields.put("cut", true);
        }
        Datagram datagram = new Datagram(number, time, NOWHERE, NOWHERE, message);
        try {
            Bytes packet = cut ? Bytes.EMPTY : packet(label, fromClient, message);
            line(datagram, direction, "channel_message", fields);
            if (packet.length() > 0) {
                application.packet(datagram, direction, packet, lines);
            }
        } catch (MalformedPacketException e) {
            fields.put("error", e.getMessage());
            line(datagram, direction, "malformed", fields);
        }
    }

    /** The packet that a message completes; empty if it completes none. */
    private Bytes packet(String label, boolean fromClient, Bytes message) {
        if (label.equals(DataChannels.UNRELIABLE)) {
            return Bytes.wrap(SegmentCodec.whole(message.toArray()));
        }
        byte[] packet = (fromClient ? client : server).join(message.toArray());
        return packet == null ? Bytes.EMPTY : Bytes.wrap(packet);
    }

    private void line(
            Datagram datagram,
            Direction direction,
            String what,
            Map<String, ? extends @Nullable Object> fields) {
        lines.accept(DissectedMessage.of(datagram, direction, name, Layer.TRANSPORT, what, fields));
    }
}
