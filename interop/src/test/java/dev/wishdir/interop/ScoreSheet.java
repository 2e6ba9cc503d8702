package dev.wishdir.interop;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.blocks.arena.PlacedItem;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The scores of a match as its deaths give them, and the items that are taken, from the events of
 * the arena: what these say of each other must agree.
 */
final class ScoreSheet implements ArenaListener {
    private final Map<PlayerId, Score> scores = new HashMap<>();
    private final Map<PlayerId, Team> teams = new HashMap<>();
    private final Map<Team, Integer> teamFrags = new HashMap<>();

    /** Of players that left in this round, which they have again when they come back. */
    private final Map<String, Score> left = new HashMap<>();

    /** When each item that is gone was taken, nanoseconds. */
    private final Map<PlacedItem, Long> taken = new HashMap<>();

    private String level = "";
    private long roundStart;
    private final List<String> wrong = new ArrayList<>();
    private boolean counts;
    private int deaths;
    private int kills;
    private int rounds;
    private int pickups;

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                Score before = left.remove(key(e.player()));
                scores.put(e.id(), before == null ? Score.ZERO : before);
            }
            case ArenaEvent.Left e -> {
                Score last = score(e.id());
                if (!last.equals(Score.ZERO)) {
                    left.put(key(e.player()), last);
                }
                scores.remove(e.id());
                teams.remove(e.id());
            }
            case ArenaEvent.TeamChanged e -> teams.put(e.id(), e.team());
            case ArenaEvent.Died e -> died(e);
            case ArenaEvent.Scored e -> scored(e);
            case ArenaEvent.RoundStarted e -> {
                rounds++;
                roundStart = e.time();
                clear();
                counts = true;
                taken.clear();
            }
            case ArenaEvent.RoundEnded _ -> counts = false;
            case ArenaEvent.ItemTaken e -> {
                pickups++;
                check(e, taken.put(e.item(), e.time()) == null);
            }
            case ArenaEvent.ItemReturned e -> {
                Long at = taken.remove(e.item());
                boolean isLater = !e.item().kind().firstTime().isZero();
                check(e, at == null ? isLater : e.time() - at >= e.item().returnTime().toNanos());
            }
            case ArenaEvent.LevelChanged e -> {
                if (!e.level().name().equals(level)) {
                    level = e.level().name();
                    taken.clear();
                }
            }
            default -> {}
        }
    }

    private void clear() {
        scores.replaceAll((_, _) -> Score.ZERO);
        teamFrags.clear();
        left.clear();
    }

    private static String key(Player player) {
        return player.game() + ' ' + player.name();
    }

    private void died(ArenaEvent.Died death) {
        deaths++;
        PlayerId victim = death.id();
        PlayerId killer = death.killer().id();
        boolean isTeammate = teams.get(killer) != null && teams.get(killer) == teams.get(victim);
        check(death, killer.equals(victim) || !isTeammate);
        if (!killer.equals(victim)) {
            kills++;
        }
        if (counts) {
            int frags = killer.equals(victim) ? -1 : 1;
            add(victim, 0, 1);
            add(killer, frags, 0);
            Team team = teams.get(killer);
            if (team != null) {
                teamFrags.merge(team, frags, Integer::sum);
            }
        }
    }

    private void add(PlayerId id, int frags, int died) {
        Score before = score(id);
        scores.put(id, new Score(before.frags() + frags, before.deaths() + died));
    }

    private void scored(ArenaEvent.Scored event) {
        // Before a round starts all are set to zero.
        boolean isCleared = event.score().equals(Score.ZERO) && !counts;
        check(event, isCleared || event.score().equals(score(event.id())));
        if (isCleared) {
            scores.put(event.id(), Score.ZERO);
        } else {
            event.team().ifPresent(team -> check(event, team.frags() == frags(team.team())));
        }
    }

    private void check(ArenaEvent event, boolean holds) {
        if (!holds && wrong.size() < 20) {
            wrong.add(event.toString());
        }
    }

    /** The score of a player of this round. */
    Score score(PlayerId id) {
        return scores.getOrDefault(id, Score.ZERO);
    }

    /** The score of a team of this round. */
    int frags(Team team) {
        return teamFrags.getOrDefault(team, 0);
    }

    /** Whether an item was taken, and has not returned, or comes later in the round. */
    boolean isAway(PlacedItem item, long now) {
        Long at = taken.get(item);
        return at == null
                ? now - roundStart <= item.kind().firstTime().toNanos()
                : now - at <= item.returnTime().toNanos();
    }

    /** Events that contradict earlier ones, the first of them. */
    List<String> wrong() {
        return wrong;
    }

    /** Deaths of all rounds. */
    int deaths() {
        return deaths;
    }

    /** Deaths by another player, of all rounds. */
    int kills() {
        return kills;
    }

    @Override
    public String toString() {
        return rounds
                + " rounds, "
                + deaths
                + " deaths, "
                + kills
                + " kills, "
                + pickups
                + " pickups";
    }
}
