package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** The operator changes the arena for all four games at once, and no player is lost by it. */
@Tag("slow")
class MapChangeTest {
    private static final long SECOND = 1_000_000_000;
    private static final List<String> NAMES = List.of("hall", "flat", "hills");

    /** 5 % loss, and 50 to 150 ms on the way. */
    private static final Conditions BAD = new Conditions(0.05, 0.01, 50_000_000, 100_000_000);

    private final Random random = new Random(13);
    private final SimulatedNetwork network = new SimulatedNetwork(13);
    private final LoggedErrors errors = new LoggedErrors();
    private final List<TestClient> guests = new ArrayList<>();

    /** A client with the password of an operator, outside. */
    private final class Operator {
        private final InetSocketAddress server;
        private final UdpSocket socket;
        private String heard = "";

        Operator(FourGames server, String game) throws IOException {
            this.server = server.address(game);
            DutyCycle cycle = network.cycle();
            List<UdpSocket> opened = new ArrayList<>();
            cycle.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    own -> {
                        opened.add(own);
                        return new DatagramHandler() {
                            @Override
                            public void receive(long now, InetSocketAddress from, byte[] data) {
                                heard = new String(data, StandardCharsets.ISO_8859_1);
                            }

                            @Override
                            public long advance(long now) {
                                return NEVER;
                            }
                        };
                    });
            socket = opened.getFirst();
        }

        void orders(String command) {
            byte[] packet =
                    ("\u00ff\u00ff\u00ff\u00ffrcon " + FourGames.ADMIN + " " + command)
                            .getBytes(StandardCharsets.ISO_8859_1);
            socket.send(server, packet, 0, packet.length);
        }
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private FourGames server(String... names) throws IOException {
        BlockArena[] arenas = new BlockArena[names.length];
        for (int i = 0; i < names.length; i++) {
            arenas[i] = ArenaCatalog.shipped(names[i]);
        }
        return new FourGames(network, random, 64, arenas);
    }

    private void join(FourGames server, int each) throws IOException {
        for (Game game : FourGames.ALL) {
            for (int i = 0; i < each; i++) {
                guests.add(server.guest(game, "g" + guests.size()));
                network.run(SECOND / 10);
            }
        }
        server.await(guests);
    }

    /** All play it: they have bodies in it, walk, and see where each other is. */
    private void assertPlayed(FourGames server, String name, String when, double near) {
        Arena arena = server.arena();
        assertThat(arena.level().name()).as(when).isEqualTo(name);
        for (Game game : FourGames.ALL) {
            assertThat(arena.level(game.name()).name()).as(when).isEqualTo(name);
        }
        assertThat(
                        network.runUntil(
                                () ->
                                        arena.players().stream().allMatch(Player::spawned)
                                                && guests.stream().allMatch(TestClient::in)
                                                && guests.stream()
                                                        .allMatch(guest ->
                                                                guest.client.others().size()
                                                                        == guests.size() - 1),
                                90 * SECOND))
                .as("%s: %s %s", when, arena.players(), guests)
                .isTrue();
        network.run(SECOND);
        Map<TestClient, Vec3> began = new LinkedHashMap<>();
        Map<TestClient, Double> walked = new LinkedHashMap<>();
        guests.forEach(guest -> began.put(guest, guest.client.movement().position()));
        for (int i = 0; i < 30; i++) {
            network.run(SECOND / 10);
            began.forEach((guest, from) ->
                    walked.merge(
                            guest, guest.client.movement().position().distance(from), Math::max));
        }
        walked.forEach((guest, way) -> assertThat(way).as("%s: %s", when, guest).isGreaterThan(1));
        CollisionSpace space = arena.level().space();
        for (Player player : arena.players()) {
            Vec3 at = player.movement().position();
            assertThat(space.fits(at.plus(new Vec3(0, 0, 0.3)), 0.4, 1.2))
                    .as("%s: %s is in something solid at %s", when, player, at)
                    .isTrue();
        }
        for (TestClient guest : guests) {
            List<Vec3> places =
                    arena.players().stream().map(player -> player.movement().position()).toList();
            for (Client.RemotePlayer other : guest.client.others()) {
                assertThat(places)
                        .as("%s: %s sees %s", when, guest, other)
                        .anyMatch(place -> place.distance(other.movement().position()) < near);
            }
        }
    }

    private void change(FourGames server, int times, List<String> names, double near)
            throws IOException {
        Operator quake2 = new Operator(server, "quake2");
        Operator quake3 = new Operator(server, "quake3");
        TestClient bedrock =
                guests.stream()
                        .filter(guest -> guest.game.name().equals("bedrock"))
                        .findFirst()
                        .orElseThrow();
        bedrock.client.say("/admin " + FourGames.ADMIN);
        network.run(SECOND);
        for (int i = 1; i <= times; i++) {
            String name = names.get(i % names.size());
            for (int tries = 0; tries < 5 && !server.arena().level().name().equals(name); tries++) {
                switch (i % 3) {
                    case 0 -> quake2.orders("map " + name);
                    case 1 -> quake3.orders("map " + name);
                    default -> bedrock.client.say("/map " + name);
                }
                network.runUntil(() -> server.arena().level().name().equals(name), 3 * SECOND);
            }
            assertPlayed(server, name, "change " + i + " to " + name, near);
        }
        assertThat(quake2.heard).contains("All play");
        assertThat(quake3.heard).contains("All play");
    }

    @Test
    @DisplayName(
            "the operator changes the arena twenty times in a row: no player is lost or judged")
    void keepsPlayersThroughTwentyMapChanges() throws IOException {
        FourGames server = server("hall", "flat", "hills");
        List<ArenaEvent> told = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.LevelChanged
                            || event instanceof ArenaEvent.Left
                            || event instanceof ArenaEvent.MovementViolation) {
                        told.add(event);
                    }
                });
        join(server, 2);
        change(server, 20, NAMES, 2);
        assertThat(told).hasSize(20 * FourGames.ALL.size());
        assertThat(told).allMatch(ArenaEvent.LevelChanged.class::isInstance);
        assertThat(server.laws().broken()).isEmpty();
        assertThat(server.laws().limited()).isEmpty();
        assertThat(server.arena().players()).hasSize(guests.size());
    }

    @Test
    @DisplayName("twenty changes over a bad line: 5 % loss, 100 ms jitter, and no player is lost")
    void keepsPlayersThroughTwentyMapChangesOnBadLine() throws IOException {
        FourGames server = server("hall", "flat");
        join(server, 1);
        network.conditions(BAD);
        change(server, 20, NAMES.subList(0, 2), 12);
        assertThat(server.laws().broken()).isEmpty();
        assertThat(server.arena().players()).hasSize(guests.size());
    }

    @Test
    @DisplayName("changes while the files of others are on their way: all play the last arena")
    void playsLastOfManyArenas() throws IOException {
        FourGames server = server("flat", "hall");
        Set<Player> judged = new HashSet<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.MovementViolation violation) {
                        judged.add(violation.player());
                    }
                });
        join(server, 1);
        network.conditions(BAD);
        String last = "";
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 3; j++) {
                last = (i + j) % 2 == 0 ? "hall" : "flat";
                String command = "map " + last;
                server.execute(() -> {
                    OperatorConsole console = server.operations();
                    console.execute(server.now(), console.author("console"), command);
                });
                network.run(random.nextLong(SECOND));
            }
            network.run(6 * SECOND);
            judged.clear();
            network.run(3 * SECOND);
            assertThat(judged).as("in %s, change %d", last, i).isEmpty();
        }
        assertPlayed(server, last, "at the end", 12);
    }

    @Test
    @DisplayName(
            "G2: only a client that never acknowledges the new arena is ended, by its own deadline")
    void endsOnlyUnacknowledgingClient() throws IOException {
        FourGames server = server("hall", "flat");
        join(server, 2);
        List<TestClient> deaf = new ArrayList<>();
        for (int i = 0; i < guests.size(); i += 2) {
            deaf.add(guests.get(i));
        }
        deaf.forEach(guest -> guest.cycle.deafen());
        new Operator(server, "quake3").orders("map flat");
        network.run(400 * SECOND);
        guests.removeAll(deaf);
        assertThat(server.arena().players()).hasSize(guests.size());
        assertPlayed(server, "flat", "after the deaf went", 2);
        assertThat(server.laws().broken()).isEmpty();
    }

    @Test
    @DisplayName("G16: 64 who get another arena at once cost one copy of it")
    void sharesOneMapCopyAmong64Clients() throws IOException {
        FourGames server = server("hall", "flat");
        join(server, 16);
        network.run(5 * SECOND);
        guests.forEach(guest -> guest.cycle.deafen());
        long before = server.memory().retainedBytes();
        new Operator(server, "quake2").orders("map flat");
        network.run(2 * SECOND);
        assertThat(server.arena().level().name()).isEqualTo("flat");
        assertThat(server.memory().retainedBytes() - before).isLessThan(16 << 20);
        assertThat(server.arena().players()).hasSize(guests.size());
    }
}
