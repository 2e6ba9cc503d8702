package dev.wishdir.arena;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.FlagRules;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Teams and instagib, in virtual time. */
class TeamMatchTest {
    private static final long SECOND = 1_000_000_000;
    private static final Vitals WHOLE = new Vitals(100, 50, 0.5);

    private static final Level LEVEL =
            new Level("test", new Bounds(new Vec3(-90, -90, 0), new Vec3(90, 90, 30)));

    private final Arena arena = new Arena(LEVEL, 20);
    private final List<String> events = new ArrayList<>();
    private long now;

    private record Eye(List<ArenaEvent> seen) implements Viewer {
        Eye() {
            this(new ArrayList<>());
        }

        @Override
        public void onEvent(ArenaEvent event) {
            seen.add(event);
        }

        @Override
        public void onMovement(List<Player> movers) {}
    }

    private static MatchRules rules(MatchMode mode, int frags, boolean friendlyFire) {
        return new MatchRules(
                mode,
                Duration.ofMinutes(10),
                frags,
                Duration.ZERO,
                Duration.ofSeconds(5),
                Map.of(),
                MatchRules.DEFAULT_REWIND,
                friendlyFire,
                true,
                FlagRules.DEFAULT);
    }

    private void play(MatchMode mode, int frags, boolean friendlyFire) {
        arena.setMatchRules(rules(mode, frags, friendlyFire));
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Died e ->
                        events.add(e.killer().name() + " kills " + e.player().name());
                case ArenaEvent.Scored e ->
                        events.add(
                                e.player().name()
                                        + " "
                                        + e.score().frags()
                                        + e.team()
                                                .map(it -> " " + it.team() + " " + it.frags())
                                                .orElse(""));
                case ArenaEvent.TeamChanged e -> events.add(e.player().name() + " in " + e.team());
                case ArenaEvent.Despawned e -> events.add("no body " + e.player().name());
                case ArenaEvent.RoundStarted _ -> events.add("start");
                case ArenaEvent.RoundEnded e ->
                        events.add(
                                "end "
                                        + e.reason()
                                        + e.winner().map(it -> " " + it.name()).orElse("")
                                        + e.team().map(it -> " " + it).orElse(""));
                case ArenaEvent.Announcement e -> events.add(e.text());
                default -> {}
            }
        });
    }

    private void play() {
        play(MatchMode.TEAM, 0, false);
    }

    private ArenaPlayer join(String name) {
        return arena.join(now, "quake3", name, new Eye());
    }

    private void live(ArenaPlayer player) {
        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
        player.spawn(now, Movement.at(new Vec3(player.id().number(), 0, 0), 0));
    }

    private ArenaPlayer fighter(String name) {
        ArenaPlayer player = join(name);
        live(player);
        return player;
    }

    private boolean hit(ArenaPlayer attacker, ArenaPlayer victim, double damage) {
        return attacker.combatant()
                .hit(now, victim.id(), DamageMeans.RIFLE, damage, Vec3.ZERO, Vec3.ZERO);
    }

    private void kill(ArenaPlayer attacker, ArenaPlayer victim) {
        assertThat(hit(attacker, victim, 1_000)).isTrue();
        live(victim);
    }

    private Team team(ArenaPlayer player) {
        return player.combatant().team().orElseThrow();
    }

    private void pass(double seconds) {
        now += (long) (seconds * SECOND);
        arena.players().forEach(it -> arena.player(it.id()).orElseThrow().recordActivity(now));
        arena.advance(now);
    }

    @Test
    void newcomersGoToTheSmallerTeamThenToTheWeaker() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        assertThat(team(anna)).isEqualTo(Team.RED);
        assertThat(team(bob)).isEqualTo(Team.BLUE);
        kill(anna, bob);
        ArenaPlayer eve = fighter("eve");
        assertThat(team(eve)).as("blue has fewer frags").isEqualTo(Team.BLUE);
        assertThat(team(fighter("dan"))).as("red has fewer players").isEqualTo(Team.RED);
        assertThat(arena.match().team(eve.id())).contains(Team.BLUE);
        assertThat(events).contains("anna in red", "bob in blue", "eve in blue", "dan in red");
    }

    @Test
    void matchesWithoutTeamsHaveNone() {
        play(MatchMode.FFA, 0, false);
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        kill(anna, bob);
        assertThat(anna.combatant().team()).isEmpty();
        assertThat(arena.match().teamScores()).isEmpty();
        assertThat(anna.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.NO_TEAMS);
        assertThat(events).contains("anna 1").noneMatch(it -> it.contains(" in "));
    }

    @Test
    void playersOfOtherServersHaveNoTeam() {
        play();
        ArenaPlayer far = arena.mirror(now, new PlayerId(7, 1), "quake3", "far");
        assertThat(far.combatant().team()).isEmpty();
        assertThat(far.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.NO_TEAMS);
    }

    @Test
    void teammatesDoNotHurtEachOther() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        ArenaPlayer eve = fighter("eve");
        assertThat(team(eve)).isEqualTo(Team.RED);
        assertThat(hit(anna, eve, 10)).isFalse();
        assertThat(eve.combatant().vitals()).isEqualTo(WHOLE);
        assertThat(hit(anna, bob, 10)).isTrue();
        assertThat(hit(anna, anna, 10)).as("itself").isTrue();
    }

    @Test
    void friendlyFireCostsThePlayerAndItsTeamAFrag() {
        play(MatchMode.TEAM, 0, true);
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        ArenaPlayer eve = fighter("eve");
        kill(anna, bob);
        events.clear();
        kill(anna, eve);
        assertThat(anna.combatant().score()).isEqualTo(new Score(0, 0));
        assertThat(eve.combatant().score()).isEqualTo(new Score(0, 1));
        assertThat(arena.match().teamScores())
                .containsExactly(new TeamScore(Team.RED, 0), new TeamScore(Team.BLUE, 0));
        assertThat(events).startsWith("anna kills eve", "anna 0 red 0", "eve 0 red 0");
    }

    @Test
    void aTeamsScoreKeepsWhatThoseScoredThatLeft() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        kill(anna, bob);
        kill(anna, bob);
        bob.combatant().die(now);
        anna.leave(now, LeaveReason.LEFT);
        assertThat(arena.match().teamScores())
                .containsExactly(new TeamScore(Team.RED, 2), new TeamScore(Team.BLUE, -1));
    }

    @Test
    @DisplayName("J14 a player that comes back in the round is in its team again")
    void keepsTheTeamOfAPlayerThatComesBack() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        assertThat(team(bob)).isEqualTo(Team.BLUE);
        bob.leave(now, LeaveReason.LEFT);
        assertThat(team(join("eve"))).isEqualTo(Team.BLUE);
        assertThat(team(join("bob"))).as("although it is the bigger").isEqualTo(Team.BLUE);
        assertThat(anna.combatant().score()).isEqualTo(Score.ZERO);
    }

    @Test
    void theBestTeamWins() {
        play(MatchMode.TEAM, 2, false);
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        ArenaPlayer eve = fighter("eve");
        kill(anna, bob);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(arena.match().status(now)).endsWith("limit 2 frags, red 1, blue 0");
        hit(eve, bob, 1_000);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        assertThat(events)
                .endsWith("no body bob", "end score-limit red", "The red team wins with 2 frags.");
        assertThat(arena.match().teamScores()).first().isEqualTo(new TeamScore(Team.RED, 2));
        pass(5.1);
        assertThat(arena.match().teamScores()).first().isEqualTo(new TeamScore(Team.RED, 0));
    }

    @Test
    void noTeamWinsWithTheSameScore() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        ArenaPlayer eve = fighter("eve");
        kill(anna, bob);
        kill(bob, eve);
        pass(1_000);
        assertThat(events).endsWith("end time-limit", "The round ends without a winner.");
    }

    @Test
    void noTeamWinsWithoutAFrag() {
        play();
        fighter("anna");
        fighter("bob").combatant().die(now);
        assertThat(arena.match().teamScores())
                .containsExactly(new TeamScore(Team.RED, 0), new TeamScore(Team.BLUE, -1));
        pass(1_000);
        assertThat(events).endsWith("end time-limit", "The round ends without a winner.");
    }

    @Test
    void theNewestPlayersMoveBeforeARoundIfTeamsAreUneven() {
        play();
        List<ArenaPlayer> players = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            players.add(fighter("p" + i));
        }
        // Blue loses all but one.
        for (int i : new int[] {1, 3, 5}) {
            players.get(i).leave(now, LeaveReason.LEFT);
        }
        events.clear();
        arena.match().begin(now);
        assertThat(events).containsSubsequence("end restarted", "p6 in blue", "start");
        assertThat(events).filteredOn(it -> it.contains(" in ")).hasSize(1);
        assertThat(team(players.get(4))).isEqualTo(Team.RED);
        events.clear();
        arena.match().begin(now);
        assertThat(events).noneMatch(it -> it.contains(" in "));
    }

    @Test
    void refusesAChangeThatMakesTeamsUnevenOrComesTooSoon() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        assertThat(anna.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.SAME_TEAM);
        assertThat(anna.combatant().changeTeam(now, Team.BLUE)).contains(TeamRefusal.UNEVEN);
        ArenaPlayer eve = fighter("eve");
        assertThat(bob.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.UNEVEN);
        assertThat(eve.combatant().changeTeam(now, Team.BLUE)).isEmpty();
        assertThat(eve.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.TOO_SOON);
        pass(4.9);
        assertThat(eve.combatant().changeTeam(now, Team.RED)).contains(TeamRefusal.TOO_SOON);
        pass(0.1);
        assertThat(eve.combatant().changeTeam(now, Team.RED)).isEmpty();
        eve.leave(now, LeaveReason.LEFT);
        assertThat(eve.combatant().changeTeam(now, Team.BLUE)).contains(TeamRefusal.NO_TEAMS);
    }

    @Test
    @DisplayName("J22 a team change in flight kills no player twice and gives no score")
    void aChangeInFlightScoresNothing() {
        play();
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        ArenaPlayer eve = fighter("eve");
        hit(bob, eve, 10);
        events.clear();
        assertThat(eve.combatant().changeTeam(now, Team.BLUE)).isEmpty();
        assertThat(events).containsExactly("no body eve", "eve in blue");
        assertThat(eve.combatant().isAlive()).isFalse();
        assertThat(eve.snapshot().spawned()).isFalse();
        assertThat(hit(bob, eve, 1_000)).as("the shot that was under way").isFalse();
        assertThat(hit(eve, anna, 1_000)).as("its own shot at its former team").isFalse();
        eve.combatant().die(now);
        for (ArenaPlayer player : List.of(anna, bob, eve)) {
            assertThat(player.combatant().score()).isEqualTo(Score.ZERO);
        }
        live(eve);
        assertThat(hit(bob, eve, 10)).as("they are one team now").isFalse();
        assertThat(hit(eve, anna, 1_000)).isTrue();
        assertThat(arena.match().teamScores()).last().isEqualTo(new TeamScore(Team.BLUE, 1));
        pass(6);
        assertThat(eve.combatant().changeTeam(now, Team.RED)).isEmpty();
        assertThat(eve.combatant().score().frags()).as("its own frags").isOne();
        assertThat(arena.match().teamScores())
                .as("stay where they were scored")
                .containsExactly(new TeamScore(Team.RED, 0), new TeamScore(Team.BLUE, 1));
    }

    @Test
    void notifiesThePlayersOwnViewer() {
        play();
        Eye eye = new Eye();
        ArenaPlayer anna = arena.join(now, "quake3", "anna", eye);
        assertThat(eye.seen())
                .filteredOn(ArenaEvent.TeamChanged.class::isInstance)
                .containsExactly(new ArenaEvent.TeamChanged(now, anna.snapshot(), Team.RED));
    }

    @Test
    void anOperatorSkipsTheRound() {
        play();
        List<Long> asked = new ArrayList<>();
        arena.match().skipRound(now);
        arena.match().setRotation(asked::add);
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        kill(anna, bob);
        arena.match().setPaused(now, true);
        events.clear();
        arena.match().skipRound(now);
        assertThat(events).containsExactly("end skipped");
        assertThat(asked).hasSize(1);
        assertThat(arena.match().isPaused()).isFalse();
        assertThat(hit(anna, bob, 10)).as("until the next level is there").isFalse();
        pass(1_000);
        assertThat(asked).hasSize(1);
        arena.match().begin(now);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(arena.match().teamScores()).first().isEqualTo(new TeamScore(Team.RED, 0));
    }

    @Test
    void eachHitKillsInInstagib() {
        play(MatchMode.INSTA, 0, false);
        ArenaPlayer anna = fighter("anna");
        ArenaPlayer bob = fighter("bob");
        assertThat(hit(anna, bob, 0.1)).isTrue();
        assertThat(bob.combatant().isAlive()).isFalse();
        assertThat(events).contains("anna kills bob", "anna 1");
        assertThat(hit(anna, anna, 10)).isTrue();
        assertThat(anna.combatant().vitals()).as("its own hit").isEqualTo(new Vitals(95, 45, 0.5));
    }

    @Test
    void readsTheTeamThatAPlayerWrites() {
        assertThat(Team.of("red")).contains(Team.RED);
        assertThat(Team.of("B")).contains(Team.BLUE);
        assertThat(Team.of("")).isEmpty();
        assertThat(Team.of("green")).isEmpty();
    }

    /** Whatever happens, the teams' scores are the sum of what was scored in them. */
    @Test
    @DisplayName("J15 the scores of teams add up whatever players do")
    void addsUpWhateverHappens() {
        for (int run = 0; run < 100; run++) {
            addsUp(new Random(run));
        }
    }

    private static void addsUp(Random random) {
        Arena arena = new Arena(LEVEL, 20);
        boolean friendlyFire = random.nextBoolean();
        arena.setMatchRules(rules(MatchMode.TEAM, random.nextInt(8), friendlyFire));
        Map<Team, Integer> expected = new EnumMap<>(Team.class);
        Map<PlayerId, Team> teams = new HashMap<>();
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.TeamChanged e -> teams.put(e.id(), e.team());
                case ArenaEvent.Died e -> {
                    Team killers = teams.get(e.killer().id());
                    boolean itself = e.killer().id().equals(e.id());
                    boolean own = killers == teams.get(e.id());
                    assertThat(!own || itself || friendlyFire).isTrue();
                    if (arena.match().phase() == Match.Phase.PLAYING) {
                        expected.merge(killers, own ? -1 : 1, Integer::sum);
                    }
                }
                case ArenaEvent.Scored e ->
                        assertThat(e.team()).map(TeamScore::team).contains(teams.get(e.id()));
                case ArenaEvent.RoundStarted _ -> expected.clear();
                default -> {}
            }
        });
        List<ArenaPlayer> players = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 400; step++) {
            now += random.nextLong(SECOND);
            arena.advance(now);
            if (players.size() < 3 || random.nextInt(40) == 0 && players.size() < 10) {
                players.add(arena.join(now, "quake3", "p" + step, new Eye()));
            }
            ArenaPlayer player = players.get(random.nextInt(players.size()));
            ArenaPlayer other = players.get(random.nextInt(players.size()));
            player.recordActivity(now);
            switch (random.nextInt(12)) {
                case 0 -> player.combatant().die(now);
                case 1 -> {
                    if (random.nextInt(4) == 0) {
                        player.leave(now, LeaveReason.LEFT);
                        players.remove(player);
                    }
                }
                case 2, 3 ->
                        player.combatant()
                                .changeTeam(
                                        now, Team.values()[random.nextInt(Team.values().length)]);
                case 4, 5, 6 -> {
                    if (!player.combatant().isAlive()) {
                        player.combatant().beginLife(now, WHOLE, ArmourRule.EXACT);
                        player.spawn(now, Movement.at(new Vec3(random.nextInt(9), 0, 0), 0));
                    }
                }
                default ->
                        player.combatant()
                                .hit(
                                        now,
                                        other.id(),
                                        DamageMeans.ROCKET,
                                        random.nextInt(1, 300),
                                        Vec3.ZERO,
                                        Vec3.ZERO);
            }
            if (arena.match().phase() == Match.Phase.PLAYING) {
                for (TeamScore score : arena.match().teamScores()) {
                    assertThat(score.frags()).isEqualTo(expected.getOrDefault(score.team(), 0));
                }
            }
        }
    }

    @Test
    @DisplayName("J27 players that only watch fill no team")
    void countsNoWatchersInTeams() {
        play();
        ArenaPlayer one = fighter("one");
        ArenaPlayer watcher = fighter("watcher");
        watcher.combatant().setWatching(now, true);
        watcher.despawn(now);
        ArenaPlayer two = fighter("two");
        assertThat(two.combatant().team()).isNotEqualTo(one.combatant().team());

        ArenaPlayer three = fighter("three");
        three.leave(now, LeaveReason.LEFT);
        two.leave(now, LeaveReason.LEFT);
        ArenaPlayer four = fighter("four");
        assertThat(four.combatant().team()).isNotEqualTo(one.combatant().team());
        four.leave(now, LeaveReason.LEFT);
        ArenaPlayer other = one;
        while (!other.combatant().team().equals(watcher.combatant().team())) {
            other = fighter("more" + other.id().number());
        }
        assertThat(watcher.combatant().team()).isEqualTo(other.combatant().team());
        events.clear();
        one.leave(now, LeaveReason.LEFT);
        watcher.combatant().setWatching(now, false);
        assertThat(watcher.combatant().team()).isNotEqualTo(other.combatant().team());
        assertThat(events).anyMatch(event -> event.startsWith("watcher in "));
    }
}
