package dev.wishdir.quake3.entity;

import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.world.Box;
import dev.wishdir.world.Vec3f;

import java.util.function.ObjIntConsumer;

/** A door, a lift, a button: it goes from one place to another and, after a while, back. */
final class BinaryMover extends Mover {
    private static final int NEVER = Integer.MAX_VALUE;

    /** How long a lift stays up at least after it was touched, milliseconds. */
    private static final int HOLD_MILLIS = 1000;

    /** What a mapper says of it. */
    record Way(Vec3f first, Vec3f second, int duration, int pause, boolean crusher) {
        /**
         * The way from one place to another.
         *
         * @param speed units a second
         * @param pause milliseconds until it goes back, negative for never
         */
        static Way of(Vec3f first, Vec3f second, float speed, int pause, boolean crusher) {
            float length = second.minus(first).length();
            int duration = (int) (length * 1000 / (speed > 0 ? speed : 100));
            return new Way(first, second, Math.max(1, duration), pause, crusher);
        }
    }

    private final Way way;
    private final ObjIntConsumer<PlayerBody> arrival;
    private boolean atSecond;
    private boolean moving;
    private int back = NEVER;
    private PlayerBody activator = new PlayerBody();

    /**
     * @param arrival receives the player that used the mover, and the time when the mover has come
     *     to its second place
     */
    BinaryMover(int number, int model, Quake3Map map, Way way, ObjIntConsumer<PlayerBody> arrival) {
        super(
                number,
                model,
                map,
                Vec3f.ZERO,
                new Trajectory(
                        Trajectory.Kind.STATIONARY, 0, way.duration(), way.first(), Vec3f.ZERO),
                Trajectory.still(Vec3f.ZERO));
        this.way = way;
        this.arrival = arrival;
    }

    /** Whether it stands at its first place. */
    boolean rests() {
        return !moving && !atSecond;
    }

    /**
     * Whether it stands where it is shut.
     *
     * @param atSecond that is its second place
     */
    boolean isShut(boolean atSecond) {
        return !moving && this.atSecond == atSecond;
    }

    /** A box around it where it is shut. */
    Box shut(boolean atSecond) {
        return around(atSecond ? way.second() : way.first());
    }

    /** Whether it goes to its second place. */
    boolean leaves() {
        return moving && atSecond;
    }

    /** A player on it or at it lets it wait a while longer. */
    void hold(int now) {
        if (atSecond && !moving && back != NEVER) {
            back = now + HOLD_MILLIS;
        }
    }

    private void go(boolean toSecond, int start) {
        atSecond = toSecond;
        moving = true;
        back = NEVER;
        Vec3f from = toSecond ? way.first() : way.second();
        Vec3f to = toSecond ? way.second() : way.first();
        go(Trajectory.between(from, to, start, way.duration()), apos());
    }

    private void goAll(boolean toSecond, int start) {
        for (Mover member : team()) {
            if (member instanceof BinaryMover each) {
                each.go(toSecond, start);
            }
        }
    }

    @Override
    void use(int now, PlayerBody by) {
        if (!leads()) {
            captain().use(now, by);
            return;
        }
        activator = by;
        if (moving) {
            // It turns where it is: as far from its end as it was from its start.
            int gone = Math.clamp(now - pos().time(), 0, way.duration());
            goAll(!atSecond, now - (way.duration() - gone));
        } else if (atSecond) {
            back = way.pause() < 0 ? NEVER : now + way.pause();
        } else {
            goAll(true, now);
        }
    }

    @Override
    void reached(int now) {
        moving = false;
        Vec3f at = atSecond ? way.second() : way.first();
        go(new Trajectory(Trajectory.Kind.STATIONARY, now, way.duration(), at, Vec3f.ZERO), apos());
        if (atSecond && leads()) {
            back = way.pause() < 0 ? NEVER : now + way.pause();
            arrival.accept(activator, now);
        }
    }

    @Override
    void think(int now) {
        if (now >= back) {
            goAll(false, now);
        }
    }

    @Override
    void blocked(int now) {
        if (!way.crusher()) {
            use(now, activator);
        }
    }
}
