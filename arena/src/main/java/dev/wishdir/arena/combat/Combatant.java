package dev.wishdir.arena.combat;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.FlagClaim;
import dev.wishdir.arena.item.ItemReach;
import dev.wishdir.arena.item.ItemTaker;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The part of one player in the match: its life, its health, and its hits on others. A player takes
 * part from its first {@link #beginLife}; one whose game never calls it can't be hit. Metres,
 * metres a second; damage on the scale of {@link Vitals}.
 */
public interface Combatant {
    /**
     * Age of the victim's path that a claimed hit may meet, beyond the round trip of the shooter:
     * its client draws others late. With it, not farther than {@link #PATH_NANOS}.
     */
    long HIT_WINDOW_NANOS = 300_000_000;

    /** Time for which the checks look back at players' paths, nanoseconds. */
    long PATH_NANOS = 500_000_000;

    /**
     * Checks look farther back by how late the server's own loop was recently, at most by this.
     * While it was later, no client is blamed for places that it claims.
     */
    long MAX_LATE_NANOS = 500_000_000;

    /** Largest distance of a claimed hit from the path of its victim, metres. */
    double HIT_ALLOWANCE_METRES = 0.5;

    /** Largest distance of the eye of a claimed shot from its player's path, metres. */
    double ORIGIN_ALLOWANCE_METRES = 3;

    /** Duration of quad damage, in games that have no other. */
    long QUAD_NANOS = 30_000_000_000L;

    /**
     * Sets whether the player only watches: it then takes no part in rounds, is in no team's count,
     * and does not keep a round going. One that plays again may change to the smaller team.
     */
    void setWatching(long now, boolean watches);

    /** Whether the player only watches. */
    boolean isWatching();

    /**
     * Begins a life. Its body may be hit as soon as the player * spawns. Does nothing without a
     * match.
     *
     * @param armour how its armour takes damage
     */
    void beginLife(long now, Vitals vitals, ArmourRule armour);

    /** Sets health and armour during a life, as after an item. Does nothing without a life. */
    void setVitals(Vitals vitals);

    /**
     * Time until the next life may begin, nanoseconds; 0 if it may now. A match with flags lets a
     * player wait for some seconds after its death, so that defenders count.
     */
    long respawnWait(long now);

    /** Ends its own life, which costs a frag and removes the body. Does nothing without a life. */
    void die(long now);

    /**
     * Sets until when it has quad damage, which its endpoint counts into the damage of its hits. It
     * ends with the life. Does nothing without a life.
     */
    void setQuad(long until);

    /** Time until its quad damage ends, nanoseconds; 0 if it has none. */
    long quadLeft(long now);

    /** Whether it has a life that the match counts. */
    boolean isAlive();

    /** Health and armour; {@link Vitals#NONE} without a life. */
    Vitals vitals();

    Score score();

    /** Its team; empty in a match without teams. */
    Optional<Team> team();

    /**
     * Changes to another team at the player's own request. Its life ends without a score, its body
     * despawns, its missiles are removed, and until its next life it hits no player: its endpoint
     * begins that life.
     *
     * @return why it can't; empty if it has changed
     */
    Optional<TeamRefusal> changeTeam(long now, Team to);

    /**
     * Hits a player, or itself: the victim loses armour and health, and may die; or is only pushed.
     * The damage factor of this player's game applies. This player may be dead: a projectile
     * outlives it.
     *
     * @param damage before armour; 0 for a hit that only pushes, which also in instagib does not
     *     kill
     * @param knockback change of the victim's velocity, for the victim's endpoint to carry out
     * @param place where the victim was hit
     * @return false, without an effect, if the victim can't be hit: the match does not run, it has
     *     no life or no visible body, this player was never shown it, it is in this player's team
     *     and friendly fire is off, a number is out of range, or there is neither damage nor a push
     */
    boolean hit(
            long now,
            PlayerId victim,
            DamageMeans means,
            double damage,
            Vec3 knockback,
            Vec3 place);

    /**
     * Checks where a claimed shot began: at the eye of this player's body, and not behind a wall.
     * Before the body's first position nothing is known: its endpoint lets such a shot hit no
     * player.
     *
     * @param eyeHeight above the feet
     * @param speed that its body may have, for the time since its last movement
     * @param space of its level
     * @return empty if it is allowed
     */
    Optional<ShotViolation> checkOrigin(
            long now, Vec3 from, double eyeHeight, double speed, CollisionSpace space);

    /** Distance of a place of its feet from its path of the last 500 ms; 0 if none is known. */
    double distanceFromPath(long now, Vec3 feet);

    /**
     * Checks a claimed hit of a straight shot: the ray meets the victim's body where it was
     * recently, and nothing solid is between.
     *
     * @param body of the victims of this player's game
     * @param spread how far a ray may stray from the line per metre of its way
     * @return empty if it is allowed
     */
    Optional<ShotViolation> checkRay(
            long now, PlayerId victim, Ray ray, BodyDimensions body, double spread);

    /**
     * Checks a claimed hit of an explosion: at one of the places where its missile can have been,
     * it was as near to the victim's body as claimed, and nothing solid is between.
     *
     * @param places where the missile can have exploded, in the order of its flight
     * @param body of the victims of this player's game
     * @param distance from the explosion to the victim
     * @param space of its level
     * @return {@link ViolationRule#HIT_DISTANCE}, or {@link ViolationRule#SHOT_THROUGH_SOLID} if
     *     only walls protect the victim; empty if it is allowed
     */
    Optional<ShotViolation> checkBlast(
            long now,
            PlayerId victim,
            List<Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space);

    /**
     * The bodies that a straight shot meets, for games whose server decides: those of the players
     * that this player is shown and that can be hit, where they were a time ago.
     *
     * @param ray ends at the first solid of its space; a game that has found its end itself gives
     *     {@link CollisionSpace#OPEN}
     * @param body of the victims in this player's game
     * @param rewindNanos how far back the victims are; at most {@code MatchRules.rewind} counts
     */
    ShotTrace trace(long now, Ray ray, BodyBox body, long rewindNanos);

    /**
     * The bodies that an explosion reaches now: those of the players that this player is shown and
     * that can be hit, and its own.
     *
     * @param body of the victims in this player's game
     * @param law distance and line of sight in this player's game
     */
    List<SplashLaw.Reached> splash(
            long now, Vec3 place, double radius, BodyBox body, SplashLaw law);

    /**
     * Launches a missile. It flies on when this player has died, and hits no player once it has
     * left. A round that begins or ends removes it.
     *
     * @return empty, without an effect, if it has left or has {@value
     *     Missiles#MAX_MISSILES_PER_PLAYER} missiles, the arena has {@value Missiles#MAX_MISSILES},
     *     no match runs, or a number is not finite
     */
    Optional<Missile> launch(
            long now, MissileRules rules, Missile.Launch launch, Missile.Listener listener);

    /**
     * Takes the items that the body touches, for games whose server tests it at each movement. Does
     * nothing without a life or a body, or while the match does not run.
     *
     * @param feet where the body is
     * @param taker is asked about each item that is there and touched
     */
    void takeItems(long now, Vec3 feet, ItemReach reach, ItemTaker taker);

    /**
     * Takes an item that the player's client claims to touch. The claim is checked as the origin of
     * a shot is: with an allowance, on the path of the last 500 ms, and not through a wall.
     *
     * @param number of the item in the level of the player's game
     * @param reach how far from an item the feet may be, metres
     * @param space of its level
     * @param impossible is given what is wrong, for the endpoint to report
     */
    ItemClaim claimItem(
            long now,
            int number,
            double reach,
            CollisionSpace space,
            ItemTaker taker,
            Consumer<ShotViolation> impossible);

    /**
     * Decides about a client's claim that its player touches a flag. Where the player is decides,
     * which the arena also tests at each movement. Claims from where the player was not, and more
     * than 20 a second, are reported.
     *
     * @param version of the flag that the client knows
     * @param reach how far from a flag a client claims it, metres
     * @param space of its level
     */
    FlagClaim claimFlag(long now, Team flag, int version, double reach, CollisionSpace space);

    /**
     * Drops the flag that the player carries before its feet. The player can't take it again for 2
     * s, and after the third drop running not until it was at home.
     *
     * @return whether it carried one
     */
    boolean dropFlag(long now);

    /**
     * Whether the life of a player, this one or a victim, is so young that this player's client may
     * have claimed what it saw of the life before, as at the start of a round. What its game's
     * rules do not allow then is without effect, but no violation.
     */
    boolean isNewLife(long now, PlayerId id);

    /**
     * Reports that the player's client claimed what its game's rules do not allow. The arena
     * announces it at most once a second for each player; {@link CheatPolicy#KICK} kicks it if it
     * is repeated. Does nothing if the rule {@linkplain ViolationRule#isOfPlace is of places} and
     * the server's own loop was recently later than {@link #MAX_LATE_NANOS}.
     */
    void report(long now, ShotViolation violation);

    /** Outcome of the claim of an item. */
    enum ItemClaim {
        TAKEN,
        /** The player can't have it: another was first, it is no item, or the match stands. */
        GONE,
        /** The player's game has no use for it. */
        NO_USE,
        /** The player was not there. */
        IMPOSSIBLE
    }

    /**
     * A straight line of fire in a level.
     *
     * @param from the eye
     * @param to where it ends
     * @param space of the level
     */
    record Ray(Vec3 from, Vec3 to, CollisionSpace space) {
        double length() {
            return from.distance(to);
        }

        /** The place at a distance from its start. */
        public Vec3 at(double distance) {
            double length = length();
            return length == 0 ? from : from.plus(to.minus(from).times(distance / length));
        }
    }

    /**
     * A place where a missile can have exploded.
     *
     * @param allowance how far from it the explosion can have been
     */
    record Blast(Vec3 place, double allowance) {}
}
