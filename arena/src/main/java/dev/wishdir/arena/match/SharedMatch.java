package dev.wishdir.arena.match;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.item.ItemPickup;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The match as players of other servers take part in it. The attacker's server decides which player
 * a shot meets, the victim's server what becomes of it, and each server the scores of its own
 * players. Without a {@linkplain #setListener listener} players of other servers can't be hit.
 *
 * <p>With {@linkplain #setRounds agreed rounds} all servers play the same round: each begins and
 * ends it by itself, and {@linkplain #adopt takes over} what another one did first.
 */
public interface SharedMatch {
    /**
     * Largest distance from a player's path at which it is hit or takes items, metres; and more if
     * it is late.
     */
    double PLACE_METRES = 8;

    /** Speed of a body while a report is under way, metres a second. */
    double PLACE_METRES_PER_SECOND = 20;

    /** Sends to other servers what only they can carry out. */
    interface Listener {
        /**
         * A player of this server hit a player of another one.
         *
         * @param hit with the damage factors of this server; the vitals are not known
         */
        void onHit(ArenaEvent.Hit hit);

        /** A player of another server killed one of this server; before the event of the death. */
        void onFrags(PlayerId killer, int frags);
    }

    /** Sets what sends hits; from now on players of other servers can be hit. */
    void setListener(Listener listener);

    /**
     * Carries out a hit of a player of another server on one of this server, if the weapons of any
     * game can do it from where that player was seen: by damage, damage a second and distance.
     *
     * @param hit with the damage factors of the attacker's server; its vitals are not used
     * @param made when it was made; it has no effect on a later life
     */
    MirrorResult receive(ArenaEvent.Hit hit, long made);

    /**
     * Takes over what became of a player of another server, as that server reports it. A dead one
     * loses its body; if its killer is not known here, that is all that is seen of its death.
     */
    void mirror(ArenaEvent.OfFight event);

    /** Maximum number of frags for one hit by the rules: those of a kill. */
    int maxFragsOfHit();

    /** Another server reports kills by a player of this server; they count while a round runs. */
    void credit(long now, PlayerId killer, int frags);

    /**
     * The items that players of this server took, or players that are not here any more, until they
     * return.
     */
    List<ItemPickup> pickups(long now);

    /**
     * Takes an item that a player of another server took there: it is gone until the same time. If
     * players of two servers took it before one server knew of the other, both have it, and it
     * returns as after the earlier pickup.
     *
     * @param pickup in the round that is played here
     * @param limit whether an item may vanish, or return earlier, by a player that is not here any
     *     more, which could have been anywhere; asked only if it does
     */
    MirrorResult mirror(long now, ItemPickup pickup, BooleanSupplier limit);

    /** The servers' agreement about rounds. */
    interface Rounds {
        /** The match goes on to another stage or round, is paused or goes on. */
        void onChange();

        /**
         * Whether a stage whose time is over waits, as another server is to end it.
         *
         * @param overdue how long it has been over, nanoseconds
         */
        boolean awaitsOthers(long overdue);
    }

    /** Sets what agrees about rounds; from now on the match also goes on for others' players. */
    void setRounds(Rounds rounds);

    /** The round that is played; empty without a match, and without players. */
    Optional<RoundState> round(long now);

    /** Whether there is a match, and a player of this or another server. */
    boolean hasPlayers();

    /**
     * Goes over to the round of another server, with the events and announcements of a change of
     * this one. Times longer than the rules of this server allow are cut to these.
     *
     * @throws IllegalStateException without a match, and without players
     */
    void adopt(long now, RoundState state);

    /** The frags of this server's players for their teams in this round. */
    Map<Team, Integer> teamFrags();

    /** Sets the frags of other servers' players for their teams in this round. */
    void setTeamFragsOfOthers(long now, Map<Team, Integer> frags);
}
