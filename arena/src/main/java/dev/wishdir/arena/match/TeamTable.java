package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.Team;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The scores of the teams of a round, and the rules by which players belong to them. */
final class TeamTable {
    /** Minimum interval between two changes of a player's team at its own request. */
    static final long MIN_CHANGE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Largest difference in players between the teams. */
    private static final int MAX_DIFFERENCE = 1;

    private final Map<Team, Integer> frags = new EnumMap<>(Team.class);
    private final Map<Team, Integer> fragsOfOthers = new EnumMap<>(Team.class);

    /** Sets all scores to 0. */
    void clear() {
        frags.clear();
        fragsOfOthers.clear();
    }

    /** Of the players of all servers. */
    int frags(Team team) {
        return ownFrags(team) + fragsOfOthers.getOrDefault(team, 0);
    }

    /** Of the players of this server. */
    int ownFrags(Team team) {
        return frags.getOrDefault(team, 0);
    }

    /**
     * Sets what the players of other servers scored.
     *
     * @return whether that changes the team's score
     */
    boolean setFragsOfOthers(Team team, int others) {
        Integer before = fragsOfOthers.put(team, others);
        return others != (before == null ? 0 : before);
    }

    /** Adds frags to the score of a team. */
    void add(Team team, int more) {
        frags.merge(team, more, Integer::sum);
    }

    /** The team with the higher score; empty if both have the same. */
    Optional<Team> best() {
        int difference = frags(Team.RED) - frags(Team.BLUE);
        return difference == 0
                ? Optional.empty()
                : Optional.of(difference > 0 ? Team.RED : Team.BLUE);
    }

    /** The team of a newcomer: the smaller one, else the one with the lower score, else red. */
    Team ofNewcomer(Collection<Fighter> players) {
        return Stream.of(Team.values())
                .min(
                        Comparator.comparingLong((Team team) -> size(players, team))
                                .thenComparingInt(this::frags))
                .orElseThrow();
    }

    private static long size(Collection<Fighter> players, Team team) {
        return players.stream().filter(player -> player.isIn(team) && !player.isWatching()).count();
    }

    /** Whether a player that plays again is one too many in its team. */
    boolean isUneven(Collection<Fighter> players, Fighter player) {
        return player.team()
                .map(team -> size(players, team) - size(players, team.other()) > MAX_DIFFERENCE)
                .orElse(false);
    }

    /** Reason for which a player can't change to a team; empty if it can. */
    static Optional<TeamRefusal> refusal(
            long now, Fighter player, Team to, Collection<Fighter> players) {
        if (player.team().isEmpty()) {
            return Optional.of(TeamRefusal.NO_TEAMS);
        }
        if (player.isIn(to)) {
            return Optional.of(TeamRefusal.SAME_TEAM);
        }
        if (now - player.teamChangedAt() < MIN_CHANGE_INTERVAL_NANOS) {
            return Optional.of(TeamRefusal.TOO_SOON);
        }
        long leaves = player.isWatching() ? 0 : 1;
        long difference = size(players, to) + 1 - (size(players, to.other()) - leaves);
        return difference > MAX_DIFFERENCE ? Optional.of(TeamRefusal.UNEVEN) : Optional.empty();
    }

    /** The players that must change so that the teams are even: those that joined last. */
    static List<Fighter> surplus(Collection<Fighter> players) {
        long difference = size(players, Team.RED) - size(players, Team.BLUE);
        Team bigger = difference > 0 ? Team.RED : Team.BLUE;
        return players.stream()
                .filter(player -> player.isIn(bigger) && !player.isWatching())
                .sorted(
                        Comparator.comparingInt((Fighter player) -> player.player.id.number())
                                .reversed())
                .limit(Math.abs(difference) / 2)
                .toList();
    }
}
