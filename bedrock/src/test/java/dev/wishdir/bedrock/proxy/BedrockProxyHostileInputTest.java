package dev.wishdir.bedrock.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.bedrock.message.Unknown;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Floods, bombs, slow and silent sides at a proxy that terminates both. */
@Tag("slow")
class BedrockProxyHostileInputTest {
    private static final long SECOND = ProxyNetwork.SECOND;
    private static final long MIB = 1 << 20;

    /** What one side of a session may queue, and what its messages need besides. */
    private static final long MAX_SESSION_BYTES = 10 * MIB;

    private final ProxyNetwork net = new ProxyNetwork();
    private final Random random = new Random(4);

    private static Bytes message(byte[] body) {
        Writer w = new Writer(16 << 20);
        BedrockCodec.V748.write(w, new Unknown(600, Bytes.EMPTY));
        w.append(body, 0, body.length);
        return w.toBytes();
    }

    private Bytes noise(int bytes) {
        byte[] body = new byte[bytes];
        random.nextBytes(body);
        return message(body);
    }

    private static RecordingServer.Guest guest(RecordingServer server, String name) {
        return Objects.requireNonNull(server.guests.get(name));
    }

    private static List<byte[]> questions() {
        Writer ping = new Writer(100);
        OfflineMessage.UnconnectedPing.wire(
                ping, new OfflineMessage.UnconnectedPing(false, 1, 2), RakNetSettings.MAGIC);
        Writer first = new Writer(1500);
        OfflineMessage.OpenConnectionRequest1.wire(
                first, new OfflineMessage.OpenConnectionRequest1(11, 1000), RakNetSettings.MAGIC);
        Writer second = new Writer(100);
        OfflineMessage.OpenConnectionRequest2.wire(
                second,
                new OfflineMessage.OpenConnectionRequest2(
                        12345, false, ProxyNetwork.LISTEN, 1400, 7),
                RakNetSettings.MAGIC,
                true);
        return List.of(ping.toByteArray(), first.toByteArray(), second.toByteArray());
    }

    @Test
    @DisplayName("P1 strangers open nothing, and clients keep their sessions")
    void opensNothingForStrangers() throws Exception {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        List<byte[]> questions = questions();
        long[] asked = new long[1];
        net.network.tap((_, _, to, _) -> asked[0] += to.equals(ProxyNetwork.SERVER) ? 1 : 0);
        for (int i = 0; i < 20_000; i++) {
            InetAddress stranger =
                    InetAddress.getByAddress(new byte[] {10, (byte) (i >> 8), (byte) i, 1});
            for (byte[] question : questions) {
                net.network.inject(
                        new InetSocketAddress(stranger, 4000), ProxyNetwork.LISTEN, question);
            }
            if (i % 1000 == 0) {
                net.network.run(SECOND / 10);
                assertThat(proxy.halfOpen()).isLessThanOrEqualTo(64);
            }
        }
        assertThat(proxy.clients()).isOne();
        // Pings are answered with what is known: the server is asked at most once a second.
        assertThat(asked[0]).isLessThan(200);
        long before = net.network.now();
        net.join("Bob");
        assertThat(net.network.now() - before).isLessThan(2 * SECOND);
        Bytes hello = noise(100);
        guest(server, "Ann").send(hello);
        net.network.run(SECOND);
        assertThat(ann.received).containsExactly(hello);
    }

    @ParameterizedTest
    @EnumSource(ServerTransport.class)
    @DisplayName("P2 a server that floods a slow client")
    void boundsWhatWaitsForSlowClient(ServerTransport kind) throws Exception {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        LinkEmulation slow =
                new LinkEmulation(
                        LinkConditions.NONE, new LinkConditions(0, 0, 0, 0, 0, 40_000), 5);
        RecordingClient ann =
                RecordingClient.connect(
                        slow.around(net.network.cycle()), ProxyNetwork.LISTEN, kind, 748, "Ann");
        assertThat(net.network.runUntil(() -> ann.ready, 20 * SECOND)).isTrue();
        RecordingClient bob = net.join("Bob");
        long most = 0;
        for (int i = 0; i < 4000 && proxy.clients() == 2; i++) {
            RecordingServer.Guest guest = server.guests.get("Ann");
            if (guest != null && !guest.transport.isCongested()) {
                guest.send(noise(50_000));
            }
            net.network.run(SECOND / 100);
            most = Math.max(most, proxy.retainedBytes());
        }
        assertThat(most).isBetween(2 * MIB, MAX_SESSION_BYTES);
        assertThat(proxy.clients()).isOne();
        assertThat(net.closed).singleElement().asString().contains("does not acknowledge");
        net.network.run(5 * SECOND);
        assertThat(server.endings).hasSize(1);
        Bytes hello = noise(100);
        guest(server, "Bob").send(hello);
        net.network.run(SECOND);
        assertThat(bob.received).containsExactly(hello);
        assertThat(proxy.retainedBytes()).isLessThan(MIB);
    }

    @Test
    @DisplayName("P2 a client that floods a slow server")
    void boundsWhatWaitsForSlowServer() throws Exception {
        net.faults = new LinkConditions(0, 0, 0, 0, 0, 8_000);
        net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.client("Ann");
        assertThat(net.network.runUntil(() -> ann.ready, 20 * SECOND)).as(ann.ending).isTrue();
        long most = 0;
        for (int i = 0; i < 4000 && ann.ending.isEmpty(); i++) {
            ann.send(noise(5_000));
            net.network.run(SECOND / 10);
            most = Math.max(most, proxy.retainedBytes());
        }
        assertThat(most).isBetween(MIB, MAX_SESSION_BYTES);
        assertThat(ann.ending)
                .startsWith("The connection of proxy and server has ended: ")
                .contains("does not acknowledge");
        net.network.run(SECOND);
        assertThat(proxy.clients()).isZero();
    }

    @Test
    @DisplayName("P3 a client's datagrams from other ports do not reach its session")
    void takesDatagramsOnlyFromAddressOfSession() throws Exception {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        InetSocketAddress own = ann.socket.local();
        List<byte[]> copies = new ArrayList<>();
        net.network.tap((_, from, _, data) -> {
            if (from.equals(own)) {
                copies.add(data.clone());
            }
        });
        List<Bytes> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sent.add(noise(200));
            ann.send(sent.getLast());
            net.network.run(SECOND / 20);
            for (byte[] copy : List.copyOf(copies)) {
                net.network.inject(
                        new InetSocketAddress(own.getAddress(), own.getPort() + 1 + i),
                        ProxyNetwork.LISTEN,
                        copy);
            }
            copies.clear();
        }
        net.network.run(SECOND);
        assertThat(guest(server, "Ann").received).isEqualTo(sent);
        assertThat(proxy.clients()).isOne();
        assertThat(proxy.halfOpen()).isZero();
        assertThat(proxy.counters().get("bedrock.drop.unconnected")).isPositive();
    }

    @Test
    @DisplayName("P4 connections without a login, and silent sides, end")
    void endsSilentSides() throws Exception {
        RecordingServer server = net.server();
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        RecordingClient eve = net.client("Eve");
        eve.isMute = true;
        net.network.run(5 * SECOND);
        ann.isSilent = true;
        net.network.run(12 * SECOND);
        assertThat(net.closed).containsExactly("nothing was received for 10 s");
        assertThat(server.endings).hasSize(1);
        net.network.run(15 * SECOND);
        assertThat(eve.ending).isEqualTo("Your login took too long.");
        net.network.run(SECOND);
        assertThat(proxy.clients()).isZero();
        assertThat(proxy.halfOpen()).isZero();
    }

    @Test
    @DisplayName("P5 clients beyond the maximum read why they are refused")
    void refusesClientsBeyondMaximum() throws Exception {
        RecordingServer server = net.server();
        net.maxClients = 2;
        BedrockProxy proxy = net.open();
        net.join("Ann");
        net.join("Bob");
        RecordingClient eve = net.client("Eve");
        net.network.run(SECOND);
        assertThat(eve.ending).isEqualTo("The proxy is full: 2 clients at most.");
        RecordingClient mia = net.client(ServerTransport.NETHERNET, 2193, "Mia");
        net.network.run(2 * SECOND);
        assertThat(mia.ending).isEqualTo("The proxy is full: 2 clients at most.");
        assertThat(server.guests).containsOnlyKeys("Ann", "Bob");
        assertThat(proxy.clients()).isEqualTo(2);
        assertThat(proxy.counters().get("proxy.drop.full")).isEqualTo(2);
    }

    @Test
    @DisplayName("P5 clients of one address beyond its maximum are refused")
    void refusesClientsBeyondMaximumOfAddress() throws Exception {
        net.server();
        net.isTrusting = false;
        BedrockProxy proxy = net.open();
        for (int i = 0; i < 8; i++) {
            net.join("Ann" + i);
        }
        RecordingClient eve = net.client("Eve");
        net.network.run(3 * SECOND);
        assertThat(eve.ending).contains("the server is full, or takes no more connections");
        assertThat(proxy.clients()).isEqualTo(8);
    }

    @Test
    @DisplayName("P6 noise, empty datagrams and the server's own address at both sides")
    void dropsNoiseOfStrangersAtBothSides() throws Exception {
        RecordingServer server = net.server();
        InetSocketAddress[] towards = new InetSocketAddress[1];
        net.network.tap((_, from, to, _) -> {
            towards[0] = to.equals(ProxyNetwork.SERVER) ? from : towards[0];
        });
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        InetSocketAddress own = ann.socket.local();
        InetSocketAddress stranger = new InetSocketAddress("10.1.1.1", 5);
        for (int i = 0; i < 3000; i++) {
            byte[] noise = new byte[random.nextInt(1400)];
            random.nextBytes(noise);
            for (InetSocketAddress from :
                    List.of(
                            stranger,
                            own,
                            ProxyNetwork.SERVER,
                            ProxyNetwork.LISTEN,
                            new InetSocketAddress(stranger.getAddress(), 0))) {
                net.network.inject(from, ProxyNetwork.LISTEN, noise);
                net.network.inject(from, towards[0], noise);
            }
            net.network.run(SECOND / 1000);
        }
        Bytes hello = noise(100);
        guest(server, "Ann").send(hello);
        ann.send(hello);
        net.network.run(SECOND);
        assertThat(ann.received).containsExactly(hello);
        assertThat(guest(server, "Ann").received).containsExactly(hello);
        assertThat(proxy.clients()).isOne();
    }

    @Test
    @DisplayName("P7 batches that decompress to more than allowed, of either side")
    void endsSessionsOfBombs() throws Exception {
        RecordingServer server = net.server(ServerTransport.RAKNET, Algorithm.DEFLATE, false);
        BedrockProxy proxy = net.open();
        RecordingClient ann = net.join("Ann");
        net.join("Bob");
        net.join("Eve");
        ann.send(message(new byte[(int) (3 * MIB)]));
        net.network.run(SECOND);
        assertThat(ann.ending).startsWith("Your game sent something that the proxy can't pass on");
        guest(server, "Bob").send(message(new byte[(int) (9 * MIB)]));
        BatchCodec bomb = new BatchCodec(1 << 20, 10);
        bomb.compress(Algorithm.DEFLATE, 1);
        byte[] batch = bomb.pack(new byte[(int) (40 * MIB)], (int) (40 * MIB));
        guest(server, "Eve").sendBatch(batch);
        net.network.run(3 * SECOND);
        assertThat(proxy.clients()).isZero();
        assertThat(net.closed)
                .hasSize(3)
                .anyMatch(reason -> reason.contains("bytes, at most 8388608"))
                .anyMatch(reason -> reason.contains("is larger than"));
        assertThat(proxy.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("P7 random batches and logins")
    void endsSessionsOfMalformedBatches() throws Exception {
        net.server();
        BedrockProxy proxy = net.open();
        for (int i = 0; i < 60; i++) {
            RecordingClient eve = net.client("Eve" + i);
            eve.isMute = true;
            assertThat(net.network.runUntil(() -> eve.transport != null, 5 * SECOND)).isTrue();
            byte[] batch = new byte[1 + random.nextInt(200)];
            random.nextBytes(batch);
            batch[0] = (byte) (i % 3 == 0 ? batch.length - 1 : batch[0]);
            eve.sendBatch(batch);
            net.network.run(SECOND);
            assertThat(eve.ending).isNotEmpty();
        }
        net.network.run(5 * SECOND);
        assertThat(proxy.clients()).isZero();
        net.join("Ann");
    }
}
