package dev.wishdir.web.map;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.race.RaceTimes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The changes of the scores of a whole recording, from which replay/scores.js makes the boards of
 * any time. After the maximum, the scores are marked as unknown.
 */
final class ReplayScores {
    /** Maximum number of changes: about 5 MB as JSON. */
    static final int MAX_CHANGES = 100_000;

    private static final int NODE_SHIFT = 32;

    private final List<List<Object>> changes = new ArrayList<>();

    /** The changes so far: {@code [[millis since the start, kind, ...], ...]}. */
    List<List<Object>> changes() {
        return changes;
    }

    /** Adds what an event changes. */
    void add(double millis, ArenaEvent event) {
        if (changes.size() < MAX_CHANGES) {
            change(millis, event).ifPresent(changes::add);
            if (changes.size() == MAX_CHANGES) {
                changes.add(List.of(millis, "lost"));
            }
        }
    }

    /** The kinds are those of replay/scores.js. */
    private static Optional<List<Object>> change(double millis, ArenaEvent event) {
        return switch (event) {
            case ArenaEvent.RoundStarted e ->
                    Optional.of(
                            List.of(
                                    millis,
                                    "round",
                                    e.mode().title(),
                                    LiveMatch.unit(e.mode()),
                                    e.mode() == MatchMode.RACE ? 0 : e.scoreLimit(),
                                    LivePlayers.columns(e.mode())));
            case ArenaEvent.RoundEnded e ->
                    Optional.of(List.of(millis, "end", LiveMatch.winner(e)));
            case ArenaEvent.Scored e -> Optional.of(scored(millis, e));
            case ArenaEvent.TeamChanged e ->
                    Optional.of(List.of(millis, "team", id(e.id()), e.team().toString()));
            case ArenaEvent.FlagChanged e when e.change() == FlagChange.CAPTURED ->
                    e.player().map(player -> List.of(millis, "capture", id(player.id())));
            case ArenaEvent.RunFinished e -> {
                Player player = e.player();
                yield Optional.of(
                        List.of(
                                millis,
                                "run",
                                id(player.id()),
                                e.millis(),
                                RaceTimes.text(e.millis()),
                                player.game(),
                                player.name()));
            }
            default -> Optional.empty();
        };
    }

    private static List<Object> scored(double millis, ArenaEvent.Scored e) {
        List<Object> change =
                new ArrayList<>(
                        List.of(
                                millis,
                                "score",
                                id(e.id()),
                                e.score().frags(),
                                e.score().deaths()));
        e.team().ifPresent(team -> change.addAll(List.of(team.team().toString(), team.frags())));
        return change;
    }

    /** The number of a player on the page. */
    private static long id(PlayerId id) {
        return ((long) id.node() << NODE_SHIFT) + id.number();
    }
}
