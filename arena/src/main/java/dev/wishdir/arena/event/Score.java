package dev.wishdir.arena.event;

/**
 * The score of a player in a round.
 *
 * @param frags kills of others, less the deaths by its own hand and kills of its own team
 */
public record Score(int frags, int deaths) {
    public static final Score ZERO = new Score(0, 0);

    public Score plus(int moreFrags, int moreDeaths) {
        return new Score(
                Math.clamp((long) frags + moreFrags, Integer.MIN_VALUE, Integer.MAX_VALUE),
                Math.clamp((long) deaths + moreDeaths, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }
}
