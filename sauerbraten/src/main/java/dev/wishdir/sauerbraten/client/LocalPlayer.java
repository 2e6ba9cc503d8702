package dev.wishdir.sauerbraten.client;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Duty;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Octree;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.world.blocks.ArenaCatalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A client's body from life to life, moved thirty times a second as its pilot steers. Where no map
 * is known it walks on an even floor.
 */
final class LocalPlayer {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Between two positions: the game's own pace. */
    private static final long POSITION_INTERVAL_NANOS = SECOND / 30;

    /** Between two throws of a jump pad. */
    private static final long JUMP_PAD_COOLDOWN_NANOS = SECOND / 2;

    /** Bodies that are nearer may be in each other. */
    private static final double NEAR_METRES = 2;

    /** Where players begin whose map is not known: so far apart that no two bodies meet. */
    private static final List<Movement> PLACES =
            IntStream.range(0, 36)
                    .mapToObj(i -> new Vec3(Math.floorDiv(i, 6) - 2.5, i % 6 - 2.5, 0).times(3.5))
                    .sorted(Comparator.comparingDouble(Vec3::horizontal))
                    .map(at -> new Movement(at, 0, 0, Vec3.ZERO, Stance.STANDING))
                    .toList();

    private final BotController controller;
    private final Supplier<? extends Collection<Client.RemotePlayer>> others;
    private final SauerbratenBody body = new SauerbratenBody(ArenaCatalog.FLAT.space());
    private SauerbratenMotion motion = SauerbratenMotion.CENTERED;

    /** Where players begin. */
    private List<Movement> starts = PLACES;

    private MoveTriggers triggers = MoveTriggers.NONE;
    private long thrown = -JUMP_PAD_COOLDOWN_NANOS;
    private boolean alive;
    private int number;
    private boolean paused;
    private int lifeseq;
    private long moved;
    private long next = Duty.NEVER;

    /**
     * @param others where the others are that are seen
     */
    LocalPlayer(
            BotController controller, Supplier<? extends Collection<Client.RemotePlayer>> others) {
        this.controller = controller;
        this.others = others;
    }

    Movement movement() {
        return body.movement();
    }

    /** The server has let the client in. */
    void begin(long now) {
        next = now;
    }

    /**
     * Another life begins, in a free place.
     *
     * @param cn of clients that begin at once each begins elsewhere
     */
    void spawn(long now, int life, int cn) {
        lifeseq = life;
        number = cn;
        place();
        moved = now;
        alive = true;
        next = now;
    }

    private void place() {
        Movement start = start();
        body.place(start.position(), start.yaw());
    }

    /** The next start in which nobody is, from the one of its number on. */
    private Movement start() {
        Movement first = starts.get(number % starts.size());
        for (int i = 0; i < starts.size(); i++) {
            Movement start = starts.get((number + i) % starts.size());
            if (others.get().stream()
                    .noneMatch(other ->
                            other.movement().position().distance(start.position()) < NEAR_METRES)) {
                return start;
            }
        }
        return first;
    }

    /**
     * The map is known now: the body begins at one of the map's starts.
     *
     * @param known its geometry
     * @param triggers what of it takes bodies elsewhere
     */
    void enter(Octree known, List<Movement> starts, MoveTriggers triggers) {
        motion = known.motion();
        this.triggers = triggers;
        this.starts = starts.isEmpty() ? PLACES : List.copyOf(starts);
        if (!body.enter(known.space()) || !starts.isEmpty()) {
            place();
        }
    }

    /** Another map is played, of which nothing is known. */
    void leave() {
        motion = SauerbratenMotion.CENTERED;
        starts = PLACES;
        triggers = MoveTriggers.NONE;
        body.enter(ArenaCatalog.FLAT.space());
    }

    /** The life is over. */
    void die() {
        alive = false;
    }

    /** Stands still, or goes on. */
    void pause(boolean on) {
        paused = on;
    }

    /** When {@link #advance} has to be called, nanoseconds. */
    long deadline() {
        return next;
    }

    /** Moves the body if it is time; returns whether there is a position to send. */
    boolean advance(long now) {
        if (now < next) {
            return false;
        }
        next = Duty.nextDeadline(next, POSITION_INTERVAL_NANOS, now);
        if (!alive) {
            return false;
        }
        double seconds = (now - moved) / (double) SECOND;
        moved = now;
        if (!paused) {
            body.move(seconds, controller.steer(now, body.movement()));
        }
        return true;
    }

    /**
     * What the body has touched, which takes it elsewhere now.
     *
     * @return what the others are told of that, after where it was
     */
    Optional<MovementMessage> travel(int cn) {
        if (!alive || paused) {
            return Optional.empty();
        }
        Vec3 at = body.movement().position();
        for (MoveTriggers.Teleport each : triggers.teleports()) {
            if (at.distance(each.place()) < MoveTriggers.TELEPORT_REACH) {
                body.place(each.to(), each.yaw());
                return Optional.of(
                        new MovementMessage.Teleport(cn, each.entity(), each.destination()));
            }
        }
        for (MoveTriggers.Pad each : triggers.pads()) {
            boolean near = at.distance(each.place()) < MoveTriggers.PAD_REACH;
            if (near && moved >= thrown + JUMP_PAD_COOLDOWN_NANOS) {
                thrown = moved;
                body.launch(each.velocity());
                return Optional.of(new MovementMessage.JumpPad(cn, each.entity()));
            }
        }
        return Optional.empty();
    }

    /** Where the body is, for the others. */
    Pos position(int cn) {
        return motion.toNative(body.movement(), cn, lifeseq);
    }
}
