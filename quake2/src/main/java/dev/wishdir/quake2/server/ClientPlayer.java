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

/** What a client is in the game: a player of the arena, its settings, and a body that it moves. */
final class ClientPlayer {
    private static final int USUAL_RATE = 5000;
    private static final int MIN_RATE = 100;
    private static final int MAX_RATE = 15_000;

    private final Quake2Endpoint endpoint;
    private final Quake2Session session;
    private final PlayerBody walker = new PlayerBody();
    private final Overlay overlay = new Overlay();
    private Optional<PlayerId> player = Optional.empty();
    private InfoString userInfo;
    private boolean judged;

    /** Whom it is shown, by these counts of the arena's and the cast's. */
    private final BitSet shown = new BitSet(FrameEntities.MAX_PLAYERS + 1);

    private int sightChanges = -1;
    private int slotChanges;

    ClientPlayer(Quake2Endpoint endpoint, Quake2Session session, InfoString userInfo) {
        this.endpoint = endpoint;
        this.session = session;
        this.userInfo = userInfo;
    }

    /** Its player; empty until it has entered. */
    Optional<PlayerId> player() {
        return player;
    }

    /** Its player as the arena has it. */
    private Optional<Player> body() {
        return player.flatMap(endpoint.arena()::find);
    }

    private PlayerState state() {
        return walker.state();
    }

    /** Its state as it is shown to itself, with what it has over its view. */
    PlayerState view() {
        return overlay.over(walker.state());
    }

    Overlay overlay() {
        return overlay;
    }

    String name() {
        return body().map(Player::name).orElseGet(this::wishedName);
    }

    private String wishedName() {
        return Quake2Text.plain(userInfo.get("name"));
    }

    /** Bytes a second that it can take. */
    int rate() {
        return Math.clamp(userInfo.number("rate", USUAL_RATE), MIN_RATE, MAX_RATE);
    }

    /**
     * The numbers of the entities that it is to see: its own, and those that the arena says. Valid
     * until the next call.
     */
    BitSet shown() {
        int sight = player.map(endpoint.arena()::visibilityVersion).orElse(-1);
        int slots = endpoint.cast().changes();
        if (sight < 0 || sight != sightChanges || slots != slotChanges) {
            sightChanges = sight;
            slotChanges = slots;
            shown.clear();
            shown.set(session.slot() + 1);
            player.ifPresent(
                    id -> endpoint.cast().mark(endpoint.arena().visiblePlayers(id), shown));
        }
        return shown;
    }

    /** The board of scores; none while it has no player. */
    List<Layout> board() {
        return player.map(viewer ->
                        List.of(new Layout(endpoint.attendance().board(endpoint.now(), viewer))))
                .orElse(List.of());
    }

    /** Something of its client came. */
    void recordActivity(long now) {
        player.ifPresent(body -> endpoint.arena().recordActivity(now, body));
    }

    /** Its client's ping, milliseconds. */
    void ping(int millis) {
        player.ifPresent(id -> endpoint.arena().ping(id, millis));
    }

    /** A frame was made, of the game's ten a second. */
    void frame(int number) {
        walker.frame(number);
    }

    /** Its next command is the first: a sign-on begins. */
    void forget() {
        walker.forget();
    }

    /** Takes settings: who it wishes to be. */
    void userInfo(long now, InfoString wished) {
        InfoString before = userInfo;
        userInfo = wished;
        player.ifPresent(present -> {
            // Each change of any setting brings all of them: only what is another is paid for.
            if (differs(before, "name")) {
                endpoint.arena().rename(now, present, wishedName());
            }
            if (differs(before, "skin")) {
                endpoint.wear(now, present, userInfo.get("skin"));
            }
            if (differs(before, "spectator")) {
                endpoint.arena().change(now, present, "spectator", this::watchOrPlay);
            }
        });
    }

    private boolean differs(InfoString before, String key) {
        return !before.get(key).equals(userInfo.get(key));
    }

    private void watchOrPlay(long now) {
        if (session.isInGame() && walker.watches() != isSpectator()) {
            spawn(now);
        }
    }

    private boolean isSpectator() {
        String spectator = userInfo.get("spectator");
        return !spectator.isEmpty() && !spectator.equals("0");
    }

    /** Becomes a player of the arena; whether it has room. */
    boolean join(long now) {
        if (player.isEmpty()) {
            player = endpoint.join(now, session, wishedName(), userInfo.get("skin"));
        }
        return player.isPresent();
    }

    /** Appears at a place, with a new life. */
    void spawn(long now) {
        overlay.putAway();
        Movement where = endpoint.spawnPoint(now, session, isSpectator());
        walker.place(where, isSpectator());
        player.ifPresent(body -> {
            if (walker.watches()) {
                endpoint.arena().despawn(now, body);
            } else {
                endpoint.arena().spawn(now, body, where);
                endpoint.arena().move(now, body, where, new Quake2Movement(state()));
            }
        });
    }

    /** Has no body until it appears again. */
    void despawn(long now) {
        player.ifPresent(body -> endpoint.arena().despawn(now, body));
    }

    /** Waves, points or taunts, as its client wishes. */
    void wave(long now) {
        player.ifPresent(body -> endpoint.arena().performAction(now, body, PlayerAction.TAUNT));
    }

    /** Ends its life, as its client wishes. */
    void kill(long now) {
        if (!isSpectator()
                && player.filter(body ->
                                endpoint.arena().allows(now, body, RateLimitedAction.LIFE, 1))
                        .isPresent()) {
            spawn(now);
        }
    }

    /**
     * Runs a move's commands.
     *
     * @param dropped packets that were missing before that of the move
     */
    void run(long now, Move move, int dropped) {
        int refused =
                walker.run(
                        now + endpoint.sleptNanos(),
                        move,
                        dropped,
                        endpoint.level().physics(),
                        endpoint.level().triggers(),
                        reach ->
                                player.map(id -> endpoint.bodiesNear(id, state(), reach))
                                        .orElse(List.of()));
        endpoint.count("time-budget", refused);
        boolean teleported = walker.takeTeleported();
        player.ifPresent(body -> {
            if (teleported) {
                endpoint.arena().teleport(now, body, Quake2Motion.toCanonical(state()));
            }
            endpoint.arena()
                    .move(
                            now,
                            body,
                            Quake2Motion.toCanonical(state()),
                            new Quake2Movement(state()));
            if (move.newest().cmd().attacks()) {
                endpoint.arena().performAction(now, body, PlayerAction.ATTACK);
            }
            if (walker.ahead() > 0 && !judged) {
                judged = true;
                endpoint.count("speeding");
                double allowed = PlayerBody.MAX_AHEAD_MILLIS;
                endpoint.arena()
                        .reportViolation(
                                now,
                                body,
                                ViolationRule.CLOCK_AHEAD,
                                walker.ahead(),
                                allowed,
                                allowed);
            }
        });
    }
}
