package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.motion.Vec3;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;

/**
 * The claims of one client that its player acted at a place. Metres; not thread-safe. Times are
 * those of the clients: a server adds {@code DutyCycle.sleptNanos()} to its own.
 *
 * <p>A client that is silent may say afterwards that its body was anywhere within reach, act from
 * there and be back with its next position. So each position, and each claimed place that is far
 * from them, is a step. Where the steps of a moment are longer than a body is fast, as after a
 * silence or when the network held positions up, a claim waits for as long as the body needs for
 * the way back, and is refuted if the body is elsewhere sooner. A silence is time for steps once,
 * for the way there and back.
 */
public final class PlaceClaims {
    /** Steps may be ahead of the body's speed by this much: uneven packets, a claimed eye. */
    static final double AHEAD_METRES = Combatant.ORIGIN_ALLOWANCE_METRES;

    /** A pause between two positions that is longer is a silence: clients send ten a second. */
    private static final long MIN_SILENCE_NANOS = 100_000_000;

    /** The most of a silence that is time for steps. */
    private static final long MAX_SILENCE_NANOS = 750_000_000;

    /** Positions that were held up in a silence arrive within this time after it. */
    private static final long BURST_NANOS = 500_000_000;

    /** A body falls this many times as fast as it runs. */
    private static final double FALL_FACTOR = 3;

    /** Claims that wait at once: of two seconds of positions that were held up, and shots. */
    private static final int MAX_WAITING = 96;

    /** One claim, which waits, is proven or is refuted. */
    public static final class Claim {
        private enum State {
            WAITING,
            PROVEN,
            REFUTED
        }

        private static final Claim PROVEN = new Claim(State.PROVEN);
        private static final Claim REFUTED = new Claim(State.REFUTED);

        private final Vec3 place;
        private final long since;
        private final long due;
        private final ObjLongConsumer<ShotViolation> onRefuted;
        private final List<LongConsumer> actions = new ArrayList<>();
        private State state;

        private Claim(
                State state,
                Vec3 place,
                long since,
                long due,
                ObjLongConsumer<ShotViolation> onRefuted) {
            this.state = state;
            this.place = place;
            this.since = since;
            this.due = due;
            this.onRefuted = onRefuted;
        }

        private Claim(State state) {
            this(state, Vec3.ZERO, 0, 0, (_, _) -> {});
        }

        /** A claim of a place where the player was seen. */
        public static Claim proven() {
            return PROVEN;
        }

        /** A claim of a place where the player can't have been. */
        public static Claim refuted() {
            return REFUTED;
        }

        public boolean isWaiting() {
            return state == State.WAITING;
        }

        public boolean isRefuted() {
            return state == State.REFUTED;
        }

        /**
         * Carries an action out once the claim is proven: now, later, or never.
         *
         * @param now in the server's time
         * @param action receives the time at which it is carried out
         */
        public void whenProven(long now, LongConsumer action) {
            switch (state) {
                case PROVEN -> action.accept(now);
                case WAITING -> actions.add(action);
                case REFUTED -> {}
            }
        }

        private void prove(long serverTime) {
            state = State.PROVEN;
            actions.forEach(action -> action.accept(serverTime));
            actions.clear();
        }

        private void refute(ShotViolation violation, long serverTime) {
            state = State.REFUTED;
            actions.clear();
            onRefuted.accept(violation, serverTime);
        }
    }

    private final Deque<Claim> waiting = new ArrayDeque<>();
    private boolean begun;
    private Vec3 last = Vec3.ZERO;
    private long movedAt;

    /** Lead of the steps over the body's speed. */
    private double ahead;

    /** The same, less what a silence was time for. */
    private double unexplained;

    private long burstEnd;

    /** A new body, at a place where it may be: claims of the one before are dropped. */
    public void begin(long now, Vec3 at) {
        waiting.forEach(claim -> claim.state = Claim.State.REFUTED);
        waiting.clear();
        putAt(now, at);
    }

    /** The server or a teleporter has put the body at a place. */
    public void putAt(long now, Vec3 at) {
        begun = true;
        last = at;
        movedAt = now;
        ahead = 0;
        unexplained = 0;
        burstEnd = now;
    }

    /**
     * Takes a position of the body that the server believes.
     *
     * @param speed of the body, metres a second
     * @param serverTime at which claims may be refuted
     * @return false if it is a leap: no body comes there so soon, whatever the network did
     */
    public boolean onMoved(long now, Vec3 at, double speed, long serverTime) {
        return step(now, at, speed, serverTime);
    }

    /** Carries out what has waited for long enough, at a time of the server. */
    public void advance(long now, long serverTime) {
        // An action may end the player's life, and with it all that waits.
        while (!waiting.isEmpty() && waiting.getFirst().due <= now) {
            waiting.removeFirst().prove(serverTime);
        }
    }

    /**
     * Adds a claim of a place near the positions of the body.
     *
     * @param speed of the body, metres a second
     * @param onRefuted receives what is wrong if the claim is refuted later, and the server's time
     */
    public Claim add(long now, Vec3 at, double speed, ObjLongConsumer<ShotViolation> onRefuted) {
        double left = ahead - speed * (now - movedAt) / 1e9 - AHEAD_METRES;
        if (left <= 0) {
            return Claim.proven();
        }
        if (waiting.size() == MAX_WAITING) {
            return Claim.refuted();
        }
        long due = now + (long) (left / speed * TimeUnit.SECONDS.toNanos(1));
        Claim claim = new Claim(Claim.State.WAITING, at, now, due, onRefuted);
        waiting.add(claim);
        return claim;
    }

    /** Adds a claim of a place that is far from all recent positions: it is a step of the body. */
    public Claim addStep(
            long now,
            Vec3 at,
            double speed,
            long serverTime,
            ObjLongConsumer<ShotViolation> onRefuted) {
        return step(now, at, speed, serverTime) ? add(now, at, speed, onRefuted) : Claim.refuted();
    }

    private boolean step(long now, Vec3 at, double speed, long serverTime) {
        if (!begun) {
            putAt(now, at);
        }
        long pause = Math.max(0, now - movedAt);
        double way = way(last, at);
        double run = speed * pause / 1e9;
        ahead = Math.max(0, ahead - run) + way;
        if (pause > MIN_SILENCE_NANOS) {
            burstEnd = now + BURST_NANOS;
            double most = speed * Math.min(pause, MAX_SILENCE_NANOS) / 1e9;
            unexplained = Math.max(-most, unexplained - run);
        } else if (unexplained > 0) {
            unexplained = Math.max(0, unexplained - run);
        } else if (now >= burstEnd) {
            unexplained = 0;
        }
        unexplained += way;
        last = at;
        movedAt = now;
        boolean isLeap = unexplained > AHEAD_METRES;
        if (isLeap) {
            refuteElsewhere(now, at, speed, serverTime);
        }
        return !isLeap;
    }

    /** Refutes the claims that the body can't have left for a place so soon. */
    private void refuteElsewhere(long now, Vec3 at, double speed, long serverTime) {
        for (Claim claim : List.copyOf(waiting)) {
            double away = way(claim.place, at);
            double allowed = AHEAD_METRES + speed * (now - claim.since) / 1e9;
            if (away > allowed && waiting.remove(claim)) {
                claim.refute(
                        new ShotViolation(ViolationRule.SHOT_ORIGIN, away, allowed, AHEAD_METRES),
                        serverTime);
            }
        }
    }

    /** The length of a way, of which falling is the lesser part. */
    private static double way(Vec3 from, Vec3 to) {
        Vec3 way = to.minus(from);
        double height = way.z() < 0 ? way.z() / FALL_FACTOR : way.z();
        return Math.hypot(way.horizontal(), height);
    }
}
