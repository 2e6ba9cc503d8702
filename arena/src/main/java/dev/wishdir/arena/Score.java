package dev.wishdir.arena;

/**
 * The score of a player in a round.
 *
 * @param frags kills of others, less the deaths by its own hand and kills of its own team
 */
public record Score(int frags, int deaths) {
    public static final Score ZERO = new Score(0, 0);

    Score plus(int moreFrags, int moreDeaths) {
        return new Score(frags + moreFrags, deaths + moreDeaths);
    }
}
