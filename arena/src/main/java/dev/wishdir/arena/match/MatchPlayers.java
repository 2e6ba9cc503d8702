package dev.wishdir.arena.match;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.relay.Subscriber;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The players of a match with their teams, and what is kept of those that have left this round. */
final class MatchPlayers {
    /** At most this many players that have left this round are kept. */
    private static final int MAX_LEFT_PLAYERS = 1_024;

    /**
     * Score and team of a player that has left this round.
     *
     * @param team null without teams
     */
    private record LeftPlayer(Score score, @Nullable Team team) {}

    private final Map<PlayerId, Fighter> fighters = new LinkedHashMap<>();
    private final Map<String, LeftPlayer> left = new HashMap<>();
    private final TeamTable teams = new TeamTable();

    /** All players in the order of joining; a view. */
    Collection<Fighter> all() {
        return fighters.values();
    }

    /** A player; null if it has left. */
    @Nullable Fighter find(PlayerId id) {
        return fighters.get(id);
    }

    /** The scores of the teams. */
    TeamTable teams() {
        return teams;
    }

    void add(Fighter fighter) {
        fighters.put(fighter.player.id, fighter);
    }

    void remove(Fighter fighter) {
        fighters.remove(fighter.player.id);
    }

    /** Gives a player that comes back the score and team that it had, and others none. */
    void restore(Fighter fighter, Subscriber subscriber, boolean hasTeams) {
        LeftPlayer before = left.remove(key(fighter.player, subscriber));
        Team team = before == null ? null : before.team();
        fighter.setScore(before == null ? Score.ZERO : before.score());
        if (hasTeams) {
            fighter.setTeam(team == null ? teams.ofNewcomer(fighters.values()) : team);
        }
    }

    /** Keeps the score and team of a player that has left, if it has any. */
    void keep(Fighter fighter, Subscriber subscriber) {
        boolean isKept = fighter.team().isPresent() || !fighter.score().equals(Score.ZERO);
        if (isKept && left.size() < MAX_LEFT_PLAYERS) {
            left.put(
                    key(fighter.player, subscriber),
                    new LeftPlayer(fighter.score(), fighter.team().orElse(null)));
        }
    }

    /** Forgets those that have left, the captures, and the scores of the teams. */
    void clearScores() {
        left.clear();
        fighters.values().forEach(fighter -> fighter.setCaptures(0));
        teams.clear();
    }

    /** Key by which a player is found when it comes back. */
    static String key(ActivePlayer player, Subscriber subscriber) {
        InetSocketAddress address = subscriber.viewer.connectionInfo().address();
        return player.game()
                + ' '
                + (address == null ? "" : address.getAddress().getHostAddress())
                + ' '
                + player.name();
    }
}
