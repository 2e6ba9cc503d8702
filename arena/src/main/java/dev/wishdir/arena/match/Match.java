package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceGhost;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.relay.InterestTracker;
import dev.wishdir.arena.relay.Subscriber;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The match of an arena, one for all games: rounds with scores, warm-up before and intermission
 * after each. It begins with the first player and is idle without any. Owned by the arena's thread;
 * times are nanoseconds of its clock.
 */
public final class Match {
    /** Phase of a match. */
    public enum Phase {
        /** There is no match. */
        OFF,
        /** No player is here. */
        IDLE,
        /** Hits count, scores do not. */
        WARM_UP,
        PLAYING,
        /** No player is hit; the board is shown. */
        INTERMISSION
    }

    /** A player and its score. */
    public record PlayerScore(Player player, Score score) {}

    private final MatchRounds rounds;
    private final MatchReferee referee;

    public Match(
            EventDispatcher dispatcher,
            InterestTracker interestTracker,
            CheatPolicyEnforcer cheatPolicy,
            ActiveLevels levels,
            RaceGhost.Mirror mirror) {
        rounds = new MatchRounds(dispatcher, levels, mirror, cheatPolicy);
        referee = new MatchReferee(dispatcher, rounds, interestTracker, cheatPolicy);
    }

    /**
     * Sets the rules, before a player has joined.
     *
     * @throws IllegalStateException if a player is here
     */
    public void setRules(MatchRules rules) {
        rounds.setRules(rules);
    }

    /** Sets the source of how late the server's own loop was. */
    public void setLateness(LongSupplier lateness) {
        referee.setLateness(lateness);
    }

    public MatchRules rules() {
        return rounds.rules();
    }

    /** The items of the levels that are played. */
    public ItemSpawns items() {
        return rounds.items();
    }

    /** The flags of a match with flags; none in other modes. */
    public Flags flags() {
        return rounds.flags();
    }

    /** The missiles of all games, in the order of their launch; a view. */
    public List<Missile> missiles() {
        return rounds.missiles().all();
    }

    public Phase phase() {
        return switch (rounds.stage()) {
            case null -> isOn() ? Phase.IDLE : Phase.OFF;
            case WARM_UP -> Phase.WARM_UP;
            case PLAYING -> Phase.PLAYING;
            case INTERMISSION -> Phase.INTERMISSION;
        };
    }

    /** Whether a match is played here at all. */
    public boolean isOn() {
        return rounds.isOn();
    }

    /** Whether hits count now; never in a race. */
    public boolean isFighting() {
        return rounds.isFighting();
    }

    /** Whether players race instead of fighting. */
    public boolean isRace() {
        return rounds.isRace();
    }

    /** The race of the match; without runners in other modes. */
    public Race race() {
        return rounds.race();
    }

    public boolean isPaused() {
        return rounds.isPaused();
    }

    /** The number of the round, or of its warm-up, from 1; 0 before the first one. */
    public long round() {
        return rounds.number();
    }

    /** Time until the phase ends; empty if it does not end by itself. */
    public Optional<Duration> timeLeft(long now) {
        return rounds.timeLeft(now);
    }

    /** State in one line for an operator. */
    public String status(long now) {
        if (!isOn()) {
            return "no match";
        }
        String what =
                switch (phase()) {
                    case OFF, IDLE -> "waiting for players";
                    case WARM_UP -> "warm-up";
                    case PLAYING -> "playing";
                    case INTERMISSION -> "intermission";
                };
        return rules().mode().title()
                + ": "
                + what
                + (isPaused() ? ", paused" : "")
                + timeLeft(now)
                        .map(left ->
                                String.format(
                                        Locale.ROOT,
                                        ", %d:%02d left",
                                        left.toMinutes(),
                                        left.toSecondsPart()))
                        .orElse("")
                + (rules().scoreLimit() == 0
                        ? ""
                        : ", limit " + rounds.points(rules().scoreLimit()))
                + teamScores().stream()
                        .map(it -> ", " + it.team() + " " + it.frags())
                        .collect(Collectors.joining())
                + (flags().all().isEmpty() ? "" : ", " + flags().text(now));
    }

    /** The match as players of other servers take part in it. */
    public SharedMatch shared() {
        return referee;
    }

    /** Scores of the players of this and other servers, the best first. */
    public List<PlayerScore> standings() {
        return rounds.standings().stream()
                .map(it -> new PlayerScore(it.player.snapshot(), it.score()))
                .toList();
    }

    /** The score of a player; zero if it has left or never fought. */
    public Score score(PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null ? Score.ZERO : fighter.score();
    }

    /** The flags that a player has captured in this round; 0 if it has left. */
    public int captures(PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null ? 0 : fighter.captures();
    }

    /** Health and armour of a player of this server; none if it has left or never fought. */
    public Vitals vitals(PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null ? Vitals.NONE : fighter.vitals();
    }

    /** Whether a player only watches; so does one that has left. */
    public boolean isWatching(PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null || fighter.isWatching();
    }

    /** Time until a player's quad damage ends, nanoseconds; 0 if it has none, or has left. */
    public long quadLeft(long now, PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null ? 0 : fighter.quadLeft(now);
    }

    /** The scores of the teams, red first; empty in a match without teams. */
    public List<TeamScore> teamScores() {
        return rounds.teamScores();
    }

    /** The score of a team; 0 in a match without teams. */
    public int frags(Team team) {
        return rounds.players().teams().frags(team);
    }

    /** The frags of a team's players together, which are not its score in a match with flags. */
    public int points(Team team) {
        int points = 0;
        for (Fighter fighter : rounds.players().all()) {
            if (fighter.team().filter(team::equals).isPresent()) {
                points += fighter.score().frags();
            }
        }
        return points;
    }

    /** The team of a player; empty in a match without teams, and if it has left. */
    public Optional<Team> team(PlayerId id) {
        Fighter fighter = rounds.players().find(id);
        return fighter == null ? Optional.empty() : fighter.team();
    }

    /**
     * Sets what follows an intermission: it changes the level, and then {@linkplain #begin begins}
     * the next round. Without it, the next round begins at once.
     */
    public void setRotation(LongConsumer next) {
        rounds.setRotation(next);
    }

    /** Begins a round again, with its warm-up; an unfinished one ends without a winner. */
    public void begin(long now) {
        rounds.begin(now);
    }

    /**
     * Goes on to what follows the round: an unfinished one ends without a winner, an intermission
     * ends at once.
     */
    public void skipRound(long now) {
        rounds.skip(now);
    }

    /**
     * Pauses the match, or lets it go on: meanwhile its time stands still and no player is hit.
     *
     * @return whether that changed anything
     */
    public boolean setPaused(long now, boolean paused) {
        return rounds.setPaused(now, paused);
    }

    /** A player of this server is about to join. */
    public void beforeJoin(long now) {
        rounds.beforeJoin(now);
    }

    /** Adds a player; its score and team of this round are kept if it only was away. */
    public Fighter add(ActivePlayer player, @Nullable Subscriber subscriber) {
        Fighter fighter = new Fighter(player, subscriber, referee);
        rounds.add(fighter);
        return fighter;
    }

    /** The events of a player that has joined. */
    public void joined(long now, Fighter fighter) {
        rounds.joined(now, fighter);
    }

    /** Removes a player that has left. */
    public void remove(long now, Fighter fighter) {
        rounds.remove(now, fighter);
    }

    /**
     * Flies missiles, brings items back, and ends what is over.
     *
     * @return when to call again
     */
    public long advance(long now) {
        return rounds.advance(now);
    }
}
