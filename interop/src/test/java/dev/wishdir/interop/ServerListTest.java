package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.CubeWire;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What server browsers are told: the same by all four games. */
class ServerListTest {
    private static final long SECOND = 1_000_000_000;
    private static final int CAPACITY = 8;

    private final SimulatedNetwork network = new SimulatedNetwork(5);
    private final List<byte[]> answers = new ArrayList<>();

    private byte[] ask(InetSocketAddress to, byte[] question) throws UnknownHostException {
        InetSocketAddress from =
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {20, 0, 0, 1}), 4000);
        answers.clear();
        network.inject(from, to, question);
        network.run(SECOND);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    private String ask(FourGames server, String game, String question) throws IOException {
        byte[] text = ("\u00ff\u00ff\u00ff\u00ff" + question).getBytes(StandardCharsets.ISO_8859_1);
        return new String(ask(server.address(game), text), StandardCharsets.ISO_8859_1);
    }

    private static String value(String info, String key) {
        String rest = info.substring(info.indexOf("\\" + key + "\\") + key.length() + 2);
        return rest.split("[\\\\\n]", 2)[0];
    }

    private static List<String> players(String status) {
        return status.lines().filter(line -> line.matches("-?\\d+ \\d+ \".*\"")).toList();
    }

    private void addGhost(FourGames server, int number) {
        Player ghost =
                new Player(
                        new PlayerId(PlayerId.GHOST_NODE, number),
                        "quake3",
                        "~ghost" + number,
                        0,
                        0,
                        true,
                        Movement.at(new Vec3(number, 0, 0), 0),
                        NativeMovement.Stored.NONE);
        ArenaPlayer mirrored =
                server.arena().mirror(network.now(), ghost.id(), ghost.game(), ghost.name());
        mirrored.spawn(network.now(), ghost.movement());
    }

    /**
     * What a game's answers say about the server.
     *
     * @param arena without the prefix of generated maps
     */
    private record Listing(String name, int players, int places, String arena) {
        Listing {
            arena = arena.replaceFirst("^wishdir_", "");
        }
    }

    private static Listing quake(String info, String name, String places, int players) {
        return new Listing(
                value(info, name),
                players,
                Integer.parseInt(value(info, places)),
                value(info, "mapname"));
    }

    /** Request, players, number of attributes, protocol, mode, time, places, master mode. */
    private static int[] numbers(Reader answer) {
        int[] numbers = new int[8];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = CubeWire.integer(answer, "number", 0);
        }
        assertThat(numbers[2]).isEqualTo(5);
        return numbers;
    }

    private Listing sauerbraten(FourGames server) throws IOException {
        Reader answer = new Reader(ask(browser(server), new byte[] {1}));
        int[] numbers = numbers(answer);
        String map = CubeWire.string(answer, "map", "");
        return new Listing(CubeWire.string(answer, "name", ""), numbers[1], numbers[6], map);
    }

    private static InetSocketAddress browser(FourGames server) {
        InetSocketAddress game = server.address("sauerbraten");
        return new InetSocketAddress(game.getAddress(), game.getPort() + 1);
    }

    private String[] motd(FourGames server) throws IOException {
        ByteBuffer ping = ByteBuffer.allocate(33);
        ping.put((byte) 1).putLong(5);
        ping.putLong(0x00ffff00fefefefeL).putLong(0xfdfdfdfd12345678L).putLong(7);
        byte[] answer = ask(server.address("bedrock"), ping.array());
        return new String(answer, StandardCharsets.ISO_8859_1).split(";");
    }

    /** The names in a list of a Quake, without the tags of other games. */
    private static List<String> names(String status) {
        return players(status).stream()
                .map(line -> line.split("\"")[1].replaceFirst("^\\[\\w+] ?", ""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = MatchMode.class,
            names = {"NONE", "FFA", "TEAM", "CTF"})
    @DisplayName("A12 all games tell server browsers the same of the server, and no ghosts")
    void tellsSameOfServer(MatchMode mode) throws IOException {
        MatchRules rules =
                MatchRules.of(mode)
                        .withTimes(Duration.ofMinutes(15), Duration.ZERO, Duration.ofSeconds(10))
                        .withScoreLimit(30);
        List<AddressRange> trusted = List.of(AddressRange.parse("127.0.0.1"));
        try (FourGames server =
                new FourGames(network, new Random(1), CAPACITY, "", trusted, rules)) {
            network.tap((_, _, to, data) -> {
                if (to.getPort() == 4000) {
                    answers.add(data);
                }
            });
            List<TestClient> guests = new ArrayList<>();
            List<String> names = List.of("Ann", "Bea", "Cid", "Dan");
            for (int i = 0; i < names.size(); i++) {
                guests.add(server.guest(FourGames.ALL.get(i), names.get(i)));
            }
            guests.add(server.guest(FourGames.game("quake2"), "bot"));
            server.await(guests);
            for (int i = 1; i <= 5; i++) {
                addGhost(server, i);
            }
            network.run(SECOND);
            assertThat(server.arena().players()).hasSize(10);

            String quake2 = ask(server, "quake2", "status\n");
            String quake3 = ask(server, "quake3", "getstatus x\n");
            String info = ask(server, "quake3", "getinfo x\n");
            String[] motd = motd(server);
            Listing expected = new Listing("Wishdir", 5, CAPACITY, "flat");
            assertThat(quake(quake2, "hostname", "maxclients", players(quake2).size()))
                    .isEqualTo(expected);
            assertThat(quake(quake3, "sv_hostname", "sv_maxclients", players(quake3).size()))
                    .isEqualTo(expected);
            int clients = Integer.parseInt(value(info, "clients"));
            assertThat(quake(info, "hostname", "sv_maxclients", clients)).isEqualTo(expected);
            assertThat(value(info, "g_humanplayers")).isEqualTo("5");
            assertThat(sauerbraten(server)).isEqualTo(expected);
            String[] level = motd[7].split(", ");
            assertThat(
                            new Listing(
                                    motd[1],
                                    Integer.parseInt(motd[4]),
                                    Integer.parseInt(motd[5]),
                                    level[0]))
                    .isEqualTo(expected);
            assertThat(ask(server, "quake2", "info 34\n")).contains(" 5/ 8");

            assertThat(names(quake2)).containsExactlyInAnyOrder("Ann", "Bea", "Cid", "Dan", "bot");
            assertThat(names(quake3)).containsExactlyInAnyOrderElementsOf(names(quake2));

            String gameType = mode.hasFlags() ? "4" : mode.hasTeams() ? "3" : "0";
            assertThat(value(quake3, "g_gametype")).isEqualTo(gameType);
            assertThat(value(info, "gametype")).isEqualTo(gameType);
            assertThat(level.length == 1 ? "no match" : level[1]).isEqualTo(mode.title());
            assertThat(value(quake2, "gamemode")).isEqualTo(mode.title());
            int[] numbers = numbers(new Reader(ask(browser(server), new byte[] {1})));
            // Coop edit, ffa, teamplay, ctf.
            assertThat(numbers[4])
                    .isEqualTo(
                            switch (mode) {
                                case NONE -> 1;
                                case FFA -> 0;
                                case TEAM -> 2;
                                default -> 11;
                            });
            int secondsLeft = numbers[5];
            if (mode == MatchMode.NONE) {
                assertThat(secondsLeft).isZero();
            } else {
                assertThat(secondsLeft).isBetween(15 * 60 - 60, 15 * 60);
            }
            String limit = mode.hasFlags() ? "capturelimit" : "fraglimit";
            for (String status : List.of(quake2, quake3)) {
                assertThat(value(status, "version")).isEqualTo("Wishdir");
                assertThat(value(status, limit)).isEqualTo(mode == MatchMode.NONE ? "0" : "30");
                assertThat(value(status, "timelimit"))
                        .isEqualTo(mode == MatchMode.NONE ? "0" : "15");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = MatchMode.class,
            names = {"FFA", "TEAM", "CTF"})
    void listsTimeLimitBeforeRound(MatchMode mode) throws IOException {
        network.tap((_, _, to, data) -> {
            if (to.getPort() == 4000) {
                answers.add(data);
            }
        });
        for (Duration limit : List.of(Duration.ofMinutes(20), Duration.ZERO)) {
            MatchRules rules =
                    MatchRules.of(mode).withTimes(limit, Duration.ZERO, Duration.ofSeconds(10));
            try (FourGames server =
                    new FourGames(network, new Random(1), CAPACITY, "", List.of(), rules)) {
                int seconds = numbers(new Reader(ask(browser(server), new byte[] {1})))[5];
                assertThat(seconds).isEqualTo(limit.isZero() ? 86_400 : limit.toSeconds());
                String minutes = Long.toString(limit.toMinutes());
                assertThat(value(ask(server, "quake2", "status\n"), "timelimit"))
                        .isEqualTo(minutes);
                assertThat(value(ask(server, "quake3", "getstatus x\n"), "timelimit"))
                        .isEqualTo(minutes);
            }
        }
    }

    @Test
    @DisplayName("three games tell server browsers that a password is needed; Bedrock has no field")
    void tellsThatPasswordIsNeeded() throws IOException {
        try (FourGames server =
                new FourGames(network, new Random(1), CAPACITY, "", List.of(), MatchRules.NONE)) {
            network.tap((_, _, to, data) -> {
                if (to.getPort() == 4000) {
                    answers.add(data);
                }
            });
            for (String password : List.of("", "rosebud", "")) {
                server.operations().setPassword(password);
                String needed = password.isEmpty() ? "0" : "1";
                assertThat(value(ask(server, "quake2", "status\n"), "needpass")).isEqualTo(needed);
                for (String question : List.of("getstatus x\n", "getinfo x\n")) {
                    assertThat(value(ask(server, "quake3", question), "g_needpass"))
                            .as(question)
                            .isEqualTo(needed);
                }
                int mode = numbers(new Reader(ask(browser(server), new byte[] {1})))[7];
                assertThat(mode).as("master mode").isEqualTo(password.isEmpty() ? 0 : 4);
            }
        }
    }
}
