package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.CheatPolicy;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Who moves as nobody can is found in every game, and nobody else is. */
@Tag("slow")
class FairnessTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int SECONDS = TestEffort.times(48);

    private final Random random = new Random(11);
    private final SimulatedNetwork network = new SimulatedNetwork(11);

    /** Somewhere for a while, then elsewhere; many jump as they go, some crouch, some rest. */
    private static BotController wanderer(long seed) {
        return (now, _) -> {
            Random whim = new Random(seed * 7919 + now / (2 * SECOND));
            double direction = whim.nextInt(360);
            PlayerInput walk = PlayerInput.walk(direction, direction, 0);
            int mood = whim.nextInt(8);
            return new PlayerInput(
                    walk.yaw(),
                    whim.nextInt(60) - 30,
                    mood == 0 ? 0 : walk.forward(),
                    walk.left(),
                    mood > 3,
                    mood == 1);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall", "hills"})
    @DisplayName("G11 nobody who plays honestly over a bad network is judged, limited or kicked")
    void acceptsHonestPlayers(String name) throws IOException {
        FourGames server = new FourGames(network, random, 64, ArenaCatalog.shipped(name));
        List<TestClient> guests = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Game game = FourGames.ALL.get(i % FourGames.ALL.size());
            guests.add(server.guest(game, "honest" + i, wanderer(i)));
        }
        server.await(guests);
        network.conditions(new Conditions(0.05, 0, 20 * MILLI, 200 * MILLI));
        for (int second = 0; second < SECONDS; second++) {
            playAsInPublic(server, guests, second);
            network.run(SECOND);
        }
        assertThat(server.laws().verdicts()).isEmpty();
        assertThat(server.laws().limited()).isEmpty();
        assertThat(server.laws().broken()).isEmpty();
        assertThat(guests).allMatch(TestClient::in);
    }

    /** A line in twelve seconds, in pairs at times; a new name, or away and back, in minutes. */
    private static void playAsInPublic(FourGames server, List<TestClient> guests, int second)
            throws IOException {
        int index = second % guests.size();
        TestClient guest = guests.get(index);
        if (guest.in()) {
            guest.client.say("line " + second);
            if (second % 5 < 2) {
                guest.client.say("and another");
            }
            if (second % 7 == 3) {
                guest.client.rename("other" + second);
            }
        }
        int changing = second % 48;
        if (changing == 8 || changing == 21) {
            assertThat(guest.in()).as("%s", guest).isTrue();
            guest.client.close();
        } else if (changing == 20 || changing == 33) {
            guests.set(index, server.guest(guest.game, "back" + second, wanderer(second)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OBSERVE", "FREEZE", "KICK"})
    @DisplayName("F4, G11: who hastens is judged, in every game, with the rule and its numbers")
    void reportsSpeedCheat(CheatPolicy policy) throws IOException {
        FourGames server = new FourGames(network, random, 64);
        server.arena().setCheatPolicy(policy);
        List<ArenaEvent.MovementViolation> verdicts = server.laws().verdicts();
        Map<String, ViolationRule> rules = new TreeMap<>();
        for (Game game : FourGames.ALL) {
            verdicts.clear();
            // The last one's goodbye may have been lost in its own flood.
            String hastens = "hasty" + game.port();
            TestClient honest = server.guest(game, "honest", wanderer(1));
            TestClient hasty =
                    server.guest(
                            game,
                            hastens,
                            (now, _) -> PlayerInput.walk((double) (now / SECOND % 4 * 90), 0, 0));
            assertThat(network.runUntil(() -> honest.in() && hasty.in(), 60 * SECOND)).isTrue();
            network.run(3 * SECOND);
            assertThat(verdicts).isEmpty();
            hasty.cycle.hasten(20);
            network.run(10 * SECOND);
            assertThat(verdicts)
                    .as(game.name())
                    .isNotEmpty()
                    .hasSizeLessThan(12)
                    .allMatch(violation -> violation.player().name().equals(hastens))
                    .allMatch(violation -> violation.measured() > violation.allowed())
                    .allMatch(violation -> violation.allowance() <= violation.allowed());
            rules.put(game.name(), verdicts.getFirst().rule());
            if (policy == CheatPolicy.KICK) {
                assertThat(hasty.in()).as("%s", hasty).isFalse();
                ArenaEvent.MovementViolation first = verdicts.getFirst();
                assertThat(hasty.heard + hasty.ending)
                        .contains(first.rule().describe(first.measured(), first.allowed()));
            } else {
                assertThat(hasty.in()).as("%s", hasty).isTrue();
            }
            assertThat(honest.in()).as("%s", honest).isTrue();
            honest.client.close();
            hasty.client.close();
            network.run(3 * SECOND);
        }
        assertThat(rules)
                .containsEntry("quake2", ViolationRule.CLOCK_AHEAD)
                .containsEntry("bedrock", ViolationRule.MOVEMENT_COUNT)
                .containsKeys("quake3", "sauerbraten");
    }
}
