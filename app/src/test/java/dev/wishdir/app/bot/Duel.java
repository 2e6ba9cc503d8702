package dev.wishdir.app.bot;

import dev.wishdir.app.serve.SimulatedServer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Measures in virtual time how long a bot takes to kill another of the same skill.
 *
 * <p>Both bots fight. A time begins when both are alive and ends when the attacker kills the
 * victim. The attacker is healed after each hit, so that a time does not depend on how soon the
 * victim would have won; after each kill it dies, too, so that both begin each time with a new life
 * at a spawn point. There are no items.
 *
 * @param skill of both bots, 0 to {@link BotFight#MAX_SKILL}
 * @param damageFactors by game; 1 if not listed
 */
public record Duel(BlockArena arena, int skill, Map<String, Double> damageFactors) {
    private static final long MILLI_NANOS = 1_000_000;
    private static final long SECOND_NANOS = 1_000 * MILLI_NANOS;
    private static final long JOIN_LIMIT_NANOS = 30 * SECOND_NANOS;

    /** A pair that takes longer for a kill, on average, is given up. */
    private static final long KILL_LIMIT_NANOS = 60 * SECOND_NANOS;

    private static final Conditions LINK = new Conditions(0, 0, 20 * MILLI_NANOS, 5 * MILLI_NANOS);
    private static final double FULL_HEALTH = 100;

    /**
     * Lets a bot kill another a number of times.
     *
     * @return how long each kill took; fewer if they take more than a minute each
     */
    public List<Double> seconds(Game attacker, Game victim, int kills, int seed)
            throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        Random random = new Random(seed);
        MatchRules rules =
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, MatchRules.DEFAULT_INTERMISSION)
                        .withDamageFactors(damageFactors)
                        .withoutItems();
        network.conditions(LINK);
        try (SimulatedServer server =
                new SimulatedServer(
                        network,
                        random,
                        2,
                        "",
                        List.of(AddressRange.parse("127.0.0.1")),
                        rules,
                        arena)) {
            KillTimer timer = new KillTimer(server);
            server.arena().addListener(timer);
            FightingBot first = bot(network, server, attacker, KillTimer.ATTACKER, random);
            FightingBot second = bot(network, server, victim, "victim", random);
            if (!network.runUntil(
                    () -> first.client().joined() && second.client().joined(), JOIN_LIMIT_NANOS)) {
                throw new IllegalStateException(
                        "bots of " + attacker.name() + " and " + victim.name() + " did not join");
            }
            network.runUntil(() -> timer.seconds.size() >= kills, kills * KILL_LIMIT_NANOS);
            return timer.seconds;
        }
    }

    /** The value below which a share of the values is; infinite without values. */
    public static double quantile(List<Double> values, double share) {
        return values.isEmpty()
                ? Double.POSITIVE_INFINITY
                : values.stream()
                        .sorted()
                        .skip((long) (share * (values.size() - 1)))
                        .findFirst()
                        .orElseThrow();
    }

    private FightingBot bot(
            SimulatedNetwork network, SimulatedServer server, Game game, String name, Random random)
            throws IOException {
        return new FightingBot(
                network.cycle(), server.address(game.name()), game, name, skill, random);
    }

    /** Takes the time of each kill by the attacker. */
    private static final class KillTimer implements ArenaListener {
        static final String ATTACKER = "attacker";
        private static final int BOTH = 2;

        final List<Double> seconds = new ArrayList<>();
        private final SimulatedServer server;
        private final Set<PlayerId> alive = new HashSet<>();
        private long began;

        KillTimer(SimulatedServer server) {
            this.server = server;
        }

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.Spawned e -> {
                    alive.add(e.id());
                    began = e.time();
                }
                case ArenaEvent.Hit e when e.player().name().equals(ATTACKER) ->
                        combatant(e.id())
                                .setVitals(
                                        new Vitals(
                                                FULL_HEALTH,
                                                e.vitals().armour(),
                                                e.vitals().absorption()));
                case ArenaEvent.Died e -> onDied(e);
                default -> {}
            }
        }

        private void onDied(ArenaEvent.Died death) {
            boolean isKill =
                    death.killer().name().equals(ATTACKER)
                            && !death.killer().id().equals(death.id());
            if (isKill) {
                if (alive.size() == BOTH) {
                    seconds.add((death.time() - began) / (double) SECOND_NANOS);
                }
                combatant(death.killer().id()).die(death.time());
            }
            alive.remove(death.id());
        }

        private Combatant combatant(PlayerId id) {
            return server.arena().player(id).orElseThrow().combatant();
        }
    }
}
