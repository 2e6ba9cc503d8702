package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.net.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Honest players of all four games who join, walk, take other names, chat and leave as on busy
 * public servers, over a bad network: no player is limited, judged or kicked. {@code
 * -Dwishdir.crowd.bots=64 -Dwishdir.crowd.seconds=600} is the whole of it, {@code
 * -Dwishdir.crowd.seed} another crowd.
 */
class HonestPlayersTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int BOTS = Integer.getInteger("wishdir.crowd.bots", 6);
    private static final int SECONDS = Integer.getInteger("wishdir.crowd.seconds", 90);

    private static final int SEED = Integer.getInteger("wishdir.crowd.seed", 7);

    private final Random random = new Random(SEED);
    private final SimulatedNetwork network = new SimulatedNetwork(SEED);
    private final List<String> complaints = new ArrayList<>();

    /** How long one who has left stays away; a place in Quake III is kept for two seconds. */
    private static final long AWAY = 10 * SECOND;

    /** One player, who comes again from the same address some time after it has left. */
    private final class Guest implements ClientListener {
        private final Game game;
        private final FourGames server;
        private final DutyCycle cycle;
        private final double turn = random.nextDouble() * 360;
        private Client client;
        private boolean in;
        private long next;
        private long until;

        /**
         * @param number each has an address in a network of its own
         */
        Guest(Game game, FourGames server, int number) throws IOException {
            this.game = game;
            this.server = server;
            cycle =
                    new FaultInjectingDutyCycle(
                            network.cycle(),
                            InetAddress.ofLiteral(
                                    "127." + (1 + number / 200) + "." + number % 200 + ".1"));
            come();
        }

        private void come() throws IOException {
            in = false;
            client =
                    game.connect(
                            ClientConfig.builder(cycle, server.address(game.name()))
                                    .name("guest" + random.nextInt(10_000))
                                    .controller((now, _) ->
                                            PlayerInput.walk(
                                                    (now / 1e9 * 60 + turn) % 360, now / 5e7, 0))
                                    .listener(this)
                                    .random(random)
                                    .build());
            next = network.now() + 10 * SECOND;
            until = network.now() + 60 * SECOND + random.nextLong(240 * SECOND);
        }

        @Override
        public void onJoined(Client self) {
            in = self.equals(client);
        }

        @Override
        public void onEnded(Client self, Ending ending, String reason) {
            if (!self.equals(client)) {
                return;
            }
            in = false;
            if (reason.contains("full")) {
                // As many as there are places: one who left without being heard keeps his a while.
                until = network.now();
            } else if (ending != Ending.LEFT) {
                complaints.add(game.name() + " " + ending + ": " + reason);
            }
        }

        @Override
        public String toString() {
            return game.name() + (in ? " in" : " out") + ", came at " + (next / SECOND - 10);
        }

        /** A line in eight seconds, in pairs at times; a new name in two minutes. */
        void act(long now) throws IOException {
            if (now >= until + AWAY) {
                come();
            } else if (now >= until) {
                client.close();
            } else if (in && now >= next) {
                next = now + 2 * SECOND + random.nextLong(12 * SECOND);
                int what = random.nextInt(16);
                if (what == 0) {
                    client.rename("guest" + random.nextInt(10_000));
                } else {
                    client.say("line " + random.nextInt());
                    if (what < 5) {
                        client.say("and another");
                    }
                }
            }
        }
    }

    @Test
    void doesNotLimitHonestPlayers() throws IOException {
        FourGames server = new FourGames(network, random, 4 * BOTS + 8, "", List.of());
        List<Guest> guests = new ArrayList<>();
        long end = network.now() + SECONDS * SECOND;
        while (network.now() < end) {
            if (guests.size() < 4 * BOTS) {
                guests.add(
                        new Guest(
                                FourGames.ALL.get(guests.size() % FourGames.ALL.size()),
                                server,
                                guests.size()));
            } else {
                network.conditions(new Conditions(0.05, 0, 20 * MILLI, 200 * MILLI));
            }
            for (Guest guest : guests) {
                guest.act(network.now());
            }
            network.run(200 * MILLI);
        }
        assertThat(server.laws().limited()).isEmpty();
        assertThat(server.laws().verdicts()).isEmpty();
        assertThat(complaints).isEmpty();
        assertThat(guests)
                .allMatch(
                        guest -> guest.in || guest.next > end - 20 * SECOND || guest.until <= end);
        assertThat(server.laws().broken()).isEmpty();
    }
}
