package dev.wishdir.cluster.message;

/**
 * Change of a ban that a server added, changed or removed.
 *
 * @param target of the ban
 * @param game of the ban; empty for all games
 * @param millis when, by the day's clock, milliseconds since 1970
 */
public record BanChange(String target, String game, long millis) {}
