package dev.wishdir.cluster.agreement;

import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.cluster.v1.BestTime;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.RunTime;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The times of a race in the reports of a round: those of the own players in the round, the best
 * time of each game, and the others in turn. So each node soon has them all, whatever is lost.
 */
final class ReportedTimes {
    /** Best times in a report besides those of each game: 128 go within 3.2 s. */
    private static final int OTHERS = 4;

    private final Match match;
    private int next;

    ReportedTimes(Match match) {
        this.match = match;
    }

    /** Adds nothing in other modes. */
    void addTo(PlayedRound.Builder message) {
        if (!match.isRace()) {
            return;
        }
        Race race = match.race();
        message.setArena(race.arena());
        race.ownTimes()
                .forEach(time ->
                        message.addTimes(
                                RunTime.newBuilder()
                                        .setPlayer(time.player().id().number())
                                        .setTimeMs(time.millis())));
        List<RaceTimes.Time> best = race.bestTimes(Integer.MAX_VALUE);
        Set<String> games = new HashSet<>();
        best.stream()
                .filter(time -> games.add(time.game()))
                .forEach(time -> message.addBestTimes(message(time)));
        for (int i = 0; i < Math.min(OTHERS, best.size()); i++) {
            message.addBestTimes(message(best.get(next++ % best.size())));
        }
        next %= Math.max(1, best.size());
    }

    private static BestTime message(RaceTimes.Time time) {
        return BestTime.newBuilder()
                .setGame(time.game())
                .setName(time.name())
                .setTimeMs(time.millis())
                .build();
    }
}
