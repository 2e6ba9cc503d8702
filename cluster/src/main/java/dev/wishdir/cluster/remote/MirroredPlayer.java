package dev.wishdir.cluster.remote;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.cluster.v1.Standing;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.limit.TokenBucket;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Map;

/**
 * A player of another node: how that node reports it, and what of it the own arena has. The two
 * differ while the player waits to be joined, and while bodies of its node are hidden.
 */
final class MirroredPlayer {
    /** The node has applied a player's limits already, and what it sent may arrive in one turn. */
    private static final double LIMIT_FACTOR = 2;

    /**
     * Hits that a player makes and suffers, deaths and scores; a fast gun has 20 shots a second.
     */
    private static final double FIGHT_BURST = 256;

    private static final double FIGHTS_PER_SECOND = 100;

    private final PlayerId id;
    private final String game;
    private final Map<RateLimitedAction, TokenBucket> limits =
            new EnumMap<>(RateLimitedAction.class);
    private final TokenBucket fights = new TokenBucket(FIGHT_BURST, FIGHTS_PER_SECOND);
    private Standing standing = Standing.getDefaultInstance();
    private String name;

    /** The same as the arena cleaned it. */
    private String cleanName = "";

    private boolean spawned;
    private Movement movement;
    private NativeMovement nativeMovement;

    /** Whether the movement is newer than that of the arena. */
    private boolean moved;

    private @Nullable ArenaPlayer handle;
    private boolean embodied;

    MirroredPlayer(Player player) {
        id = player.id();
        game = player.game();
        name = player.name();
        spawned = player.spawned();
        movement = player.movement();
        nativeMovement = player.nativeMovement();
    }

    PlayerId id() {
        return id;
    }

    /**
     * A name that the player may get in the own arena.
     *
     * @param attempt number of those before that are in use; 0 for that which its node reports
     */
    String name(int attempt) {
        if (attempt == 0) {
            return cleanName;
        }
        String suffix = "(" + id.number() + (attempt == 1 ? ")" : "-" + attempt + ")");
        int length = Math.min(cleanName.length(), Player.MAX_NAME_CHARS - suffix.length());
        return cleanName.substring(0, length) + suffix;
    }

    /** The player as its node reports it, for what is decoded with it. */
    Player reported() {
        return new Player(id, game, name, 0, 0, spawned, movement, nativeMovement);
    }

    /** The player in the own arena; null before it is joined. */
    @Nullable ArenaPlayer handle() {
        return handle;
    }

    /** Whether it may do this now; its limits are twice those of a player. */
    boolean allows(long nanos, RateLimitedAction action) {
        return limits.computeIfAbsent(
                        action,
                        it ->
                                new TokenBucket(
                                        LIMIT_FACTOR * it.burst(), LIMIT_FACTOR * it.perSecond()))
                .tryAcquire(nanos);
    }

    /** Whether one more event of its fights is accepted now. */
    boolean allowsFight(long nanos) {
        return fights.tryAcquire(nanos);
    }

    /** Its score and team, as its node reports them. */
    Standing standing() {
        return standing;
    }

    void setStanding(Standing reported) {
        standing = reported;
    }

    /** Joins the arena, with a body if one is to be seen. */
    void join(long now, Arena arena, boolean visible) {
        ArenaPlayer joined = arena.mirror(now, id, game, name);
        handle = joined;
        cleanName = joined.name();
        show(now, visible);
    }

    void leave(long now, LeaveReason reason) {
        if (handle != null) {
            handle.leave(now, reason);
        }
    }

    /** Gives the player the body that it has at its node, or hides it. */
    void show(long now, boolean visible) {
        boolean wanted = visible && spawned;
        if (handle == null || wanted == embodied) {
            return;
        }
        embodied = wanted;
        if (wanted) {
            handle.spawn(now, movement);
            handle.move(now, movement, nativeMovement);
            moved = false;
        } else {
            handle.despawn(now);
        }
    }

    /** Stores a movement, which {@link #flush} passes on. */
    void move(Movement movement, NativeMovement nativeMovement) {
        this.movement = movement;
        this.nativeMovement = nativeMovement;
        moved = true;
    }

    /** Passes the newest movement on, if it has not been. */
    void flush(long now) {
        if (moved && handle != null && embodied) {
            handle.move(now, movement, nativeMovement);
        }
        moved = false;
    }

    void spawn(long now, Movement movement, NativeMovement nativeMovement, boolean visible) {
        spawned = true;
        move(movement, nativeMovement);
        moved = false;
        if (embodied && handle != null) {
            // A new body, without a death that was reported.
            handle.spawn(now, movement);
            handle.move(now, movement, nativeMovement);
        } else {
            show(now, visible);
        }
    }

    void despawn(long now) {
        flush(now);
        spawned = false;
        show(now, false);
    }

    void teleport(long now, Movement movement, NativeMovement nativeMovement) {
        flush(now);
        move(movement, nativeMovement);
        moved = false;
        if (handle != null && embodied) {
            handle.teleport(now, movement);
            handle.move(now, movement, nativeMovement);
        }
    }

    /** Takes the name that its node reports. */
    void rename(long now, String name) {
        this.name = name;
        if (handle != null) {
            handle.forceRename(now, name);
            cleanName = handle.name();
        }
    }

    /**
     * Brings the player to the state in a roster.
     *
     * @return whether its name changed
     */
    boolean update(long now, Player listed, boolean visible) {
        boolean renamed = !name.equals(listed.name());
        if (renamed) {
            rename(now, listed.name());
        }
        spawned = listed.spawned();
        move(listed.movement(), listed.nativeMovement());
        show(now, visible);
        flush(now);
        return renamed;
    }
}
