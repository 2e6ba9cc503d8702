package dev.wishdir.quake3.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.movement.PassiveDecoder;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Our clients on our server, in virtual time. */
class Quake3EndpointTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Arena arena = new Arena(Level.BOX, 100);
    private final Counters counters = new Counters();
    private final List<String> events = new ArrayList<>();
    private final List<byte[]> answers = new ArrayList<>();
    private final InetSocketAddress stranger =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 999);
    private final dev.wishdir.quake3.map.Quake3Map map =
            new Quake3MapCatalog(Optional.empty()).load("");
    private Arrival arrivals = (_, _, _) -> {};
    private Quake3Endpoint endpoint;
    private InetSocketAddress address;

    Quake3EndpointTest() throws IOException {
        DutyCycle cycle = new Watched(network.cycle(), () -> arrivals);
        cycle.add(arena::advance);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 27_960);
        endpoint =
                Quake3Endpoint.open(
                        EndpointContext.builder(cycle, any, arena)
                                .name("test")
                                .maxPlayers(16)
                                .adminPassword("secret")
                                .counters(counters)
                                .random(new Random(5))
                                .build(),
                        new Quake3MapCatalog(Optional.empty()),
                        "baseoa",
                        List.of(),
                        List.of());
        address = endpoint.address();
    }

    @BeforeEach
    void listen() {
        network.tap((_, _, to, data) -> {
            if (to.equals(stranger)) {
                answers.add(data);
            }
        });
    }

    private Quake3Client join(String name, BotController controller) throws IOException {
        return join(name, controller, Protocol.OPENARENA_71);
    }

    private Quake3Client join(String name, BotController controller, Protocol first)
            throws IOException {
        return Quake3Client.connect(
                ClientConfig.builder(network.cycle(), address)
                        .name(name)
                        .controller(controller)
                        .listener(listener(name))
                        .random(new Random(name.hashCode()))
                        .build(),
                first);
    }

    private ClientListener listener(String name) {
        return new ClientListener() {
            @Override
            public void onChat(Client self, String who, String text) {
                events.add(name + " heard " + who + ": " + text);
            }

            @Override
            public void onEnded(Client self, EndReason ending, String reason) {
                events.add(name + " ended " + ending + " " + reason);
            }
        };
    }

    private static BotController still() {
        return (_, _) -> BotController.PlayerInput.look(0, 0);
    }

    private static BotController circle() {
        return (now, _) -> {
            double direction = now * 60.0 / SECOND % 360;
            return BotController.PlayerInput.walk(direction, direction, 0);
        };
    }

    private String ask(String text) {
        answers.clear();
        network.inject(stranger, address, new OutOfBand(text).datagram().toArray());
        network.run(SECOND / 10);
        return answers.isEmpty()
                ? ""
                : new String(
                        answers.getLast(),
                        4,
                        answers.getLast().length - 4,
                        StandardCharsets.ISO_8859_1);
    }

    @Test
    void showsTwoPlayersToEachOther() throws IOException {
        Quake3Client alpha = join("alpha", circle());
        Quake3Client beta = join("beta", still());
        assertThat(network.runUntil(() -> alpha.joined() && beta.joined(), 5 * SECOND)).isTrue();
        network.run(3 * SECOND);
        assertThat(alpha.movement().velocity().horizontal()).isBetween(9.0, 10.5);
        assertThat(alpha.movement().position().z()).isBetween(0.0, 0.01);
        assertThat(beta.others()).hasSize(1);
        Client.RemotePlayer remote = beta.others().iterator().next();
        assertThat(remote.name()).isEqualTo("alpha");
        Player player =
                arena.players().stream().filter(p -> p.name().equals("alpha")).findFirst().get();
        assertThat(remote.movement().position().distance(player.movement().position()))
                .isLessThan(1.0);
        assertThat(arena.players()).extracting(Player::game).containsOnly("quake3");

        alpha.say("hello 100%");
        network.run(SECOND);
        assertThat(events)
                .contains("beta heard alpha: hello 100.", "alpha heard alpha: hello 100.");
        alpha.close();
        network.run(SECOND);
        assertThat(beta.others()).isEmpty();
        assertThat(arena.players()).hasSize(1);
    }

    @Test
    void showsPlayerOfAnotherGame() throws IOException {
        Quake3Client beta = join("beta", still());
        assertThat(network.runUntil(beta::joined, 5 * SECOND)).isTrue();
        ArenaPlayer guest = arena.join(network.now(), "sauerbraten", "guest", new NoOpViewer());
        guest.spawn(network.now(), Movement.at(new dev.wishdir.motion.Vec3(3, 4, 0), 90));
        network.run(SECOND);
        assertThat(beta.others())
                .extracting(Client.RemotePlayer::name)
                .containsExactly("[S] guest");
        Movement seen = beta.others().iterator().next().movement();
        assertThat(seen.position().x()).isEqualTo(3);
        assertThat(seen.position().y()).isEqualTo(4);
        assertThat(seen.yaw()).isEqualTo(90);
        guest.say(network.now(), "ciao");
        guest.leave(network.now(), LeaveReason.LEFT);
        network.run(SECOND);
        assertThat(beta.others()).isEmpty();
        assertThat(events).contains("beta heard [S] guest: ciao");
    }

    /** Names that are not theirs, floods and the end. */
    @Test
    void handlesKickMapChangeAndClose() throws IOException {
        Quake3Client alpha = join("alpha", still());
        Quake3Client beta = join("beta", circle());
        assertThat(network.runUntil(() -> alpha.joined() && beta.joined(), 5 * SECOND)).isTrue();
        assertThat(ask("rcon wrong status")).contains("Bad rconpassword.");
        assertThat(ask("rcon secret status")).contains("alpha").contains("beta");
        assertThat(ask("rcon secret map wishdir_flat")).contains("All play flat.");
        network.run(3 * SECOND);
        assertThat(beta.movement().velocity().horizontal()).isGreaterThan(9);
        assertThat(beta.others()).hasSize(1);
        assertThat(ask("rcon secret kick alpha")).contains("was kicked");
        network.run(SECOND);
        assertThat(events).contains("alpha ended KICKED You were kicked.");
        endpoint.close("closing");
        network.run(SECOND);
        assertThat(events).contains("beta ended SERVER_CLOSED closing");
        assertThat(arena.players()).isEmpty();
    }

    /** D15. */
    @Test
    void sharesSlotsByDistanceAbove64Players() throws IOException {
        Quake3Client alpha = join("alpha", still());
        assertThat(network.runUntil(alpha::joined, 5 * SECOND)).isTrue();
        network.run(SECOND);
        dev.wishdir.motion.Vec3 here = alpha.movement().position();
        List<ArenaPlayer> guests = new ArrayList<>();
        // Towards the middle, the farthest one first.
        for (int i = 80; i > 0; i--) {
            ArenaPlayer guest = arena.join(0, "sauerbraten", "guest" + i, new NoOpViewer());
            dev.wishdir.motion.Vec3 there = here.times(1 - (2 + i * 0.5) / here.horizontal());
            guest.spawn(network.now(), Movement.at(there, 0));
            guests.add(guest);
        }
        for (int i = 0; i < 30; i++) {
            network.run(SECOND);
            guests.forEach(guest -> guest.recordActivity(network.now()));
        }
        assertThat(alpha.others()).hasSize(63);
        List<String> before =
                alpha.others().stream().map(Client.RemotePlayer::name).sorted().toList();
        for (int i = 0; i < 5; i++) {
            network.run(SECOND);
            guests.forEach(guest -> guest.recordActivity(network.now()));
        }
        assertThat(alpha.others().stream().map(Client.RemotePlayer::name).sorted().toList())
                .as("the same players while nobody moves")
                .isEqualTo(before);
        double farthest =
                alpha.others().stream()
                        .mapToDouble(
                                s -> s.movement().position().distance(alpha.movement().position()))
                        .max()
                        .orElseThrow();
        List<ArenaPlayer> hidden =
                guests.stream()
                        .filter(guest ->
                                before.stream().noneMatch(name -> name.endsWith(guest.name())))
                        .toList();
        assertThat(hidden).hasSize(17);
        for (ArenaPlayer guest : hidden) {
            dev.wishdir.motion.Vec3 place = guest.snapshot().movement().position();
            assertThat(place.distance(alpha.movement().position())).isGreaterThan(farthest - 1.5);
        }
    }

    /**
     * A tenth is lost, a tenth comes twice, all of it out of order: commands arrive once and in
     * order both ways, snapshots recover, and a body goes where the commands that arrived lead it.
     */
    @ParameterizedTest
    @EnumSource(names = {"OPENARENA_71", "IOQUAKE3_71"})
    void survivesBadNetwork(Protocol protocol) throws IOException {
        PassiveDecoder ear = new PassiveDecoder(protocol, map, 5_000, this::othersThanAlpha);
        List<InetSocketAddress> alphas = new ArrayList<>();
        network.tap((_, from, to, data) -> {
            if (alphas.isEmpty() && to.equals(address)) {
                alphas.add(from);
            } else if (alphas.contains(to)) {
                ear.sent(data);
            }
        });
        arrivals =
                (now, from, data) -> {
                    if (alphas.contains(from)) {
                        ear.arrived(now, data);
                    }
                };
        network.conditions(new Conditions(0.1, 0.1, 20_000_000, 30_000_000));
        Quake3Client alpha = join("alpha", zigzag(), protocol);
        Quake3Client beta = join("beta", still(), protocol);
        assertThat(network.runUntil(() -> alpha.joined() && beta.joined(), 60 * SECOND)).isTrue();
        List<String> spoken = new ArrayList<>();
        int lines = TestEffort.times(40);
        for (int i = 0; i < lines; i++) {
            alpha.say("line " + i);
            spoken.add("say line " + i);
            int before = alpha.player().get(PlayerField.COMMAND_TIME);
            assertThat(
                            network.runUntil(
                                    () ->
                                            alpha.player().get(PlayerField.COMMAND_TIME)
                                                    > before + 500,
                                    SECOND))
                    .as("snapshots after %d s", 2 * i)
                    .isTrue();
            network.run(2 * SECOND - SECOND / 2);
            assertThat(alpha.joined() && beta.joined()).as("after %d s", 2 * i).isTrue();
            assertThat(beta.others()).hasSize(1);
        }
        network.run(2 * SECOND);
        assertThat(events.stream().filter(event -> event.startsWith("beta heard alpha")).toList())
                .isEqualTo(
                        spoken.stream().map(s -> "beta heard alpha: " + s.substring(4)).toList());
        assertThat(ear.commands().stream().filter(s -> s.startsWith("say")).toList())
                .isEqualTo(spoken);
        assertThat(ear.compared()).as("snapshots that agree").isGreaterThan(2 * lines * 15);
        assertThat(ear.executed()).as("commands that came").isGreaterThan(2 * lines * 40);
        assertThat(ear.deltas()).as("deltas").isGreaterThan(ear.compared() / 2);
        network.conditions(Conditions.PERFECT);
        network.run(2 * SECOND);
        Player player =
                arena.players().stream().filter(p -> p.name().equals("alpha")).findFirst().get();
        assertThat(alpha.movement().position().distance(player.movement().position()))
                .as("what the client is told is where it is")
                .isLessThan(0.5);
    }

    private List<EntityState> othersThanAlpha() {
        return arena.players().stream()
                .filter(player -> !player.name().equals("alpha"))
                .flatMap(player -> Quake3Movement.state(player.nativeMovement()).stream())
                .toList();
    }

    private static BotController zigzag() {
        return (now, _) -> {
            double direction = now * 60.0 / SECOND % 360;
            return new BotController.PlayerInput(
                    direction,
                    now / SECOND % 20 - 10,
                    now / SECOND % 7 == 0 ? 0.5 : 1,
                    now / SECOND % 3 - 1,
                    now / SECOND % 4 == 0,
                    now / SECOND % 11 == 0);
        };
    }

    private interface Arrival {
        void arrived(long now, InetSocketAddress from, byte[] data);
    }

    private static final class Watched extends ForwardingCycle {
        private final Supplier<Arrival> arrivals;

        Watched(DutyCycle cycle, Supplier<Arrival> arrivals) {
            super(cycle);
            this.arrivals = arrivals;
        }

        @Override
        protected void received(
                DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
            arrivals.get().arrived(now, from, data);
            super.received(handler, now, from, data);
        }
    }
}
