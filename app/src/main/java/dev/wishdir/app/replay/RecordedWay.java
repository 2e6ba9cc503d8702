package dev.wishdir.app.replay;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The way of one recorded player: the longest time between a spawn or teleport and the next.
 * Immutable.
 */
public final class RecordedWay {
    /** Maximum number of movements: about two hours. */
    static final int MAX_MOVEMENTS = 400_000;

    /** A longer way between two movements is a jump to another place. */
    private static final double MAX_STEP_METRES = 5;

    private static final int MAX_NAMES = 20;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Half of the time over which a velocity is measured. */
    private static final long VELOCITY_NANOS = 50_000_000;

    private final long[] times;
    private final List<Movement> movements;

    private RecordedWay(List<Long> times, List<Movement> movements) {
        this.times = times.stream().mapToLong(Long::longValue).toArray();
        this.movements = List.copyOf(movements);
    }

    /**
     * Reads the way of a player.
     *
     * @param player its name, with or without the mark of a ghost, or its number
     * @throws IOException if the recording cannot be read, or has no such player with a way
     */
    public static RecordedWay read(ReplaySource source, String player) throws IOException {
        Builder builder = new Builder(player);
        long before = source.startNanos() - 1;
        for (Player present : source.stateAt(before)) {
            if (present.spawned()) {
                builder.add(before, present, present.movement(), true);
            }
        }
        ReplaySource.Events events = source.eventsAfter(before);
        for (ArenaEvent event = events.next(); event != null; event = events.next()) {
            switch (event) {
                case ArenaEvent.Moved e -> builder.add(e.time(), e.player(), e.movement(), false);
                case ArenaEvent.Spawned e -> builder.add(e.time(), e.player(), e.movement(), true);
                case ArenaEvent.Teleported e ->
                        builder.add(e.time(), e.player(), e.movement(), true);
                default -> {}
            }
        }
        return builder.build();
    }

    private static final class Builder {
        private final String wanted;
        private final Set<String> names = new TreeSet<>();
        private @Nullable PlayerId id;
        private List<Long> times = new ArrayList<>();
        private List<Movement> movements = new ArrayList<>();
        private @Nullable RecordedWay longest;

        Builder(String wanted) {
            this.wanted = wanted;
        }

        void add(long time, Player player, Movement movement, boolean leaps) {
            if (names.size() < MAX_NAMES) {
                names.add(player.name());
            }
            if (id == null && isWanted(player)) {
                id = player.id();
            }
            if (!player.id().equals(id) || !movement.isValid()) {
                return;
            }
            boolean far =
                    !movements.isEmpty()
                            && movements.getLast().position().distance(movement.position())
                                    > MAX_STEP_METRES;
            if (leaps || far || times.size() == MAX_MOVEMENTS) {
                finish();
            }
            if (times.isEmpty() || time > times.getLast()) {
                times.add(time);
                movements.add(movement);
            }
        }

        private boolean isWanted(Player player) {
            return player.name().equals(wanted)
                    || player.name().equals(Ghosts.MARK + wanted)
                    || player.id().toString().equals(wanted);
        }

        private void finish() {
            if (times.size() > 1) {
                RecordedWay way = new RecordedWay(times, movements);
                if (longest == null || way.durationNanos() > longest.durationNanos()) {
                    longest = way;
                }
            }
            times = new ArrayList<>();
            movements = new ArrayList<>();
        }

        RecordedWay build() throws IOException {
            finish();
            if (longest == null) {
                throw new IOException(
                        "no player "
                                + wanted
                                + " walks in this recording; its players: "
                                + String.join(", ", names));
            }
            return longest;
        }
    }

    public long durationNanos() {
        return times[times.length - 1] - times[0];
    }

    /** Where the player is at a time from the start of the way, nanoseconds. */
    public Movement at(long nanos) {
        long time = times[0] + Math.clamp(nanos, 0, durationNanos());
        int index = Arrays.binarySearch(times, time);
        if (index >= 0) {
            return movements.get(index);
        }
        int after = -index - 1;
        Movement from = movements.get(after - 1);
        Movement to = movements.get(after);
        double share = (double) (time - times[after - 1]) / (times[after] - times[after - 1]);
        return new Movement(
                between(from.position(), to.position(), share),
                Angles.wrap360(from.yaw() + share * Angles.wrap180(to.yaw() - from.yaw())),
                from.pitch() + share * (to.pitch() - from.pitch()),
                between(from.velocity(), to.velocity(), share),
                from.stance());
    }

    private static Vec3 between(Vec3 from, Vec3 to, double share) {
        return from.plus(to.minus(from).times(share));
    }

    /** How fast the player goes at a time, by its places before and after, m/s. */
    public Vec3 velocity(long nanos) {
        Vec3 before = at(nanos - VELOCITY_NANOS).position();
        return at(nanos + VELOCITY_NANOS)
                .position()
                .minus(before)
                .times(NANOS_PER_SECOND / (2 * VELOCITY_NANOS));
    }
}
