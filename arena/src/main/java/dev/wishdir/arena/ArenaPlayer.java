package dev.wishdir.arena;

import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.race.RaceGhost;
import dev.wishdir.arena.validation.MovementValidator;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * A joined player, as its session holds it: every call is about this player and needs no look-up.
 * After {@link #leave} no call has an effect. Times are those of the arena's clock, nanoseconds.
 */
public interface ArenaPlayer extends RaceGhost.Body {
    @Override
    PlayerId id();

    /** Unique in the arena, but for {@link #namesakes}. */
    String name();

    /**
     * The other players whose names are confusable with this player's. There are some only if it,
     * or they, are of another server: such a player gets each name that is requested. Renaming a
     * namesake of this server, even to its own name, makes its name unique again.
     */
    default List<ArenaPlayer> namesakes() {
        return namesakes(name());
    }

    /** The other players whose names would be confusable with this player's if it had this one. */
    List<ArenaPlayer> namesakes(String name);

    /** The player as it is now, or as it was when it left. */
    Player snapshot();

    /** Whether it has not left. */
    boolean isHere();

    /** Removes the player; does nothing if it has left. */
    @Override
    void leave(long now, LeaveReason reason);

    /**
     * As {@link Arena#chooseSpawnPoint(long, List)}; the reservation is this player's, and replaces
     * its last one.
     */
    int chooseSpawnPoint(long now, List<Vec3> places);

    /** Whether a body of the player would touch no other body at a place, metres. */
    boolean isFree(long now, Vec3 place);

    /**
     * Gives the player a body. A player that has one gets a new one: viewers see a despawn and a
     * spawn.
     */
    @Override
    void spawn(long now, Movement movement);

    /** Removes the player's body: it died or became a spectator. */
    @Override
    void despawn(long now);

    /**
     * Records activity of the client, whatever it was. A player without activity for {@link
     * Player#IDLE_TIMEOUT_NANOS} is hidden until its next activity.
     */
    void recordActivity(long now);

    /** Sets the measured round trip, milliseconds; less than 1 counts as 1, as 0 means unknown. */
    void setPing(int millis);

    /**
     * Moves the player, without recording activity. Ignored while it has no body, and if the
     * movement is not valid. A position outside the bounds is clamped; the native form is passed on
     * as it is.
     *
     * @param nativeMovement the movement as the player's game sent it, or {@link
     *     NativeMovement.Stored#NONE}
     */
    @Override
    void move(long now, Movement movement, NativeMovement nativeMovement);

    /**
     * As {@link #move(long, Movement, NativeMovement)}, of a client whose commands have times that
     * the server checks.
     *
     * @param own the client's own time, nanoseconds since any moment of this life
     */
    void move(long now, Movement movement, NativeMovement nativeMovement, long own);

    /**
     * Moves the player at once to another place, with the same body. Ignored in the cases in which
     * {@link #move} is; a move with the native form of the same movement may follow.
     */
    void teleport(long now, Movement movement);

    /** Ends the player's run of a race without a time: it did not walk to where it moves next. */
    void abortRun();

    /**
     * Performs an action with the player's body, for its viewers. Ignored while it has no body, and
     * within {@linkplain PlayerAction the interval} of the last action of this kind.
     */
    void performAction(long now, PlayerAction action);

    /** The player's part in the match. */
    Combatant combatant();

    /**
     * Sends the player's chat line to all. Control characters are removed, a long text is cut.
     * Lines that bots repeat to each other without end are blocked without a notice, as they would
     * repeat that too.
     *
     * @return false if nothing was sent: the cleaned text is empty, the echo filter blocked it, or
     *     the chat rate limit is exceeded
     */
    boolean say(long now, String text);

    /**
     * Sends a private chat line; cleaned and rate-limited as {@link #say} does.
     *
     * @return false if nothing was sent, also if the recipient has left
     */
    boolean whisper(long now, PlayerId to, String text);

    /** Renames the player at its own request, rate-limited; cleaned and made unique. */
    void rename(long now, String name);

    /**
     * Renames the player, whatever its own requests; cleaned and, unless it is of another server,
     * made unique.
     */
    void forceRename(long now, String name);

    /** Reports how the player proved who it is, after it has joined. */
    void prove(long now, Proof proof);

    /**
     * Notifies viewers that the skin, model or team of the player has changed in its own game;
     * rate-limited.
     */
    void reportAppearanceChange(long now);

    /**
     * Applies a change that reaches others as soon as the rate limit allows it: now, or later
     * unless a newer one of the same kind comes before.
     *
     * @param kind any value that identifies the kind by {@code equals}
     * @param change receives the time at which it is applied
     */
    void change(long now, Object kind, LongConsumer change);

    /**
     * Whether the rate limit of an action allows it now; if so, it is counted. A refused player
     * gets one notice, and is kicked if it continues for long.
     *
     * @param amount bytes for {@link RateLimitedAction#BUILD}, else the number of actions
     */
    boolean allows(long now, RateLimitedAction action, int amount);

    /** Requests a kick: the player's endpoint disconnects it with this reason. */
    void kick(long now, LeaveReason reason);

    /**
     * Reports that the player moved as its game's physics does not allow. The arena announces it at
     * most once a second for each player.
     *
     * @param rule the rule that the movement broke
     * @param measured the measured value
     * @param allowed the limit in the same unit, with every allowance
     * @param allowance the part of {@code allowed} that is for lag and uneven steps
     * @return whether the other players may see the movement as the client reported it
     */
    boolean reportViolation(
            long now, ViolationRule rule, double measured, double allowed, double allowance);

    /** As the other, of what a {@link MovementValidator} found. */
    default boolean reportViolation(long now, MovementValidator.Violation violation) {
        return reportViolation(
                now,
                violation.rule(),
                violation.measured(),
                violation.allowed(),
                violation.allowance());
    }

    /** Counts an event of another player that this player's congested viewer was not sent. */
    void recordDroppedEvent();

    /** Snapshots of the players with a body that this player's viewer sees; empty if it left. */
    List<Player> visiblePlayers();

    /**
     * A number that changes whenever {@link #visiblePlayers} changes, though not when they move.
     */
    int visibilityVersion();
}
