package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What the server reports of each connection, compared with what really went over it. */
@Tag("slow")
class ConnectionStatsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    private static final double LOSS = 0.1;

    /** What the network saw between two addresses. */
    private static final class Seen {
        long datagrams;
        long bytes;
    }

    private final Random random = new Random(7);
    private final SimulatedNetwork network = new SimulatedNetwork(7);
    private final Map<List<InetSocketAddress>, Seen> seen = new HashMap<>();

    private Seen seen(InetSocketAddress from, InetSocketAddress to) {
        return seen.computeIfAbsent(List.of(from, to), _ -> new Seen());
    }

    private static Map<PlayerId, ConnectionStats> since(
            Map<PlayerId, ConnectionStats> now, Map<PlayerId, ConnectionStats> before) {
        Map<PlayerId, ConnectionStats> since = new HashMap<>();
        now.forEach((id, stats) -> since.put(id, stats.since(requireNonNull(before.get(id)))));
        return since;
    }

    @Test
    void countsEachConnection() throws IOException {
        FourGames server = new FourGames(network, random, 16);
        List<TestClient> guests = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            guests.add(server.guest(game, game.name()));
        }
        server.await(guests);
        network.run(5 * SECOND);
        Map<PlayerId, ConnectionStats> joined = server.arena().connectionStats();
        network.tap((_, from, to, data) -> {
            Seen each = seen(from, to);
            each.datagrams++;
            each.bytes += data.length;
        });

        network.run(10 * SECOND);
        Map<PlayerId, ConnectionStats> well = since(server.arena().connectionStats(), joined);
        assertThat(well).hasSize(4);
        for (Player player : server.arena().players()) {
            ConnectionStats stats = requireNonNull(well.get(player.id()));
            InetSocketAddress from =
                    requireNonNull(server.arena().connectionInfo(player.id()).address());
            InetSocketAddress to = server.address(player.game());
            assertThat(stats.lostIn() + stats.lostOut()).as("%s", player).isZero();
            assertThat(stats.loss()).isZero();
            assertThat(stats.datagramsOut()).isEqualTo(seen(to, from).datagrams);
            assertThat(stats.bytesOut()).isEqualTo(seen(to, from).bytes);
            // What is on its way just now has been sent and not yet come.
            assertThat(stats.datagramsIn())
                    .isBetween(seen(from, to).datagrams - 2, seen(from, to).datagrams + 2);
            assertThat(stats.datagramsIn()).as("%s", player).isGreaterThan(100);
        }

        network.conditions(new Conditions(LOSS, 0, 20 * MILLI, 0));
        seen.clear();
        Map<PlayerId, ConnectionStats> before = server.arena().connectionStats();
        network.run(30 * SECOND);
        Map<PlayerId, ConnectionStats> ill = since(server.arena().connectionStats(), before);
        for (Player player : server.arena().players()) {
            ConnectionStats stats = requireNonNull(ill.get(player.id()));
            InetSocketAddress from =
                    requireNonNull(server.arena().connectionInfo(player.id()).address());
            InetSocketAddress to = server.address(player.game());
            long sent = seen(from, to).datagrams;
            assertThat(stats.datagramsOut()).isEqualTo(seen(to, from).datagrams);
            assertThat(stats.datagramsIn() / (double) sent)
                    .as("%s", player)
                    .isBetween(1 - 1.4 * LOSS, 1 - 0.6 * LOSS);
            assertThat(stats.loss())
                    .as("%s %s of %d", player, stats, sent)
                    .isBetween(0.6 * LOSS, 1.4 * LOSS);
        }
    }
}
