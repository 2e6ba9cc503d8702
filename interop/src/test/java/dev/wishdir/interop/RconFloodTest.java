package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Strangers guess the rcon password while an operator uses it. */
class RconFloodTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String HEAD = "\u00FF\u00FF\u00FF\u00FF";

    private final SimulatedNetwork network = new SimulatedNetwork(1);

    private static final class Sender implements DatagramHandler {
        private final List<String> answers = new ArrayList<>();
        private final InetSocketAddress server;
        private final UdpSocket socket;

        Sender(UdpSocket socket, InetSocketAddress server) {
            this.socket = socket;
            this.server = server;
        }

        void rcon(String password, String command) {
            byte[] bytes =
                    (HEAD + "rcon " + password + " " + command)
                            .getBytes(StandardCharsets.ISO_8859_1);
            socket.send(server, bytes, 0, bytes.length);
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            answers.add(new String(data, StandardCharsets.ISO_8859_1));
        }

        @Override
        public long advance(long now) {
            return NEVER;
        }
    }

    private Sender sender(String address, InetSocketAddress server) throws IOException {
        return network.cycle()
                .open(
                        new InetSocketAddress(InetAddress.ofLiteral(address), 27_961),
                        socket -> new Sender(socket, server));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quake2", "quake3"})
    @DisplayName(
            "R8: each order of the operator is answered while strangers guess 40 times a second")
    void answersTheOperator(String game) throws IOException {
        try (FourGames server = new FourGames(network, new Random(1), 16)) {
            InetSocketAddress address = server.address(game);
            Sender operator = sender("192.0.2.1", address);
            List<Sender> strangers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                strangers.add(sender("10." + i % 50 + "." + i + ".7", address));
            }
            for (int i = 0; i < 22; i++) {
                for (int k = 0; k < 20; k++) {
                    strangers.get((i * 20 + k) % 200).rcon("guess" + i, "status");
                    network.run(SECOND / 40);
                }
                operator.rcon(FourGames.ADMIN, "say number" + i);
                network.run(SECOND / 4);
                assertThat(operator.answers).hasSize(i + 1);
                assertThat(operator.answers.getLast()).contains("number" + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"quake2", "quake3"})
    @DisplayName(
            "R8, G22: an address that guesses is answered with the reason, and looked at again"
                    + " later")
    void limitsTheGuessesOfAnAddress(String game) throws IOException {
        try (FourGames server = new FourGames(network, new Random(1), 16)) {
            server.await(List.of(server.guest(FourGames.game(game), "alice")));
            Sender stranger = sender("192.0.2.1", server.address(game));
            for (int i = 0; i < 12; i++) {
                stranger.rcon("guess" + i, "status");
                network.run(SECOND / 10);
            }
            assertThat(stranger.answers).hasSize(12);
            assertThat(stranger.answers.subList(0, 10))
                    .allMatch(answer -> answer.contains("Bad rcon"));
            assertThat(stranger.answers.subList(10, 12))
                    .allMatch(answer -> answer.contains("Too many wrong rcon passwords"));
            for (int i = 12; i < 300; i++) {
                stranger.rcon("guess" + i, "status");
                network.run(SECOND / 1000);
            }
            assertThat(stranger.answers)
                    .filteredOn(answer -> answer.contains("Bad rcon"))
                    .hasSize(10);
            network.run(SECOND);
            stranger.rcon(FourGames.ADMIN, "status");
            network.run(SECOND);
            assertThat(stranger.answers.getLast()).contains("Too many wrong rcon passwords");
            Sender operator = sender("198.51.100.1", server.address(game));
            operator.rcon(FourGames.ADMIN, "status");
            network.run(SECOND);
            assertThat(operator.answers).singleElement().asString().contains("alice");
            network.run(10 * SECOND);
            stranger.rcon(FourGames.ADMIN, "status");
            network.run(SECOND);
            assertThat(stranger.answers.getLast()).contains("players", "alice");
        }
    }
}
