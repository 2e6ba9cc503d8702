package dev.wishdir.game;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Headless clients of a game capture the flag on a server, in virtual time.
 *
 * @param <C> the client of the game
 */
public abstract class FlagScenario<C extends Client> {
    protected static final long SECOND = 1_000_000_000L;
    private static final int STEPS_PER_SECOND = 50;
    protected static final Vec3 RED_HOME = new Vec3(-12, 3, 0);
    protected static final Vec3 BLUE_HOME = new Vec3(12, 3, 0);

    /** One for all methods, as it is compiled once. */
    private static final BlockArena BLOCKS =
            ArenaCatalog.FLAT.withBases(
                    Optional.of(
                            new FlagBases(
                                    new FlagBases.Base(RED_HOME, List.of()),
                                    new FlagBases.Base(BLUE_HOME, List.of()))));

    private static final BlockArena HALL = ArenaCatalog.shipped("hall");

    /** A client that walks to where it is sent. */
    protected final class Walker implements ClientListener {
        public final C client;
        public final List<String> lines = new ArrayList<>();

        /** The names of those that said a line; empty for the server. */
        public final Map<String, String> speakers = new HashMap<>();

        private final String name;
        private final Vec3 aside = new Vec3(2 * walkers++, -14, 0);
        private Vec3 target = aside;

        private Walker(String name, InetSocketAddress address) throws IOException {
            this.name = name;
            client =
                    connect(
                            ClientConfig.builder(network.cycle(), address)
                                    .name(name)
                                    .controller((_, self) -> steer(self))
                                    .listener(this)
                                    .random(new Random(name.hashCode()))
                                    .build());
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
            String line = text.replace('\n', ' ').strip();
            lines.add(line);
            speakers.put(line, player);
        }

        /** Walks to a place for at most ten seconds, until a change of a flag ends so. */
        public void walk(Vec3 place, String change) {
            int before = changes.size();
            target = place;
            for (int i = 0; i < 10 * STEPS_PER_SECOND && !hasChanged(before, change); i++) {
                step();
            }
            assertThat(hasChanged(before, change))
                    .as(name + ": " + change + " in " + changes)
                    .isTrue();
            target = aside;
        }

        private boolean hasChanged(int before, String change) {
            return changes.subList(before, changes.size()).stream()
                    .anyMatch(it -> it.startsWith(change));
        }

        /** Goes to a place, and stays there. */
        public void send(Vec3 place) {
            target = place;
        }

        public RemoteFlag flag(Team team) {
            assertThat(client.flags()).hasSize(2);
            return client.flags().get(team.ordinal());
        }

        /** The id by which it knows a player of this name. */
        public long id(String other) {
            return other.equals(name)
                    ? client.id()
                    : client.others().stream()
                            .filter(it -> it.name().endsWith(other))
                            .findFirst()
                            .orElseThrow()
                            .id();
        }

        public ArenaPlayer player() {
            return FlagScenario.this.player(name);
        }
    }

    protected final SimulatedNetwork network = new SimulatedNetwork(4);

    /** Changes of flags: {@code blue taken touch anna}. */
    protected final List<String> changes = new ArrayList<>();

    protected Arena arena = new Arena(Level.of(BLOCKS), 16);
    private final int port = 27_910;
    private int walkers;
    private @Nullable SharedArena sharedArena;

    /** What is done in each step of time. */
    protected final List<Runnable> steps = new ArrayList<>();

    private void step() {
        network.run(SECOND / STEPS_PER_SECOND);
        steps.forEach(Runnable::run);
    }

    protected final void run(double seconds) {
        for (int i = 0; i < seconds * STEPS_PER_SECOND; i++) {
            step();
        }
    }

    /** Opens the game's endpoint. */
    protected abstract void open(EndpointContext context, BlockArena played) throws IOException;

    /** Connects the game's client. */
    protected abstract C connect(ClientConfig config) throws IOException;

    protected final InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    protected final void serve() throws IOException {
        serve(MatchRules.of(MatchMode.CTF));
    }

    protected final void serve(MatchRules rules) throws IOException {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.FlagChanged e) {
                changes.add(
                        e.flag()
                                + " "
                                + e.change()
                                + " "
                                + e.cause()
                                + e.player().map(player -> " " + player.name()).orElse(""));
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        sharedArena = new SharedArena(cycle, arena, BLOCKS, List.of(HALL));
        sharedArena.setRotation(List.of(BLOCKS.name()));
        open(
                EndpointContext.builder(cycle, address(), arena)
                        .sharedArena(sharedArena)
                        .maxPlayers(16)
                        .random(new Random(9))
                        .build(),
                BLOCKS);
    }

    /** A client that has joined; the first is red, the second blue. */
    protected final Walker join(String name) throws IOException {
        Walker walker = new Walker(name, address());
        assertThat(network.runUntil(walker.client::joined, 10 * SECOND)).isTrue();
        network.run(SECOND);
        return walker;
    }

    protected final ArenaPlayer player(String name) {
        return arena.players().stream()
                .filter(it -> it.name().equals(name))
                .findFirst()
                .flatMap(it -> arena.player(it.id()))
                .orElseThrow();
    }

    /** A living player of another game. */
    protected final ArenaPlayer guest(String name, Vec3 at) {
        ArenaPlayer guest = arena.join(network.now(), "bedrock", name, new NoOpViewer());
        guest.combatant().beginLife(network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        guest.spawn(network.now(), Movement.at(at, 0));
        network.run(SECOND / 2);
        return guest;
    }

    protected final void move(ArenaPlayer guest, Vec3 to) {
        guest.move(network.now(), Movement.at(to, 0), NativeMovement.Stored.NONE);
        network.run(SECOND / 2);
    }

    protected final Flag flag(Team team) {
        return arena.match().flags().all().get(team.ordinal());
    }

    protected final void kill(ArenaPlayer killer, ArenaPlayer victim) {
        killer.combatant()
                .hit(
                        network.now(),
                        victim.id(),
                        DamageMeans.RIFLE,
                        1_000,
                        Vec3.ZERO,
                        victim.snapshot().movement().position());
    }

    private static void assertNear(Optional<Vec3> place, Vec3 expected, double metres) {
        assertThat(place).isPresent();
        assertThat(place.get().distance(expected)).as("at " + place).isLessThan(metres);
    }

    @Test
    protected void takesDropsReturnsAndCaptures() throws IOException {
        network.conditions(new Conditions(0.03, 0, SECOND / 50, SECOND / 100));
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        for (Walker each : List.of(anna, bob)) {
            assertThat(each.flag(Team.RED).state()).isEqualTo(State.HOME);
            assertNear(each.flag(Team.RED).home(), RED_HOME, 0.1);
            assertNear(each.flag(Team.BLUE).place(), BLUE_HOME, 0.1);
            assertThat(each.client.items()).isEmpty();
        }

        anna.walk(BLUE_HOME, "blue taken touch anna");
        network.run(2 * SECOND);
        for (Walker each : List.of(anna, bob)) {
            RemoteFlag blue = each.flag(Team.BLUE);
            assertThat(blue.state()).isEqualTo(State.CARRIED);
            assertThat(blue.carrier()).isEqualTo(each.id("anna"));
            assertNear(blue.place(), anna.player().snapshot().movement().position(), 3);
            assertThat(each.flag(Team.RED).state()).isEqualTo(State.HOME);
            assertThat(each.lines).contains("anna got the BLUE flag!");
        }

        assertThat(anna.client.dropFlag()).isTrue();
        anna.send(RED_HOME.plus(new Vec3(0, -8, 0)));
        network.run(SECOND);
        assertThat(changes).last().isEqualTo("blue dropped key anna");
        Vec3 lies = arena.match().flags().place(flag(Team.BLUE));
        for (Walker each : List.of(anna, bob)) {
            RemoteFlag blue = each.flag(Team.BLUE);
            assertThat(blue.state()).isEqualTo(State.DROPPED);
            assertNear(blue.place(), lies, 0.1);
            assertNear(blue.home(), BLUE_HOME, 0.1);
            assertThat(blue.carrier()).isEqualTo(ClientListener.UNKNOWN_PLAYER);
        }

        bob.walk(lies, "blue returned touch bob");
        network.run(SECOND);
        assertThat(anna.flag(Team.BLUE).state()).isEqualTo(State.HOME);
        assertThat(anna.lines).contains("bob returned the BLUE flag!");

        anna.walk(BLUE_HOME, "blue taken touch anna");
        anna.walk(RED_HOME, "blue captured touch anna");
        network.run(2 * SECOND);
        for (Walker each : List.of(anna, bob)) {
            assertThat(each.flag(Team.BLUE).state()).isEqualTo(State.HOME);
            assertThat(each.lines).contains("anna captured the BLUE flag!");
        }
        assertThat(arena.match().frags(Team.RED)).isOne();
    }

    @Test
    protected void marksCarriersOfOtherGamesAlsoForThoseThatJoinLater() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        ArenaPlayer guest = guest("gast", new Vec3(0, 8, 0));
        assertThat(guest.combatant().team()).contains(Team.RED);
        move(guest, BLUE_HOME);
        // Who says nothing for 5 s drops it.
        boolean[] isHere = {true};
        network.cycle()
                .add(now -> {
                    if (isHere[0]) {
                        guest.recordActivity(now);
                    }
                    return now + SECOND;
                });
        assertThat(changes).containsExactly("blue taken touch gast");
        bob.walk(RED_HOME, "red taken touch bob");
        kill(anna.player(), bob.player());
        network.run(SECOND);
        assertThat(changes).last().isEqualTo("red dropped death bob");

        Walker eve = join("eve");
        for (Walker each : List.of(anna, bob, eve)) {
            RemoteFlag blue = each.flag(Team.BLUE);
            assertThat(blue.state()).as("%s", changes).isEqualTo(State.CARRIED);
            assertThat(blue.carrier()).isEqualTo(each.id("gast"));
            assertNear(blue.place(), BLUE_HOME, 0.5);
            assertThat(each.flag(Team.RED).state()).isEqualTo(State.DROPPED);
            assertNear(
                    each.flag(Team.RED).place(), arena.match().flags().place(flag(Team.RED)), 0.1);
        }
        assertThat(eve.flag(Team.BLUE).home()).as("it has never seen it there").isEmpty();

        isHere[0] = false;
        guest.leave(network.now(), LeaveReason.LEFT);
        network.run(SECOND);
        assertThat(eve.flag(Team.BLUE).state()).isEqualTo(State.DROPPED);
        assertThat(eve.lines).anyMatch(line -> line.endsWith("gast lost the BLUE flag!"));
        network.run(20 * SECOND);
        for (Walker each : List.of(anna, eve)) {
            assertThat(each.client.flags())
                    .extracting(RemoteFlag::state)
                    .containsExactly(State.HOME, State.HOME);
        }
        assertNear(eve.flag(Team.BLUE).home(), BLUE_HOME, 0.1);
    }

    @Test
    protected void bringsFlagsHomeWithEachRound() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        network.run(SECOND);
        assertThat(bob.flag(Team.BLUE).state()).isEqualTo(State.CARRIED);
        arena.match().begin(network.now());
        network.run(SECOND);
        for (Walker each : List.of(anna, bob)) {
            assertThat(each.client.flags())
                    .extracting(RemoteFlag::state)
                    .containsExactly(State.HOME, State.HOME);
            assertThat(each.client.flags())
                    .extracting(RemoteFlag::carrier)
                    .containsOnly(ClientListener.UNKNOWN_PLAYER);
        }
        assertThat(anna.player().snapshot().movement().position().distance(RED_HOME))
                .as("in its own half")
                .isLessThan(anna.player().snapshot().movement().position().distance(BLUE_HOME));
    }

    @Test
    protected void bringsFlagsHomeWithTheEndOfTheMatch() throws IOException {
        serve(
                MatchRules.of(MatchMode.CTF)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(3))
                        .withScoreLimit(1));
        Walker anna = join("anna");
        Walker bob = join("bob");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        anna.walk(RED_HOME, "blue captured touch anna");
        run(1);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        assertThat(anna.client.flags())
                .extracting(RemoteFlag::state)
                .containsExactly(State.HOME, State.HOME);
        run(5);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        assertThat(arena.match().frags(Team.RED)).isZero();
        anna.walk(BLUE_HOME, "blue taken touch anna");
        run(1);
        assertThat(bob.flag(Team.BLUE).carrier()).isEqualTo(bob.id("anna"));
    }

    @Test
    protected void showsTheFlagsOfAnotherLevel() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        requireNonNull(sharedArena).change(network.now(), HALL.name());
        run(8);
        FlagBases bases = HALL.bases().orElseThrow();
        for (Walker each : List.of(anna, bob)) {
            assertThat(each.client.level()).endsWith(HALL.name());
            assertThat(each.flag(Team.BLUE).state()).isEqualTo(State.HOME);
            assertNear(each.flag(Team.RED).home(), bases.red().flag(), 0.1);
            assertNear(each.flag(Team.BLUE).place(), bases.blue().flag(), 0.1);
        }
    }

    @Test
    protected void showsNoFlagsInOtherMatches() throws IOException {
        serve(MatchRules.of(MatchMode.TEAM));
        assertThat(join("anna").client.flags()).isEmpty();
    }

    /** Sends what a client's player types to drop its flag. */
    protected abstract void typeDrop(C client);

    /** A flood of commands that drop the flag. */
    protected final void floodDrops() throws IOException {
        serve();
        Walker anna = join("anna");
        Walker bob = join("bob");
        anna.walk(BLUE_HOME, "blue taken touch anna");
        for (int i = 0; i < 50; i++) {
            anna.client.dropFlag();
            typeDrop(anna.client);
            network.run(SECOND / 50);
        }
        network.run(SECOND / 2);
        assertThat(changes).filteredOn(it -> it.startsWith("blue dropped key")).hasSize(1);
        assertThat(bob.lines).filteredOn("anna lost the BLUE flag!"::equals).hasSize(1);
        assertThat(bob.lines).noneMatch(line -> line.contains("carry"));
        assertThat(bob.client.joined()).isTrue();
        bob.walk(arena.match().flags().place(flag(Team.BLUE)), "blue returned touch bob");
    }

    /** Words and a name that read as a line about a flag. */
    protected final void forgeLines() throws IOException {
        serve();
        Walker anna = join("a got the RED");
        Walker bob = join("bob");
        anna.client.say("bob got the RED flag!");
        network.run(2 * SECOND);
        assertThat(bob.speakers).containsEntry("bob got the RED flag!", "a got the RED");
        anna.walk(BLUE_HOME, "blue taken touch");
        network.run(SECOND);
        assertThat(bob.speakers).containsEntry("a got the RED got the BLUE flag!", "");
    }
}
