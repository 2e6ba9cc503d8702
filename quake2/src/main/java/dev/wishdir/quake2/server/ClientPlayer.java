package dev.wishdir.quake2.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.ServerMessage.Layout;
import dev.wishdir.quake2.movement.PlayerBody;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.Quake2Movement;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.protocol.Quake2Text;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The player of one client: its place in the arena, its settings (userinfo), and its body. */
final class ClientPlayer {
    private static final int DEFAULT_RATE = 5000;
    private static final int MIN_RATE = 100;
    private static final int MAX_RATE = 15_000;

    private final Quake2Endpoint endpoint;
    private final Quake2Session session;
    private final PlayerBody body = new PlayerBody();
    private final Overlay overlay = new Overlay();
    private Optional<PlayerId> player = Optional.empty();
    private InfoString userInfo;
    private boolean reported;

    /** Visible entities, as of the two versions below. */
    private final BitSet visibleEntities = new BitSet(FrameEntities.MAX_PLAYERS + 1);

    private int visibilityVersion = -1;
    private int slotVersion;

    ClientPlayer(Quake2Endpoint endpoint, Quake2Session session, InfoString userInfo) {
        this.endpoint = endpoint;
        this.session = session;
        this.userInfo = userInfo;
    }

    /** Its player; empty until it has entered. */
    Optional<PlayerId> player() {
        return player;
    }

    private Optional<Player> arenaPlayer() {
        return player.flatMap(endpoint.arena()::find);
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
        return arenaPlayer().map(Player::name).orElseGet(this::requestedName);
    }

    private String requestedName() {
        return Quake2Text.plain(userInfo.get("name"));
    }

    /** Bytes per second that it requests. */
    int rate() {
        return Math.clamp(userInfo.number("rate", DEFAULT_RATE), MIN_RATE, MAX_RATE);
    }

    /**
     * Numbers of the entities that it sees: its own, and those of its interest set. Valid until the
     * next call.
     */
    BitSet visibleEntities() {
        int visibility = player.map(endpoint.arena()::visibilityVersion).orElse(-1);
        int slotChanges = endpoint.entityTable().changes();
        if (visibility < 0 || visibility != visibilityVersion || slotChanges != slotVersion) {
            visibilityVersion = visibility;
            slotVersion = slotChanges;
            visibleEntities.clear();
            visibleEntities.set(session.slot() + 1);
            player.ifPresent(id ->
                    endpoint.entityTable()
                            .mark(endpoint.arena().visiblePlayers(id), visibleEntities));
        }
        return visibleEntities;
    }

    /** The scoreboard; empty while it has no player. */
    List<Layout> board() {
        return player.map(viewer ->
                        List.of(new Layout(endpoint.listings().board(endpoint.now(), viewer))))
                .orElse(List.of());
    }

    /** Records activity of its client. */
    void recordActivity(long now) {
        player.ifPresent(id -> endpoint.arena().recordActivity(now, id));
    }

    /** Sets its ping, milliseconds. */
    void ping(int millis) {
        player.ifPresent(id -> endpoint.arena().ping(id, millis));
    }

    /** Advances to a frame of the game's ten a second. */
    void frame(int number) {
        body.frame(number);
    }

    /** Expects the client's first command, as a sign-on starts. */
    void expectFirstCommand() {
        body.expectFirstCommand();
    }

    /** Applies the client's settings. */
    void userInfo(long now, InfoString newUserInfo) {
        InfoString before = userInfo;
        userInfo = newUserInfo;
        player.ifPresent(id -> {
            // Each change of a setting resends all of them: only those that differ count against
            // rate limits.
            if (differs(before, "name")) {
                endpoint.arena().rename(now, id, requestedName());
            }
            if (differs(before, "skin")) {
                endpoint.setSkin(now, id, userInfo.get("skin"));
            }
            if (differs(before, "spectator")) {
                endpoint.arena().change(now, id, "spectator", this::applySpectator);
            }
        });
    }

    private boolean differs(InfoString before, String key) {
        return !before.get(key).equals(userInfo.get(key));
    }

    private void applySpectator(long now) {
        if (session.isInGame() && body.isSpectator() != isSpectator()) {
            spawn(now);
        }
    }

    private boolean isSpectator() {
        String spectator = userInfo.get("spectator");
        return !spectator.isEmpty() && !spectator.equals("0");
    }

    /**
     * Joins the arena.
     *
     * @return whether there was room
     */
    boolean join(long now) {
        if (player.isEmpty()) {
            player = endpoint.join(now, session, requestedName(), userInfo.get("skin"));
        }
        return player.isPresent();
    }

    /** Spawns a new body, or becomes a spectator. */
    void spawn(long now) {
        overlay.putAway();
        Movement spawnPoint = endpoint.spawnPoint(now, session, isSpectator());
        body.place(spawnPoint, isSpectator());
        player.ifPresent(id -> {
            if (body.isSpectator()) {
                endpoint.arena().despawn(now, id);
            } else {
                endpoint.arena().spawn(now, id, spawnPoint);
                endpoint.arena().move(now, id, spawnPoint, new Quake2Movement(state()));
            }
        });
    }

    /** Removes the body until the next spawn. */
    void despawn(long now) {
        player.ifPresent(id -> endpoint.arena().despawn(now, id));
    }

    /** Performs a gesture. */
    void gesture(long now) {
        player.ifPresent(id -> endpoint.arena().performAction(now, id, PlayerAction.TAUNT));
    }

    /** Respawns at the client's request. */
    void kill(long now) {
        if (!isSpectator()
                && player.filter(id -> endpoint.arena().allows(now, id, RateLimitedAction.LIFE, 1))
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
        int refused =
                body.run(
                        now + endpoint.sleptNanos(),
                        move,
                        dropped,
                        endpoint.level().physics(),
                        endpoint.level().triggers(),
                        reach ->
                                player.map(id -> endpoint.bodiesNear(id, state(), reach))
                                        .orElse(List.of()));
        endpoint.count("time-budget", refused);
        boolean teleported = body.takeTeleported();
        player.ifPresent(id -> {
            if (teleported) {
                endpoint.arena().teleport(now, id, Quake2Motion.toCanonical(state()));
            }
            endpoint.arena()
                    .move(now, id, Quake2Motion.toCanonical(state()), new Quake2Movement(state()));
            if (move.newest().cmd().attacks()) {
                endpoint.arena().performAction(now, id, PlayerAction.ATTACK);
            }
            if (body.aheadMillis() > 0 && !reported) {
                reported = true;
                endpoint.count("speeding");
                double allowed = PlayerBody.MAX_AHEAD_MILLIS;
                endpoint.arena()
                        .reportViolation(
                                now,
                                id,
                                ViolationRule.CLOCK_AHEAD,
                                body.aheadMillis(),
                                allowed,
                                allowed);
            }
        });
    }
}
