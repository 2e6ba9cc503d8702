package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Passes the messages in packets to an interceptor. Follows the protocol version and the mode, on
 * which encodings depend.
 */
final class InterceptedPackets {
    /** A packet to send. */
    record Packet(int channel, Bytes payload, boolean reliable) {}

    /** Maximum size of a packet that was changed, bytes: the longest file, and its code. */
    private static final int MAX_PACKET_BYTES = 17 << 20;

    /** A message, and the codec at its place in the packet. */
    private record Read(SauerbratenCodec codec, SauerbratenMessage message) {}

    /** Messages for one channel. */
    private static final class Batch {
        private final Writer writer = new Writer(MAX_PACKET_BYTES);
        private boolean reliable;
    }

    private final GuardedInterceptor<SauerbratenMessage> interceptor;
    private SauerbratenCodec codec = SauerbratenCodec.V260;

    InterceptedPackets(GuardedInterceptor<SauerbratenMessage> interceptor) {
        this.interceptor = interceptor;
    }

    /** Packets in place of one; the packet itself if nothing in it is changed. */
    List<Packet> apply(Direction direction, Packet packet) {
        List<Read> messages = new ArrayList<>();
        try {
            read(direction, packet, messages);
        } catch (MalformedPacketException e) {
            return List.of(packet);
        }
        boolean changed = false;
        SortedMap<Integer, List<Read>> byChannel = new TreeMap<>();
        for (Read read : messages) {
            SauerbratenMessage message = read.message;
            List<SauerbratenMessage> results =
                    interceptor.onMessage(
                            direction, message, result -> check(read.codec, direction, result));
            changed |= !GuardedInterceptor.isUnchanged(message, results);
            for (SauerbratenMessage result : results) {
                int channel =
                        result.getClass() == message.getClass() ? packet.channel : channel(result);
                byChannel
                        .computeIfAbsent(channel, _ -> new ArrayList<>())
                        .add(new Read(read.codec, result));
            }
        }
        if (!changed) {
            return List.of(packet);
        }
        List<Packet> packets = new ArrayList<>();
        byChannel.forEach((channel, results) -> {
            Batch batch = encoded(results);
            packets.add(
                    new Packet(
                            channel,
                            batch.writer.toBytes(),
                            batch.reliable || packet.reliable && channel == packet.channel));
        });
        return packets;
    }

    private void read(Direction direction, Packet packet, List<Read> messages) {
        Reader reader = new Reader(packet.payload);
        SauerbratenCodec before = codec;
        try {
            while (reader.remaining() > 0) {
                SauerbratenMessage message =
                        packet.channel == SauerbratenTransport.FILES
                                ? codec.readPacket(direction, packet.channel, reader).getFirst()
                                : codec.read(direction, reader);
                if (message instanceof RelayMessage.Client client) {
                    for (SauerbratenMessage inner : codec.messages(client)) {
                        messages.add(new Read(codec, new RelayMessage.Relayed(client.cn(), inner)));
                    }
                } else {
                    messages.add(new Read(codec, message));
                }
                follow(message);
            }
        } catch (MalformedPacketException e) {
            codec = before;
            throw e;
        }
    }

    private void follow(SauerbratenMessage message) {
        if (message instanceof SessionMessage.ServInfo info) {
            codec = SauerbratenCodec.of(info.protocol()).orElse(codec);
        } else if (message instanceof MatchMessage.MapChange change) {
            codec = codec.inMode(change.mode());
        }
    }

    private static int channel(SauerbratenMessage message) {
        return message instanceof RelayMessage.Relayed
                ? SauerbratenTransport.MESSAGES
                : SauerbratenCodec.channel(message);
    }

    private static void check(
            SauerbratenCodec codec, Direction direction, SauerbratenMessage message) {
        SauerbratenMessage sent =
                message instanceof RelayMessage.Relayed relayed ? relayed.message() : message;
        if (!codec.has(direction, sent)
                || message instanceof RelayMessage.Relayed && direction == Direction.C2S) {
            throw new IllegalArgumentException(
                    sent.getClass().getSimpleName()
                            + " can't be sent to a "
                            + (direction == Direction.C2S ? "server" : "client"));
        }
        // Throws if a value is out of bounds.
        codec.packet(sent);
    }

    private static Batch encoded(List<Read> results) {
        Batch batch = new Batch();
        for (int i = 0; i < results.size(); i++) {
            Read read = results.get(i);
            if (read.message instanceof RelayMessage.Relayed first) {
                Writer inner = new Writer(RelayMessage.MAX_MESSAGES);
                int last = i;
                while (last < results.size()
                        && results.get(last).message instanceof RelayMessage.Relayed relayed
                        && relayed.cn() == first.cn()) {
                    read.codec.write(inner, relayed.message());
                    batch.reliable |= SauerbratenCodec.reliable(relayed.message());
                    last++;
                }
                read.codec.write(
                        batch.writer, new RelayMessage.Client(first.cn(), inner.toBytes()));
                i = last - 1;
            } else {
                read.codec.write(batch.writer, read.message);
                batch.reliable |= SauerbratenCodec.reliable(read.message);
            }
        }
        return batch;
    }
}
