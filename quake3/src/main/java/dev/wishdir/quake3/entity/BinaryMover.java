package dev.wishdir.quake3.entity;

import dev.wishdir.idtech.Box;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.movement.PlayerBody;

import java.util.function.ObjIntConsumer;

/** A door, lift or button: moves to a second position and, after a wait, back. */
final class BinaryMover extends Mover {
    private static final int NEVER = Integer.MAX_VALUE;

    /** Minimum time that a lift stays up after a player has touched it. */
    private static final int HOLD_MILLIS = 1000;

    /** The two positions, timing and behaviour, from the map. */
    record Travel(Vec3f first, Vec3f second, int duration, int pause, boolean crusher) {
        /**
         * The travel between two positions at a speed.
         *
         * @param speed units a second
         * @param pause milliseconds until the return; negative for none
         */
        static Travel of(Vec3f first, Vec3f second, float speed, int pause, boolean crusher) {
            float length = second.minus(first).length();
            int duration = (int) (length * 1000 / (speed > 0 ? speed : 100));
            return new Travel(first, second, Math.max(1, duration), pause, crusher);
        }
    }

    private final Travel travel;
    private final ObjIntConsumer<PlayerBody> arrival;
    private boolean atSecond;
    private boolean moving;
    private int returnTime = NEVER;
    private PlayerBody activator = new PlayerBody();

    /**
     * @param arrival called with the activator and the time at the second position
     */
    BinaryMover(
            int number,
            int model,
            Quake3Map map,
            Travel travel,
            ObjIntConsumer<PlayerBody> arrival) {
        super(
                number,
                model,
                map,
                Vec3f.ZERO,
                new Trajectory(
                        Trajectory.Kind.STATIONARY,
                        0,
                        travel.duration(),
                        travel.first(),
                        Vec3f.ZERO),
                Trajectory.still(Vec3f.ZERO));
        this.travel = travel;
        this.arrival = arrival;
    }

    /** Whether it stands at its first position. */
    boolean isAtRest() {
        return !moving && !atSecond;
    }

    /**
     * Whether it stands at its closed position.
     *
     * @param atSecond whether that is the second position
     */
    boolean isClosed(boolean atSecond) {
        return !moving && this.atSecond == atSecond;
    }

    /** The bounds at the closed position. */
    Box closedBounds(boolean atSecond) {
        return boundsAt(atSecond ? travel.second() : travel.first());
    }

    /** Whether it moves to its second position. */
    boolean isOpening() {
        return moving && atSecond;
    }

    /** Delays the return, because a player touches the mover. */
    void hold(int now) {
        if (atSecond && !moving && returnTime != NEVER) {
            returnTime = now + HOLD_MILLIS;
        }
    }

    private void start(boolean toSecond, int start) {
        atSecond = toSecond;
        moving = true;
        returnTime = NEVER;
        Vec3f from = toSecond ? travel.first() : travel.second();
        Vec3f to = toSecond ? travel.second() : travel.first();
        setTrajectories(Trajectory.between(from, to, start, travel.duration()), apos());
    }

    private void startAll(boolean toSecond, int start) {
        for (Mover member : team()) {
            if (member instanceof BinaryMover each) {
                each.start(toSecond, start);
            }
        }
    }

    @Override
    void use(int now, PlayerBody activator) {
        if (!isCaptain()) {
            captain().use(now, activator);
            return;
        }
        this.activator = activator;
        if (moving) {
            // Reverses where it is: the way back takes as long as has passed.
            int elapsed = Math.clamp(now - pos().time(), 0, travel.duration());
            startAll(!atSecond, now - (travel.duration() - elapsed));
        } else if (atSecond) {
            returnTime = travel.pause() < 0 ? NEVER : now + travel.pause();
        } else {
            startAll(true, now);
        }
    }

    @Override
    void onEndReached(int now) {
        moving = false;
        Vec3f at = atSecond ? travel.second() : travel.first();
        setTrajectories(
                new Trajectory(Trajectory.Kind.STATIONARY, now, travel.duration(), at, Vec3f.ZERO),
                apos());
        if (atSecond && isCaptain()) {
            returnTime = travel.pause() < 0 ? NEVER : now + travel.pause();
            arrival.accept(activator, now);
        }
    }

    @Override
    void think(int now) {
        if (now >= returnTime) {
            startAll(false, now);
        }
    }

    @Override
    void onBlocked(int now) {
        if (!travel.crusher()) {
            use(now, activator);
        }
    }
}
