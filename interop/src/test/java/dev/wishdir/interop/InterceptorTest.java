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
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
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
