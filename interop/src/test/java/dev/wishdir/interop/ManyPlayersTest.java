package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Player;
import dev.wishdir.blocks.ArenaCatalog;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.SimulatedNetwork;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Players of four games walk about in the hills, in virtual time: what each is sent fits into his
 * game's frame, and of the others he is shown the nearest. {@code -Dwishdir.hills.bots=50} of each
 * game are the whole of it.
 */
class ManyPlayersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BOTS = Integer.getInteger("wishdir.hills.bots", 18);
    private static final BlockArena HILLS = ArenaCatalog.shipped("hills");

    /**
     * Bytes of a datagram: the MTU of an ENet host, MAX_MSGLEN of Quake II with a netchan's header,
     * a fragment of Quake III's with its, the largest MTU of RakNet without IP's and UDP's headers.
     */
    private static final Map<String, Integer> FRAMES =
            Map.of("sauerbraten", 1400, "quake2", 1400 + 10, "quake3", 1300 + 14, "bedrock", 1464);

    /** Who is shown stays so until another is nearer by so much: times, and metres more. */
    private static final double NEARER = 1.5;

    private static final double NEARER_METRES = 2;

    /** Seconds after which no player changes places any more. */
    private static final int SETTLED = 60;

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final Map<String, Integer> largest = new HashMap<>();
    private boolean walking = true;

    /** One who walks as long as all do. */
    private final class Walker implements ClientListener, BotController {
        final String name;
        final Client client;
        private final double turn = random.nextDouble() * 360;
        private String ending = "";

        Walker(FourGames server, Game game, int number) throws IOException {
            // With its sign it must be as short as the names of every game.
            name = game.name().replace("sauerbraten", "cube") + number;
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .controller(this)
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            double slowly = turn + now / 1e9 * 20;
            return walking ? PlayerInput.walk(slowly % 360, 0, 0) : PlayerInput.look(self.yaw(), 0);
        }

        @Override
        public void onEnded(Client self, EndReason why, String reason) {
            ending = why + ": " + reason;
        }

        Set<String> sees() {
            return client.others().stream()
                    .map(other -> other.name().replaceFirst("^\\[\\w+] ?", ""))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void fitsFramesAndShowsNearest() throws IOException {
        FourGames server = new FourGames(network, random, 4 * BOTS, HILLS);
        Map<Integer, String> ports = new HashMap<>();
        FourGames.GAMES.forEach(game -> ports.put(server.address(game).getPort(), game));
        network.tap((_, from, _, data) -> {
            String game = ports.get(from.getPort());
            if (game != null) {
                largest.merge(game, data.length, Math::max);
            }
        });
        List<Walker> walkers = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            for (int i = 0; i < BOTS; i++) {
                walkers.add(new Walker(server, game, i));
                network.run(SECOND / 20);
            }
        }
        network.run(20 * SECOND);
        assertThat(walkers).allMatch(walker -> walker.client.joined(), "is in");
        assertThat(walkers).extracting(walker -> walker.ending).containsOnly("");
        assertThat(largest.keySet()).isEqualTo(FRAMES.keySet());
        largest.forEach((game, bytes) ->
                assertThat(bytes)
                        .as("the largest datagram of %s", game)
                        .isLessThanOrEqualTo(FRAMES.get(game)));

        // Once all stand, as many change places as a review lets, until none has to.
        walking = false;
        List<String> wrong = wrong(server, walkers);
        for (int seconds = 0; !wrong.isEmpty() && seconds < SETTLED; seconds++) {
            network.run(SECOND);
            wrong = wrong(server, walkers);
        }
        assertThat(wrong).isEmpty();
        assertThat(walkers)
                .as("who is not shown all")
                .anyMatch(walker -> walker.sees().size() < 4 * BOTS - 1);
    }

    /** Clients that miss players of their interest set, or are shown others than the nearest. */
    private static List<String> wrong(FourGames server, List<Walker> walkers) {
        List<Player> all = server.arena().players();
        assertThat(all).hasSize(4 * BOTS);
        Map<String, Player> named = new HashMap<>();
        all.forEach(player -> named.put(player.name(), player));
        List<String> wrong = new ArrayList<>();
        for (Walker walker : walkers) {
            Player self = requireNonNull(named.get(walker.name));
            Set<String> shown = new HashSet<>();
            server.arena()
                    .player(self.id())
                    .orElseThrow()
                    .visiblePlayers()
                    .forEach(other -> shown.add(other.name()));
            if (!walker.sees().equals(shown)) {
                wrong.add("%s sees %s, not %s".formatted(walker.name, walker.sees(), shown));
            }
            double farthest = 0;
            double nearest = Double.MAX_VALUE;
            for (Player other : all) {
                double away = distance(self, other);
                if (shown.contains(other.name())) {
                    farthest = Math.max(farthest, away);
                } else if (!other.id().equals(self.id())) {
                    nearest = Math.min(nearest, away);
                }
            }
            if (farthest > nearest * NEARER + NEARER_METRES) {
                wrong.add(
                        "%s is shown one %.1f m away and not one %.1f m away"
                                .formatted(walker.name, farthest, nearest));
            }
        }
        return wrong;
    }

    private static double distance(Player one, Player other) {
        Vec3 way = other.movement().position().minus(one.movement().position());
        return way.length();
    }
}
