package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.WeaponNames;
import dev.wishdir.arena.race.RaceTimes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Summary of the matches of recordings: their rounds, each player's score over all rounds, the
 * weapons, the flags, and the runs of races. At most {@link #MAX_PLAYERS} players and {@link
 * #MAX_ROUNDS} rounds.
 */
final class FightSummary {
    static final int MAX_PLAYERS = 1_000;
    static final int MAX_ROUNDS = 500;

    /** A player of a recording. */
    private static final class Fighter {
        private final String game;
        private String name;

        /** Of the rounds that have ended. */
        private int frags;

        private int deaths;
        private Score current = Score.ZERO;
        private double given;
        private double taken;
        private final Map<String, Integer> kills = new LinkedHashMap<>();
        private String team = "";
        private int takes;
        private int captures;
        private int returns;

        /** For how long it has carried flags. */
        private Duration held = Duration.ZERO;

        private int runs;
        private int bestMillis = Integer.MAX_VALUE;

        Fighter(Player player) {
            game = player.game();
            name = player.name();
        }

        void endRound() {
            frags += current.frags();
            deaths += current.deaths();
            current = Score.ZERO;
        }

        boolean hasFought() {
            return frags != 0 || deaths != 0 || given > 0 || taken > 0 || runs > 0;
        }

        boolean hasTouchedFlag() {
            return takes > 0 || captures > 0 || returns > 0;
        }

        /** The weapon with the most kills; empty without kills. */
        String weapon() {
            return kills.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElse("");
        }
    }

    /** Sums of a weapon. */
    private static final class Weapon {
        private int kills;
        private int hits;
        private double damage;
    }

    private final WeaponNames weaponNames;
    private final List<Fighter> all = new ArrayList<>();
    private final List<Map<String, Object>> rounds = new ArrayList<>();
    private final Map<String, Weapon> weapons = new TreeMap<>();
    private final Map<Team, Integer> teamScores = new EnumMap<>(Team.class);
    private Map<PlayerId, Fighter> fighters = new LinkedHashMap<>();

    /** Of earlier recordings, by game and name; not those of this one. */
    private final Map<List<String>, Fighter> former = new HashMap<>();

    private Map<String, Object> round = new LinkedHashMap<>();

    FightSummary(WeaponNames weaponNames) {
        this.weaponNames = weaponNames;
    }

    /** A recording begins: a player of the last one is known by game and name from now on. */
    void start() {
        end();
        fighters.values().forEach(it -> former.put(List.of(it.game, it.name), it));
        fighters = new LinkedHashMap<>();
    }

    /** The last recording has ended, perhaps within a round. */
    void end() {
        all.forEach(Fighter::endRound);
        round = new LinkedHashMap<>();
    }

    /**
     * Adds an event.
     *
     * @param seconds since the start of the first recording
     */
    void add(double seconds, ArenaEvent event) {
        switch (event) {
            case ArenaEvent.RoundStarted started -> startRound(seconds, started);
            case ArenaEvent.RoundEnded ended -> {
                round.put("end", ended.reason().toString());
                round.put(
                        "winner",
                        ended.team()
                                .map(Team::toString)
                                .or(() -> ended.winner().map(Player::name))
                                .orElse(""));
                if (round.get("from") instanceof Double from) {
                    round.put("seconds", seconds - from);
                } else if (rounds.size() < MAX_ROUNDS) {
                    // The recording began within it.
                    round.put("mode", "");
                    rounds.add(round);
                }
                all.forEach(Fighter::endRound);
                round = new LinkedHashMap<>();
            }
            case ArenaEvent.Scored scored -> {
                fighter(scored.player()).ifPresent(it -> it.current = scored.score());
                scored.team().ifPresent(it -> addScore(scored.player(), it));
            }
            case ArenaEvent.TeamChanged changed ->
                    fighter(changed.player()).ifPresent(it -> it.team = changed.team().toString());
            case ArenaEvent.Hit hit -> {
                Weapon weapon = weapon(hit.attacker(), hit.means());
                boolean own = hit.attacker().id().equals(hit.id());
                if (hit.damage() > 0 && !own) {
                    weapon.hits++;
                    weapon.damage += hit.damage();
                    fighter(hit.attacker()).ifPresent(it -> it.given += hit.damage());
                    fighter(hit.player()).ifPresent(it -> it.taken += hit.damage());
                }
            }
            case ArenaEvent.Died died -> {
                if (!died.killer().id().equals(died.id())) {
                    weapon(died.killer(), died.means()).kills++;
                    String name = weaponNames.of(died.killer().game(), died.means());
                    fighter(died.killer()).ifPresent(it -> it.kills.merge(name, 1, Integer::sum));
                }
            }
            case ArenaEvent.FlagChanged changed ->
                    changed.player()
                            .flatMap(this::fighter)
                            .ifPresent(it -> {
                                it.held = it.held.plus(changed.carried());
                                switch (changed.change()) {
                                    case TAKEN -> it.takes++;
                                    case CAPTURED -> it.captures++;
                                    case RETURNED -> it.returns++;
                                    case DROPPED, RESET -> {}
                                }
                            });
            case ArenaEvent.RunFinished run ->
                    fighter(run.player())
                            .ifPresent(it -> {
                                it.runs++;
                                it.bestMillis = Math.min(it.bestMillis, run.millis());
                            });
            case ArenaEvent.OfPlayer of -> {
                Fighter known = fighters.get(of.id());
                if (known != null) {
                    known.name = of.player().name();
                }
            }
            default -> {}
        }
    }

    private void startRound(double seconds, ArenaEvent.RoundStarted started) {
        all.forEach(Fighter::endRound);
        round = new LinkedHashMap<>();
        teamScores.clear();
        round.put("from", seconds);
        round.put("mode", started.mode().title());
        round.put("winner", "");
        round.put("end", "");
        if (rounds.size() < MAX_ROUNDS) {
            rounds.add(round);
        }
    }

    private void addScore(Player player, TeamScore score) {
        fighter(player).ifPresent(it -> it.team = score.team().toString());
        teamScores.put(score.team(), score.frags());
        round.put(
                "score",
                Stream.of(Team.values())
                        .map(team -> team + " " + teamScores.getOrDefault(team, 0))
                        .collect(Collectors.joining(", ")));
    }

    private Weapon weapon(Player attacker, DamageMeans means) {
        return weapons.computeIfAbsent(weaponNames.of(attacker.game(), means), _ -> new Weapon());
    }

    private Optional<Fighter> fighter(Player player) {
        Fighter known = fighters.get(player.id());
        if (known != null) {
            return Optional.of(known);
        }
        known = former.remove(List.of(player.game(), player.name()));
        if (known == null && all.size() < MAX_PLAYERS) {
            known = new Fighter(player);
            all.add(known);
        }
        if (known != null) {
            fighters.put(player.id(), known);
        }
        return Optional.ofNullable(known);
    }

    /** The figures of the page; without rounds and scores if there was no match. */
    Map<String, Object> data() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("rounds", rounds);
        data.put(
                "scores",
                all.stream()
                        .filter(Fighter::hasFought)
                        .sorted(
                                Comparator.comparingInt((Fighter it) -> -it.frags)
                                        .thenComparingInt(it -> it.deaths)
                                        .thenComparingInt(it -> it.bestMillis))
                        .map(FightSummary::row)
                        .toList());
        data.put(
                "weapons",
                weapons.entrySet().stream()
                        .filter(it -> it.getValue().hits > 0 || it.getValue().kills > 0)
                        .sorted(
                                Comparator.comparingInt(
                                        (Map.Entry<String, Weapon> it) -> -it.getValue().kills))
                        .map(it ->
                                List.of(
                                        it.getKey(),
                                        it.getValue().kills,
                                        it.getValue().hits,
                                        Math.round(it.getValue().damage)))
                        .toList());
        data.put(
                "flags",
                all.stream()
                        .filter(Fighter::hasTouchedFlag)
                        .sorted(
                                Comparator.comparingInt((Fighter it) -> -it.captures)
                                        .thenComparingInt(it -> -it.returns)
                                        .thenComparingInt(it -> -it.takes))
                        .map(it ->
                                List.of(
                                        it.name,
                                        it.game,
                                        it.team,
                                        it.takes,
                                        it.captures,
                                        it.returns,
                                        it.held.toMillis() / 1_000.0))
                        .toList());
        return data;
    }

    private static Map<String, Object> row(Fighter fighter) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", fighter.name);
        row.put("game", fighter.game);
        row.put("team", fighter.team);
        row.put("frags", fighter.frags);
        row.put("deaths", fighter.deaths);
        row.put("given", Math.round(fighter.given));
        row.put("taken", Math.round(fighter.taken));
        row.put("weapon", fighter.weapon());
        row.put("runs", fighter.runs);
        row.put("best", fighter.runs == 0 ? "" : RaceTimes.text(fighter.bestMillis));
        return row;
    }
}
