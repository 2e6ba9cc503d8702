package dev.wishdir.sauerbraten.client;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.grid.BlockSpace;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.map.Octree;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The client's own player through its lives, moved 30 times a second as its controller steers.
 * Without a map it walks on a flat floor.
 */
final class LocalPlayer {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Interval of positions: the game's own. */
    private static final long POSITION_INTERVAL_NANOS = SECOND / 30;

    /** Minimum time between two uses of a jump pad. */
    private static final long JUMP_PAD_COOLDOWN_NANOS = SECOND / 2;

    /** Bodies nearer than this may overlap. */
    private static final double NEAR_METRES = 2;

    /** Starts for unknown maps, so far apart that bodies do not overlap. */
    private static final List<Movement> DEFAULT_STARTS =
            IntStream.range(0, 36)
                    .mapToObj(i -> new Vec3(Math.floorDiv(i, 6) - 2.5, i % 6 - 2.5, 0).times(3.5))
                    .sorted(Comparator.comparingDouble(Vec3::horizontal))
                    .map(at -> new Movement(at, 0, 0, Vec3.ZERO, Stance.STANDING))
                    .toList();

    private final BotController controller;
    private final Supplier<? extends Collection<Client.RemotePlayer>> others;
    private final LocalFighter fighter;
    private final SauerbratenBody body = new SauerbratenBody(ArenaCatalog.FLAT.space());
    private SauerbratenMotion motion = SauerbratenMotion.CENTERED;

    /** Player starts of the map. */
    private List<Movement> starts = DEFAULT_STARTS;

    /** Player starts as the map has them, by their entity: they are its first ones. */
    private List<Movement> mapStarts = List.of();

    /** Those that the server has removed. */
    private final BitSet removedStarts = new BitSet();

    private MoveTriggers triggers = MoveTriggers.NONE;
    private long lastJumpPad = -JUMP_PAD_COOLDOWN_NANOS;
    private boolean alive;
    private int number;
    private boolean paused;
    private boolean intermission;
    private int lifeseq;
    private long lastMove;
    private long next = Duty.NEVER;

    /**
     * @param others supplies the visible players
     * @param random for what the game leaves to chance
     */
    LocalPlayer(
            BotController controller,
            Supplier<? extends Collection<Client.RemotePlayer>> others,
            RandomGenerator random) {
        this.controller = controller;
        this.others = others;
        fighter = new LocalFighter(random);
    }

    Movement movement() {
        return body.movement();
    }

    /** Starts sending positions, as the server has accepted the client. */
    void start(long now) {
        next = now;
    }

    /**
     * Starts a life at a free player start.
     *
     * @param state as the server ordered it
     * @param cn selects the start, so that clients that start at the same time choose different
     *     ones
     */
    void spawn(long now, State state, int cn) {
        lifeseq = state.lifeseq();
        fighter.spawn(state);
        number = cn;
        place();
        lastMove = now;
        alive = true;
        next = now;
    }

    private void place() {
        Movement start = chooseStart();
        body.place(start.position(), start.yaw());
    }

    /** The first free start, counted from the one of the client's number. */
    private Movement chooseStart() {
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
     * Enters a map, at one of its player starts.
     *
     * @param geometry of the map
     * @param triggers teleporters and jump pads
     */
    void enter(Octree geometry, List<Movement> starts, MoveTriggers triggers) {
        motion = geometry.motion();
        this.triggers = triggers;
        this.starts = starts.isEmpty() ? DEFAULT_STARTS : List.copyOf(starts);
        mapStarts = new ArrayList<>(starts);
        removedStarts.clear();
        if (!body.enter(new BlockSpace(geometry)) || !starts.isEmpty()) {
            place();
        }
    }

    /** Leaves the map, as an unknown one is played. */
    void leave() {
        motion = SauerbratenMotion.CENTERED;
        starts = DEFAULT_STARTS;
        mapStarts = List.of();
        removedStarts.clear();
        triggers = MoveTriggers.NONE;
        body.enter(ArenaCatalog.FLAT.space());
    }

    /** The conversion of the coordinates of its map. */
    SauerbratenMotion motion() {
        return motion;
    }

    /** Sets the starts to choose from, unless there are none. */
    void setStarts(List<Movement> places) {
        if (!places.isEmpty()) {
            starts = places;
        }
    }

    /** The server edits a player start of the map, or removes it. */
    void setStart(EditMessage.EditEnt entity) {
        int index = entity.ent();
        if (index < 0 || index >= mapStarts.size()) {
            return;
        }
        boolean isStart = entity.type() == Ogz.Entity.PLAYERSTART;
        removedStarts.set(index, !isStart);
        if (isStart) {
            Vec3 units = new Point(entity.x(), entity.y(), entity.z()).units();
            Vec3 ground = units.minus(new Vec3(0, 0, Ogz.Entity.PLAYER_START_HEIGHT));
            mapStarts.set(
                    index,
                    Movement.at(motion.toCanonical(ground), SauerbratenMotion.yaw(entity.a1())));
        }
        starts =
                IntStream.range(0, mapStarts.size())
                        .filter(i -> !removedStarts.get(i))
                        .mapToObj(mapStarts::get)
                        .toList();
        if (starts.isEmpty()) {
            starts = DEFAULT_STARTS;
        }
    }

    /** Ends the life. */
    void die() {
        alive = false;
    }

    boolean isAlive() {
        return alive;
    }

    /** Weapons and health. */
    LocalFighter fighter() {
        return fighter;
    }

    /** No player moves or shoots until the next map. */
    void setIntermission(boolean on) {
        intermission = on;
    }

    /** A hit pushes the body. */
    void push(Vec3 velocity) {
        body.push(velocity);
    }

    /**
     * Fires at a point, metres.
     *
     * @param clock milliseconds of the client
     * @return the messages; empty if nothing was fired
     */
    List<ActionMessage> shoot(long now, int clock, Vec3 at, Collection<Target> targets) {
        if (!alive || paused || intermission) {
            return List.of();
        }
        Vec3 eye =
                body.movement()
                        .position()
                        .plus(
                                new Vec3(
                                        0,
                                        0,
                                        SauerbratenMotion.EYE_HEIGHT / SauerbratenMotion.SCALE));
        return fighter.shoot(now, clock, eye, at, targets, body.space(), motion);
    }

    /**
     * The explosions of its missiles that are due.
     *
     * @param clock milliseconds of the client
     */
    List<ActionMessage> explosions(long now, int clock, Collection<Target> targets) {
        Optional<Target> self =
                alive
                        ? Optional.of(new Target(number, lifeseq, body.movement().position()))
                        : Optional.empty();
        return fighter.missiles().explosions(now, clock, targets, self);
    }

    /** Pauses or resumes. */
    void pause(boolean on) {
        paused = on;
    }

    /** Time of the next call of {@link #advance}, nanoseconds. */
    long deadline() {
        return Math.min(next, fighter.missiles().deadline());
    }

    /**
     * Moves the body if it is due.
     *
     * @return whether there is a position to send
     */
    boolean advance(long now) {
        if (now < next) {
            return false;
        }
        next = Duty.nextDeadline(next, POSITION_INTERVAL_NANOS, now);
        if (!alive) {
            return false;
        }
        double seconds = (now - lastMove) / (double) SECOND;
        lastMove = now;
        if (!paused && !intermission) {
            body.move(seconds, controller.steer(now, body.movement()));
        }
        return true;
    }

    /**
     * Uses a teleporter or jump pad that the body touches.
     *
     * @return the message for other players, to send after the position
     */
    Optional<MovementMessage> useTrigger(int cn) {
        if (!alive || paused || intermission) {
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
            if (near && lastMove >= lastJumpPad + JUMP_PAD_COOLDOWN_NANOS) {
                lastJumpPad = lastMove;
                body.launch(each.velocity());
                return Optional.of(new MovementMessage.JumpPad(cn, each.entity()));
            }
        }
        return Optional.empty();
    }

    /** The items that its body touches, by their indices, each once until the server answers. */
    List<Integer> touchedItems() {
        return fighter.items().touched(movement().position(), motion);
    }

    /** The places of the items that are there, metres. */
    List<Vec3> items() {
        return fighter.items().places(motion);
    }

    /** The position for other players. */
    Pos position(int cn) {
        return motion.toNative(body.movement(), cn, lifeseq);
    }
}
