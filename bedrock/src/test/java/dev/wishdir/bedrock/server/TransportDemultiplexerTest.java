package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.http.HttpBody;
import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;

/** One port for RakNet and NetherNet, and what belongs to it. */
@Tag("slow")
class TransportDemultiplexerTest {
    private static final long SECOND = BedrockNetwork.SECOND;
    private static final InetSocketAddress ANYWHERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 6000);

    private static BedrockNetwork serving(Map<String, String> options) {
        return new BedrockNetwork(1, options, 20);
    }

    private static BedrockClient client(BedrockNetwork n, String name, Events events) {
        return n.client(name, BedrockNetwork.STILL, events, BedrockCodec.V748);
    }

    private static HttpResponse get(BedrockNetwork n, String path) {
        List<HttpResponse> answers = new ArrayList<>();
        n.network
                .cycle()
                .fetch(
                        new HttpFetch(
                                n.endpoint.address(),
                                "localhost",
                                HttpFetch.Tls.NONE,
                                "GET",
                                path,
                                HttpBody.NONE,
                                1 << 16,
                                SECOND),
                        answers::add,
                        failure -> answers.add(HttpResponse.of(599, failure.toString())));
        n.network.run(SECOND);
        return answers.getFirst();
    }

    /** What a ping is answered; empty for nothing. */
    private static String ping(BedrockNetwork n) {
        List<String> answers = new ArrayList<>();
        n.network.tap((_, from, to, data) -> {
            if (from.equals(n.endpoint.address())
                    && to.equals(ANYWHERE)
                    && OfflineMessage.read(new Reader(data), RakNetSettings.MAGIC, false)
                            instanceof OfflineMessage.UnconnectedPong pong) {
                answers.add(pong.motd());
            }
        });
        Writer w = new Writer(100);
        OfflineMessage.UnconnectedPing.wire(
                w, new OfflineMessage.UnconnectedPing(false, 1, 2), RakNetSettings.MAGIC);
        n.network.inject(ANYWHERE, n.endpoint.address(), w.toBytes().toArray());
        n.network.run(SECOND);
        return answers.isEmpty() ? "" : answers.getFirst();
    }

    @Test
    void servesBothTransportsAtOnePortWithEqualEntries() {
        BedrockNetwork n = serving(Map.of());
        Events old = new Events();
        Events today = new Events();
        n.over("raknet").join("Old", BedrockNetwork.STILL, old);
        n.over("nethernet").join("Today", BedrockNetwork.STILL, today);
        n.network.run(2 * SECOND);
        assertThat(old.appeared).extracting(it -> it.name()).containsExactly("Today");
        assertThat(today.appeared).extracting(it -> it.name()).containsExactly("Old");
        assertThat(n.endpoint.connections()).hasSize(1);
        HttpResponse status = get(n, "/v1/join");
        assertThat(status.body().type()).isEqualTo("application/json");
        assertThat(status.body().text())
                .isEqualTo(
                        "{\"name\":\"Wishdir; test\",\"protocol\":%d,\"version\":\"%s\",\"level\":\"flat\",\"players\":2,\"maxPlayers\":20,\"gameType\":0}"
                                .formatted(
                                        BedrockCodec.NEWEST.protocol(),
                                        BedrockCodec.NEWEST.game()));
        assertThat(ping(n)).startsWith("MCPE;Wishdir, test;").contains(";2;20;");
        n.arena.mirror(n.network.now(), new PlayerId(PlayerId.MAX_NODE, 1), "quake2", "far");
        assertThat(ping(n)).as("with players of other servers").contains(";3;21;");
        assertThat(get(n, "/v1/join").body().text()).contains("\"players\":3,\"maxPlayers\":21,");
        assertThat(get(n, "/").status()).isEqualTo(404);
        assertThat(n.counters.get("bedrock.drop.malformed")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"raknet, nethernet", "nethernet, raknet"})
    void servesOneTransportOnRequest(String served, String other) {
        BedrockNetwork n = serving(Map.of("transport", served));
        n.over(served).join("Ann", BedrockNetwork.STILL, new Events());
        assertThat(ping(n).isEmpty()).isEqualTo(served.equals("nethernet"));
        assertThat(get(n, "/v1/join").isSuccess()).isEqualTo(served.equals("nethernet"));
        Events bob = new Events();
        client(n.over(other), "Bob", bob);
        n.network.run(40 * SECOND);
        assertThat(bob.endings).containsExactly(EndReason.TIMED_OUT);
        assertThat(n.arena.players()).hasSize(1);
    }

    /** RakNet's own limit is shorter than the login's, NetherNet's is longer. */
    @Test
    void reportsProgressWhenServerFallsSilent() {
        long delay = SECOND / 50;
        SequencedSet<String> reasons = new LinkedHashSet<>();
        for (long cut = 0; cut < SECOND; cut += delay) {
            BedrockNetwork n = serving(Map.of()).over("nethernet");
            n.network.conditions(new Conditions(0, 0, delay, 0));
            Events ann = new Events();
            BedrockClient client = client(n, "Ann", ann);
            n.network.run(cut);
            n.network.conditions(new Conditions(1, 0, delay, 0));
            n.network.run(40 * SECOND);
            if (client.joined()) {
                break;
            }
            assertThat(ann.endings).containsExactly(EndReason.TIMED_OUT);
            reasons.addAll(ann.reasons);
        }
        assertThat(reasons)
                .containsExactly(
                        "no path was found in time",
                        "the connection did not open in time",
                        "the peer received nothing that it was sent",
                        "127.0.0.1:19132 did not let the client in within 30 s; its last message"
                                + " was ResourcePackStack");
    }

    @Test
    void showsLeavingPlayer() {
        BedrockNetwork n = serving(Map.of()).over("nethernet");
        Events ann = new Events();
        BedrockClient anns = n.join("Ann", BedrockNetwork.STILL, ann);
        Events bob = new Events();
        n.join("Bob", BedrockNetwork.STILL, bob);
        n.network.run(SECOND);
        anns.close();
        n.network.run(2 * SECOND);
        assertThat(ann.endings).containsExactly(EndReason.LEFT);
        assertThat(bob.vanished).hasSize(1);
        assertThat(n.addressLimits.sessions(InetAddress.getLoopbackAddress())).isEqualTo(1);
        assertThat(n.counters.get("bedrock.drop.malformed")).isZero();
        n.endpoint.close("closing time");
        n.network.run(2 * SECOND);
        assertThat(bob.endings).containsExactly(EndReason.SERVER_CLOSED);
        assertThat(bob.reasons).containsExactly("closing time");
    }

    @Test
    void acceptsOnlyMovementsUnreliably() {
        BedrockNetwork n = serving(Map.of()).over("nethernet");
        BedrockCodec codec = BedrockCodec.NEWEST;
        ScriptedClient ann = new ScriptedClient(n, 7000, codec);
        ann.play("Ann");
        Movement start = n.arena.players().getFirst().movement();
        Vec3f eyes = BedrockMotion.eyes(start.position());
        ann.unreliably(
                BedrockHostileInputTest.input(
                        new Vec3f(eyes.x() + 0.1f, eyes.y(), eyes.z()),
                        Vec2f.ZERO,
                        Vec3f.ZERO,
                        0,
                        1),
                Text.chat("Ann", "hi"),
                new LoginMessage.Disconnect(0, false, "", ""));
        assertThat(n.counters.get("bedrock.drop.unreliable")).isEqualTo(2);
        assertThat(n.arena.players().getFirst().movement().position().x())
                .isGreaterThan(start.position().x());
    }

    @ParameterizedTest
    @CsvSource({
        "transport, tcp, 'option transport must be both, raknet or nethernet'",
        "public-address, a b, 'option public-address must be HOST or HOST:PORT of a known host'",
        "public-address, host.invalid:1, 'option public-address must be HOST or HOST:PORT of a"
                + " known host'",
        "tls-key, /nowhere, 'option tls-certificate and option tls-key belong together'",
        "lan, 65536, 'option lan must be on, off or a port'",
        "auth-key, x, 'option auth-key must be a public key of secp384r1 in base 64'"
    })
    void namesWrongOption(String option, String value, String message) {
        assertThatThrownBy(() ->
                        serving(
                                Map.of(
                                        option,
                                        value,
                                        "auth",
                                        option.equals("auth-key") ? "on" : "off")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void refusesUncertifiedLocalLogins() {
        assertThatThrownBy(() -> serving(Map.of("lan", "on", "auth", "on")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("option lan needs option auth off");
    }

    @Test
    void keepsIdentityOfFile(@TempDir Path folder) {
        Path key = folder.resolve("key.pem");
        Map<String, String> options = Map.of("identity-key", key.toString());
        serving(options);
        assertThat(key).exists();
        serving(options);
        assertThatThrownBy(
                        () -> serving(Map.of("identity-key", folder.resolve("no/key").toString())))
                .hasMessageContaining("no/key");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 19132})
    void triesAnotherTcpPortOrReportsIt(int port) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(1);
        DutyCycle cycle = network.cycle();
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int taken = port == 0 ? 49_152 : port;
        cycle.serve(
                new InetSocketAddress(loopback, taken),
                HttpSettings.standard(List.of(), null),
                (_, answer) -> answer.accept(HttpResponse.of(404, "")));
        EndpointContext context =
                EndpointContext.builder(
                                cycle,
                                new InetSocketAddress(loopback, port),
                                new Arena(Level.BOX, 10))
                        .build();
        if (port == 0) {
            assertThat(BedrockEndpoint.open(context).address().getPort()).isEqualTo(taken + 1);
        } else {
            assertThatThrownBy(() -> BedrockEndpoint.open(context))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("19132")
                    .hasMessageContaining("option transport raknet");
            // Nothing stays open: the port can be had.
            cycle.open(new InetSocketAddress(loopback, port), _ -> new Nothing());
        }
    }

    private static final class Nothing implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {}

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }
}
