package dev.wishdir.bedrock.combat;

import static dev.wishdir.bedrock.server.BedrockNetwork.SECOND;
import static dev.wishdir.bedrock.server.FightNetwork.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.combat.TeamRefusal;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.server.FightNetwork;
import dev.wishdir.bedrock.server.FightNetwork.Hunter;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Headless clients of this game fight on a server, in virtual time. */
@Tag("slow")
class BedrockFightTest {
    private static final long MILLI = 1_000_000;

    private static Hunter hunter(FightNetwork fight, String name, int protocol, int seed) {
        return new Hunter(seed).join(fight.n, name, protocol);
    }

    /** With 50 ms jitter and 2 % loss, all sides agree on who killed whom. */
    @ParameterizedTest
    @ValueSource(ints = {685, 748, 944, 1001, 2193})
    void twoFightAndAllAccountsAgree(int protocol) {
        FightNetwork fight = new FightNetwork(4, rounds(600, 10, 0));
        fight.n.network.conditions(new Conditions(0.02, 0, 20 * MILLI, 50 * MILLI));
        Hunter anna = hunter(fight, "anna", protocol, 1);
        Hunter bob = hunter(fight, "bob", 748, 2);
        fight.n.network.run(120 * SECOND);
        anna.fights = false;
        bob.fights = false;
        fight.n.network.run(10 * SECOND);

        List<ArenaEvent.Died> deaths = fight.events(ArenaEvent.Died.class);
        assertThat(deaths).hasSizeGreaterThan(5);
        Map<PlayerId, Integer> frags = new HashMap<>();
        Map<PlayerId, Integer> died = new HashMap<>();
        for (ArenaEvent.Died death : deaths) {
            frags.merge(death.killer().id(), 1, Integer::sum);
            died.merge(death.id(), 1, Integer::sum);
        }
        Map<String, Long> ids = Map.of("anna", anna.client().id(), "bob", bob.client().id());
        for (Player player : fight.n.arena.players()) {
            Score score = fight.n.arena.match().score(player.id());
            assertThat(score)
                    .isEqualTo(
                            new Score(
                                    frags.getOrDefault(player.id(), 0),
                                    died.getOrDefault(player.id(), 0)));
            for (Hunter each : List.of(anna, bob)) {
                assertThat(each.client().frags())
                        .containsEntry(ids.get(player.name()), score.frags());
            }
            Hunter own = player.name().equals("anna") ? anna : bob;
            assertThat(
                            fight.n
                                    .arena
                                    .player(player.id())
                                    .orElseThrow()
                                    .combatant()
                                    .vitals()
                                    .health())
                    .as("a client has whole points of the game")
                    .isCloseTo(own.client().health().orElseThrow(), within(MeleeRules.POINTS));
        }
        List<String> names =
                deaths.stream()
                        .map(death ->
                                ids.get(death.player().name())
                                        + " by "
                                        + ids.get(death.killer().name()))
                        .toList();
        double hurt =
                fight.events(ArenaEvent.Hit.class).stream()
                        .filter(hit -> hit.player().name().equals("anna"))
                        .mapToDouble(hit -> hit.damage() + Math.min(0, hit.vitals().health()))
                        .sum();
        assertThat(anna.heard.deaths).containsExactlyElementsOf(names);
        assertThat(bob.heard.deaths).containsExactlyElementsOf(names);
        assertThat(anna.heard.damageTaken).isCloseTo(hurt, within(MeleeRules.POINTS));
        assertThat(fight.events(ArenaEvent.MovementViolation.class))
                .hasSizeLessThanOrEqualTo(fight.events(ArenaEvent.Hit.class).size() / 20);
    }

    @Test
    void honestBlowsCountDespiteTheNetwork() {
        FightNetwork fight = new FightNetwork(5, rounds(600, 10, 0));
        fight.n.network.conditions(new Conditions(0.05, 0, 100 * MILLI, 20 * MILLI));
        hunter(fight, "anna", 748, 1);
        hunter(fight, "bob", 748, 2);
        fight.n.network.run(120 * SECOND);
        int hits = fight.events(ArenaEvent.Hit.class).size();
        long refused = fight.n.counters.get("bedrock.drop.attack-refused");
        assertThat(hits).isGreaterThan(40);
        assertThat(refused).as("of %s hits, with 200 ms round trip", hits).isLessThan(hits / 10);
    }

    @Test
    void roundsBeginAndEndOnEachScreen() {
        FightNetwork fight = new FightNetwork(6, rounds(30, 5, 0));
        Hunter anna = hunter(fight, "anna", 748, 1);
        Hunter bob = hunter(fight, "bob", 2193, 2);
        fight.n.network.run(28 * SECOND);
        Match match = fight.n.arena.match();
        assertThat(match.phase()).isEqualTo(Match.Phase.PLAYING);
        fight.n.network.run(3 * SECOND);
        assertThat(match.phase()).isEqualTo(Match.Phase.INTERMISSION);
        int hits = fight.events(ArenaEvent.Hit.class).size();
        assertThat(hits).isPositive();
        fight.n.network.run(SECOND);
        assertThat(fight.events(ArenaEvent.Hit.class)).hasSize(hits);
        fight.n.network.run(8 * SECOND);
        assertThat(fight.events(ArenaEvent.RoundStarted.class)).hasSize(2);
        assertThat(fight.events(ArenaEvent.RoundEnded.class)).hasSize(1);
        fight.n.network.run(12 * SECOND);
        assertThat(fight.events(ArenaEvent.Hit.class)).hasSizeGreaterThan(hits);
        anna.fights = false;
        bob.fights = false;
        fight.n.network.run(5 * SECOND);
        assertThat(anna.client().health()).isPresent();
        assertThat(anna.client().frags()).isEqualTo(bob.client().frags()).hasSize(2);
    }

    private static String teams(Hunter hunter, Hunter... all) {
        return Stream.of(all)
                .map(each -> hunter.client().teams().get(each.client().id()))
                .collect(Collectors.joining(" "));
    }

    @Test
    void teammatesDoNotHurtEachOther() {
        FightNetwork fight = new FightNetwork(9, MatchRules.of(MatchMode.TEAM));
        Hunter anna = hunter(fight, "anna", 748, 1);
        Hunter bob = hunter(fight, "bob", 2193, 2);
        Hunter eve = hunter(fight, "eve", 685, 3);
        fight.n.network.run(120 * SECOND);
        for (Hunter each : List.of(anna, bob, eve)) {
            each.fights = false;
        }
        fight.n.network.run(5 * SECOND);
        assertThat(fight.n.counters.get("bedrock.drop.attack-no-effect")).isPositive();
        Match match = fight.n.arena.match();
        List<ArenaEvent.Hit> hits = fight.events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(10);
        assertThat(hits)
                .allSatisfy(hit ->
                        assertThat(match.team(hit.attacker().id()))
                                .isNotEqualTo(match.team(hit.id())));
        Map<String, Integer> frags =
                Map.of("red", match.frags(Team.RED), "blue", match.frags(Team.BLUE));
        assertThat(frags.values()).anyMatch(it -> it > 0);
        for (Hunter each : List.of(anna, bob, eve)) {
            assertThat(teams(each, anna, bob, eve)).isEqualTo("red blue red");
            assertThat(each.client().teamFrags()).isEqualTo(frags);
        }
    }

    @Test
    @DisplayName("J22 a client of Bedrock that changes its team spawns without a death or a score")
    void changesTeams() {
        FightNetwork fight = new FightNetwork(10, MatchRules.of(MatchMode.TEAM));
        Hunter anna = hunter(fight, "anna", 748, 1);
        Hunter bob = hunter(fight, "bob", 748, 2);
        anna.fights = false;
        bob.fights = false;
        bob.client().command("team red");
        fight.n.network.run(SECOND);
        assertThat(bob.heard.texts).anyMatch(it -> it.contains(TeamRefusal.UNEVEN.notice()));
        anna.client().close();
        fight.n.network.run(SECOND);
        int spawns = fight.events(ArenaEvent.Spawned.class).size();
        for (int i = 0; i < 3; i++) {
            bob.client().command("team red");
            fight.n.network.run(SECOND);
        }
        assertThat(teams(bob, bob)).isEqualTo("red");
        assertThat(bob.heard.texts)
                .anyMatch(it -> it.contains("You are in the red team."))
                .anyMatch(it -> it.contains(TeamRefusal.SAME_TEAM.notice()));
        assertThat(bob.client().health()).hasValue(100);
        assertThat(fight.events(ArenaEvent.Spawned.class)).hasSize(spawns + 1);
        assertThat(fight.events(ArenaEvent.Died.class)).isEmpty();
        assertThat(fight.events(ArenaEvent.Scored.class)).isEmpty();
    }

    @Test
    void eachBlowKillsInInstagib() {
        FightNetwork fight = new FightNetwork(8, MatchRules.of(MatchMode.INSTA));
        hunter(fight, "anna", 748, 1);
        hunter(fight, "bob", 2193, 2);
        fight.n.network.run(60 * SECOND);
        List<ArenaEvent.Hit> hits = fight.events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(5);
        assertThat(fight.events(ArenaEvent.Died.class)).hasSameSizeAs(hits);
    }

    @Test
    void corpseIsNotAPlayer() {
        FightNetwork fight = new FightNetwork(8, MatchRules.of(MatchMode.INSTA));
        Hunter anna = hunter(fight, "anna", 748, 1);
        hunter(fight, "bob", 748, 2).fights = false;
        assertThat(
                        fight.n.network.runUntil(
                                () -> !fight.events(ArenaEvent.Died.class).isEmpty(), 60 * SECOND))
                .isTrue();
        fight.n.network.run(SECOND / 2);
        assertThat(anna.client().others()).as("the corpse lies there for 1.1 s").isEmpty();
        assertThat(anna.heard.vanished).hasSize(1);
        assertThat(fight.n.network.runUntil(() -> !anna.client().others().isEmpty(), 5 * SECOND))
                .isTrue();
    }

    @Test
    void withoutAMatchBlowsHurtNobody() {
        FightNetwork fight = new FightNetwork(7, MatchRules.NONE);
        Hunter anna = hunter(fight, "anna", 748, 1);
        hunter(fight, "bob", 748, 2);
        fight.n.network.run(30 * SECOND);
        assertThat(fight.events(ArenaEvent.ActionPerformed.class)).isNotEmpty();
        assertThat(fight.events(ArenaEvent.OfFight.class)).isEmpty();
        assertThat(anna.client().health()).hasValue(100);
        assertThat(anna.client().frags()).isEmpty();
    }

    /** With 50 ms jitter and 2 % loss. */
    @ParameterizedTest
    @ValueSource(ints = {685, 748, 1001, 2193})
    void killsFromAfarWithTheBowUntilItsArrowsAreUsedUp(int protocol) {
        FightNetwork fight = new FightNetwork(11, rounds(600, 10, 0));
        fight.n.network.conditions(new Conditions(0.02, 0, 20 * MILLI, 50 * MILLI));
        Hunter anna = hunter(fight, "anna", protocol, 1);
        Hunter bob = hunter(fight, "bob", 748, 2);
        anna.stays = true;
        bob.stays = true;
        bob.fights = false;
        fight.n.network.run(40 * SECOND);

        List<ArenaEvent.Hit> hits = fight.events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeBetween(8, 16);
        assertThat(hits)
                .allSatisfy(hit -> {
                    assertThat(hit.means()).isEqualTo(DamageMeans.PISTOL);
                    assertThat(hit.attacker().name()).isEqualTo("anna");
                });
        assertThat(fight.events(ArenaEvent.Died.class)).hasSizeGreaterThan(3);
        assertThat(anna.heard.deaths).isEqualTo(bob.heard.deaths).isNotEmpty();
        assertThat(fight.events(ArenaEvent.MovementViolation.class)).isEmpty();
        assertThat(fight.n.counters.get("bedrock.drop.use-item")).isZero();
        assertThat(fight.n.counters.get("bedrock.drop.release-without-use")).isZero();
    }
}
