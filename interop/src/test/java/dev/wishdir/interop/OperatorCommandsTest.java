package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.OperatorCommand;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Each order of an operator, by each way in, on a player of another game. */
@Tag("slow")
class OperatorCommandsTest {
    private static final long SECOND = 1_000_000_000;
    private static final List<AddressRange> TRUSTED = List.of(AddressRange.parse("127.0.0.1"));

    private final Random random = new Random(14);
    private final SimulatedNetwork network = new SimulatedNetwork(14);
    private final LoggedErrors errors = new LoggedErrors();
    private final StringBuilder answers = new StringBuilder();
    private int guests;

    /** A way by which commands come, and the game of the player that they name. */
    enum Way {
        CONSOLE("sauerbraten"),
        QUAKE2("quake3"),
        QUAKE3("bedrock"),
        SAUERBRATEN("quake2"),
        BEDROCK("sauerbraten");

        final String victim;

        Way(String victim) {
            this.victim = victim;
        }
    }

    /** Gives an order; what is answered is among {@link #answers} a second later. */
    private interface Orders {
        void give(String line);
    }

    @AfterEach
    void nothingFailed() {
        errors.close();
        assertThat(errors.lines()).isEmpty();
    }

    private FourGames server() throws IOException {
        return new FourGames(
                network,
                random,
                16,
                "",
                TRUSTED,
                ArenaCatalog.shipped("flat"),
                ArenaCatalog.shipped("hall"));
    }

    private static Game game(String name) {
        return FourGames.ALL.stream()
                .filter(game -> game.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private TestClient guest(FourGames server, String game, String name, String password)
            throws IOException {
        return guest(server, game, name, password, "10.0.0." + ++guests);
    }

    private TestClient guest(
            FourGames server, String game, String name, String password, String from)
            throws IOException {
        TestClient guest = server.guest(game(game), from, name, password, TestClient.CIRCLES);
        network.runUntil(() -> guest.in() || !guest.ending.isEmpty(), 10 * SECOND);
        // A client is in when it says so; its server hears of it a little later.
        network.run(SECOND);
        return guest;
    }

    private Orders orders(FourGames server, Way way) throws IOException {
        return switch (way) {
            case CONSOLE -> {
                OperatorConsole console = server.operations();
                yield line ->
                        answers.append(
                                console.execute(network.now(), console.author("console"), line));
            }
            case QUAKE2 -> rcon(server, "quake2");
            case QUAKE3 -> rcon(server, "quake3");
            case SAUERBRATEN -> {
                TestClient admin = guest(server, "sauerbraten", "Boss", FourGames.ADMIN);
                yield line -> {
                    admin.client.say("#" + line);
                    network.run(SECOND);
                    admin.heard.keySet().forEach(text -> answers.append(text).append('\n'));
                    admin.heard.clear();
                };
            }
            case BEDROCK -> {
                TestClient admin = guest(server, "bedrock", "Boss", "");
                admin.client.say("/admin " + FourGames.ADMIN);
                yield line -> {
                    admin.client.say("/" + line);
                    network.run(SECOND);
                    admin.heard.keySet().forEach(text -> answers.append(text).append('\n'));
                    admin.heard.clear();
                };
            }
        };
    }

    private Orders rcon(FourGames server, String game) throws IOException {
        return rcon(server, game, FourGames.ADMIN);
    }

    private Orders rcon(FourGames server, String game, String password) throws IOException {
        List<UdpSocket> opened = new ArrayList<>();
        network.cycle()
                .open(
                        new InetSocketAddress(InetAddress.ofLiteral("10.1.0.1"), 0),
                        own -> {
                            opened.add(own);
                            return new DatagramHandler() {
                                @Override
                                public void receive(long now, InetSocketAddress from, byte[] data) {
                                    String text = new String(data, StandardCharsets.ISO_8859_1);
                                    assertThat(text).startsWith("\u00ff\u00ff\u00ff\u00ffprint\n");
                                    assertThat(data.length).isLessThan(1400);
                                    answers.append(text.substring(10));
                                }

                                @Override
                                public long advance(long now) {
                                    return NEVER;
                                }
                            };
                        });
        return line -> {
            byte[] packet =
                    ("\u00ff\u00ff\u00ff\u00ffrcon " + password + " " + line)
                            .getBytes(StandardCharsets.ISO_8859_1);
            opened.getFirst().send(server.address(game), packet, 0, packet.length);
        };
    }

    private String ask(Orders orders, String line) {
        answers.setLength(0);
        orders.give(line);
        network.run(SECOND);
        return answers.toString();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName("each order by each way, on a player of another game")
    void runsEachCommandByEachWay(Way way) throws IOException {
        FourGames server = server();
        boolean[] ended = new boolean[1];
        List<String> log = new ArrayList<>();
        server.operations().onQuit(() -> ended[0] = true);
        server.operations().addListener(done -> log.add(done.author() + " " + done.what()));
        List<String> announced = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Announcement e) {
                        announced.add(e.text());
                    }
                });
        Orders orders = orders(server, way);
        TestClient victim = guest(server, way.victim, "Vera", "");
        assertThat(victim.in()).as("%s", victim.ending).isTrue();

        assertThat(ask(orders, "help")).contains("kick PLAYER [REASON]", "unban", "status");
        String status = ask(orders, "status");
        Player vera = find(server, "Vera");
        assertThat(status)
                .contains("map: flat", "players")
                .containsPattern(
                        vera.id() + " +\\d+ " + way.victim + " 10\\.0\\.0\\.\\d+:\\d+ Vera");

        assertThat(ask(orders, "say good evening")).contains("Sent to all: good evening");
        assertThat(announced).contains("good evening");
        if (!way.victim.equals("quake3")) {
            // Our client of that game passes on what players say, and no prints.
            assertThat(victim.heard).containsKey("good evening");
        }

        assertThat(ask(orders, "name Vera Wera")).contains("Vera is called Wera now.");
        assertThat(find(server, "Wera").id()).isEqualTo(vera.id());
        network.run(5 * SECOND);
        assertThat(find(server, "Wera").id()).as("it stays so").isEqualTo(vera.id());

        // By the others MapChangeTest changes it, again and again.
        String next = way == Way.CONSOLE || way == Way.SAUERBRATEN ? "hall" : "flat";
        assertThat(ask(orders, "map " + next)).contains("All play " + next);
        network.run(5 * SECOND);
        assertThat(server.arena().level(way.victim).name()).isEqualTo(next);
        assertThat(ask(orders, "map nowhere")).contains("nowhere");

        assertThat(ask(orders, "kick wer too loud")).contains("Wera was kicked");
        network.run(2 * SECOND);
        assertThat(victim.ending).startsWith("KICKED");
        assertThat(victim.ending + victim.heard).contains("You were kicked: too loud");

        TestClient again = guest(server, way.victim, "Vera", "", "10.0.7.7");
        assertThat(again.in()).as("who is kicked may come back: %s", again.ending).isTrue();
        assertThat(ask(orders, "ban #" + find(server, "Vera").id() + " 2h \"cheats all day\""))
                .contains("10.0.7.7 (Vera) until", "Kicked: Vera");
        network.run(2 * SECOND);
        assertThat(again.ending + again.heard).contains("You are banned until", "cheats all day");
        TestClient refused = guest(server, way.victim, "Vera", "", "10.0.7.7");
        assertThat(refused.in()).isFalse();
        assertThat(refused.ending + refused.heard)
                .contains("You are banned until", "UTC: cheats all day");
        assertThat(guest(server, "quake3", "Other", "", "10.0.7.7").in()).isFalse();
        assertThat(ask(orders, "bans")).contains("1 10.0.7.7 (Vera) until", "cheats all day");
        assertThat(server.operations().bans().all())
                .singleElement()
                .extracting(Ban::name)
                .isEqualTo("Vera");
        assertThat(ask(orders, "unban 10.0.7.7")).contains("Unbanned: 10.0.7.7");
        assertThat(guest(server, way.victim, "Vera", "", "10.0.7.7").in()).isTrue();
        assertThat(ask(orders, "bans")).contains("There are no bans.");

        assertThat(ask(orders, "password rosebud")).contains("must enter this password");
        TestClient unknowing = guest(server, "quake2", "Nora", "", "10.0.8.8");
        assertThat(unknowing.in()).isFalse();
        assertThat(guest(server, way.victim, "Rose", "rosebud", "10.0.8.9").in()).isTrue();
        assertThat(ask(orders, "password \"\"")).contains("No password is required");

        if (way != Way.SAUERBRATEN) {
            // There such a line of chat is no order at all.
            assertThat(ask(orders, "frobnicate"))
                    .contains("There is no command 'frobnicate'", "status, say, kick");
        }
        assertThat(ended[0]).isFalse();
        assertThat(ask(orders, "quit")).contains("The server shuts down.");
        assertThat(ended[0]).isTrue();
        assertThat(log).anyMatch(line -> line.contains("kicked Wera"));
        assertThat(log).noneMatch(line -> line.contains("rosebud"));
        assertThat(server.laws().broken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"quake2", "quake3", "sauerbraten", "bedrock"})
    void reportsWrongPasswordsAndNewOperators(String game) throws IOException {
        FourGames server = server();
        List<OperatorConsole.AccessEvent> log = new ArrayList<>();
        server.operations().addAccessListener(log::add);
        switch (game) {
            case "sauerbraten" -> {
                guest(server, game, "Eve", "wrong", "10.1.0.1");
                guest(server, game, "Boss", FourGames.ADMIN, "10.1.0.2");
            }
            case "bedrock" -> {
                TestClient player = guest(server, game, "Boss", "", "10.1.0.1");
                player.client.say("/admin wrong");
                network.run(SECOND);
                player.client.say("/admin " + FourGames.ADMIN);
                network.run(SECOND);
            }
            default -> ask(rcon(server, game, "wrong"), "status");
        }
        assertThat(log)
                .first()
                .isInstanceOfSatisfying(
                        OperatorConsole.WrongPassword.class,
                        wrong -> {
                            assertThat(wrong.game()).isEqualTo(game);
                            assertThat(wrong.from()).isEqualTo(InetAddress.ofLiteral("10.1.0.1"));
                        });
        if (!game.startsWith("quake")) {
            assertThat(log)
                    .last()
                    .isInstanceOfSatisfying(
                            OperatorConsole.GrantedRights.class,
                            claim -> assertThat(claim.author()).startsWith("Boss (" + game));
        }
    }

    @Test
    void showsHowPlayersProvedWhoTheyAre() throws IOException {
        FourGames server =
                new FourGames(
                        network, random, 16, "rosebud", TRUSTED, ArenaCatalog.shipped("flat"));
        List<String> proved = new ArrayList<>();
        server.arena()
                .addListener(event -> {
                    if (event instanceof ArenaEvent.Proved e) {
                        proved.add(e.player().name() + " " + e.player().proof());
                    }
                });
        OperatorConsole console = server.operations();
        List<TestClient> players = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            players.add(guest(server, game.name(), "P" + game.name(), "rosebud"));
        }
        guest(server, "sauerbraten", "Boss", FourGames.ADMIN);
        console.execute(network.now(), console.author("console"), "password \"\"");
        guest(server, "quake3", "Nora", "rosebud");
        players.getLast().client.say("/admin " + FourGames.ADMIN);
        network.run(SECOND);
        assertThat(console.execute(network.now(), console.author("console"), "status").lines())
                .anyMatch(line -> line.matches(".*Psauerbraten \\(protocol 260, password\\)"))
                .anyMatch(line -> line.matches(".*Pquake2 \\(.+, password\\)"))
                .anyMatch(line -> line.matches(".*Pquake3 \\(protocol 71, password\\)"))
                .anyMatch(line -> line.matches(".*Pbedrock \\(protocol .*, admin-password\\)"))
                .anyMatch(line -> line.matches(".*Boss \\(protocol 260, admin-password\\)"))
                .anyMatch(line -> line.matches(".*Nora \\(protocol 71, none\\)"));
        assertThat(proved).containsExactly("Pbedrock admin-password");
    }

    private static Player find(FourGames server, String name) {
        return server.arena().players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError(name + " is not in " + server.arena().players()));
    }

    @Test
    @DisplayName("who has no rights does nothing, by whatever way, and others don't read his tries")
    void grantsNoRightsWithoutPassword() throws IOException {
        FourGames server = server();
        List<OperatorConsole.ExecutedCommand> log = new ArrayList<>();
        server.operations().addListener(log::add);
        TestClient victim = guest(server, "quake3", "Vera", "");
        TestClient cube = guest(server, "sauerbraten", "Carl", "");
        TestClient block = guest(server, "bedrock", "Bob", "");
        for (OperatorCommand command : OperatorCommand.values()) {
            cube.client.say("#" + command.word() + " Vera");
            block.client.say("/" + command.word() + " Vera");
            network.run(2 * SECOND);
        }
        assertThat(victim.in()).isTrue();
        assertThat(log).isEmpty();
        assertThat(victim.heard.keySet()).allMatch(line -> line.endsWith(" entered the game"));
        cube.client.say("#1 fan");
        network.run(SECOND);
        assertThat(victim.heard).containsKey("#1 fan");
    }

    @Test
    @DisplayName("a hundred players are listed by both Quakes in packets that each can take")
    void splitsLongList() throws IOException {
        FourGames server =
                new FourGames(network, random, 128, "", TRUSTED, ArenaCatalog.shipped("flat"));
        for (int i = 0; i < 100; i++) {
            server.arena()
                    .join(
                            network.now(),
                            "bedrock",
                            "a player with a long name " + i,
                            new NoOpViewer());
        }
        for (String game : List.of("quake2", "quake3")) {
            String list = ask(rcon(server, game), "status");
            assertThat(list.lines().filter(line -> line.contains("a player with a long name")))
                    .as(game)
                    .hasSize(100);
        }
    }
}
