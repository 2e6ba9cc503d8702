package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.Viewer;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.PlayerBody;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The player of one client: its place in the arena, its settings, and its body. */
final class ClientPlayer {
    private final Arena arena;
    private final PlayerEntityTable entityTable;
    private final PlayerObstacles obstacles;
    private final RunningLevel level;
    private final LongSupplier sleptNanos;
    private final Quake2Counters counters;
    private final int slot;
    private final PlayerBody body = new PlayerBody();
    private final Overlay overlay = new Overlay();
    private final VisibleEntities visibleEntities;
    private ClientSettings settings;
    private Optional<PlayerId> player = Optional.empty();
    private boolean reported;

    /**
     * @param sleptNanos total time that the server has slept, which the speed check allows for
     * @param slot by which clients know it, from 0
     */
    ClientPlayer(
            Arena arena,
            PlayerEntityTable entityTable,
            PlayerObstacles obstacles,
            RunningLevel level,
            LongSupplier sleptNanos,
            Quake2Counters counters,
            int slot,
            ClientSettings settings) {
        this.arena = arena;
        this.entityTable = entityTable;
        this.obstacles = obstacles;
        this.level = level;
        this.sleptNanos = sleptNanos;
        this.counters = counters;
        this.slot = slot;
        this.settings = settings;
        visibleEntities = new VisibleEntities(arena, entityTable, slot + 1);
    }

    /** Its player; empty until it has entered, and after it has left. */
    Optional<PlayerId> id() {
        return player;
    }

    /** Slot by which clients know it, from 0. */
    int slot() {
        return slot;
    }

    private PlayerState state() {
        return body.state();
    }

    /** Its player state with its overlay, as its own client sees it. */
    PlayerState view() {
        return overlay.apply(body.state());
    }

    Overlay overlay() {
        return overlay;
    }

    String name() {
        return player.flatMap(arena::find).map(Player::name).orElseGet(settings::name);
    }

    /** Bytes per second that it requests. */
    int rate() {
        return settings.rate();
    }

    /** Numbers of the entities that it sees. Valid until the next call. */
    BitSet visibleEntities() {
        return visibleEntities.of(player);
    }

    /** Records activity of its client. */
    void recordActivity(long now) {
        player.ifPresent(id -> arena.recordActivity(now, id));
    }

    /** Sets its ping, milliseconds. */
    void ping(int millis) {
        player.ifPresent(id -> arena.setPing(id, millis));
    }

    /** Advances to a frame of the game's ten a second. */
    void frame(int number) {
        body.frame(number);
    }

    /** Expects the client's first command, as a sign-on starts. */
    void expectFirstCommand() {
        body.expectFirstCommand();
    }

    /**
     * Applies the client's settings.
     *
     * @param inGame whether its session is in the game, asked when a setting takes effect
     */
    void setSettings(long now, ClientSettings newSettings, BooleanSupplier inGame) {
        ClientSettings before = settings;
        settings = newSettings;
        player.ifPresent(id -> {
            // Each change of a setting resends all of them: only those that differ count against
            // rate limits.
            if (settings.differs(before, "name")) {
                arena.rename(now, id, settings.name());
            }
            if (settings.differs(before, "skin")) {
                entityTable.setSkin(now, id, settings.skin());
            }
            if (settings.differs(before, "spectator")) {
                arena.change(now, id, "spectator", time -> applySpectator(time, inGame));
            }
        });
    }

    private void applySpectator(long now, BooleanSupplier inGame) {
        if (inGame.getAsBoolean() && body.isSpectator() != settings.isSpectator()) {
            spawn(now);
        }
    }

    /**
     * Joins the arena.
     *
     * @return whether there was room
     */
    boolean join(long now, Viewer viewer) {
        if (player.isEmpty() && !arena.isFull()) {
            Player joined = arena.join(now, Quake2Codec.GAME, settings.name(), viewer);
            entityTable.enter(joined, slot, settings.skin());
            player = Optional.of(joined.id());
        }
        return player.isPresent();
    }

    /** Leaves the arena. */
    void leave(long now, LeaveReason reason) {
        player.ifPresent(id -> {
            player = Optional.empty();
            entityTable.leave(id, slot);
            arena.leave(now, id, reason);
        });
    }

    /** Spawns a new body, or becomes a spectator. */
    void spawn(long now) {
        overlay.putAway();
        Movement spawnPoint = spawnPoint(now);
        body.place(spawnPoint, settings.isSpectator());
        player.ifPresent(id -> {
            if (body.isSpectator()) {
                arena.despawn(now, id);
            } else {
                arena.spawn(now, id, spawnPoint);
                arena.move(now, id, spawnPoint, new Quake2Movement(state()));
            }
        });
    }

    /** Chooses where the next body spawns; a spectator reserves no place. */
    private Movement spawnPoint(long now) {
        List<Movement> spawns = level.map().spawns();
        if (settings.isSpectator()) {
            return spawns.getFirst();
        }
        List<Vec3> places = spawns.stream().map(Movement::position).toList();
        return spawns.get(arena.chooseSpawnPoint(now, player, places));
    }

    /** Removes the body until the next spawn. */
    void despawn(long now) {
        player.ifPresent(id -> arena.despawn(now, id));
    }

    /**
     * Says a chat text.
     *
     * @return whether it was said
     */
    boolean say(long now, String text) {
        return player.filter(id -> arena.say(now, id, text)).isPresent();
    }

    /** Performs a gesture. */
    void gesture(long now) {
        player.ifPresent(id -> arena.performAction(now, id, PlayerAction.TAUNT));
    }

    /** Respawns at the client's request. */
    void kill(long now) {
        if (!settings.isSpectator()
                && player.filter(id -> arena.allows(now, id, RateLimitedAction.LIFE, 1))
                        .isPresent()) {
            spawn(now);
        }
    }

    /**
     * Runs the commands of a move.
     *
     * @param dropped number of packets missing before it
     */
    void run(long now, Move move, int dropped) {
        Quake2Map map = level.map();
        int refused =
                body.run(
                        now + sleptNanos.getAsLong(),
                        move,
                        dropped,
                        map.physics(),
                        map.triggers(),
                        reach ->
                                player.map(id -> obstacles.near(id, state().origin(), reach))
                                        .orElse(List.of()));
        counters.add("time-budget", refused);
        boolean teleported = body.takeTeleported();
        player.ifPresent(id -> {
            Movement movement = Quake2Motion.toCanonical(state());
            if (teleported) {
                arena.teleport(now, id, movement);
            }
            arena.move(now, id, movement, new Quake2Movement(state()));
            if (move.newest().cmd().attacks()) {
                arena.performAction(now, id, PlayerAction.ATTACK);
            }
            reportSpeeding(now, id);
        });
    }

    /** Reports once that its commands are ahead of the clock. */
    private void reportSpeeding(long now, PlayerId id) {
        if (body.aheadMillis() > 0 && !reported) {
            reported = true;
            counters.count("speeding");
            double allowed = PlayerBody.MAX_AHEAD_MILLIS;
            arena.reportViolation(
                    now, id, ViolationRule.CLOCK_AHEAD, body.aheadMillis(), allowed, allowed);
        }
    }
}
