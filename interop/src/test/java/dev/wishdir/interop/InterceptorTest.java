package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.DatagramProxy;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.interop.TestProxy.Guest;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.quake2.message.ClientMessage.StringCmd;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.proxy.Quake2ProxyCodec;
import dev.wishdir.quake3.message.ClientMessage.ClientCommand;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.proxy.Quake3ProxyCodec;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.proxy.SauerbratenProxyCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Our clients through a proxy that changes messages, on our server. */
@Tag("slow")
class InterceptorTest {
    private static final long SECOND = 1_000_000_000;
    private static final String SAID = "said ";

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Random random = new Random(6);
    private final TestProxy proxies = new TestProxy(network, random);
    private final List<String> notices = new ArrayList<>();
    private InetSocketAddress toServer = new InetSocketAddress(0);

    private <M> DatagramProxy open(
            Game game, ProxyCodec<M> codec, InetSocketAddress server, Interceptor<M> interceptor)
            throws IOException {
        return proxies.open(
                game,
                server,
                new LinkEmulation(LinkConditions.NONE, LinkConditions.NONE, 1),
                codec.sessions(() -> interceptor),
                new ProxyListener() {
                    @Override
                    public void onDatagram(ProxiedDatagram datagram) {}

                    @Override
                    public void onConnected(InetSocketAddress client, InetSocketAddress proxy) {
                        toServer = proxy;
                    }

                    @Override
                    public void onProblem(InetSocketAddress client, String problem) {
                        notices.add(problem);
                    }
                });
    }

    /** Drops, repeats and changes what a client says by its number; others hear the result. */
    private static List<String> changed(String text) {
        if (!text.startsWith(SAID)) {
            return List.of(text);
        }
        int number = Integer.parseInt(text.substring(SAID.length()).strip());
        return switch (number % 4) {
            case 0 -> List.of();
            case 1 -> List.of(text, SAID + number + " again");
            case 2 -> List.of(SAID + number + " otherwise");
            default -> List.of(text);
        };
    }

    private static <M> Interceptor<M> chat(
            Function<M, Optional<String>> said, Function<String, M> saying) {
        return (direction, message) -> {
            Optional<String> text = direction == Direction.C2S ? said.apply(message) : null;
            return text == null || text.isEmpty() || !text.get().startsWith(SAID)
                    ? List.of(message)
                    : changed(text.get()).stream().map(saying).toList();
        };
    }

    private DatagramProxy changing(Game game, InetSocketAddress server) throws IOException {
        return switch (game.name()) {
            case "sauerbraten" ->
                    open(
                            game,
                            new SauerbratenProxyCodec(),
                            server,
                            InterceptorTest.<SauerbratenMessage>chat(
                                    message ->
                                            message instanceof ChatMessage.Text t
                                                    ? Optional.of(t.text())
                                                    : Optional.empty(),
                                    ChatMessage.Text::new));
            case "quake2" ->
                    open(
                            game,
                            new Quake2ProxyCodec(),
                            server,
                            InterceptorTest.<Quake2Message>chat(
                                    message ->
                                            message instanceof StringCmd c
                                                    ? unquoted(c.text().value())
                                                    : Optional.empty(),
                                    text -> new StringCmd("say \"" + text + "\"")));
            default ->
                    open(
                            game,
                            new Quake3ProxyCodec(),
                            server,
                            InterceptorTest.<Quake3Message>chat(
                                    message ->
                                            message instanceof ClientCommand c
                                                    ? unquoted(c.text())
                                                    : Optional.empty(),
                                    text -> new ClientCommand(0, "say \"" + text + "\"")));
        };
    }

    private static Optional<String> unquoted(String command) {
        return command.startsWith("say ")
                ? Optional.of(command.substring(4).replace("\"", "").strip())
                : Optional.empty();
    }

    private <M> DatagramProxy passing(Game game, ProxyCodec<M> codec, InetSocketAddress server)
            throws IOException {
        return open(game, codec, server, (_, message) -> List.of(message));
    }

    private static void add(Map<Direction, List<Bytes>> all, Direction way, byte[] data) {
        all.computeIfAbsent(way, _ -> new ArrayList<>()).add(Bytes.of(data));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3"})
    void passesSessionsOnByteForByteIfInterceptorLeavesThem(String name) throws Exception {
        Game game = FourGames.game(name);
        Map<Direction, List<Bytes>> atServer = new LinkedHashMap<>();
        Map<Direction, List<Bytes>> atClient = new LinkedHashMap<>();
        List<ProxiedDatagram> serverSide = new ArrayList<>();
        List<ProxiedDatagram> clientSide = new ArrayList<>();
        try (FourGames server = new FourGames(network, random, 16)) {
            InetSocketAddress address = server.address(name);
            DatagramProxy proxy = passing(game, game.proxyCodec().orElseThrow(), address);
            Guest other = proxies.join(game, address, "other");
            InetSocketAddress own = other.client.joined() ? address : proxy.address();
            network.tap((now, from, to, data) -> {
                InetSocketAddress peer = from.equals(proxy.address()) ? to : from;
                if (from.equals(proxy.address()) || to.equals(proxy.address())) {
                    Direction way = to.equals(proxy.address()) ? Direction.C2S : Direction.S2C;
                    add(atClient, way, data);
                    clientSide.add(new ProxiedDatagram(now, peer, peer, own, way, Bytes.of(data)));
                } else if (from.equals(toServer) || to.equals(toServer)) {
                    Direction way = from.equals(toServer) ? Direction.C2S : Direction.S2C;
                    add(atServer, way, data);
                    serverSide.add(
                            new ProxiedDatagram(now, toServer, toServer, own, way, Bytes.of(data)));
                }
            });
            Guest guest = proxies.join(game, proxy.address(), "guest");
            atClient.clear();
            atServer.clear();
            guest.client.say(SAID + 3);
            other.client.say(SAID + 7);
            network.run(10 * SECOND);
            assertThat(guest.ending).isEmpty();
            assertThat(other.heard(SAID)).contains(SAID + 3);
            assertThat(guest.heard(SAID)).contains(SAID + 7);
            assertThat(notices).isEmpty();
            if (!name.equals("sauerbraten")) {
                // What is on its way at the beginning or the end is on one side only.
                for (Direction way : Direction.values()) {
                    assertSameInTheMiddle(
                            atClient.getOrDefault(way, List.of()),
                            atServer.getOrDefault(way, List.of()));
                }
                return;
            }
        }
        // ENet's own commands differ; the packets in them do not.
        for (Direction way : Direction.values()) {
            assertSameInTheMiddle(messages(game, clientSide, way), messages(game, serverSide, way));
        }
    }

    private static <T> void assertSameInTheMiddle(List<T> one, List<T> other) {
        assertThat(one).hasSizeGreaterThan(100);
        int start = -1;
        List<T> middle = one.subList(10, one.size() - 10);
        for (int i = 0; i + middle.size() <= other.size() && start < 0; i++) {
            start = other.subList(i, i + middle.size()).equals(middle) ? i : -1;
        }
        assertThat(start).as("the other side has the same").isNotNegative();
    }

    private static List<String> messages(Game game, List<ProxiedDatagram> datagrams, Direction way)
            throws IOException {
        return TestProxy.messages(game, datagrams).stream()
                .filter(line ->
                        line.direction() == way && line.layer() == DissectedMessage.Layer.MESSAGE)
                .map(line -> line.name() + " " + line.fields())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sauerbraten", "quake2", "quake3"})
    void changesWhatOthersHearForAMinuteOnBadLinks(String name) throws Exception {
        Game game = FourGames.game(name);
        try (FourGames server = new FourGames(network, random, 16)) {
            DatagramProxy proxy = changing(game, server.address(name));
            Guest other = proxies.join(game, server.address(name), "other");
            Guest guest = proxies.join(game, proxy.address(), "guest");
            network.conditions(
                    new SimulatedNetwork.Conditions(0.05, 0.02, SECOND / 50, SECOND / 25));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                guest.client.say(SAID + i);
                expected.addAll(changed(SAID + i));
                network.run(3 * SECOND);
            }
            network.conditions(SimulatedNetwork.Conditions.PERFECT);
            network.run(5 * SECOND);
            assertThat(guest.ending).isEmpty();
            assertThat(other.ending).isEmpty();
            assertThat(other.heard(SAID)).isEqualTo(expected);
            assertThat(guest.client.others()).hasSize(1);
            assertThat(server.laws().verdicts()).isEmpty();
            assertThat(notices).isEmpty();
        }
    }
}
