package dev.wishdir.enet.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.enet.EnetDissector;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.DissectedMessage.Layer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The example, on real sockets and in virtual time; and a capture of it explained. */
class ChatTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    @Timeout(60)
    void relaysChatOverRealSockets() throws Exception {
        try (NettyLoop loop = new NettyLoop("chat")) {
            DutyCycle server = loop.cycle();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            CompletableFuture<InetSocketAddress> serving = new CompletableFuture<>();
            server.execute(() -> {
                try {
                    serving.complete(Chat.serve(server, any));
                } catch (IOException e) {
                    serving.completeExceptionally(e);
                }
            });
            InetSocketAddress address = serving.get(20, TimeUnit.SECONDS);
            DutyCycle cycle = loop.cycle();
            CompletableFuture<String> connected = new CompletableFuture<>();
            CompletableFuture<String> heard = new CompletableFuture<>();
            CompletableFuture<Chat> client = new CompletableFuture<>();
            cycle.execute(() -> {
                try {
                    client.complete(
                            Chat.connect(
                                    cycle,
                                    address,
                                    text -> {
                                        if (!connected.complete(text)) {
                                            heard.complete(text);
                                        }
                                    }));
                } catch (IOException e) {
                    client.completeExceptionally(e);
                }
            });
            assertThat(connected.get(20, TimeUnit.SECONDS)).isEqualTo("(connected)");
            cycle.execute(() -> client.join().say("hello"));
            assertThat(heard.get(20, TimeUnit.SECONDS)).isEqualTo("hello");
        }
    }

    @Test
    void explainsCaptureByCommand() throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        List<Datagram> capture = new ArrayList<>();
        network.tap((now, from, to, data) ->
                capture.add(new Datagram(capture.size() + 1, now / 1e9, from, to, Bytes.of(data))));
        DutyCycle server = network.cycle();
        InetSocketAddress address = Chat.serve(server, at(1));
        DutyCycle cycle = network.cycle();
        List<String> heard = new ArrayList<>();
        Chat client = Chat.connect(cycle, address, heard::add);
        cycle.execute(() -> {});
        assertThat(network.runUntil(() -> !heard.isEmpty(), 10 * SECOND)).isTrue();
        String longText = "x".repeat(3000);
        cycle.execute(() -> {
            client.say("hello");
            client.say(longText);
        });
        assertThat(network.runUntil(() -> heard.size() == 3, 10 * SECOND)).isTrue();
        assertThat(heard).containsExactly("(connected)", "hello", longText);

        EnetDissector dissector = new EnetDissector(true);
        List<DissectedMessage> lines = new ArrayList<>();
        for (Datagram datagram : capture) {
            dissector
                    .recognise(datagram)
                    .ifPresent(way -> dissector.datagram(datagram, way, lines::add));
        }
        assertThat(lines).extracting(DissectedMessage::game).containsOnly("enet");
        assertThat(lines)
                .filteredOn(message -> message.layer() == Layer.TRANSPORT)
                .extracting(DissectedMessage::name)
                .startsWith("CONNECT", "VERIFY_CONNECT", "ACK")
                .contains("SEND_RELIABLE", "SEND_FRAGMENT")
                .doesNotContain("malformed");
        assertThat(lines.getFirst().trace()).extracting(field -> field.name()).contains("peerWord");
        assertThat(lines)
                .filteredOn(message -> message.layer() == Layer.MESSAGE)
                .extracting(message -> message.direction().label() + " " + message.bytes().length())
                .containsExactly("c2s 5", "c2s 3000", "s2c 5", "s2c 3000");
    }

    @Test
    void reportsForeignBytesAsLine() throws IOException {
        EnetDissector dissector = new EnetDissector(false);
        Datagram rubbish = new Datagram(1, 0, at(2), at(1), Bytes.ofHex("ffffffff20"));
        assertThat(dissector.recognise(rubbish)).isEmpty();
        List<DissectedMessage> lines = new ArrayList<>();
        dissector.datagram(rubbish, EnetDissector.Direction.C2S, lines::add);
        assertThat(lines).extracting(DissectedMessage::name).containsExactly("malformed");
    }

    private static InetSocketAddress at(int host) throws IOException {
        return new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host}), 5000);
    }
}
