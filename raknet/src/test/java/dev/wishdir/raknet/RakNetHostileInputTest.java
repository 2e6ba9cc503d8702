package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.limit.AddressCookies;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.HeapMeter;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Wire;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** What a hostile peer may send to RakNet, by the rows of docs/HOSTILE.md. */
@Tag("slow")
class RakNetHostileInputTest {
    private static final long SECOND = RakNetNetwork.SECOND;
    private static final InetSocketAddress ATTACKER = RakNetNetwork.address(66, 6666);
    private static final byte[] NONE = new byte[0];

    private static RakNetReceiver receiver() {
        return new RakNetReceiver(RakNetLimits.CLIENT, new ReceivedDatagrams(0), (_, _, _) -> {});
    }

    private static RakNetAttacker connected(long seed) {
        RakNetAttacker attacker = new RakNetAttacker(new RakNetNetwork(seed), ATTACKER);
        attacker.connect();
        return attacker;
    }

    private static void isServed(RakNetNetwork n) {
        n.events.echo = true;
        RakNetNetwork.Events canary = n.connect(9);
        n.send(canary.connected.getFirst(), new byte[] {1, 2, 3});
        n.network.run(SECOND);
        assertThat(canary.batches).containsExactly(new byte[] {1, 2, 3});
    }

    @Test
    @DisplayName("E1 a flood of pings is answered within the budget")
    void limitsAnswersToPings() {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
        byte[] ping =
                RakNetAttacker.bytes(
                        (w, m) -> OfflineMessage.UnconnectedPing.wire(w, m, RakNetSettings.MAGIC),
                        new OfflineMessage.UnconnectedPing(false, 1, 2));
        assertThat(ping).hasSize(33);
        byte[] noMagic = ping.clone();
        noMagic[12] ^= 1;
        long start = n.network.now();
        for (int i = 0; i < 10_000; i++) {
            n.network.inject(ATTACKER, RakNetNetwork.SERVER, ping);
            n.network.inject(ATTACKER, RakNetNetwork.SERVER, noMagic);
            n.network.inject(ATTACKER, RakNetNetwork.SERVER, Arrays.copyOf(ping, 25));
            n.network.inject(ATTACKER, RakNetNetwork.SERVER, Arrays.copyOf(ping, 9));
            n.network.run(SECOND / 1000);
        }
        double seconds = (n.network.now() - start) / 1e9;
        int sent = attacker.received.stream().mapToInt(data -> data.length).sum();
        assertThat(sent).isBetween(2048, (int) (4096 + 2048 * seconds));
        assertThat(n.counters.get("raknet.drop.malformed")).isEqualTo(20_000);
        assertThat(n.counters.get("raknet.drop.budget")).isPositive();
        isServed(n);
    }

    @Test
    @DisplayName("E2 every version and MTU is refused or clamped, without state")
    void refusesVersionsAndClampsMtu() {
        for (int protocol = 0; protocol < 256; protocol++) {
            RakNetNetwork n = new RakNetNetwork(protocol);
            RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
            attacker.raw(
                    RakNetAttacker.bytes(
                            (w, m) ->
                                    OfflineMessage.OpenConnectionRequest1.wire(
                                            w, m, RakNetSettings.MAGIC),
                            new OfflineMessage.OpenConnectionRequest1(protocol, 500)));
            assertThat(attacker.received.getFirst()[0])
                    .isEqualTo((byte) (protocol == 11 ? 0x06 : 0x19));
            assertThat(n.server.connections()).isZero();
        }
        for (int length = 18; length <= 1500; length += 57) {
            RakNetNetwork n = new RakNetNetwork(length);
            RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
            attacker.raw(
                    RakNetAttacker.bytes(
                            (w, m) ->
                                    OfflineMessage.OpenConnectionRequest1.wire(
                                            w, m, RakNetSettings.MAGIC),
                            new OfflineMessage.OpenConnectionRequest1(11, length - 18)));
            if (length <= 1492) {
                assertThat(attacker.answer(OfflineMessage.OpenConnectionReply1.class).mtu())
                        .isEqualTo(Math.clamp(length + 28, 576, 1492));
            }
        }
        for (int mtu : new int[] {0, 399, 575, 576, 1400, 1493, 65_535}) {
            RakNetAttacker attacker = new RakNetAttacker(new RakNetNetwork(mtu), ATTACKER);
            attacker.request1();
            attacker.request2(
                    attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie(), mtu);
            assertThat(attacker.answer(OfflineMessage.OpenConnectionReply2.class).mtu())
                    .isEqualTo(Math.clamp(mtu, 576, 1492));
        }
    }

    @Test
    @DisplayName("E3 without the right cookie there is no session")
    void requiresCookie() {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
        attacker.request2(0, 1400);
        attacker.request1();
        long cookie = attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie();
        attacker.request2(cookie ^ 1, 1400);
        new RakNetAttacker(n, RakNetNetwork.address(67, 6666)).request2(cookie, 1400);
        new RakNetAttacker(n, RakNetNetwork.address(66, 6667)).request2(cookie, 1400);
        assertThat(n.server.connections()).isZero();
        n.network.run(3 * AddressCookies.KEY_LIFETIME_NANOS);
        attacker.request2(cookie, 1400);
        assertThat(n.server.connections()).isZero();
        assertThat(n.counters.get("raknet.drop.cookie")).isEqualTo(5);
        // The server's address as the client sees it proves nothing behind address translation.
        attacker.received.clear();
        attacker.request1();
        attacker.raw(
                RakNetAttacker.bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest2.wire(
                                        w, m, RakNetSettings.MAGIC, true),
                        new OfflineMessage.OpenConnectionRequest2(
                                attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie(),
                                false,
                                RakNetNetwork.address(200, 1),
                                1400,
                                5)));
        assertThat(n.server.connections()).isEqualTo(1);
        for (int i = 0; i < 10; i++) {
            attacker.request2(
                    attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie(), 1400);
        }
        assertThat(n.server.connections()).isEqualTo(1);
    }

    @Test
    @DisplayName("E4 repeated requests get one answer")
    void answersRepeatedRequestsOnce() {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
        attacker.request1();
        attacker.request2(
                attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie(), 1400);
        attacker.received.clear();
        byte[] request =
                RakNetAttacker.bytes(
                        ConnectedMessage.ConnectionRequest::wire,
                        new ConnectedMessage.ConnectionRequest(5, 5, false));
        for (int i = 0; i < 1000; i++) {
            attacker.reliable(request);
        }
        assertThat(messages(attacker, ConnectedMessage.CONNECTION_REQUEST_ACCEPTED)).isLessThan(5);
        byte[] incoming =
                RakNetAttacker.bytes(
                        ConnectedMessage.NewIncomingConnection::wire,
                        new ConnectedMessage.NewIncomingConnection(
                                RakNetNetwork.SERVER, List.of(), 0, 0));
        for (int i = 0; i < 100; i++) {
            attacker.reliable(incoming);
        }
        assertThat(n.events.connected).hasSize(1);
        assertThat(n.events.endings).isEmpty();
    }

    @Test
    @DisplayName("R10, E4 a late second request gets its answer again or none, and ends nothing")
    void survivesLateSecondRequest() {
        RakNetNetwork n = new RakNetNetwork(1, RakNetSettings.server(10));
        RakNetAttacker client = new RakNetAttacker(n, ATTACKER);
        client.request1();
        long cookie = client.answer(OfflineMessage.OpenConnectionReply1.class).cookie();
        client.request2(cookie, 1492);
        int mtu = client.answer(OfflineMessage.OpenConnectionReply2.class).mtu();
        client.reliable(
                RakNetAttacker.bytes(
                        ConnectedMessage.ConnectionRequest::wire,
                        new ConnectedMessage.ConnectionRequest(5, 5, false)));
        client.received.clear();
        client.request2(cookie, 1492);
        assertThat(client.answer(OfflineMessage.OpenConnectionReply2.class).mtu()).isEqualTo(mtu);
        assertThat(n.server.connections()).isOne();
        RakNetAttacker open = new RakNetAttacker(n, RakNetNetwork.address(77, 1));
        open.connect();
        RakNetPeer before = n.server.peers().stream().toList().getLast();
        open.received.clear();
        open.request2(cookie, 1492);
        assertThat(open.received).noneMatch(data -> data[0] == 0x12);
        assertThat(n.server.peers()).contains(before);
        // A client that was killed begins again with the next cookie of its address and port.
        open.request1();
        open.request2(open.answer(OfflineMessage.OpenConnectionReply1.class).cookie(), 1492);
        open.answer(OfflineMessage.OpenConnectionReply2.class);
        assertThat(n.server.peers()).doesNotContain(before);
        assertThat(n.server.connections()).isEqualTo(2);
    }

    @Test
    @DisplayName("E4 an address that proved nothing is never sent anything twice")
    void sendsNothingTwiceToUnprovenAddress() {
        RakNetNetwork n = new RakNetNetwork(1, RakNetSettings.server(10).cookie(false));
        RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
        attacker.request1();
        attacker.raw(
                RakNetAttacker.bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest2.wire(
                                        w, m, RakNetSettings.MAGIC, false),
                        new OfflineMessage.OpenConnectionRequest2(
                                0, false, RakNetNetwork.SERVER, 1400, 5)));
        attacker.received.clear();
        attacker.reliable(
                RakNetAttacker.bytes(
                        ConnectedMessage.ConnectionRequest::wire,
                        new ConnectedMessage.ConnectionRequest(5, 5, false)));
        n.network.run(20 * SECOND);
        assertThat(messages(attacker, ConnectedMessage.CONNECTION_REQUEST_ACCEPTED)).isEqualTo(1);
        assertThat(n.server.connections()).isZero();
    }

    private static int messages(RakNetAttacker attacker, int id) {
        int count = 0;
        for (byte[] data : attacker.received) {
            if ((data[0] & 0xE0) == 0x80) {
                for (Frame frame :
                        RakNetDatagram.wire(new Reader(data), RakNetDatagram.BLANK).frames()) {
                    count += (frame.payload().get(0) & 0xFF) == id ? 1 : 0;
                }
            }
        }
        return count;
    }

    @Test
    @DisplayName("E5 split messages are bounded before anything is allocated")
    void boundsSplitMessages() {
        byte[] part = new byte[100];
        for (int count : new int[] {0, 1, 8_193, 100_000, Integer.MAX_VALUE, -1}) {
            RakNetAttacker attacker = connected(count);
            attacker.frames(
                    RakNetAttacker.frame(
                            Reliability.RELIABLE, attacker.message++, 0, count, 7, 0, part));
            assertThat(attacker.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);
        }
        for (int index : new int[] {2, -1, Integer.MAX_VALUE}) {
            RakNetAttacker attacker = connected(index);
            attacker.frames(
                    RakNetAttacker.frame(
                            Reliability.RELIABLE, attacker.message++, 0, 2, 7, index, part));
            assertThat(attacker.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);
        }
        RakNetAttacker changing = connected(1);
        changing.frames(
                RakNetAttacker.frame(Reliability.RELIABLE, changing.message++, 0, 5, 7, 0, part));
        changing.frames(
                RakNetAttacker.frame(Reliability.RELIABLE, changing.message++, 0, 6, 7, 1, part));
        assertThat(changing.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);
        RakNetAttacker many = connected(2);
        for (int id = 0; id < 65_536 && many.n.events.endings.isEmpty(); id++) {
            many.frames(
                    RakNetAttacker.frame(Reliability.RELIABLE, many.message++, 0, 2, id, 1, part));
        }
        assertThat(many.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);
        assertThat(many.message).isLessThan(10);
        RakNetAttacker unfinished = connected(3);
        unfinished.frames(
                RakNetAttacker.frame(Reliability.RELIABLE, unfinished.message++, 0, 2, 7, 1, part));
        for (int i = 0; i < 40; i++) {
            unfinished.reliable(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0});
            unfinished.report(AckPacket.ACK, 0, unfinished.newest());
            unfinished.n.network.run(SECOND);
        }
        assertThat(unfinished.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);
        isServed(unfinished.n);
    }

    @Test
    @DisplayName(
            "E6, G10 whoever takes frames in, a dissector too, refuses an order channel past 31")
    void refusesOrderChannelPast31() {
        RakNetReceiver receiver = receiver();
        int ordered = Reliability.RELIABLE_ORDERED.ordinal() << 5;
        Bytes payload = Bytes.of((byte) 1);
        assertThat(receiver.frame(0, new Frame(ordered, 0, 0, 0, 31, 0, 0, 0, payload), false))
                .isZero();
        assertThatThrownBy(() ->
                        receiver.frame(
                                0, new Frame(ordered, 1, 0, 0, 207, 0, 0, 0, payload), false))
                .isInstanceOf(MalformedPacketException.class)
                .hasMessageContaining("207");
    }

    @Test
    @DisplayName("E6 frames that lie about themselves drop their datagram")
    void dropsDatagramOfFalseFrames() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        byte[] payload = {(byte) 0xFE, 1};
        int next = attacker.number;
        for (Reliability receipt :
                List.of(
                        Reliability.UNRELIABLE_WITH_RECEIPT,
                        Reliability.RELIABLE_WITH_RECEIPT,
                        Reliability.RELIABLE_ORDERED_WITH_RECEIPT)) {
            attacker.frames(RakNetAttacker.frame(receipt, 50, 0, 0, 0, 0, payload));
        }
        for (int channel = 32; channel < 256; channel++) {
            attacker.frames(
                    new Frame(
                            Reliability.RELIABLE_ORDERED.ordinal() << 5,
                            50,
                            0,
                            0,
                            channel,
                            0,
                            0,
                            0,
                            Bytes.of(payload)));
        }
        attacker.raw(new byte[] {(byte) 0x84, 9, 0, 0, 0, 0x7F, (byte) 0xFF, 1, 2, 3});
        attacker.raw(new byte[] {(byte) 0x84, 9, 0, 0, 0, 0, 0});
        attacker.raw(new byte[] {(byte) 0x84, 9, 0, 0});
        attacker.raw(new byte[] {(byte) 0x84});
        for (int flags = 0; flags < 256; flags++) {
            attacker.raw(new byte[] {(byte) 0x84, 9, 0, 0, (byte) flags, 0, 8});
        }
        assertThat(n.events.batches).isEmpty();
        assertThat(n.events.endings).isEmpty();
        attacker.number = next;
        attacker.frames(
                RakNetAttacker.frame(
                        Reliability.UNRELIABLE,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Arrays.copyOf(payload, RakNet.MAX_FRAME_BYTES)));
        assertThat(n.events.batches).hasSize(1);
    }

    @Test
    @DisplayName("E7 holes in the order are held for a bounded time and space")
    void boundsOrderGaps() {
        byte[] payload = {(byte) 0xFE, 1};
        RakNetAttacker far = connected(1);
        far.frames(
                RakNetAttacker.frame(
                        Reliability.RELIABLE_ORDERED, far.message++, 0xFFFFFF, 0, 0, 0, payload));
        assertThat(far.n.events.batches).isEmpty();
        far.frames(
                RakNetAttacker.frame(
                        Reliability.RELIABLE_ORDERED, far.message++, 5000, 0, 0, 0, payload));
        assertThat(far.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);

        RakNetAttacker greedy = connected(2);
        byte[] large = new byte[8000];
        large[0] = (byte) 0xFE;
        int sent = 0;
        while (greedy.n.events.endings.isEmpty() && sent < 2000) {
            greedy.frames(
                    RakNetAttacker.frame(
                            Reliability.RELIABLE_ORDERED,
                            greedy.message++,
                            ++sent,
                            0,
                            0,
                            0,
                            large));
        }
        assertThat(sent * 8000).isLessThan(RakNetLimits.SERVER.maxReassemblyBytes() + 20_000);

        RakNetAttacker hole = connected(3);
        hole.frames(
                RakNetAttacker.frame(
                        Reliability.RELIABLE_ORDERED, hole.message++, 1, 0, 0, 0, payload));
        for (int i = 0; i < 40; i++) {
            hole.reliable(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0});
            hole.report(AckPacket.ACK, 0, hole.newest());
            hole.n.network.run(SECOND);
        }
        assertThat(hole.n.events.endings).containsExactly(RakNetPeer.EndReason.VIOLATION);

        RakNetAttacker back = connected(4);
        for (int sequence : new int[] {5, 4, 5, 6, 0xFFFFFF, 7}) {
            back.frames(
                    new Frame(
                            Reliability.UNRELIABLE_SEQUENCED.ordinal() << 5,
                            0,
                            sequence,
                            0,
                            0,
                            0,
                            0,
                            0,
                            Bytes.of((byte) 0xFE, (byte) sequence)));
        }
        assertThat(back.n.events.batches)
                .containsExactly(new byte[] {5}, new byte[] {6}, new byte[] {7});
    }

    @Test
    @DisplayName("E8 acknowledgements cost no more than what is on its way")
    void boundsCostOfAcknowledgements() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        for (int flags : new int[] {AckPacket.ACK, AckPacket.NAK}) {
            attacker.raw(
                    RakNetAttacker.bytes(
                            AckPacket::wire,
                            new AckPacket(flags, List.of(new AckPacket.Range(0, 0xFFFFFF)))));
            attacker.raw(
                    RakNetAttacker.bytes(
                            AckPacket::wire,
                            new AckPacket(
                                    flags,
                                    IntStream.range(0, 8193)
                                            .mapToObj(i -> new AckPacket.Range(2 * i, 2 * i))
                                            .toList())));
            attacker.raw(new byte[] {(byte) flags, 0, 1, 0, 9, 0, 0, 2, 0, 0});
            attacker.raw(new byte[] {(byte) flags, 0, 0});
            attacker.raw(new byte[] {(byte) flags, (byte) 0x20, 1});
            attacker.raw(
                    RakNetAttacker.bytes(
                            AckPacket::wire,
                            new AckPacket(flags, List.of(new AckPacket.Range(5000, 5100)))));
        }
        assertThat(n.events.endings).isEmpty();
        n.send(n.events.connected.getFirst(), new byte[5000]);
        n.network.run(1_000_000);
        attacker.received.clear();
        for (int i = 0; i < 1000; i++) {
            attacker.report(AckPacket.NAK, 0, attacker.newest());
        }
        int sent = attacker.received.stream().mapToInt(data -> data.length).sum();
        // A second of this brings no more than a window of 4 datagrams for each 10 ms.
        assertThat(sent).isBetween(20_000, 110 * 5 * 1500);
        attacker.report(AckPacket.ACK, 0, attacker.newest());
        assertThat(n.server.peers().iterator().next().queuedBytes()).isZero();
        isServed(n);
    }

    @Test
    @DisplayName(
            "E8 a wide window is not repeated to a peer that acknowledges one datagram of many")
    void doesNotRepeatWideWindow() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        for (int i = 0; i < 20; i++) {
            n.send(attacker.atServer(), new byte[50_000]);
            n.network.run(SECOND / 100);
            attacker.report(AckPacket.ACK, 0, attacker.newest());
        }
        n.network.run(SECOND / 100);
        attacker.report(AckPacket.ACK, 0, attacker.newest());
        int window = 500_000;
        int before = attacker.received.size();
        n.send(attacker.atServer(), new byte[window]);
        n.network.run(SECOND / 100);
        assertThat(attacker.receivedBytes(before)).isGreaterThan(window);
        for (int second = 0; second < 3; second++) {
            before = attacker.received.size();
            for (int i = 0; i < 20; i++) {
                int newest = attacker.newest();
                attacker.report(AckPacket.ACK, newest, newest);
                n.network.run(SECOND / 20);
            }
            assertThat(attacker.receivedBytes(before))
                    .as("second %d", second)
                    .isLessThan(2 * window);
        }
    }

    @Test
    @DisplayName("E9 datagram numbers follow the window rule")
    void followsWindowRule() {
        byte[] payload = {(byte) 0xFE, 1};
        RakNetAttacker attacker = connected(1);
        int next = attacker.number;
        attacker.number = 0xFFFFFF;
        attacker.frames(RakNetAttacker.frame(Reliability.UNRELIABLE, 0, 0, 0, 0, 0, payload));
        assertThat(attacker.n.events.batches).isEmpty();
        for (int i = 0; i < 2; i++) {
            attacker.number = next + 2047;
            attacker.reliable(payload);
        }
        attacker.number = next + 2047;
        attacker.frames(RakNetAttacker.frame(Reliability.UNRELIABLE, 0, 0, 0, 0, 0, payload));
        // A repeated number hides no reliable frame: the first one may have been forged.
        assertThat(attacker.n.events.batches).hasSize(2);
        long malformed = attacker.n.counters.get("raknet.drop.malformed");
        attacker.number = next + 2048 + 2048;
        attacker.reliable(payload);
        assertThat(attacker.n.counters.get("raknet.drop.malformed")).isEqualTo(malformed + 1);
        attacker.message--;
        attacker.number = next + 2048 + 2047;
        attacker.reliable(payload);
        assertThat(attacker.n.events.batches).hasSize(3);
        assertThat(attacker.n.events.endings).isEmpty();
    }

    @Test
    void forgetsUnfinishedHandshake() {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetAttacker attacker = new RakNetAttacker(n, ATTACKER);
        attacker.request1();
        attacker.request2(
                attacker.answer(OfflineMessage.OpenConnectionReply1.class).cookie(), 1400);
        assertThat(n.server.connections()).isEqualTo(1);
        n.network.run(11 * SECOND);
        assertThat(n.server.connections()).isZero();
    }

    /** Without the simulated network, which remembers more than the server does. */
    @Test
    void releasesMemoryAfterAttack() {
        Counters counters = new Counters();
        Map<InetSocketAddress, byte[]> last = new HashMap<>();
        RakNetServer server =
                new RakNetServer(
                        RakNetSettings.server(100),
                        (to, data, offset, length) ->
                                last.put(to, Arrays.copyOfRange(data, offset, offset + length)),
                        new AddressLimits(
                                8,
                                List.of(AddressRange.parse("10.0.0.0/8")),
                                new AmplificationLimiter(1 << 30, 1 << 30, 1 << 30, 1),
                                1),
                        MemoryBudget.standard(counters),
                        counters,
                        new RakNetNetwork.Events(),
                        new Random(1),
                        0);
        long now = 0;
        long before = 0;
        for (int round = 0; round < 4; round++) {
            for (int host = 0; host < 64; host++) {
                InetSocketAddress from = RakNetNetwork.address(1000 + host, 5000);
                holdOn(server, now, from, last);
            }
            assertThat(server.connections()).isEqualTo(64);
            assertThat(used() - before).isGreaterThan(32L << 20);
            now += 60 * SECOND;
            server.advance(now);
            assertThat(server.connections()).isZero();
            last.clear();
            if (round == 0) {
                before = used();
            }
        }
        assertThat(used()).isLessThan(before + before / 20);
        assertThat(counters.get("raknet.drop.malformed")).isZero();
    }

    /** Opens a connection, and sends 900 KB of messages that are never finished. */
    private static void holdOn(
            RakNetServer server,
            long now,
            InetSocketAddress from,
            Map<InetSocketAddress, byte[]> last) {
        server.receive(
                now,
                from,
                RakNetAttacker.bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest1.wire(
                                        w, m, RakNetSettings.MAGIC),
                        new OfflineMessage.OpenConnectionRequest1(11, 1400)));
        OfflineMessage.OpenConnectionReply1 reply =
                (OfflineMessage.OpenConnectionReply1)
                        OfflineMessage.read(
                                new Reader(last.getOrDefault(from, NONE)),
                                RakNetSettings.MAGIC,
                                false);
        server.receive(
                now,
                from,
                RakNetAttacker.bytes(
                        (w, m) ->
                                OfflineMessage.OpenConnectionRequest2.wire(
                                        w, m, RakNetSettings.MAGIC, true),
                        new OfflineMessage.OpenConnectionRequest2(
                                reply.cookie(), false, RakNetNetwork.SERVER, 1492, 5)));
        byte[] part = new byte[1400];
        for (int i = 0; i < 4 * 127; i++) {
            server.receive(
                    now + i * SECOND / 1000,
                    from,
                    RakNetAttacker.bytes(
                            RakNetDatagram::wire,
                            new RakNetDatagram(
                                    0x84,
                                    i,
                                    List.of(
                                            RakNetAttacker.frame(
                                                    Reliability.RELIABLE,
                                                    i,
                                                    0,
                                                    128,
                                                    i / 127,
                                                    i % 127,
                                                    part)))));
        }
    }

    private static long used() {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void limitsConnectionsPerAddress() {
        RakNetNetwork n = new RakNetNetwork(1);
        for (int port = 1; port <= 12; port++) {
            n.client(RakNetNetwork.address(5, port), new RakNetNetwork.Events());
            n.network.run(SECOND);
        }
        assertThat(n.server.connections()).isEqualTo(8);
    }

    @Test
    void survivesRandomDatagrams() {
        Random random = new Random(5);
        RakNetAttacker attacker = connected(1);
        assertThatNoException()
                .isThrownBy(() -> {
                    for (int i = 0; i < 20_000; i++) {
                        byte[] data = new byte[random.nextInt(200)];
                        random.nextBytes(data);
                        if (data.length > 0 && i % 2 == 0) {
                            data[0] = (byte) 0x84;
                        }
                        attacker.n.network.inject(ATTACKER, RakNetNetwork.SERVER, data);
                        attacker.n.network.run(100_000);
                    }
                });
        isServed(attacker.n);
    }

    @Test
    void refusesWrongId() {
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() ->
                        OfflineMessage.read(
                                new Reader(new byte[] {99}), RakNetSettings.MAGIC, false));
        Wire cut = new Reader(new byte[0]);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> RakNetDatagram.wire(cut, RakNetDatagram.BLANK));
    }

    @Test
    @DisplayName("G2 who sends and acknowledges nothing is ended within his deadline")
    void endsUnacknowledgingPeer() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        RakNetNetwork.Events canary = n.connect(9);
        n.send(attacker.atServer(), new byte[100]);
        long began = n.network.now();
        while (n.events.endings.isEmpty() && n.network.now() - began < 60 * SECOND) {
            attacker.chatter();
            n.network.run(SECOND / 10);
        }
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.NOT_ACKNOWLEDGING);
        assertThat(n.network.now() - began).isBetween(10 * SECOND, 13 * SECOND);
        assertThat(n.server.connections()).isEqualTo(1);
        assertThat(canary.endings).isEmpty();
    }

    @Test
    @DisplayName("G2 who acknowledges all but one message is ended, too")
    void endsPeerThatAcknowledgesAllButOne() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        attacker.report(AckPacket.ACK, 0, attacker.newest());
        attacker.received.clear();
        n.send(attacker.atServer(), new byte[] {77});
        long began = n.network.now();
        int reported = attacker.newest();
        while (n.events.endings.isEmpty() && n.network.now() - began < 60 * SECOND) {
            n.send(attacker.atServer(), new byte[] {1});
            n.network.run(SECOND / 4);
            for (byte[] data : List.copyOf(attacker.received)) {
                if ((data[0] & 0xE0) == RakNetDatagram.VALID) {
                    RakNetDatagram datagram =
                            RakNetDatagram.wire(new Reader(data), RakNetDatagram.BLANK);
                    if (datagram.frames().stream()
                            .noneMatch(f -> f.payload().equals(Bytes.of((byte) 0xFE, (byte) 77)))) {
                        attacker.report(AckPacket.ACK, datagram.number(), datagram.number());
                    }
                }
            }
            attacker.received.clear();
        }
        assertThat(reported).isGreaterThanOrEqualTo(-1);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.NOT_ACKNOWLEDGING);
        assertThat(n.network.now() - began).isBetween(29 * SECOND, 34 * SECOND);
    }

    @Test
    @DisplayName("G5 an acknowledgement of what was never sent is no sign of life")
    void ignoresInventedAcknowledgement() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        n.network.run(SECOND);
        int newest = attacker.newest();
        attacker.report(AckPacket.ACK, 0, newest);
        assertThat(attacker.atServer().queuedBytes()).isZero();
        n.send(attacker.atServer(), new byte[100]);
        n.network.run(1_000_000);
        long waits = attacker.atServer().queuedBytes();
        assertThat(waits).isPositive();
        for (int i = 0; i < 200 && n.events.endings.isEmpty(); i++) {
            attacker.report(AckPacket.ACK, 0, 0xFFFFFF);
            attacker.report(AckPacket.ACK, newest + 1, newest + 1000);
            attacker.report(AckPacket.NAK, newest + 500, newest + 500);
            attacker.report(AckPacket.ACK, 0, newest);
            assertThat(n.server.connections() == 0 || attacker.atServer().queuedBytes() == waits)
                    .isTrue();
            n.network.run(SECOND / 10);
        }
        assertThat(n.events.endings).hasSize(1);
        assertThat(n.network.now()).isLessThan(15 * SECOND);
    }

    @Test
    @DisplayName("G14 floods that are answered leave one answer of a kind waiting")
    void keepsOneAnswerPerKind() {
        RakNetAttacker attacker = connected(1);
        RakNetNetwork n = attacker.n;
        byte[] ping =
                RakNetAttacker.bytes(
                        ConnectedMessage.ConnectedPing::wire,
                        new ConnectedMessage.ConnectedPing(1));
        Frame[] pings = new Frame[110];
        Frame[] probes = new Frame[340];
        Arrays.fill(pings, RakNetAttacker.frame(Reliability.UNRELIABLE, 0, 0, 0, 0, 0, ping));
        Arrays.fill(
                probes,
                RakNetAttacker.frame(
                        Reliability.UNRELIABLE,
                        0,
                        0,
                        0,
                        0,
                        0,
                        new byte[] {(byte) ConnectedMessage.DETECT_LOST_CONNECTIONS}));
        for (int i = 0; i < 2000; i++) {
            attacker.frames(i % 2 == 0 ? pings : probes);
            assertThat(attacker.atServer().queuedBytes()).isLessThan(3000);
        }
        int answers = messages(attacker, 3) + messages(attacker, 0);
        assertThat(answers).isBetween(100, 4100);
        // Now with a shut window: nothing more is queued at all.
        n.send(attacker.atServer(), new byte[200_000]);
        n.network.run(1_000_000);
        long shut = attacker.atServer().queuedBytes();
        for (int i = 0; i < 2000; i++) {
            attacker.frames(i % 2 == 0 ? pings : probes);
            assertThat(attacker.atServer().queuedBytes()).isLessThan(shut + 1000);
        }
        assertThat(n.events.endings).isEmpty();
    }

    @Test
    @DisplayName("G14 the bound of a queue counts the heap that it takes")
    void boundsQueueByHeap() {
        RakNetAttacker attacker = connected(1);
        RakNetPeer peer = attacker.atServer();
        byte[] one = {1};
        int sent = 0;
        while (attacker.n.events.endings.isEmpty()) {
            RakNetNetwork.say(peer, one);
            sent++;
        }
        assertThat(sent).isLessThan(RakNetLimits.SERVER.maxQueuedBytes() / 64);
        assertThat(attacker.n.events.endings)
                .containsExactly(RakNetPeer.EndReason.NOT_ACKNOWLEDGING);
        assertThat(peer.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("G14 what a connection says that it holds is the heap that it takes")
    void accountsForActualHeap() {
        for (int length : new int[] {1, 100, 10_000}) {
            int count = Math.min(10_000, 4_000_000 / length);
            HeapMeter.Taken<RakNetSender> sender =
                    HeapMeter.taken(() -> {
                        RakNetSender made =
                                new RakNetSender(
                                        1464,
                                        10 * SECOND,
                                        new TrafficCounters(),
                                        InetSocketAddress.createUnresolved("peer", 1),
                                        (_, _, _, _) -> {});
                        for (int i = 0; i < count; i++) {
                            made.send(
                                    Reliability.RELIABLE_ORDERED, 0, Bytes.wrap(new byte[length]));
                            made.flush(i);
                        }
                        return made;
                    });
            assertThat((double) sender.made().retainedBytes() / sender.bytes())
                    .as("%d of %d bytes", count, length)
                    .isBetween(0.6, 2.0);
        }
        HeapMeter.Taken<RakNetReceiver> receiver =
                HeapMeter.taken(() -> {
                    RakNetReceiver made = receiver();
                    byte[] one = {1};
                    for (int i = 0; i < 8000; i++) {
                        made.frame(
                                0,
                                RakNetAttacker.frame(
                                        Reliability.RELIABLE, i, 0, 8192, i % 16, i / 16, one),
                                false);
                    }
                    for (int i = 1; i < 150; i++) {
                        made.frame(
                                0,
                                RakNetAttacker.frame(
                                        Reliability.RELIABLE_ORDERED, 8000 + i, i, 0, 0, 0, one),
                                false);
                    }
                    return made;
                });
        assertThat((double) receiver.made().retainedBytes() / receiver.bytes()).isBetween(0.6, 2.0);
    }

    @Test
    @DisplayName("G20 what is never completed stays within its bound and expires")
    void expiresIncompleteMessages() {
        RakNetNetwork n = new RakNetNetwork(1, RakNetSettings.server(100));
        List<RakNetAttacker> attackers = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            RakNetAttacker attacker = new RakNetAttacker(n, RakNetNetwork.address(300 + i, 6666));
            attacker.connect();
            attackers.add(attacker);
            for (int part = 0; part < 100; part++) {
                attacker.frames(
                        RakNetAttacker.frame(
                                Reliability.RELIABLE,
                                attacker.message++,
                                0,
                                128,
                                part % 4,
                                part / 4,
                                new byte[1300]));
            }
            assertThat(attacker.atServer().retainedBytes())
                    .isBetween(130_000L, (long) RakNetLimits.SERVER.maxReassemblyBytes());
        }
        long began = n.network.now();
        while (n.server.connections() > 0 && n.network.now() - began < 60 * SECOND) {
            for (RakNetAttacker attacker : attackers) {
                attacker.report(AckPacket.ACK, 0, attacker.newest());
                attacker.received.clear();
            }
            attackers.forEach(RakNetAttacker::chatter);
            n.network.run(SECOND);
        }
        assertThat(n.server.connections()).isZero();
        assertThat(n.events.endings).hasSize(90);
    }
}
