package dev.wishdir.arena.event;

import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.time.Duration;
import java.util.Optional;

/**
 * An event of the arena. It has taken effect when it is sent; each is sent in order and once to
 * every listener and viewer that it concerns.
 */
public sealed interface ArenaEvent {
    /** Time of the event, nanoseconds of the arena's clock. */
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

    /** An event of a player's run in a race. */
    sealed interface OfRace extends ToPlayer {}

    /** An event of a fight: viewers get those of their own player, too. */
    sealed interface OfFight extends OfPlayer {}

    /** A player joined, without a body. */
    record Joined(long time, Player player) implements OfPlayer {}

    /** A player left; its body, if it had one, has despawned before. */
    record Left(long time, Player player, LeaveReason reason) implements OfPlayer {}

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
    record ActionPerformed(long time, Player player, PlayerAction action) implements OfPlayer {}

    /** A player's chat line to all; plain text. */
    record Chat(long time, Player player, String text) implements OfPlayer {}

    record Renamed(long time, Player player, String oldName, String name) implements OfPlayer {}

    /** A player proved who it is after it had joined. Sent to listeners only. */
    record Proved(long time, Player player) implements OfPlayer {}

    /** The skin, model or team of a player has changed in its own game. */
    record AppearanceChanged(long time, Player player) implements OfPlayer {}

    /**
     * A player moved as its game's physics does not allow, or shot as its rules do not.
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
    record RateLimited(long time, Player player, RateLimitedAction action) implements ToPlayer {}

    /** The player's endpoint must disconnect it with this reason. */
    record KickRequested(long time, Player player, LeaveReason reason) implements ToPlayer {}

    /** The player's connection was congested, and events of others were dropped. */
    record EventsDropped(long time, Player player, int count) implements ToPlayer {}

    /** A short text of the server to the player, for the middle of its screen. */
    record Notice(long time, Player player, String text) implements ToPlayer {}

    /** A run began: the player left the start of the race. */
    record RunStarted(long time, Player player) implements OfRace {}

    /**
     * A runner passed a check point.
     *
     * @param number of the check point, from 1
     * @param count number of all check points
     * @param millis time since the start of the run
     */
    record CheckpointPassed(long time, Player player, int number, int count, int millis)
            implements OfRace {}

    /**
     * A runner came to the finish.
     *
     * @param millis time of the run
     * @param bestOfPlayer whether it is the player's best time in this arena
     * @param bestOfGame whether it is the best time of its game in this arena
     * @param bestOfAll whether it is the best time in this arena
     */
    record RunFinished(
            long time,
            Player player,
            int millis,
            boolean bestOfPlayer,
            boolean bestOfGame,
            boolean bestOfAll)
            implements OfRace {}

    /**
     * A private chat line; plain text.
     *
     * @param player recipient
     * @param from sender
     */
    record Whisper(long time, Player player, Player from, String text) implements ToPlayer {}

    /**
     * A player was hit: it lost armour or health, or was only pushed.
     *
     * @param player victim; may be the attacker
     * @param damage before armour; 0 if it was only pushed
     * @param knockback change of the victim's velocity, metres a second
     * @param place where the victim was hit, metres
     * @param vitals what the victim has left; dead if the health is not above 0
     */
    record Hit(
            long time,
            Player player,
            Player attacker,
            DamageMeans means,
            double damage,
            Vec3 knockback,
            Vec3 place,
            Vitals vitals)
            implements OfFight {}

    /**
     * A player died, and has no body any more.
     *
     * @param player victim
     * @param killer the victim itself if it ended its own life
     * @param score of the killer now
     */
    record Died(long time, Player player, Player killer, DamageMeans means, Score score)
            implements OfFight {}

    /**
     * The score of a player has changed.
     *
     * @param team the score of its team now; empty in a match without teams
     */
    record Scored(long time, Player player, Score score, Optional<TeamScore> team)
            implements OfFight {}

    /**
     * A player is in a team: it joined, changed from the other team, or was moved before a round
     * starts. A change ends its life without a score, and its body despawns before.
     */
    record TeamChanged(long time, Player player, Team team) implements OfFight {}

    /**
     * A player took an item, which is gone until it {@linkplain ItemReturned returns} or a round
     * starts. Sent to listeners only.
     *
     * @param number of the item in its level
     */
    record ItemTaken(long time, Player player, int number, PlacedItem item) implements OfPlayer {}

    /**
     * An item is gone that a player took on another server; when this server heard of it, the
     * player was not here any more. Sent to listeners only.
     */
    record ItemVanished(long time, int number, PlacedItem item) implements ArenaEvent {}

    /**
     * A taken item is there again, or one that comes later in a round for the first time. Sent to
     * listeners only; not at the start of a round.
     */
    record ItemReturned(long time, int number, PlacedItem item) implements ArenaEvent {}

    /**
     * A flag changed. At the start and the end of a round all flags are at home, without events.
     *
     * @param flag the team that the flag belongs to
     * @param player that changed it, or lost it; empty if none did
     * @param place where the flag is now
     * @param version of the flag now; it grows with each change
     * @param carried for how long the player had the flag; zero if it had not
     */
    record FlagChanged(
            long time,
            Team flag,
            FlagChange change,
            FlagCause cause,
            Optional<Player> player,
            Vec3 place,
            int version,
            Duration carried)
            implements ArenaEvent {}

    /**
     * A round started; all scores are 0 and no player has a life yet.
     *
     * @param timeLimit zero for none
     * @param scoreLimit frags that end it; 0 for none
     */
    record RoundStarted(long time, MatchMode mode, Duration timeLimit, int scoreLimit)
            implements ArenaEvent {}

    /**
     * A round ended; no player is hit until the next one.
     *
     * @param winner empty if none is the best or has a point, and in a match of teams
     * @param team the winner in a match of teams; empty if both have the same score, or none a
     *     point
     */
    record RoundEnded(
            long time, RoundEndReason reason, Optional<Player> winner, Optional<Team> team)
            implements ArenaEvent {}

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
    record JoinRefused(long time, String game, String from, LeaveReason reason)
            implements ArenaEvent {}
}
