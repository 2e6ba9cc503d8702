package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One run of ten misbehaving clients against a server of all four games, from its seed. */
class SequenceRun {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int CLIENTS = 10;
    private static final int CAPACITY = 32;

    final Random random;
    final SimulatedNetwork network;
    final FourGames server;
    private final List<MisbehavingClient> abusers = new ArrayList<>();
    private final List<String> games = new ArrayList<>();
    private int made;

    SequenceRun(long seed) throws IOException {
        this(seed, MatchRules.NONE, 0);
    }

    /**
     * @param rules of the match that all play
     * @param more places for players of a test
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    SequenceRun(long seed, MatchRules rules, int more, BlockArena... arenas) throws IOException {
        random = new Random(seed);
        network = new SimulatedNetwork(seed);
        List<AddressRange> trusted = List.of(AddressRange.parse("127.0.0.1"));
        server = new FourGames(network, random, CAPACITY + more, "", trusted, rules, arenas);
        for (int i = 0; i < CLIENTS; i++) {
            games.add(FourGames.GAMES.get(i % FourGames.GAMES.size()));
            abusers.add(join(games.get(i)));
        }
    }

    private MisbehavingClient join(String game) throws IOException {
        return requireNonNull(SequenceFuzzTest.MAKERS.get(game))
                .join(network.cycle(), server.address(game), "r" + made++, random);
    }

    final void run(int steps) throws Exception {
        try (LoggedErrors errors = new LoggedErrors()) {
            for (int step = 0; step < steps; step++) {
                if (random.nextInt(2_000) == 0) {
                    network.conditions(
                            SequenceFuzzTest.WEATHER.get(
                                    random.nextInt(SequenceFuzzTest.WEATHER.size())));
                }
                int index = random.nextInt(CLIENTS);
                if (abusers.get(index).isOver()) {
                    if (random.nextInt(50) == 0) {
                        abusers.set(index, join(games.get(index)));
                    }
                } else {
                    abusers.get(index).act();
                }
                onStep(step);
                network.run(random.nextLong(4 * MILLI));
                assertThat(errors.lines()).as("step %d", step).isEmpty();
            }
            network.conditions(Conditions.PERFECT);
            abusers.forEach(MisbehavingClient::behave);
            settle();
            server.close();
            assertThat(server.arena().players()).isEmpty();
            assertThat(errors.lines()).isEmpty();
            assertThat(server.laws().broken()).isEmpty();
        }
    }

    /** What else happens in a step. */
    void onStep(int step) throws IOException {}

    /** The names of the players of this run that play by the rules. */
    Set<String> honest() {
        return Set.of();
    }

    /** All clients behave now, and come to agree on who is here. */
    void settle() throws IOException {
        // Compared now and then: after each datagram it would take most of the run.
        long end = network.now() + 150 * SECOND;
        while (!views().equals(truth()) && network.now() < end) {
            network.run(100 * MILLI);
        }
        assertThat(views()).isEqualTo(truth());
        assertThat(server.laws().here())
                .containsExactlyElementsOf(
                        server.arena().players().stream().map(Player::id).toList());
    }

    private Map<String, List<String>> views() {
        return SequenceFuzzTest.views(abusers);
    }

    private Map<String, List<String>> truth() {
        Map<String, List<String>> truth = SequenceFuzzTest.truth(server);
        truth.keySet().removeAll(honest());
        return truth;
    }
}
