package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.Match;
import dev.wishdir.quake3.combat.FlagItem;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The flags that players of all games carry, and their awards in a match with flags, as snapshots
 * show them besides movement: docs/protocols/quake3.md#flags.
 */
public final class PlayerMarks {
    /** An award over the head of a player, with the index of its number in the player state. */
    public enum Award {
        CAPTURE(0x800, 14),
        DEFENCE(0x10000, 11);

        private final int entityFlag;
        private final int count;

        Award(int entityFlag, int count) {
            this.entityFlag = entityFlag;
            this.count = count;
        }
    }

    private static final long AWARD_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The awards of one player in this round. */
    private static final class Awards {
        final int[] counts = new int[Award.values().length];
        Award newest = Award.CAPTURE;
        long until;
    }

    private final Match match;
    private final LongSupplier clock;
    private final Map<PlayerId, Awards> awards = new HashMap<>();

    /**
     * @param clock of the arena, nanoseconds
     */
    public PlayerMarks(Match match, LongSupplier clock) {
        this.match = match;
        this.clock = clock;
    }

    /** The flag that a player carries. */
    public Optional<FlagItem> carried(PlayerId player) {
        return match.flags().carriedBy(player).map(FlagItem::of);
    }

    /** The bits of the flag that a player carries, in the powerups of its entity. */
    public int powerups(PlayerId player) {
        return carried(player).map(FlagItem::powerupBit).orElse(0);
    }

    /** The flag of the award that the entity of a player shows; 0 for none. */
    int entityFlags(PlayerId player) {
        Awards of = awards.get(player);
        return of == null || clock.getAsLong() >= of.until ? 0 : of.newest.entityFlag;
    }

    /** The number of times a player got an award in this round. */
    public int count(PlayerId player, Award award) {
        Awards of = awards.get(player);
        return of == null ? 0 : of.counts[award.ordinal()];
    }

    /** Gives a player an award, which is shown for two seconds. */
    public void award(long now, PlayerId player, Award award) {
        Awards of = awards.computeIfAbsent(player, _ -> new Awards());
        of.counts[award.ordinal()]++;
        of.newest = award;
        of.until = now + AWARD_NANOS;
    }

    /** Forgets the awards of all players: a round begins. */
    public void clear() {
        awards.clear();
    }

    /** Forgets a player that has left. */
    public void forget(PlayerId player) {
        awards.remove(player);
    }

    /** A state of a player with its flag and awards. */
    PlayerState mark(PlayerId player, PlayerState state) {
        PlayerState marked =
                carried(player)
                        .map(flag ->
                                state.with(PlayerArray.POWERUPS, flag.powerup(), FlagItem.ENDLESS))
                        .orElse(state);
        if (awards.containsKey(player)) {
            for (Award award : Award.values()) {
                marked = marked.with(PlayerArray.PERSISTANT, award.count, count(player, award));
            }
            int shown = entityFlags(player);
            if (shown != 0) {
                marked = marked.with(PlayerField.E_FLAGS, marked.get(PlayerField.E_FLAGS) | shown);
            }
        }
        return marked;
    }
}
