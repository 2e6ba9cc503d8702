package dev.wishdir.raknet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** One client and one server of ours in virtual time. */
@Tag("slow")
class RakNetTest {
    private static final long SECOND = RakNetNetwork.SECOND;
    private static final Conditions LOSSY = new Conditions(0.2, 0.1, 20_000_000, 30_000_000);

    private static byte[] batch(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        bytes[0] = (byte) seed;
        return bytes;
    }

    @Test
    void connectsAndTalksBothWays() {
        RakNetNetwork n = new RakNetNetwork(1);
        RakNetNetwork.Events client = n.connect(2);
        n.events.echo = true;
        n.send(client.connected.getFirst(), batch(1, 10));
        n.send(client.connected.getFirst(), batch(2, 100_000));
        n.network.run(SECOND);
        assertThat(client.batches).containsExactly(batch(1, 10), batch(2, 100_000));
        assertThat(client.connected.getFirst().roundTrip()).isBetween(2_000_000L, 60_000_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void deliversOnceInOrderDespiteLossAndReordering(long seed) {
        RakNetNetwork n = new RakNetNetwork(seed);
        n.network.conditions(LOSSY);
        RakNetNetwork.Events client = n.connect(2);
        List<byte[]> sent = new ArrayList<>();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] batch = batch(i, i == 0 ? 60_000 : 1 + random.nextInt(i % 20 == 0 ? 9000 : 200));
            sent.add(batch);
            n.send(client.connected.getFirst(), batch);
            n.send(n.events.connected.getFirst(), batch);
            n.network.run(SECOND / 20);
        }
        n.network.runUntil(
                () -> n.events.batches.size() >= 300 && client.batches.size() >= 300, 60 * SECOND);
        n.network.run(5 * SECOND);
        assertThat(n.events.batches).containsExactlyElementsOf(sent);
        assertThat(client.batches).containsExactlyElementsOf(sent);
        assertThat(n.events.endings).isEmpty();
        RakNetPeer peer = n.events.connected.getFirst();
        assertThat(peer.retainedBytes()).isZero();
    }

    @Test
    void keepsReliabilitiesUnderLoss() {
        RakNetNetwork n = new RakNetNetwork(3);
        RakNetNetwork.Events client = n.connect(2);
        n.network.conditions(LOSSY);
        RakNetPeer peer = client.connected.getFirst();
        int count = 400;
        for (int i = 0; i < count; i++) {
            for (Reliability reliability :
                    List.of(
                            Reliability.UNRELIABLE,
                            Reliability.UNRELIABLE_SEQUENCED,
                            Reliability.RELIABLE,
                            Reliability.RELIABLE_ORDERED,
                            Reliability.RELIABLE_SEQUENCED)) {
                int kind = reliability.ordinal();
                peer.send(
                        reliability,
                        kind,
                        Bytes.of((byte) 0xFE, (byte) kind, (byte) (i >> 8), (byte) i));
            }
            n.network.run(SECOND / 50);
        }
        n.network.run(10 * SECOND);
        List<List<Integer>> byKind = new ArrayList<>();
        for (int kind = 0; kind < 5; kind++) {
            int wanted = kind;
            byKind.add(
                    n.events.batches.stream()
                            .filter(b -> b[0] == wanted)
                            .map(b -> (b[1] & 0xFF) << 8 | b[2] & 0xFF)
                            .toList());
        }
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(i);
        }
        assertThat(byKind.get(0)).doesNotHaveDuplicates().hasSizeBetween(count / 2, count - 1);
        assertThat(byKind.get(1)).isSorted().doesNotHaveDuplicates().hasSizeBetween(50, count - 1);
        assertThat(byKind.get(2)).containsExactlyInAnyOrderElementsOf(all);
        assertThat(byKind.get(2)).isNotEqualTo(all);
        assertThat(byKind.get(3)).isEqualTo(all);
        assertThat(byKind.get(4)).isSorted().doesNotHaveDuplicates().hasSizeBetween(50, count);
        assertThat(byKind.get(4).getLast()).isEqualTo(count - 1);
    }

    @Test
    void resendsNothingWithoutLoss() {
        RakNetNetwork n = new RakNetNetwork(4);
        RakNetNetwork.Events client = n.connect(2);
        int[] data = new int[1];
        int[] nacks = new int[1];
        n.network.tap((_, from, _, bytes) -> {
            if (!from.equals(RakNetNetwork.SERVER)) {
                data[0] += (bytes[0] & 0xE0) == 0x80 ? 1 : 0;
                nacks[0] += (bytes[0] & 0xFF) == 0xA0 ? 1 : 0;
            }
        });
        for (int i = 0; i < 100; i++) {
            n.send(client.connected.getFirst(), batch(i, 50));
            n.network.run(SECOND / 20);
        }
        assertThat(n.events.batches).hasSize(100);
        // 100 batches, and pings with their pongs.
        assertThat(data[0]).isBetween(100, 110);
        assertThat(nacks[0]).isZero();
    }

    @Test
    void lowersMtuOnNarrowPath() {
        RakNetNetwork n = new RakNetNetwork(5);
        int[] largest = new int[1];
        RakNetNetwork.Events client = new RakNetNetwork.Events();
        RakNetClient raknet =
                RakNetNetwork.open(
                        n.network.cycle(),
                        RakNetNetwork.address(2, 5000),
                        socket ->
                                new RakNetClient(
                                        RakNetNetwork.SERVER,
                                        RakNetSettings.client(),
                                        (to, data, offset, length) -> {
                                            if (length <= 600) {
                                                largest[0] = Math.max(largest[0], length);
                                                socket.send(to, data, offset, length);
                                            }
                                        },
                                        client,
                                        new Random(1)));
        assertThat(n.network.runUntil(() -> !client.connected.isEmpty(), 10 * SECOND)).isTrue();
        n.send(client.connected.getFirst(), batch(1, 20_000));
        n.network.run(5 * SECOND);
        assertThat(n.events.batches).containsExactly(batch(1, 20_000));
        assertThat(largest[0]).isEqualTo(548);
        assertThat(raknet.isClosed()).isFalse();
    }

    @Test
    void deliversEverythingBeforeClose() {
        RakNetNetwork n = new RakNetNetwork(6);
        n.network.conditions(LOSSY);
        RakNetNetwork.Events client = n.connect(2);
        n.send(n.events.connected.getFirst(), batch(1, 5000));
        n.events.connected.getFirst().close();
        n.network.run(5 * SECOND);
        assertThat(client.batches).containsExactly(batch(1, 5000));
        assertThat(client.endings).containsExactly(RakNetPeer.EndReason.LEFT);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.CLOSED);
        assertThat(n.server.connections()).isZero();
    }

    /** The time of the last turn is long past then. */
    @Test
    void deliversEverythingBeforeCloseOfConnectionThatWasIdle() {
        RakNetNetwork n = new RakNetNetwork(6);
        RakNetNetwork.Events client = n.connect(2);
        RakNetPeer peer = n.events.connected.getFirst();
        for (int i = 0; i < 20; i++) {
            n.network.run(SECOND + i * SECOND / 7);
        }
        n.send(peer, batch(1, 5000));
        peer.close();
        n.network.run(5 * SECOND);
        assertThat(client.batches).containsExactly(batch(1, 5000));
        assertThat(client.endings).containsExactly(RakNetPeer.EndReason.LEFT);
    }

    @Test
    void timesOutSilentPeer() {
        RakNetNetwork n = new RakNetNetwork(7);
        RakNetNetwork.Events client = n.connect(2);
        n.network.conditions(new Conditions(1, 0, 0, 0));
        n.network.run(9 * SECOND);
        assertThat(n.events.endings).isEmpty();
        n.network.run(2 * SECOND);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.TIMED_OUT);
        assertThat(client.endings).containsExactly(RakNetPeer.EndReason.TIMED_OUT);
        assertThat(n.server.connections()).isZero();
    }

    @Test
    void keepsIdleConnection() {
        RakNetNetwork n = new RakNetNetwork(8);
        RakNetNetwork.Events client = n.connect(2);
        n.network.run(600 * SECOND);
        assertThat(n.events.endings).isEmpty();
        assertThat(client.endings).isEmpty();
    }

    @Test
    void givesUpOnMissingServer() {
        RakNetNetwork n = new RakNetNetwork(9);
        n.network.conditions(new Conditions(1, 0, 0, 0));
        RakNetNetwork.Events client = new RakNetNetwork.Events();
        n.client(RakNetNetwork.address(2, 5000), client);
        n.network.run(11 * SECOND);
        assertThat(client.endings).containsExactly(RakNetPeer.EndReason.TIMED_OUT);
    }

    @Test
    @DisplayName("G30: a connection that throws in each turn, before others")
    void servesConnectionsBehindOneThatThrows() {
        RakNetNetwork n = new RakNetNetwork(9);
        List<Throwable> defects = new ArrayList<>();
        n.network.onDefect(defects::add);
        n.connect(2);
        RakNetNetwork.Events second = n.connect(3);
        assertThat(n.network.runUntil(() -> n.events.connected.size() == 2, SECOND)).isTrue();
        n.breaks = RakNetNetwork.address(2, 5000)::equals;
        RakNetPeer toSecond = n.events.connected.getLast();
        n.cycle.execute(() -> {
            RakNetNetwork.say(n.events.connected.getFirst(), batch(1, 10));
            RakNetNetwork.say(toSecond, batch(2, 10));
        });
        n.network.run(SECOND / 10);
        assertThat(second.batches).containsExactly(batch(2, 10));
        n.network.run(20 * SECOND);
        assertThat(n.events.endings).containsExactly(RakNetPeer.EndReason.ABORTED);
        assertThat(n.server.peers()).containsExactly(toSecond);
        assertThat(defects).hasSize(1);
    }

    private static final InetSocketAddress JOINING = RakNetNetwork.address(2, 5000);

    private static void forge(RakNetNetwork n, Consumer<Writer> message) {
        Writer w = new Writer(1500);
        message.accept(w);
        n.network.inject(RakNetNetwork.SERVER, JOINING, w.toByteArray());
    }

    private static void forgeReply1(RakNetNetwork n, long guid, boolean cookie, int mtu) {
        OfflineMessage.OpenConnectionReply1 reply =
                new OfflineMessage.OpenConnectionReply1(guid, cookie, cookie ? 7 : 0, mtu, 0);
        forge(n, w -> OfflineMessage.OpenConnectionReply1.wire(w, reply, RakNetSettings.MAGIC));
    }

    private static void forgeReply2(RakNetNetwork n, long guid, int mtu) {
        OfflineMessage.OpenConnectionReply2 reply =
                new OfflineMessage.OpenConnectionReply2(
                        guid, RakNetNetwork.address(3, 19132), mtu, false);
        forge(n, w -> OfflineMessage.OpenConnectionReply2.wire(w, reply, RakNetSettings.MAGIC));
    }

    private static void forgeRefusals(RakNetNetwork n) {
        for (int id :
                new int[] {
                    OfflineMessage.ALREADY_CONNECTED,
                    OfflineMessage.NO_FREE_INCOMING_CONNECTIONS,
                    OfflineMessage.CONNECTION_BANNED,
                    OfflineMessage.IP_RECENTLY_CONNECTED
                }) {
            OfflineMessage.Refusal refusal = new OfflineMessage.Refusal(id, 1);
            forge(n, w -> OfflineMessage.Refusal.wire(w, refusal, RakNetSettings.MAGIC));
        }
        forge(
                n,
                w ->
                        OfflineMessage.IncompatibleProtocolVersion.wire(
                                w,
                                new OfflineMessage.IncompatibleProtocolVersion(9, 1),
                                RakNetSettings.MAGIC));
    }

    private static final List<Consumer<RakNetNetwork>> FORGERIES =
            List.of(
                    RakNetTest::forgeRefusals,
                    n -> forgeReply1(n, 1, true, 1492),
                    n -> forgeReply1(n, 1, false, 40),
                    n -> forgeReply1(n, 1, true, 65535),
                    n -> forgeReply2(n, 1, 65535),
                    n -> forgeReply2(n, 1, 40),
                    n -> {
                        forgeReply1(n, n.server.guid(), true, 1492);
                        forgeReply2(n, n.server.guid(), 1492);
                    },
                    n -> {
                        forgeReply1(n, n.server.guid(), false, 600);
                        forgeReply2(n, n.server.guid(), 600);
                    });

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @DisplayName("E26: forged answers and refusals while a client connects")
    void connectsInSpiteOfForgedAnswers(int kind) {
        RakNetNetwork n = new RakNetNetwork(11);
        n.network.conditions(new Conditions(0, 0, 20_000_000, 0));
        RakNetNetwork.Events client = new RakNetNetwork.Events();
        n.client(JOINING, client);
        for (int i = 0; i < 20; i++) {
            FORGERIES.get(kind).accept(n);
            n.network.run(SECOND / 100);
        }
        n.network.run(2 * SECOND);
        assertThat(client.endings).isEmpty();
        assertThat(client.connected).hasSize(1);
        n.send(client.connected.getFirst(), batch(1, 20_000));
        n.network.run(SECOND);
        assertThat(n.events.batches).containsExactly(batch(1, 20_000));
    }

    /** Its index is then taken: only with another GUID the client gets another connection. */
    @Test
    @DisplayName("E26: a forged first frame, to the client or the server, while a client connects")
    void startsOverAfterForgedFirstFrame() {
        byte[] leave = {
            (byte) 0x84, 0, 0, 0, 0x40, 0, 8, 0, 0, 0, ConnectedMessage.DISCONNECTION_NOTIFICATION
        };
        for (boolean atServer : new boolean[] {false, true}) {
            RakNetNetwork n = new RakNetNetwork(11);
            RakNetNetwork.Events client = new RakNetNetwork.Events();
            n.client(JOINING, client);
            for (int i = 0; i < 20; i++) {
                n.network.inject(
                        atServer ? JOINING : RakNetNetwork.SERVER,
                        atServer ? RakNetNetwork.SERVER : JOINING,
                        leave);
                n.network.run(SECOND / 1000);
            }
            n.network.run(8 * SECOND);
            assertThat(client.endings).isEmpty();
            assertThat(client.connected).hasSize(1);
        }
    }

    @Test
    void refusesWhenFull() {
        RakNetNetwork n = new RakNetNetwork(10, RakNetSettings.server(1));
        n.connect(2);
        RakNetNetwork.Events second = new RakNetNetwork.Events();
        n.client(RakNetNetwork.address(3, 5000), second);
        n.network.run(SECOND + SECOND / 10);
        assertThat(second.endings).containsExactly(RakNetPeer.EndReason.REFUSED);
        assertThat(second.reasons.getFirst()).contains("full");
    }

    private static Object get(Object object, String field) throws ReflectiveOperationException {
        Field found = object.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(object);
    }

    private static void set(Object object, String field, Object value)
            throws ReflectiveOperationException {
        Field found = object.getClass().getDeclaredField(field);
        found.setAccessible(true);
        found.set(object, value);
    }

    /**
     * After so many datagrams, as only a month brings: the first 16 million would take the test
     * seconds, and wrap nothing.
     */
    private static void begin(
            int number, RakNetSender sender, RakNetReceiver receiver, ReceivedDatagrams datagrams)
            throws ReflectiveOperationException {
        set(sender, "oldest", (long) number);
        set(sender, "next", (long) number);
        set(sender, "messageIndex", number);
        ((int[]) get(sender, "orderIndices"))[0] = number;
        set(datagrams, "next", (long) number);
        set(datagrams, "reportedUpTo", (long) number);
        set(datagrams, "detectedUpTo", (long) number);
        set(get(receiver, "duplicates"), "firstMissing", (long) number);
        Object channel = ((Object[]) get(get(receiver, "channels"), "channels"))[0];
        set(channel, "expected", (long) number);
    }

    @Test
    void wrapsNumbersInAMonth() throws ReflectiveOperationException {
        RakNetLimits limits = RakNetLimits.SERVER;
        List<Bytes> delivered = new ArrayList<>();
        ReceivedDatagrams datagrams = new ReceivedDatagrams(0);
        RakNetReceiver receiver =
                new RakNetReceiver(limits, datagrams, (message, _, _) -> delivered.add(message));
        List<RakNetDatagram> outgoing = new ArrayList<>();
        RakNetSender sender =
                new RakNetSender(
                        1464,
                        limits.ackTimeoutNanos(),
                        new TrafficCounters(),
                        InetSocketAddress.createUnresolved("peer", 1),
                        (_, data, _, length) ->
                                outgoing.add(
                                        RakNetDatagram.wire(
                                                new Reader(data, 0, length),
                                                RakNetDatagram.BLANK)));
        begin((1 << 24) - 5000, sender, receiver, datagrams);
        int count = 10_000;
        Bytes message = Bytes.of((byte) 0xFE);
        long arrived = 0;
        long refused = 0;
        long missing = 0;
        for (int i = 0; i < count; i++) {
            sender.send(Reliability.RELIABLE_ORDERED, 0, message);
            sender.flush(i);
            for (RakNetDatagram datagram : outgoing) {
                refused += receiver.receive(i, datagram) ? 0 : 1;
            }
            outgoing.clear();
            if (i % 100 == 99) {
                for (AckPacket.Range range : datagrams.takeAcks()) {
                    sender.onAck(i, range);
                }
                missing += datagrams.takeMissing().size();
            }
            arrived += delivered.size();
            delivered.clear();
        }
        assertThat(refused).isZero();
        assertThat(missing).isZero();
        assertThat(arrived + delivered.size()).isEqualTo(count);
    }
}
