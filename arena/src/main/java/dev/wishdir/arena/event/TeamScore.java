package dev.wishdir.arena.event;

/**
 * The score of a team in a round.
 *
 * @param frags the sum of what its players scored while they were in it, also of those that left
 */
public record TeamScore(Team team, int frags) {}
