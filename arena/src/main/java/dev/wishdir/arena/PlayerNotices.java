package dev.wishdir.arena;

/** What the server says to one player, in the same words in every game. */
public final class PlayerNotices {
    private PlayerNotices() {}

    /** Not all that the player does of a kind reaches the others. */
    public static String rateLimited(RateLimitedAction action) {
        return "Rate limit exceeded: " + action.noun() + ". Others do not receive all of it.";
    }

    /** The player's connection was too slow for all that others said and did. */
    public static String eventsDropped(int count) {
        return "Your connection is too slow: you missed " + count + " events of other players.";
    }

    /** A player does not stop to exceed a rate limit. */
    static String kickedByRateLimit(RateLimitedAction action) {
        return "Kicked: rate limit exceeded (" + action.noun() + ").";
    }
}
