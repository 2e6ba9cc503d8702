package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * As many as a server has places for come in, in every game, and the next reads that it is full.
 */
class ServerFullTest {
    private static final int PLACES = 4;
    private static final long SECOND = 1_000_000_000;

    static List<Game> games() {
        return FourGames.ALL;
    }

    @ParameterizedTest
    @MethodSource("games")
    void fillsLastPlaceAndRefusesNext(Game game) throws IOException {
        Random random = new Random(1);
        SimulatedNetwork network = new SimulatedNetwork(1);
        FourGames server = new FourGames(network, random, PLACES);
        List<String> endings = new ArrayList<>();
        ClientListener listener =
                new ClientListener() {
                    @Override
                    public void onEnded(Client self, EndReason ending, String reason) {
                        endings.add(ending + ": " + reason);
                    }
                };
        List<LeaveReason> refusals = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.JoinRefused refused) {
                        refusals.add(refused.reason());
                    }
                });
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i <= PLACES; i++) {
            assertThat(endings).isEmpty();
            clients.add(
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name("guest" + i)
                                    .listener(listener)
                                    .random(random)
                                    .build()));
            network.run(10 * SECOND);
        }
        assertThat(clients.subList(0, PLACES)).allMatch(Client::joined);
        assertThat(server.arena().players()).hasSize(PLACES);
        assertThat(endings).singleElement().asString().startsWith("REFUSED").contains("full");
        assertThat(refusals)
                .extracting(LeaveReason::code)
                .containsOnly(LeaveReason.Code.SERVER_FULL);
        server.close();
    }

    /** Another server of the arena with room, at the same port on every game. */
    private record OneOtherServer(Address address) implements OtherServers {
        @Override
        public void announce(long now, String text) {}

        @Override
        public void ban(Ban ban) {}

        @Override
        public void unban(Ban ban) {}

        @Override
        public void ban(Player player, BanTerms terms) {}

        @Override
        public Optional<Address> room(String game) {
            return Optional.of(address);
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void namesServerOfArenaThatHasRoom(Game game) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(3);
        FourGames server = new FourGames(network, new Random(3), 1);
        server.operations()
                .setOtherServers(
                        new OneOtherServer(new OtherServers.Address("b.example.org", 27_961)));
        List<String> refusals = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.JoinRefused refused) {
                        refusals.add(refused.reason().text());
                    }
                });
        TestClient first = server.guest(game, "first");
        server.await(List.of(first));
        TestClient second = server.guest(game, "second");
        assertThat(network.runUntil(() -> !second.ending.isEmpty(), 30 * SECOND)).isTrue();
        assertThat(second.ending).startsWith("REFUSED").contains("b.example.org:27961");
        assertThat(refusals)
                .contains("The server is full, but b.example.org:27961 has room.")
                .hasSize(1);
        assertThat(first.in()).isTrue();
        server.close();
    }

    /** 32 sessions of an address may begin at once: those that find the server full don't count. */
    @ParameterizedTest
    @ValueSource(strings = {"quake2", "quake3"})
    void countsNoSessionThatFindsServerFull(String name) throws IOException {
        Game game = games().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
        SimulatedNetwork network = new SimulatedNetwork(2);
        FourGames server = new FourGames(network, new Random(2), PLACES, "", List.of());
        List<TestClient> players = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            players.add(server.guest(game, "10.0.0." + i, "p" + i, "", TestClient.CIRCLES));
        }
        server.await(players);
        List<TestClient> crowd = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            crowd.add(server.guest(game, "10.1.0.1", "c" + i, "", TestClient.CIRCLES));
        }
        assertThat(
                        network.runUntil(
                                () -> crowd.stream().noneMatch(it -> it.ending.isEmpty()),
                                30 * SECOND))
                .isTrue();
        assertThat(crowd).allSatisfy(it -> assertThat(it.ending).contains("full"));
        server.close();
    }
}
