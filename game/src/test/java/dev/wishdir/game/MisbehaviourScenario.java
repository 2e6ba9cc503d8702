package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Three clients that do anything for two minutes, and then behave: in the end all agree on who is
 * here.
 *
 * @param honest names of the other players
 * @param shownName a player's name as clients of the game show it
 */
public record MisbehaviourScenario(
        SimulatedNetwork network,
        Arena arena,
        Set<String> honest,
        UnaryOperator<String> shownName) {
    private static final int CLIENTS = 3;
    private static final int STEPS = 2400;
    private static final long SECOND = 1_000_000_000L;

    /**
     * Runs the scenario.
     *
     * @param leastShareIn of the steps in which a client that acts must be in the game
     * @return number of misbehaving clients that are here in the end
     */
    public int run(
            Random random,
            MisbehavingClient.Maker maker,
            InetSocketAddress server,
            double leastShareIn)
            throws IOException {
        List<MisbehavingClient> abusers = new ArrayList<>();
        int joined = 0;
        int in = 0;
        for (int step = 0; step < STEPS; step++) {
            abusers.removeIf(MisbehavingClient::isOver);
            while (abusers.size() < CLIENTS) {
                Random own = new Random(random.nextLong());
                abusers.add(maker.join(network.cycle(), server, "r" + joined++, own));
            }
            MisbehavingClient abuser = abusers.get(random.nextInt(CLIENTS));
            in += abuser.isIn() ? 1 : 0;
            abuser.act();
            network.run(SECOND / 20);
        }
        assertThat(joined).isGreaterThan(CLIENTS);
        assertThat(in).as("steps in the game").isGreaterThan((int) (leastShareIn * STEPS));
        network.conditions(Conditions.PERFECT);
        abusers.forEach(MisbehavingClient::behave);
        // Until the server misses each client that left without a word that arrived.
        network.run(100 * SECOND);

        Set<String> here = new HashSet<>();
        for (Player player : arena.players()) {
            assertThat(here.add(shownName.apply(player.name()))).isTrue();
        }
        Set<String> known = new HashSet<>(honest);
        for (MisbehavingClient abuser : abusers) {
            assertThat(abuser.isIn()).isNotEqualTo(abuser.isOver());
            if (abuser.isIn()) {
                assertThat(known.add(abuser.name())).isTrue();
                List<String> seen = new ArrayList<>(abuser.others());
                seen.add(abuser.name());
                assertThat(seen).containsExactlyInAnyOrderElementsOf(here);
            }
        }
        assertThat(here).isEqualTo(known);
        return known.size() - honest.size();
    }
}
