package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Players of Quake II and Quake III carry the flags of one match, over a link that loses. */
@Tag("slow")
class FlagsInTwoQuakesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Vec3 RED_HOME = new Vec3(-12, 3, 0);
    private static final Vec3 BLUE_HOME = new Vec3(12, 3, 0);

    /** One for both games, as each compiles it once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withBases(
                    Optional.of(
                            new FlagBases(
                                    new FlagBases.Base(RED_HOME, List.of()),
                                    new FlagBases.Base(BLUE_HOME, List.of()))));

    private final Random random = new Random(5);
    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final List<String> changes = new ArrayList<>();

    /** A client that walks to a place. */
    private final class Walker implements ClientListener {
        final String name;
        final Client client;
        final List<String> lines = new ArrayList<>();
        private final Vec3 aside;
        private Vec3 target;

        Walker(FourGames server, Game game, String name, Vec3 target) throws IOException {
            this.name = name;
            this.target = target;
            aside = target;
            client =
                    game.connect(
                            ClientConfig.builder(network.cycle(), server.address(game.name()))
                                    .name(name)
                                    .controller((_, self) -> steer(self))
                                    .listener(this)
                                    .random(random)
                                    .build());
            assertThat(network.runUntil(client::joined, 20 * SECOND)).isTrue();
            network.run(SECOND);
        }

        private PlayerInput steer(Movement self) {
            Vec3 way = target.minus(self.position());
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            return way.horizontal() > 0.5
                    ? PlayerInput.walk(yaw, yaw, 0)
                    : PlayerInput.look(self.yaw(), 0);
        }

        @Override
        public void onChat(Client self, String player, String text) {
            lines.add(text.strip());
        }

        /** Walks to a place until a change of a flag. */
        void walk(Vec3 place, String change) {
            target = place;
            int before = changes.size();
            assertThat(
                            network.runUntil(
                                    () -> changes.subList(before, changes.size()).contains(change),
                                    15 * SECOND))
                    .as(change + " in " + changes)
                    .isTrue();
            target = aside;
        }

        RemoteFlag flag(Team team) {
            return client.flags().get(team.ordinal());
        }

        boolean sees(Walker carrier, RemoteFlag flag) {
            return flag.state() == State.CARRIED
                    && (carrier == this
                            ? flag.carrier() == client.id()
                            : client.others().stream()
                                    .filter(it -> it.name().endsWith(carrier.name))
                                    .anyMatch(it -> it.id() == flag.carrier()));
        }
    }

    @Test
    void eachShowsTheCarrierOfTheOther() throws IOException {
        network.conditions(new Conditions(0.03, 0, SECOND / 50, SECOND / 100));
        try (FourGames server =
                new FourGames(network, random, 8, MatchRules.of(MatchMode.CTF), BLOCKS)) {
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.FlagChanged e
                                && e.change() != FlagChange.RESET) {
                            changes.add(
                                    e.flag()
                                            + " "
                                            + e.change()
                                            + " "
                                            + e.player().orElseThrow().name());
                        }
                    });
            Walker anna = new Walker(server, new Quake3Game(), "anna", new Vec3(-6, -14, 0));
            Walker bob = new Walker(server, new Quake2Game(), "bob", new Vec3(6, -14, 0));
            anna.walk(BLUE_HOME, "blue taken anna");
            bob.walk(RED_HOME, "red taken bob");
            network.run(2 * SECOND);
            Walker late = new Walker(server, new Quake2Game(), "late", new Vec3(0, 14, 0));
            Walker later = new Walker(server, new Quake3Game(), "later", new Vec3(4, 14, 0));
            for (Walker each : List.of(anna, bob, late, later)) {
                assertThat(each.sees(anna, each.flag(Team.BLUE))).as(each.name).isTrue();
                assertThat(each.sees(bob, each.flag(Team.RED))).as(each.name).isTrue();
            }
            assertThat(bob.client.dropFlag()).isTrue();
            // It takes the flag again where it stands beside it for 2 s.
            bob.target = new Vec3(8, 8, 0);
            network.run(SECOND);
            assertThat(changes).last().isEqualTo("red dropped bob");
            Vec3 lies = later.flag(Team.RED).place().orElseThrow();
            anna.walk(lies, "red returned anna");
            anna.walk(RED_HOME, "blue captured anna");
            network.run(2 * SECOND);
            for (Walker each : List.of(anna, bob, late, later)) {
                assertThat(each.client.flags())
                        .as(each.name)
                        .extracting(RemoteFlag::state)
                        .containsExactly(State.HOME, State.HOME);
                assertThat(each.lines).anyMatch(it -> it.endsWith("anna captured the BLUE flag!"));
            }
        }
    }
}
