package dev.wishdir.bench;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Movement;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Cost of a crowd to the arena's thread, by CPU time: an {@link Arena} in virtual time, with up to
 * 250 players of this server, each with a viewer of 64 places, and the rest mirrored from others.
 * All walk in a hall of 128 by 128 m and report 30 movements a second. Prints a table in Markdown.
 *
 * <p>Usage, after {@code mvn verify}: {@code java -cp bench/target/benchmarks.jar
 * dev.wishdir.bench.CrowdCost [PLAYERS,...] [SECONDS]}
 */
public final class CrowdCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SECOND_NANOS = 1_000_000_000;

    /**
     * Interval of the turns of the server's loop under load: what arrives meanwhile comes together.
     */
    private static final long TURN_NANOS = 5_000_000;

    private static final int TURNS_PER_MOVEMENT = 7;
    private static final long MOVEMENT_NANOS = TURNS_PER_MOVEMENT * TURN_NANOS;
    private static final int OWN_PLAYERS = 250;
    private static final int WARM_UP_SECONDS = 10;

    /** Its paths are the same in each run. */
    private static final int SEED = 7;

    private CrowdCost() {}

    /** Counts what it is sent. */
    private static final class Counter implements Viewer {
        private long relays;
        private long movements;

        @Override
        public int maxVisiblePlayers() {
            return Arena.DEFAULT_MAX_VISIBLE_PLAYERS;
        }

        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {
            relays++;
            movements += movers.size();
        }
    }

    public static void main(String[] arguments) {
        String players = arguments.length > 0 ? arguments[0] : "250,1000,2000,5000,10000";
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
        System.out.println(
                "| players | relays and reviews | longest turn | movements in | joins |"
                        + " relays/s, movements in each |");
        System.out.println("|---|---|---|---|---|---|");
        for (String each : players.split(",")) {
            System.out.println(measure(Integer.parseInt(each), seconds));
        }
    }

    private static String measure(int players, int seconds) {
        Random random = new Random(SEED);
        Arena arena = new Arena(Walker.HALL, OWN_PLAYERS);
        Counter counter = new Counter();
        List<Walker> walkers = new ArrayList<>();
        long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < players; i++) {
            String name = "player " + i;
            ArenaPlayer player =
                    i < OWN_PLAYERS
                            ? arena.join(0, "quake3", name, counter)
                            : arena.mirror(0, new PlayerId(7, i), "quake2", name);
            Walker walker = new Walker(player, random);
            player.spawn(0, walker.next(MOVEMENT_NANOS));
            walkers.add(walker);
        }
        long joins = THREADS.getCurrentThreadCpuTime() - before;
        long now = 0;
        for (; now < WARM_UP_SECONDS * SECOND_NANOS; now += TURN_NANOS) {
            turn(now, arena, walkers, new long[2]);
        }
        counter.relays = 0;
        counter.movements = 0;
        long[] nanos = new long[2];
        long longest = 0;
        long end = now + seconds * SECOND_NANOS;
        for (; now < end; now += TURN_NANOS) {
            long relaysBefore = nanos[1];
            turn(now, arena, walkers, nanos);
            longest = Math.max(longest, nanos[1] - relaysBefore);
        }
        double span = seconds * SECOND_NANOS;
        return String.format(
                Locale.ROOT,
                "| %d | %.1f %% of a core | %.1f ms | %.1f %% | %.2f s | %d, %.1f |",
                players,
                100 * nanos[1] / span,
                longest / 1e6,
                100 * nanos[0] / span,
                joins / 1e9,
                counter.relays / seconds,
                (double) counter.movements / counter.relays);
    }

    /**
     * Runs one turn of the loop.
     *
     * @param nanos to which the time of the movements is added, and that of the relays
     */
    private static void turn(long now, Arena arena, List<Walker> walkers, long[] nanos) {
        int phase = (int) (now / TURN_NANOS % TURNS_PER_MOVEMENT);
        List<Movement> movements = new ArrayList<>();
        for (int i = phase; i < walkers.size(); i += TURNS_PER_MOVEMENT) {
            movements.add(walkers.get(i).next(MOVEMENT_NANOS));
        }
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < movements.size(); i++) {
            ArenaPlayer player = walkers.get(phase + i * TURNS_PER_MOVEMENT).player();
            player.recordActivity(now);
            player.move(now, movements.get(i), NativeMovement.Stored.NONE);
        }
        long moved = THREADS.getCurrentThreadCpuTime();
        arena.advance(now);
        nanos[0] += moved - start;
        nanos[1] += THREADS.getCurrentThreadCpuTime() - moved;
    }
}
