package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;

import java.util.Arrays;

/** Any bytes at all, to RakNet's decoders and to a server with a connection. */
class RakNetFuzzTest {
    /** What comes may be read as any of these; each reader takes it or refuses it. */
    @FuzzTest
    void decode(byte[] data) {
        datagram(data);
        acknowledgement(data);
        offlineAndConnected(data);
    }

    private static void datagram(byte[] data) {
        RakNetDatagram datagram;
        try {
            datagram = RakNetDatagram.wire(new Reader(data), RakNetDatagram.BLANK);
        } catch (MalformedPacketException e) {
            return;
        }
        byte[] written = WireLaws.write(datagram, RakNetDatagram::wire);
        assertThat(RakNetDatagram.wire(new Reader(written), RakNetDatagram.BLANK))
                .isEqualTo(datagram);
    }

    private static void acknowledgement(byte[] data) {
        AckPacket ack;
        try {
            ack = AckPacket.wire(new Reader(data), AckPacket.BLANK);
        } catch (MalformedPacketException e) {
            return;
        }
        byte[] written = WireLaws.write(ack, AckPacket::wire);
        assertThat(AckPacket.wire(new Reader(written), AckPacket.BLANK)).isEqualTo(ack);
    }

    private static void offlineAndConnected(byte[] data) {
        for (boolean cookie : new boolean[] {false, true}) {
            try {
                assertThat(OfflineMessage.read(new Reader(data), RakNetSettings.MAGIC, cookie))
                        .isNotNull();
            } catch (MalformedPacketException e) {
                assertThat(e.field()).isNotEmpty();
            }
        }
        try {
            assertThat(ConnectedMessage.read(new Reader(data))).isNotNull();
        } catch (MalformedPacketException e) {
            assertThat(e.field()).isNotEmpty();
        }
    }

    /**
     * The first byte of each datagram is its length in the data. All come from a client's address,
     * from the server's and from a stranger's.
     */
    @FuzzTest
    void receive(byte[] data) {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetNetwork.Events client = n.connect(2);
        RakNetPeer served = n.events.connected.getFirst();
        RakNetPeer joined = client.connected.getFirst();
        n.events.echo = true;
        for (int at = 0; at < data.length; ) {
            int length = Math.min(data[at++] & 0xFF, data.length - at);
            byte[] datagram = Arrays.copyOfRange(data, at, at + length);
            at += length;
            n.network.inject(RakNetNetwork.address(2, 5000), RakNetNetwork.SERVER, datagram);
            n.network.inject(RakNetNetwork.SERVER, RakNetNetwork.address(2, 5000), datagram);
            n.network.inject(RakNetNetwork.address(66, 6666), RakNetNetwork.SERVER, datagram);
            n.network.run(RakNetNetwork.SECOND / 20);
            assertThat(served.receivedBytes())
                    .isBetween(0, RakNetLimits.SERVER.maxReassemblyBytes());
            assertThat(joined.receivedBytes())
                    .isBetween(0, RakNetLimits.CLIENT.maxReassemblyBytes());
        }
        // What was begun and not finished is forgotten, the connection too where it was broken.
        n.network.run(45 * RakNetNetwork.SECOND);
        assertThat(n.server.connections()).isEqualTo(n.events.endings.isEmpty() ? 1 : 0);
    }
}
