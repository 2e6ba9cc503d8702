package dev.wishdir.app.replay;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.record.message.RecordedState;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The players of a recording in an arena, as {@linkplain Arena#mirror mirrored} players whose names
 * begin with {@value #MARK}. Their movement has the native bytes of the recording. Used only on the
 * arena's thread.
 */
final class Ghosts implements ArenaListener {
    /** Begins the name of each ghost. */
    static final String MARK = "~";

    /** Maximum number of ghosts at once; further players of the recording are not shown. */
    static final int MAX_GHOSTS = 1_000;

    /** All ghosts together chat at most as this many players at their limit. */
    static final int MAX_CHATTERS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Ghosts.class);

    /** A ghost, and how much it may chat: a recording may have what no server would relay. */
    private record Ghost(ArenaPlayer player, TokenBucket chat) {}

    private final Arena arena;

    /** The ghosts by the id of their player in the recording. */
    private final Map<PlayerId, Ghost> ghosts = new LinkedHashMap<>();

    /** For ghosts that leave and join again, and for many at once. */
    private final TokenBucket chat = chatLimit(MAX_CHATTERS);

    /** Players of the recording that an operator has kicked, until the next seek. */
    private final Set<PlayerId> kicked = new HashSet<>();

    private int lastNumber;
    private boolean hasReportedBounds;
    private boolean hasReportedCrowd;

    Ghosts(Arena arena) {
        this.arena = arena;
        arena.addListener(this);
    }

    int count() {
        return ghosts.size();
    }

    /** Removes all ghosts. */
    void clear(long now) {
        List.copyOf(ghosts.keySet()).forEach(id -> leave(now, id));
        kicked.clear();
        flags().mirror(List.of());
    }

    /** Removes all bodies, as of a state that is not known yet. */
    void despawn(long now) {
        ghosts.values().forEach(ghost -> ghost.player.despawn(now));
    }

    /** Shows exactly these players, each with a new body, and flags. */
    void set(long now, RecordedState state) {
        Collection<Player> players = state.players().values();
        kicked.clear();
        Set<PlayerId> present = new HashSet<>();
        players.forEach(player -> present.add(player.id()));
        List.copyOf(ghosts.keySet()).stream()
                .filter(id -> !present.contains(id))
                .forEach(id -> leave(now, id));
        for (Player player : players) {
            Ghost ghost = ghost(now, player);
            if (ghost == null) {
                continue;
            }
            ghost.player.rename(now, name(player));
            if (player.spawned()) {
                spawn(now, ghost.player, player);
            } else {
                ghost.player.despawn(now);
            }
        }
        flags().mirror(state.flags().stream().map(this::shown).toList());
    }

    private Flags flags() {
        return arena.match().flags();
    }

    /** A flag of the recording with the ghost of its carrier; at home without one. */
    private FlagStatus shown(FlagStatus recorded) {
        if (!(recorded.state() instanceof FlagState.Carried(PlayerId by, long since))) {
            return recorded;
        }
        Ghost carrier = ghosts.get(by);
        return carrier == null
                ? recorded.atHome()
                : new FlagStatus(
                        recorded.team(),
                        recorded.home(),
                        new FlagState.Carried(carrier.player.id(), since),
                        recorded.version());
    }

    /** Stops all bodies where they are. */
    void stop(long now) {
        for (Ghost ghost : ghosts.values()) {
            Movement last = ghost.player.snapshot().movement();
            ghost.player.move(
                    now,
                    new Movement(
                            last.position(), last.yaw(), last.pitch(), Vec3.ZERO, last.stance()),
                    NativeMovement.Stored.NONE);
        }
    }

    /** Repeats an event of the recording. */
    void repeat(long now, ArenaEvent event) {
        if (event instanceof ArenaEvent.Left left) {
            leave(now, left.id());
            kicked.remove(left.id());
        } else if (event instanceof ArenaEvent.FlagChanged changed) {
            flags().mirror(
                            new ArenaEvent.FlagChanged(
                                    now,
                                    changed.flag(),
                                    changed.change(),
                                    changed.cause(),
                                    changed.player()
                                            .map(player -> ghosts.get(player.id()))
                                            .map(ghost -> ghost.player.snapshot()),
                                    changed.place(),
                                    changed.version(),
                                    changed.carried()));
        } else if (event instanceof ArenaEvent.RoundStarted
                || event instanceof ArenaEvent.RoundEnded) {
            flags().mirror(FlagStatus.after(flags().status(), event));
        } else if (event instanceof ArenaEvent.OfPlayer of
                && !(event instanceof ArenaEvent.ToPlayer)) {
            Ghost ghost = ghost(now, of.player());
            if (ghost != null && of instanceof ArenaEvent.Chat line) {
                say(now, ghost, line.text());
            } else if (ghost != null) {
                repeat(now, ghost.player, of);
            }
        }
    }

    private void repeat(long now, ArenaPlayer ghost, ArenaEvent.OfPlayer event) {
        Player player = event.player();
        switch (event) {
            case ArenaEvent.Spawned _ -> spawn(now, ghost, player);
            case ArenaEvent.Despawned _ -> ghost.despawn(now);
            case ArenaEvent.Teleported e -> {
                ghost.teleport(now, e.movement());
                move(now, ghost, player);
            }
            case ArenaEvent.Moved _ -> {
                if (player.ping() > 0) {
                    ghost.setPing(player.ping());
                }
                if (ghost.snapshot().spawned()) {
                    move(now, ghost, player);
                } else {
                    spawn(now, ghost, player);
                }
            }
            case ArenaEvent.ActionPerformed e -> ghost.performAction(now, e.action());
            case ArenaEvent.Renamed _ -> ghost.rename(now, name(player));
            case ArenaEvent.Joined _,
                    ArenaEvent.Left _,
                    ArenaEvent.Chat _,
                    ArenaEvent.AppearanceChanged _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.OfFight _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ToPlayer _ -> {}
        }
    }

    /** Chats within the rate limit of players. */
    private void say(long now, Ghost ghost, String text) {
        if (ghost.chat.tryAcquire(now) && chat.tryAcquire(now)) {
            ghost.player.say(now, text);
        }
    }

    private static TokenBucket chatLimit(int players) {
        return new TokenBucket(
                players * RateLimitedAction.CHAT.burst(),
                players * RateLimitedAction.CHAT.perSecond());
    }

    private void spawn(long now, ArenaPlayer ghost, Player player) {
        ghost.spawn(now, player.movement());
        move(now, ghost, player);
    }

    private void move(long now, ArenaPlayer ghost, Player player) {
        Vec3 position = player.movement().position();
        if (!hasReportedBounds && position.isFinite() && !arena.bounds().contains(position)) {
            hasReportedBounds = true;
            LOG.atWarn()
                    .addKeyValue("event", "replay")
                    .log(
                            "the recording has players outside of the arena, such as {} at {}; they"
                                    + " are shown at its edge: serve the recorded arena",
                            player.name(),
                            position);
        }
        ghost.move(now, player.movement(), player.nativeMovement());
    }

    /** The ghost of a recorded player, which joins with its first event; null if there is none. */
    private @Nullable Ghost ghost(long now, Player player) {
        Ghost known = ghosts.get(player.id());
        if (known != null || kicked.contains(player.id())) {
            return known;
        }
        if (ghosts.size() == MAX_GHOSTS) {
            if (!hasReportedCrowd) {
                hasReportedCrowd = true;
                LOG.atWarn()
                        .addKeyValue("event", "replay")
                        .log("the recording has more than {} players at once", MAX_GHOSTS);
            }
            return null;
        }
        ArenaPlayer mirrored =
                arena.mirror(
                        now,
                        new PlayerId(PlayerId.GHOST_NODE, ++lastNumber),
                        player.game(),
                        name(player));
        mirrored.setPing(player.ping());
        Ghost ghost = new Ghost(mirrored, chatLimit(1));
        ghosts.put(player.id(), ghost);
        return ghost;
    }

    private static String name(Player player) {
        return player.name().startsWith(MARK) ? player.name() : MARK + player.name();
    }

    private void leave(long now, PlayerId recorded) {
        Ghost ghost = ghosts.remove(recorded);
        if (ghost != null) {
            ghost.player.leave(now, LeaveReason.LEFT);
        }
    }

    /** Removes a ghost that an operator kicks. */
    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.KickRequested kick && kick.id().isGhost()) {
            List.copyOf(ghosts.entrySet()).stream()
                    .filter(ghost -> ghost.getValue().player.id().equals(kick.id()))
                    .forEach(ghost -> {
                        kicked.add(ghost.getKey());
                        leave(kick.time(), ghost.getKey());
                    });
        }
    }
}
