package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

/**
 * An event of the arena. It has taken effect when it is sent; each is sent in order and once to
 * every listener and viewer that it concerns.
 */
public sealed interface ArenaEvent {
    /** When it happened, nanoseconds of the arena's clock. */
    long time();

    /** An event of one player; viewers get those of every other player. */
    sealed interface OfPlayer extends ArenaEvent {
        /** Snapshot of the player right after the event. */
        Player player();

        default PlayerId id() {
            return player().id();
        }
    }

    /** An event that is sent only to the player's own viewer. */
    sealed interface ToPlayer extends OfPlayer {}

    /** A player joined, without a body. */
    record Joined(long time, Player player) implements OfPlayer {}

    /** A player left; its body, if it had one, has despawned before. */
    record Left(long time, Player player, LeaveReason why) implements OfPlayer {}

    /** A player got a body, or entered the viewer's interest set. */
    record Spawned(long time, Player player, Movement movement) implements OfPlayer {}

    /**
     * A player lost its body (death, spectator, idle time-out), or left the viewer's interest set.
     */
    record Despawned(long time, Player player) implements OfPlayer {}

    /** A player moved. Listeners get each movement; viewers get relays instead. */
    record Moved(long time, Player player, Movement movement) implements OfPlayer {}

    /** A player moved at once to another place, with the same body, without being in between. */
    record Teleported(long time, Player player, Movement movement) implements OfPlayer {}

    /**
     * A player's body performed an action; sent only to viewers that see the body, at a limited
     * rate.
     */
    record ActionPerformed(long time, Player player, PlayerAction act) implements OfPlayer {}

    /** A player's chat line to all; plain text. */
    record Chat(long time, Player player, String text) implements OfPlayer {}

    record Renamed(long time, Player player, String oldName, String name) implements OfPlayer {}

    /** The skin, model or team of a player has changed in its own game. */
    record AppearanceChanged(long time, Player player) implements OfPlayer {}

    /**
     * A player moved as its game's physics does not allow.
     *
     * @param rule what it broke
     * @param measured what it did
     * @param allowed what it may, in the unit of {@code measured}, the allowance included
     * @param allowance what of {@code allowed} is for lag and uneven steps
     */
    record MovementViolation(
            long time,
            Player player,
            ViolationRule rule,
            double measured,
            double allowed,
            double allowance)
            implements OfPlayer {}

    /** A rate limit of the player was exceeded; sent once until it recovers. */
    record RateLimited(long time, Player player, RateLimitedAction deed) implements ToPlayer {}

    /** The player's endpoint must disconnect it with this reason. */
    record KickRequested(long time, Player player, LeaveReason why) implements ToPlayer {}

    /** The player's connection was congested, and events of others were dropped. */
    record EventsDropped(long time, Player player, int deeds) implements ToPlayer {}

    /**
     * A private chat line; plain text.
     *
     * @param player recipient
     * @param from sender
     */
    record Whisper(long time, Player player, Player from, String text) implements ToPlayer {}

    /**
     * A game plays another level.
     *
     * @param bounds where a body of any game may be from now on, metres
     */
    record LevelChanged(long time, String game, Level level, Bounds bounds) implements ArenaEvent {}

    /** A message of the server to all players. */
    record Announcement(long time, String text) implements ArenaEvent {}

    /**
     * A client with a proven address was refused.
     *
     * @param from its address as text
     */
    record JoinRefused(long time, String game, String from, LeaveReason why)
            implements ArenaEvent {}
}
