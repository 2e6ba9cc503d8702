package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws.Walk;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A peer that is connected by hand, so that it can send anything. */
final class RakNetAttacker {
    final RakNetNetwork n;
    final InetSocketAddress address;
    final List<byte[]> received = new ArrayList<>();
    int number;
    int message;

    RakNetAttacker(RakNetNetwork n, InetSocketAddress address) {
        this.n = n;
        this.address = address;
        n.network.tap((_, _, to, data) -> {
            if (to.equals(address)) {
                received.add(data);
            }
        });
    }

    void raw(byte[] data) {
        n.network.inject(address, RakNetNetwork.SERVER, data);
        n.network.run(1_000_000);
    }

    <M extends OfflineMessage> M answer(Class<M> type) {
        for (byte[] data : received) {
            if ((data[0] & 0x80) == 0) {
                OfflineMessage read =
                        OfflineMessage.read(new Reader(data), RakNetSettings.MAGIC, false);
                if (type.isInstance(read)) {
                    return type.cast(read);
                }
            }
        }
        throw new AssertionError("no " + type.getSimpleName());
    }

    void request1() {
        raw(
                bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest1.wire(
                                        w, m, RakNetSettings.MAGIC),
                        new OfflineMessage.OpenConnectionRequest1(11, 1400)));
    }

    void request2(long cookie, int mtu) {
        raw(
                bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest2.wire(
                                        w, m, RakNetSettings.MAGIC, true),
                        new OfflineMessage.OpenConnectionRequest2(
                                cookie, false, RakNetNetwork.SERVER, mtu, 5)));
    }

    void connect() {
        request1();
        request2(answer(OfflineMessage.OpenConnectionReply1.class).cookie(), 1492);
        answer(OfflineMessage.OpenConnectionReply2.class);
        reliable(
                bytes(
                        ConnectedMessage.ConnectionRequest::wire,
                        new ConnectedMessage.ConnectionRequest(5, 5, false)));
        reliable(
                bytes(
                        ConnectedMessage.NewIncomingConnection::wire,
                        new ConnectedMessage.NewIncomingConnection(
                                RakNetNetwork.SERVER, List.of(), 0, 0)));
        assertThat(n.events.connected).isNotEmpty();
    }

    void reliable(byte[] payload) {
        frames(frame(Reliability.RELIABLE, message++, 0, 0, 0, 0, payload));
    }

    void report(int flags, int first, int last) {
        raw(
                bytes(
                        AckPacket::wire,
                        new AckPacket(
                                flags,
                                List.of(
                                        new AckPacket.Range(
                                                first & 0xFF_FFFF, last & 0xFF_FFFF)))));
    }

    /** The newest datagram that the server sent. */
    int newest() {
        int newest = -1;
        for (byte[] data : received) {
            if ((data[0] & 0xE0) == RakNetDatagram.VALID) {
                newest =
                        Math.max(
                                newest,
                                RakNetDatagram.wire(new Reader(data), RakNetDatagram.BLANK)
                                        .number());
            }
        }
        return newest;
    }

    /** The bytes received since the given number of datagrams. */
    int receivedBytes(int since) {
        return received.stream().skip(since).mapToInt(data -> data.length).sum();
    }

    RakNetPeer atServer() {
        for (RakNetPeer peer : n.server.peers()) {
            if (peer.remote().equals(address)) {
                return peer;
            }
        }
        throw new AssertionError("not connected");
    }

    /** Sends an empty batch, which proves nothing but that it is there. */
    void chatter() {
        frames(frame(Reliability.UNRELIABLE, 0, 0, 0, 0, 0, new byte[] {(byte) 0xFE, 0}));
    }

    void frames(Frame... frames) {
        raw(
                bytes(
                        RakNetDatagram::wire,
                        new RakNetDatagram(0x84, number++ & 0xFFFFFF, List.of(frames))));
    }

    static <M> byte[] bytes(Walk<M> walk, M message) {
        Writer writer = new Writer(70_000);
        walk.walk(writer, message);
        return writer.toByteArray();
    }

    static Frame frame(
            Reliability reliability,
            int message,
            int order,
            int count,
            int id,
            int index,
            byte[] payload) {
        int split = count == 0 && id == 0 && index == 0 ? 0 : Frame.SPLIT_FLAG;
        return new Frame(
                reliability.ordinal() << 5 | split,
                message,
                0,
                order,
                0,
                count,
                id,
                index,
                Bytes.of(payload));
    }
}
