package dev.wishdir.arena.race;

import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.player.ActivePlayer;

/** A player of the match as a race sees it: its body's path, and the score that the race counts. */
public interface Entrant {
    ActivePlayer player();

    Score score();

    void setScore(Score score);
}
