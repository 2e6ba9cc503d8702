package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * What one player costs the others, the same in all four games: rows that need no message's form.
 */
@Tag("slow")
class FourGamesAbuseTest {
    private static final long SECOND = 1_000_000_000;
    private static final String HOUSEHOLD = "127.0.9.1";

    private final Random random = new Random(3);
    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final LoggedErrors errors = new LoggedErrors();
    private int named;

    private TestClient guest(FourGames server, Game game, String from, String password)
            throws IOException {
        return server.guest(game, from, "guest" + named++, password, TestClient.CIRCLES);
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    /** The given number of each game, who have joined. */
    private List<TestClient> crowd(FourGames server, int each) throws IOException {
        List<TestClient> guests = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            for (int i = 0; i < each; i++) {
                guests.add(guest(server, game, "127.0.0.1", ""));
                network.run(SECOND / 10);
            }
        }
        server.await(guests);
        network.run(2 * SECOND);
        return guests;
    }

    @Test
    @DisplayName(
            "G1: chat and renames without end cost no player its place, and the last name arrives")
    void keepsPlacesDuringChatFlood() throws IOException {
        FourGames server = new FourGames(network, random, 64);
        List<TestClient> guests = crowd(server, 3);
        for (int round = 0; round < 20; round++) {
            for (TestClient guest : guests) {
                for (int i = 0; i < 20; i++) {
                    guest.client.say("line " + round + " " + i);
                }
            }
            network.run(SECOND / 20);
        }
        network.run(20 * SECOND);
        assertThat(guests).allMatch(TestClient::in);
        for (TestClient guest : guests) {
            for (int i = 0; i < 100; i++) {
                guest.client.rename("n" + guests.indexOf(guest) + "x" + i);
            }
        }
        network.run(60 * SECOND);
        assertThat(guests).allMatch(TestClient::in);
        List<String> last = new ArrayList<>();
        for (TestClient guest : guests) {
            String name = "last" + guests.indexOf(guest);
            if (guest.client.rename(name)) {
                last.add(name);
            }
        }
        network.run(40 * SECOND);
        assertThat(server.arena().players()).extracting(Player::name).containsAll(last);
        assertThat(server.laws().broken()).isEmpty();
    }

    @Test
    @DisplayName("G2: a client that stops acknowledging is ended by its own deadline, and no other")
    void endsOnlyUnacknowledgingClients() throws IOException {
        FourGames server = new FourGames(network, random, 64);
        List<TestClient> guests = crowd(server, 3);
        List<TestClient> deaf = guests.stream().filter(g -> guests.indexOf(g) % 3 == 0).toList();
        List<TestClient> honest = guests.stream().filter(g -> !deaf.contains(g)).toList();
        deaf.forEach(guest -> guest.cycle.deafen());
        honest.forEach(guest -> guest.heard.clear());
        for (int second = 0; second < 150; second++) {
            TestClient speaker = honest.get(second % honest.size());
            if (second % 3 == 0) {
                speaker.client.rename("h" + second);
            } else {
                speaker.client.say("said " + second + " by " + speaker.name);
            }
            network.run(SECOND);
        }
        assertThat(honest).allMatch(TestClient::in);
        assertThat(server.arena().players()).hasSize(honest.size());
        for (TestClient guest : honest) {
            Map<String, Integer> expected = new HashMap<>();
            for (int second = 0; second < 150; second++) {
                TestClient speaker = honest.get(second % honest.size());
                if (second % 3 != 0 && speaker != guest) {
                    expected.put("said " + second + " by " + speaker.name, 1);
                }
            }
            Map<String, Integer> heard = new HashMap<>(guest.heard);
            heard.keySet()
                    .removeIf(
                            text -> !text.contains("said ") || text.endsWith(" by " + guest.name));
            assertThat(heard).as("%s", guest).isEqualTo(expected);
        }
        assertThat(server.laws().broken()).isEmpty();
        List<TestClient> again = crowd(server, 1);
        assertThat(again).allMatch(TestClient::in);
    }

    @Test
    @DisplayName(
            "A9: clients of one network join in all games while five hundred networks ask without"
                    + " end")
    void admitsClientsOfOneNetworkDuringQueryFlood() throws IOException {
        for (long begun : List.of(SECOND / 2, 4 * SECOND)) {
            FourGames server = new FourGames(network, random, 64, "", List.of());
            ask(server, begun, () -> false);
            List<TestClient> guests = new ArrayList<>();
            for (Game game : FourGames.ALL) {
                guests.add(guest(server, game, "127.0.2.1", ""));
                guests.add(guest(server, game, "127.0.2.1", ""));
            }
            ask(server, 2 * SECOND, () -> guests.stream().allMatch(TestClient::in));
            assertThat(guests).as("%d ns after it began", begun).allMatch(TestClient::in);
            server.close();
        }
    }

    /** Asks thirty thousand questions a second, until a condition holds. */
    private void ask(FourGames server, long limit, BooleanSupplier enough) {
        List<Questions.Question> questions = Questions.all(server::address);
        long end = network.now() + limit;
        for (int round = 0; network.now() < end && !enough.getAsBoolean(); round++) {
            for (int number : new int[] {Questions.network(round), Questions.passing(round)}) {
                InetSocketAddress from = new InetSocketAddress(Questions.address(number), 30_000);
                questions.forEach(each -> network.inject(from, each.to(), each.data().toArray()));
            }
            network.run(SECOND / 2_500);
        }
    }

    @Test
    @DisplayName("G12: two hundred of one address keep no other client out")
    void limitsPlacesPerAddress() throws IOException {
        FourGames server = new FourGames(network, random, 64, "", List.of());
        List<TestClient> crowd = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Game game = FourGames.ALL.get(i % FourGames.ALL.size());
            crowd.add(guest(server, game, "127.0.7.1", ""));
            network.run(SECOND / 50);
        }
        network.run(3 * SECOND);
        assertThat(server.arena().players()).hasSize(8);
        for (Game game : FourGames.ALL) {
            TestClient newcomer = guest(server, game, "127.0.8." + named, "");
            assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as(game.name()).isTrue();
        }
        network.run(60 * SECOND);
        assertThat(server.arena().players()).hasSize(12);
        assertThat(crowd.stream().filter(TestClient::in)).hasSize(8);
        assertThat(crowd.stream().filter(guest -> guest.ending.contains("address")))
                .as("are told why")
                .hasSizeGreaterThan(100);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G13, G22: a private server needs the password, and limits guesses by address")
    void protectsPrivateServer(GamePort port) throws IOException {
        FourGames server = new FourGames(network, random, 64, "open sesame", List.of());
        List<ArenaEvent> refusals = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.JoinRefused) {
                        refusals.add(event);
                    }
                });
        TestClient friend = server.guest(port, "198.51.100.1", "friend", "open sesame");
        assertThat(network.runUntil(friend::in, 10 * SECOND)).isTrue();
        for (String wrong : List.of("", "open", "OPEN SESAME", "open sesame ")) {
            assertThat(answer(server, port, wrong)).contains("password");
        }
        for (int i = 0; i < 18; i++) {
            assertThat(answer(server, port, "guess" + i)).contains("password");
        }
        assertThat(answer(server, port, "open sesame")).contains("password");
        network.run(port.joinIntervalNanos());
        TestClient other = server.guest(port, "198.51.100.9", "other", "open sesame");
        assertThat(network.runUntil(other::in, 2 * SECOND)).as("%s", other).isTrue();
        network.run(20 * SECOND);
        assertThat(answer(server, port, "open sesame")).as("later").isEmpty();
        assertThat(server.arena().players()).hasSize(3);
        assertThat(refusals).isNotEmpty();
        assertThat(server.laws().broken()).isEmpty();
    }

    /** The reason why a client of one address is refused, in lower case; empty if it has joined. */
    private String answer(FourGames server, GamePort port, String password) throws IOException {
        network.run(port.joinIntervalNanos());
        String name = "guest" + named++;
        TestClient guest = server.guest(port, HOUSEHOLD, name, password);
        BooleanSupplier joined =
                () ->
                        server.arena().players().stream()
                                .anyMatch(player -> player.name().equals(name));
        assertThat(
                        network.runUntil(
                                () -> joined.getAsBoolean() || !guest.ending.isEmpty(),
                                70 * SECOND))
                .isTrue();
        return guest.ending.toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName(
            "G12, G22: an address has eight places; its eighth player comes back after it has left"
                    + " or is lost")
    void readmitsEighthClientOfAddress(GamePort port) throws IOException {
        FourGames server = new FourGames(network, random, 64, "", List.of());
        List<ArenaEvent> events = new ArrayList<>();
        server.arena().addListener(events::add);
        TestClient witness = server.guest(port, "witness");
        List<TestClient> household = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            household.add(server.guest(port, HOUSEHOLD, "h" + i));
            server.await(household);
            network.run(SECOND / 2);
        }
        server.await(List.of(witness));
        assertRefused(server, port);
        assertThat(server.arena().players()).hasSize(9);
        household.removeLast().client.close();
        network.run(SECOND);
        TestClient back = server.guest(port, HOUSEHOLD, "h7");
        assertThat(network.runUntil(back::in, 10 * SECOND)).as("%s", back).isTrue();
        // It vanishes, and comes from another port.
        back.cycle.close();
        network.run(port.silenceNanos());
        TestClient again = server.guest(port, HOUSEHOLD, "h7");
        household.add(again);
        assertThat(network.runUntil(again::in, 2 * SECOND)).as("%s", again).isTrue();
        network.run(SECOND / 2);
        assertThat(household).allMatch(TestClient::in);
        assertThat(witness.in()).isTrue();
        assertThat(server.arena().players())
                .extracting(Player::name)
                .filteredOn(name -> name.startsWith("h7"))
                .containsExactly("h7");
        assertThat(events)
                .filteredOn(event -> event instanceof ArenaEvent.Left)
                .extracting(event -> ((ArenaEvent.Left) event).reason().code())
                .contains(LeaveReason.Code.TIMED_OUT);
        assertRefused(server, port);
        TestClient newcomer = server.guest(port, "127.0.8.1", "newcomer");
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
        assertThat(server.laws().broken()).isEmpty();
    }

    /** The ninth client of the household is refused with the reason. */
    private void assertRefused(FourGames server, GamePort port) throws IOException {
        TestClient ninth = server.guest(port, HOUSEHOLD, "ninth");
        network.runUntil(() -> ninth.in() || !ninth.ending.isEmpty(), 5 * SECOND);
        assertThat(ninth.in()).isFalse();
        assertThat(ninth.ending).contains(port.refusal());
        ninth.client.close();
        network.run(SECOND / 10);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("G12: one address that joins and leaves without end")
    void limitsJoinsOfAddress(GamePort port) throws IOException {
        FourGames server = new FourGames(network, random, 64);
        List<TestClient> guests = crowd(server, 2);
        List<String> joined = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Joined in
                            && in.player().name().startsWith("again")) {
                        joined.add(in.player().name());
                    }
                });
        boolean isRefused = false;
        String reason = "";
        for (int i = 0; i < 40 && !isRefused; i++) {
            TestClient again = server.guest(port, "192.0.2.7", "again" + i);
            // RakNet's client goes on for a second after a refusal, and gets in later.
            network.runUntil(() -> again.in() || !again.ending.isEmpty(), SECOND);
            isRefused = !again.in();
            reason = again.ending;
            again.client.close();
            network.run(SECOND / 1000);
        }
        assertThat(joined).hasSizeBetween(32, 39);
        assertThat(isRefused).isTrue();
        if (port != GamePort.RAKNET) {
            assertThat(reason).isNotEmpty();
        }
        guests.forEach(guest -> guest.moves.clear());
        network.run(SECOND);
        for (TestClient guest : guests) {
            assertThat(guest.in()).isTrue();
            assertThat(guest.moves).hasSize(guests.size() - 1);
            assertThat(guest.moves.values()).allMatch(moves -> moves.size() > 8);
        }
        assertThat(server.arena().players()).hasSize(guests.size());
        TestClient newcomer = server.guest(port, "newcomer");
        assertThat(network.runUntil(newcomer::in, 2 * SECOND)).as("%s", newcomer).isTrue();
        network.run(2 * SECOND);
        TestClient later = server.guest(port, "192.0.2.7", "again");
        assertThat(network.runUntil(later::in, 2 * SECOND)).as("%s", later).isTrue();
        assertThat(server.laws().broken()).isEmpty();
    }

    @Test
    @DisplayName("item 9: who vanishes without a word has no body after five seconds")
    void removesBodyOfVanishedPlayer() throws IOException {
        FourGames server = new FourGames(network, random, 64);
        List<TestClient> guests = crowd(server, 2);
        for (TestClient guest : guests) {
            if (guests.indexOf(guest) % 2 == 0) {
                guest.cycle.close();
            }
        }
        network.run(6 * SECOND);
        assertThat(server.arena().players().stream().filter(Player::spawned))
                .hasSize(guests.size() / 2);
        for (TestClient guest : guests) {
            if (guests.indexOf(guest) % 2 == 1) {
                assertThat(guest.client.others()).as("%s", guest).hasSize(guests.size() / 2 - 1);
            }
        }
    }
}
