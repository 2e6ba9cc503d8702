package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.PlayerId;

import org.jspecify.annotations.Nullable;

import java.util.Collection;

/** The match as the flags see it. */
public interface FlagReferee {
    /** Whether flags change hands now. */
    boolean isFighting();

    FlagRules flagRules();

    /** All players of the match; a view. */
    Collection<? extends FlagCarrier> carriers();

    /** A player; null if it has left. */
    @Nullable FlagCarrier carrier(PlayerId id);

    /** A player has captured a flag, and both flags are at home. */
    void onCaptured(long now, FlagCarrier player);

    /** A player has returned its own flag. */
    void onReturned(long now, FlagCarrier player);
}
