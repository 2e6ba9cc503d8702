package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What the players of each game do, as those of the three others see it. */
@Tag("slow")
class PlayerActionsTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Random random = new Random(3);

    /** Who stands there, and what it sees others do. */
    private final class Watcher implements ClientListener {
        final Game game;
        final String name;
        final List<String> seen = new ArrayList<>();
        final Client client;
        boolean crouches;
        boolean jumps;

        Watcher(Game game, FourGames server) throws IOException {
            this.game = game;
            name = "who" + FourGames.ALL.indexOf(game);
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .controller(
                                            (_, _) -> new PlayerInput(0, 0, 0, 0, jumps, crouches))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        @Override
        public void onAction(Client self, Client.RemotePlayer other, PlayerAction action) {
            seen.add(other.name() + " " + action);
        }

        /** What it sees who acts so: Bedrock has one gesture for all. */
        void sees(Watcher actor, PlayerAction action) {
            PlayerAction shown = game.name().equals("bedrock") ? PlayerAction.ATTACK : action;
            assertThat(seen)
                    .as("%s sees the %s of %s", game.name(), action, actor.game.name())
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(actor.name + " " + shown));
        }
    }

    /** A player's stance as another client sees it. */
    private static Stance stance(Watcher watcher, Watcher actor) {
        return watcher.client.others().stream()
                .filter(other -> other.name().endsWith(actor.name))
                .map(other -> other.movement().stance())
                .findFirst()
                .orElseThrow();
    }

    private List<Watcher> watchers(FourGames server) throws IOException {
        List<Watcher> watchers = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            watchers.add(new Watcher(game, server));
        }
        assertThat(
                        network.runUntil(
                                () ->
                                        watchers.stream()
                                                .allMatch(each -> each.client.others().size() == 3),
                                30 * SECOND))
                .isTrue();
        network.run(3 * SECOND);
        watchers.forEach(each -> each.seen.clear());
        return watchers;
    }

    static List<String> games() {
        return FourGames.GAMES;
    }

    @ParameterizedTest
    @MethodSource("games")
    void showsAttacksAndTauntsInOtherGames(String from) throws IOException {
        try (FourGames server = new FourGames(network, random, 8)) {
            List<Watcher> watchers = watchers(server);
            Watcher actor = watchers.get(FourGames.GAMES.indexOf(from));
            for (boolean crouches : new boolean[] {false, true}) {
                actor.crouches = crouches;
                network.run(SECOND);
                for (PlayerAction action : PlayerAction.values()) {
                    if (!actor.client.act(action)) {
                        assertThat(from).isEqualTo("bedrock");
                        continue;
                    }
                    network.run(4 * SECOND);
                    for (Watcher watcher : watchers) {
                        boolean ducks = crouches && action == PlayerAction.TAUNT;
                        if (watcher != actor && !(ducks && watcher.game.name().equals("quake2"))) {
                            watcher.sees(actor, action);
                        }
                        watcher.seen.clear();
                    }
                }
            }
            assertThat(server.laws().limited()).isEmpty();
            assertThat(server.laws().verdicts()).isEmpty();
            assertThat(watchers).allMatch(each -> each.client.joined());
        }
    }

    /** Sauerbraten has no crouching; Bedrock shows a jump by where the body is. */
    @ParameterizedTest
    @MethodSource("games")
    void showsCrouchesAndJumpsInOtherGames(String from) throws IOException {
        try (FourGames server = new FourGames(network, random, 8)) {
            List<Watcher> watchers = watchers(server);
            Watcher actor = watchers.get(FourGames.GAMES.indexOf(from));
            watchers.remove(actor);
            for (boolean crouches : new boolean[] {true, false}) {
                actor.crouches = crouches;
                network.run(SECOND);
                for (Watcher watcher : watchers) {
                    boolean none = Set.of(from, watcher.game.name()).contains("sauerbraten");
                    assertThat(stance(watcher, actor).crouched())
                            .as(watcher.game.name())
                            .isEqualTo(crouches && !none);
                }
            }
            Set<Watcher> up = new HashSet<>();
            actor.jumps = true;
            for (int i = 0; i < 100; i++) {
                network.run(20 * MILLI);
                for (Watcher watcher : watchers) {
                    Stance stance = stance(watcher, actor);
                    boolean bedrock = watcher.game.name().equals("bedrock");
                    if (bedrock ? !stance.onGround() : stance.has(Flag.JUMPING)) {
                        up.add(watcher);
                    }
                }
            }
            assertThat(up).hasSameSizeAs(watchers);
            actor.jumps = false;
            network.run(2 * SECOND);
            assertThat(watchers).allMatch(watcher -> stance(watcher, actor).onGround());
        }
    }

    @Test
    @DisplayName("who attacks without end is shown two and a half times a second")
    void limitsRateOfActions() throws IOException {
        try (FourGames server = new FourGames(network, random, 8)) {
            List<Watcher> watchers = watchers(server);
            List<ArenaEvent.ActionPerformed> acted = new ArrayList<>();
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.ActionPerformed each) {
                            acted.add(each);
                        }
                    });
            for (int i = 0; i < 200; i++) {
                watchers.forEach(each -> each.client.act(PlayerAction.ATTACK));
                network.run(20 * MILLI);
            }
            for (Watcher watcher : watchers) {
                assertThat(acted)
                        .filteredOn(each -> each.player().game().equals(watcher.game.name()))
                        .as(watcher.game.name())
                        .hasSizeBetween(3, 11);
                for (Watcher other : watchers) {
                    if (other != watcher) {
                        assertThat(watcher.seen)
                                .filteredOn(line -> line.contains(other.name))
                                .as("%s of %s", watcher.game.name(), other.game.name())
                                .hasSizeBetween(1, 11);
                    }
                }
            }
        }
    }
}
