package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;

/**
 * Something that happened in the arena. It has happened already when it is told: the arena changes
 * first and tells afterwards, each event in order and once to everyone whom it concerns.
 */
public sealed interface ArenaEvent {
    /** When it happened, on the arena's clock, nanoseconds. */
    long time();

    /** What happened to one player; viewers are told it of every other player. */
    sealed interface OfPlayer extends ArenaEvent {
        /** Whom it happened to, as it was when it had happened. */
        Player player();

        /** {@link #player}'s identity. */
        default PlayerId id() {
            return player().id();
        }
    }

    /** What concerns one player alone: its own viewer is told, and no other. */
    sealed interface ToPlayer extends OfPlayer {}

    /** A player joined. It has no body yet. */
    record Joined(long time, Player player) implements OfPlayer {}

    /** A player left for good. Its body, if it had one, was gone before. */
    record Left(long time, Player player, LeaveReason why) implements OfPlayer {}

    /** A player has a body from now on; for a viewer, it has come into sight. */
    record Spawned(long time, Player player, Movement movement) implements OfPlayer {}

    /**
     * A player has no body any more: it died, became a spectator or fell silent; for a viewer, it
     * has gone out of sight.
     */
    record Despawned(long time, Player player) implements OfPlayer {}

    /** A player moved. Observers are told each; viewers see relays of it instead. */
    record Moved(long time, Player player, Movement movement) implements OfPlayer {}

    /** A player is somewhere else of a sudden, with the body that it had, and was not between. */
    record Teleported(long time, Player player, Movement movement) implements OfPlayer {}

    /** A player's body did something; told to those who see the body, and only so often. */
    record ActionPerformed(long time, Player player, PlayerAction act) implements OfPlayer {}

    /** A player said something to all; plain text. */
    record Chat(long time, Player player, String text) implements OfPlayer {}

    /** A player has a new name. */
    record Renamed(long time, Player player, String oldName, String name) implements OfPlayer {}

    /** What the player's own game shows of it, skin, model, team, has changed. */
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

    /** A player does so much of something that it does not all reach the others; told once. */
    record RateLimited(long time, Player player, RateLimitedAction deed) implements ToPlayer {}

    /** A player must be sent away with this reason; its endpoint does it. */
    record KickRequested(long time, Player player, LeaveReason why) implements ToPlayer {}

    /** A player's line was so busy that it missed what others said and did meanwhile. */
    record EventsDropped(long time, Player player, int deeds) implements ToPlayer {}

    /**
     * Somebody said something to this player alone; plain text.
     *
     * @param player who is told
     * @param from who said it
     */
    record Whisper(long time, Player player, Player from, String text) implements ToPlayer {}

    /**
     * Something else is played.
     *
     * @param game whose players play it
     * @param bounds where a body of any game may be from now on, metres
     */
    record LevelChanged(long time, String game, Level level, Bounds bounds) implements ArenaEvent {}

    /** The server says something to all. */
    record Announcement(long time, String text) implements ArenaEvent {}

    /**
     * Somebody who has proved its address was not let in.
     *
     * @param from its address, as text
     */
    record JoinRefused(long time, String game, String from, LeaveReason why)
            implements ArenaEvent {}
}
