package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.event.Team;
import dev.wishdir.wire.Quantity;

/** Notices of the server to one player, with the same wording in every game. */
public final class PlayerNotices {
    private PlayerNotices() {}

    public static String rateLimited(RateLimitedAction action) {
        return "Rate limit exceeded: " + action.noun() + ". Others do not receive all of it.";
    }

    /**
     * @param count chat lines and actions that were dropped, as the connection was congested
     */
    public static String eventsDropped(int count) {
        return "Your connection is too slow: you missed "
                + Quantity.of(count, "event")
                + " of other players.";
    }

    /** The team in which the player is from now on. */
    public static String team(Team team) {
        return "You are in the " + team + " team.";
    }

    static String kickedByRateLimit(RateLimitedAction action) {
        return "Kicked: rate limit exceeded (" + action.noun() + ").";
    }
}
