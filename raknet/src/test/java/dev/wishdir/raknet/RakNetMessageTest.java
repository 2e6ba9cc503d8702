package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;

class RakNetMessageTest {
    private static final InetSocketAddress V4 = RakNetNetwork.address(7, 19132);

    private static InetSocketAddress v6() throws Exception {
        return new InetSocketAddress(InetAddress.getByName("2001:db8::17"), 19133);
    }

    @Test
    void holdsLawsOutsideConnection() throws Exception {
        for (boolean ifOpen : new boolean[] {true, false}) {
            WireLaws.holdToTheEnd(
                    new OfflineMessage.UnconnectedPing(ifOpen, -5, Long.MIN_VALUE),
                    OfflineMessage.UnconnectedPing.BLANK,
                    (w, m) -> OfflineMessage.UnconnectedPing.wire(w, m, RakNetSettings.MAGIC));
        }
        WireLaws.holdToTheEnd(
                new OfflineMessage.UnconnectedPong(1, 2, "MCPE;ä;748;1.21.40;0;8;3;"),
                OfflineMessage.UnconnectedPong.BLANK,
                (w, m) -> OfflineMessage.UnconnectedPong.wire(w, m, RakNetSettings.MAGIC));
        WireLaws.holdToTheEnd(
                new OfflineMessage.OpenConnectionRequest1(11, 40),
                OfflineMessage.OpenConnectionRequest1.BLANK,
                (w, m) -> OfflineMessage.OpenConnectionRequest1.wire(w, m, RakNetSettings.MAGIC));
        WireLaws.holdToTheEnd(
                new OfflineMessage.OpenConnectionReply1(9, true, 0xFFFFFFFFL, 1492, 0),
                OfflineMessage.OpenConnectionReply1.BLANK,
                (w, m) -> OfflineMessage.OpenConnectionReply1.wire(w, m, RakNetSettings.MAGIC));
        WireLaws.holdToTheEnd(
                new OfflineMessage.OpenConnectionReply1(9, false, 0, 1492, 30),
                OfflineMessage.OpenConnectionReply1.BLANK,
                (w, m) -> OfflineMessage.OpenConnectionReply1.wire(w, m, RakNetSettings.MAGIC));
        for (InetSocketAddress address : new InetSocketAddress[] {V4, v6()}) {
            WireLaws.hold(
                    new OfflineMessage.OpenConnectionRequest2(5, true, address, 576, 3),
                    OfflineMessage.OpenConnectionRequest2.BLANK,
                    (w, m) ->
                            OfflineMessage.OpenConnectionRequest2.wire(
                                    w, m, RakNetSettings.MAGIC, true));
            WireLaws.hold(
                    new OfflineMessage.OpenConnectionRequest2(0, false, address, 576, 3),
                    OfflineMessage.OpenConnectionRequest2.BLANK,
                    (w, m) ->
                            OfflineMessage.OpenConnectionRequest2.wire(
                                    w, m, RakNetSettings.MAGIC, false));
            WireLaws.holdToTheEnd(
                    new OfflineMessage.OpenConnectionReply2(5, address, 1200, false),
                    OfflineMessage.OpenConnectionReply2.BLANK,
                    (w, m) -> OfflineMessage.OpenConnectionReply2.wire(w, m, RakNetSettings.MAGIC));
        }
        WireLaws.holdToTheEnd(
                new OfflineMessage.IncompatibleProtocolVersion(11, 3),
                OfflineMessage.IncompatibleProtocolVersion.BLANK,
                (w, m) ->
                        OfflineMessage.IncompatibleProtocolVersion.wire(
                                w, m, RakNetSettings.MAGIC));
        WireLaws.holdToTheEnd(
                new OfflineMessage.Refusal(OfflineMessage.CONNECTION_BANNED, 3),
                OfflineMessage.Refusal.BLANK,
                (w, m) -> OfflineMessage.Refusal.wire(w, m, RakNetSettings.MAGIC));
    }

    /** What some programs leave out at the end of a message, and a text of any length. */
    @Test
    void readsMessagesWithoutTails() {
        for (OfflineMessage message :
                List.of(
                        new OfflineMessage.UnconnectedPing(false, 1, 0, true),
                        new OfflineMessage.UnconnectedPing(true, 1, 0, true),
                        new OfflineMessage.UnconnectedPong(1, 2, "", true),
                        new OfflineMessage.UnconnectedPong(1, 2, "", false),
                        new OfflineMessage.UnconnectedPong(1, 2, "x".repeat(1270), false),
                        new OfflineMessage.OpenConnectionReply2(1, V4, 1200, false, true),
                        new OfflineMessage.IncompatibleProtocolVersion(11, 0, true),
                        new OfflineMessage.Refusal(OfflineMessage.ALREADY_CONNECTED, 0, true),
                        new OfflineMessage.Refusal(OfflineMessage.CONNECTION_BANNED, 0, true))) {
            byte[] written = written(message);

            OfflineMessage read =
                    OfflineMessage.read(new Reader(written), RakNetSettings.MAGIC, false);

            assertThat(read).isEqualTo(message);
            assertThat(written(read)).isEqualTo(written);
        }
        assertThat(written(new OfflineMessage.UnconnectedPing(false, 1, 0, true))).hasSize(25);
        assertThat(written(new OfflineMessage.UnconnectedPong(1, 2, "", true))).hasSize(33);
    }

    private static byte[] written(OfflineMessage message) {
        Writer w = new Writer(2000);
        Bytes magic = RakNetSettings.MAGIC;
        switch (message) {
            case OfflineMessage.UnconnectedPing m ->
                    OfflineMessage.UnconnectedPing.wire(w, m, magic);
            case OfflineMessage.UnconnectedPong m ->
                    OfflineMessage.UnconnectedPong.wire(w, m, magic);
            case OfflineMessage.OpenConnectionReply2 m ->
                    OfflineMessage.OpenConnectionReply2.wire(w, m, magic);
            case OfflineMessage.IncompatibleProtocolVersion m ->
                    OfflineMessage.IncompatibleProtocolVersion.wire(w, m, magic);
            case OfflineMessage.Refusal m -> OfflineMessage.Refusal.wire(w, m, magic);
            default -> throw new IllegalArgumentException();
        }
        return java.util.Arrays.copyOf(w.array(), w.position());
    }

    @Test
    void holdsLawsInsideConnection() throws Exception {
        WireLaws.hold(
                new ConnectedMessage.ConnectedPing(5),
                ConnectedMessage.ConnectedPing.BLANK,
                ConnectedMessage.ConnectedPing::wire);
        WireLaws.hold(
                new ConnectedMessage.ConnectedPong(5, 6),
                ConnectedMessage.ConnectedPong.BLANK,
                ConnectedMessage.ConnectedPong::wire);
        WireLaws.hold(
                new ConnectedMessage.ConnectionRequest(1, 2, true),
                ConnectedMessage.ConnectionRequest.BLANK,
                ConnectedMessage.ConnectionRequest::wire);
        for (int count : new int[] {0, 10, 20}) {
            List<InetSocketAddress> addresses = Collections.nCopies(count, V4);
            WireLaws.holdToTheEnd(
                    new ConnectedMessage.ConnectionRequestAccepted(V4, 3, addresses, 8, 9),
                    ConnectedMessage.ConnectionRequestAccepted.BLANK,
                    (w, m) ->
                            countedOnly(w, ConnectedMessage.ConnectionRequestAccepted.wire(w, m)));
            WireLaws.holdToTheEnd(
                    new ConnectedMessage.NewIncomingConnection(v6(), addresses, 8, 9),
                    ConnectedMessage.NewIncomingConnection.BLANK,
                    (w, m) -> countedOnly(w, ConnectedMessage.NewIncomingConnection.wire(w, m)));
        }
        WireLaws.hold(
                new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION),
                ConnectedMessage.Bare.BLANK,
                ConnectedMessage.Bare::wire);
    }

    /** The list of addresses ends 16 bytes before the end, so a cut may leave unreadable bytes. */
    private static <M> M countedOnly(Wire w, M message) {
        if (w instanceof Reader r && !rereadsTo(r, message)) {
            throw w.malformed("address", "was cut");
        }
        return message;
    }

    private static boolean rereadsTo(Reader r, Object message) {
        Writer writer = new Writer(2000);
        switch (message) {
            case ConnectedMessage.ConnectionRequestAccepted m ->
                    ConnectedMessage.ConnectionRequestAccepted.wire(writer, m);
            case ConnectedMessage.NewIncomingConnection m ->
                    ConnectedMessage.NewIncomingConnection.wire(writer, m);
            default -> throw new IllegalArgumentException();
        }
        return writer.position() == r.position();
    }

    @Test
    void skipsUnreadableAddresses() {
        Writer w = new Writer(200);
        w.u8("id", ConnectedMessage.NEW_INCOMING_CONNECTION);
        RakNet.address(w, "server", V4);
        RakNet.address(w, "address", V4);
        w.u8("type", 6);
        w.u16le("short", 1);
        w.i64be("ping", 11);
        w.i64be("pong", 12);
        assertThat(ConnectedMessage.read(new Reader(w.toByteArray())))
                .isEqualTo(new ConnectedMessage.NewIncomingConnection(V4, List.of(V4), 11, 12));
    }

    @Test
    void holdsLawsForEveryReliability() {
        for (Reliability reliability : Reliability.values()) {
            for (int split = 0; split <= 1; split++) {
                int flags = reliability.ordinal() << 5 | split << 4;
                boolean placed = reliability.ordered() || reliability.sequenced();
                Frame frame =
                        new Frame(
                                flags,
                                reliability.reliable() ? 0x010203 : 0,
                                reliability.sequenced() ? 0x040506 : 0,
                                placed ? 0xFFFFFF : 0,
                                placed ? 31 : 0,
                                split * 100,
                                split * 0xABCD,
                                split * 99,
                                Bytes.of((byte) 1, (byte) 2, (byte) 3));
                WireLaws.hold(frame, Frame.BLANK, Frame::wire);
                assertThat(WireLaws.write(frame, Frame::wire)).hasSize(frame.length());
                WireLaws.holdToTheEnd(
                        new RakNetDatagram(0x84, 0xFFFFFE, List.of(frame, frame)),
                        RakNetDatagram.BLANK,
                        RakNetDatagram::wire);
            }
        }
    }

    @Test
    void holdsLawsForAcknowledgements() {
        WireLaws.hold(
                new AckPacket(
                        AckPacket.NAK,
                        List.of(new AckPacket.Range(3, 3), new AckPacket.Range(5, 0xFFFFFF))),
                AckPacket.BLANK,
                AckPacket::wire);
    }
}
