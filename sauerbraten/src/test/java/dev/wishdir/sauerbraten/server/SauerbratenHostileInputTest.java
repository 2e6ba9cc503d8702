package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CompressedEdit;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Selection;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.RandomMessages;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a client may say to a running endpoint, and what may be made of its datagrams. Two honest
 * players walk all the time; after each test they still see each other at once, a newcomer joins,
 * no other is left behind, and no unproven address was sent more than its budget.
 */
class SauerbratenHostileInputTest {
    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;
    private static final InetSocketAddress GAME = EnetNode.address("10.0.0.1:28785");
    private static final InetSocketAddress INFO = EnetNode.address("10.0.0.1:28786");
    private static final Bytes ASK = Bytes.of((byte) 1);

    private final SimulatedNetwork network = new SimulatedNetwork(11);

    /** A unit of the game in metres; its positions are more exact. */
    private static final double UNIT = 1 / 8.0;

    private final Arena arena = new Arena(Level.BOX, 40);
    private final Counters counters = new Counters();
    private final List<String> names = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<Movement> movements = new ArrayList<>();

    /** Answers to addresses that are no player's, by address. */
    private final Map<InetSocketAddress, List<byte[]>> answers = new HashMap<>();

    private SauerbratenEndpoint endpoint;
    private ScriptedPlayer alice;
    private ScriptedPlayer bob;
    private int players;
    private long began;

    @BeforeEach
    void serve() throws IOException {
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Joined(_, Player player) -> names.add(player.name());
                case ArenaEvent.Renamed(_, _, _, String name) -> names.add(name);
                case ArenaEvent.Chat(_, _, String text) -> said.add(text);
                case ArenaEvent.Moved(_, _, Movement movement) -> movements.add(movement);
                default -> {}
            }
        });
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, GAME, arena)
                                .name("test")
                                .maxPlayers(16)
                                .counters(counters)
                                .random(new Random(9))
                                .build());
        network.tap((_, from, to, data) -> {
            if (to.getAddress().getAddress()[0] != 10) {
                answers.computeIfAbsent(to, _ -> new ArrayList<>()).add(data.clone());
            }
        });
        alice = player("alice");
        bob = player("bob");
        began = network.now();
    }

    @AfterEach
    void allGoesOn() {
        seesEachOther();
        ScriptedPlayer newcomer = player("newcomer");
        assertThat(newcomer.heard(SessionMessage.Welcome.class)).hasSize(1);
        assertThat(endpoint.sessions()).isEqualTo(3);
        assertThat(arena.players()).hasSize(3);
        assertThat(movements).allMatch(Movement::isValid);
        assertThat(movements).allMatch(movement -> arena.bounds().contains(movement.position()));
        double seconds = (network.now() - began) / 1e9;
        assertThat(answers.values().stream().flatMap(List::stream).mapToInt(a -> a.length).sum())
                .isLessThanOrEqualTo((int) ((64 << 10) * (1 + seconds)));
    }

    private void seesEachOther() {
        network.run(50 * MILLI);
        alice.positions.clear();
        Bytes position = bob.move(8100 + ++steps);
        network.run(5 * MILLI);
        assertThat(alice.positions).contains(position);
    }

    private int steps;

    private ScriptedPlayer player() {
        return new ScriptedPlayer(network, ++players, GAME);
    }

    private ScriptedPlayer player(String name) {
        return player().join(name);
    }

    /** An address without a player. */
    private static InetSocketAddress stranger(int number) {
        return EnetNode.address(String.format("172.%d.%d.7:5000", 16 + number / 256, number % 256));
    }

    private List<byte[]> answersTo(int stranger) {
        return answers.getOrDefault(stranger(stranger), List.of());
    }

    private void inject(int stranger, InetSocketAddress to, byte... data) {
        network.inject(stranger(stranger), to, data);
    }

    private boolean isAnswered(int stranger) {
        inject(stranger, INFO, ASK.toArray());
        return network.runUntil(() -> !answersTo(stranger).isEmpty(), 100 * MILLI);
    }

    @Test
    @DisplayName("A8 milliseconds of 32 bits wrap without effect")
    void survivesClockWrap() {
        network.stepClock((1L << 32) * MILLI - network.now() - 2 * SECOND);
        for (int i = 0; i < 4; i++) {
            network.run(SECOND);
            seesEachOther();
            assertThat(isAnswered(i)).isTrue();
        }
    }

    @Test
    @DisplayName("B11 positions before joining and for other numbers are ignored")
    void ignoresForeignPositions() {
        ScriptedPlayer carol = player().greeted();
        for (int cn : new int[] {carol.cn, alice.cn, 127, 128, 300, (1 << 28) - 1, -1}) {
            carol.move(cn, 1, 8000);
            carol.raw(0, positionOf(cn), true);
        }
        network.run(SECOND);
        assertThat(bob.positions).isEmpty();
        assertThat(carol.isGone()).isFalse();
        carol.peer.disconnect(0);
        network.run(SECOND);
    }

    private static Bytes positionOf(int cn) {
        return CODEC.packet(
                Pos.of(cn, 4, 8000, 8192, 8192, Pos.LEVEL, 90, 0, Pos.LEVEL, 0, 0, false));
    }

    @Test
    @DisplayName("B12 a position cut at any byte moves no player")
    void ignoresCutPositions() {
        Bytes whole =
                CODEC.packet(Pos.of(2, 12, -5, 99_999, -9, 65_160, 90, 999, 32_400, 300, 9, true));
        for (int length = 1; length < whole.length(); length++) {
            ScriptedPlayer carol = player("carol");
            assertThat(carol.cn).isEqualTo(2);
            carol.raw(0, Bytes.copyOf(whole.toArray(), 0, length), true);
            assertThat(carol.farewell()).isEqualTo(1);
        }
        assertThat(movements).isEmpty();
    }

    @Test
    @DisplayName("B12 wild positions are shown in the arena, to players of the game and to others")
    void showsWildPositionsInsideArena() {
        ScriptedPlayer carol = player("carol");
        int most = (1 << 23) - 1;
        int[] edges = {-most - 1, -1, 0, 65_535, 65_536, most};
        alice.positions.clear();
        for (int edge : edges) {
            for (int direction : new int[] {0, 65_160, 65_535}) {
                for (int physstate : new int[] {5, 6, 7}) {
                    Pos pos =
                            Pos.of(
                                    carol.cn,
                                    0xF0 | physstate | (carol.lifeseq & 1) << 3,
                                    edge,
                                    -1 - edge,
                                    edge,
                                    direction,
                                    255,
                                    65_535,
                                    direction,
                                    65_535,
                                    direction,
                                    true);
                    carol.raw(0, CODEC.packet(pos), true);
                    network.run(40 * MILLI);
                }
            }
        }
        assertThat(movements).isNotEmpty();
        assertThat(alice.positions)
                .isNotEmpty()
                .map(SauerbratenHostileInputTest::place)
                .allMatch(shown -> arena.bounds().clamp(shown).distance(shown) < UNIT);
        int sent = alice.positions.size();
        for (int i = 0; i < 20; i++) {
            carol.move(carol.cn, i, 8000 + i);
            network.run(40 * MILLI);
        }
        assertThat(alice.positions).hasSize(sent + 10);
        carol.peer.disconnect(0);
        network.run(SECOND);
    }

    /** Where a packet has a player, metres. */
    private static Vec3 place(Bytes packet) {
        Pos pos = (Pos) CODEC.read(Direction.S2C, new Reader(packet));
        return SauerbratenMotion.CENTERED.toCanonical(pos).position();
    }

    @Test
    @DisplayName(
            "B13 a thousand positions a second are coalesced, silence and a burst are no offence")
    void coalescesPositionsAtAnyRate() {
        for (int i = 0; i < 1000; i++) {
            alice.move(8000 + i % 100);
            network.run(MILLI);
        }
        network.run(100 * MILLI);
        assertThat(bob.positions.size()).isBetween(30, 40);
        network.run(5 * SECOND);
        bob.positions.clear();
        for (int i = 0; i < 150; i++) {
            alice.move(8000 + i);
        }
        network.run(100 * MILLI);
        assertThat(bob.positions.size()).isBetween(1, 3);
        assertThat(alice.isGone()).isFalse();
        assertThat(counters.get("sauerbraten.implausible")).isZero();
    }

    @Test
    @DisplayName("B14 every message of a server, from a client, ends only its sender")
    void endsSenderOfServerMessages() {
        List<Class<?>> ofClients =
                RandomMessages.blanks(CODEC, Direction.C2S).stream()
                        .<Class<?>>map(SauerbratenMessage::getClass)
                        .toList();
        for (SauerbratenMessage message : RandomMessages.blanks(CODEC, Direction.S2C)) {
            if (ofClients.contains(message.getClass()) || isOfClients(CODEC.code(message))) {
                continue;
            }
            ScriptedPlayer carol = player("carol");
            carol.raw(1, CODEC.packet(message), true);
            assertThat(carol.farewell()).as("%s", message).isEqualTo(4);
        }
        ScriptedPlayer carol = player().greeted();
        carol.raw(2, Bytes.of((byte) 1), true);
        assertThat(carol.farewell()).isEqualTo(4);
    }

    private static boolean isOfClients(int code) {
        return RandomMessages.blanks(CODEC, Direction.C2S).stream()
                .anyMatch(message -> CODEC.code(message) == code);
    }

    @Test
    @DisplayName("B15 numbers cut off end their sender, longer ones than needed do not")
    void endsSenderOfCutNumbers() {
        for (String cut : List.of("80", "81", "2080", "20810000", "1780")) {
            ScriptedPlayer carol = player("carol");
            carol.raw(1, Bytes.ofHex(cut), true);
            assertThat(carol.farewell()).as(cut).isIn(1L, 4L);
        }
        ScriptedPlayer carol = player("carol");
        carol.raw(1, Bytes.ofHex("8105000000" + "8168000000" + "800000"), true);
        carol.raw(1, Bytes.ofHex("8120000000" + "8105000000"), true);
        network.run(SECOND);
        carol.raw(1, Bytes.ofHex("802000" + "800600"), true);
        network.run(SECOND);
        assertThat(alice.relayed)
                .contains("2 Text[text=h]", "2 ClientPing[ping=5]", "2 ClientPing[ping=6]");
        carol.peer.disconnect(0);
        network.run(SECOND);
    }

    @Test
    @DisplayName("B15 names and chat reach others clean and bounded")
    void cleansNamesAndChat() {
        ScriptedPlayer carol = player("ca\f3r\n\to\u00001 l");
        Writer endless = new Writer(6000);
        endless.u8("code", 5);
        endless.append("\f3x\ty\u0001".repeat(1000).getBytes(StandardCharsets.ISO_8859_1), 0, 4990);
        carol.raw(1, Bytes.of(endless.toByteArray()), true);
        network.run(SECOND);
        carol = carol.isGone() ? player("carol") : carol;
        Writer all = new Writer(2000);
        all.u8("code", 5);
        for (int b = 1; b < 256; b++) {
            all.append(new byte[] {(byte) 0x80, (byte) b, 0}, 0, 3);
        }
        all.u8("end", 0);
        carol.raw(1, Bytes.of(all.toByteArray()), true);
        carol.say(new RosterMessage.SwitchName("\f3" + "n".repeat(200)));
        network.run(SECOND);
        assertThat(names).allMatch(name -> name.matches("[^\\p{Cntrl}\f]{1,15}"));
        assertThat(said).isNotEmpty().allMatch(line -> line.matches("[^\\p{Cntrl}]{1,500}"));
        assertThat(alice.relayed).noneMatch(line -> line.contains("\f"));
        carol.peer.disconnect(0);
        network.run(SECOND);
    }

    @Test
    @DisplayName("B16 floods of names and teams are limited, then end their sender")
    void limitsRenames() {
        ScriptedPlayer carol = player("carol");
        for (int i = 0; i < 2000 && !carol.isGone(); i++) {
            carol.say(new RosterMessage.SwitchName("n" + i), new RosterMessage.SwitchTeam("t" + i));
            network.run(10 * MILLI);
        }
        assertThat(carol.farewell()).isEqualTo(3);
        assertThat(alice.relayed.stream().filter(line -> line.contains("SwitchName")).count())
                .isBetween(10L, 40L);
    }

    @Test
    @DisplayName("B17 queries of any length and kind are answered small or not at all")
    void boundsAnswersToQueries() {
        for (int length : new int[] {0, 1, 32, 33}) {
            inject(length, INFO, new byte[length]);
        }
        byte[] allPlayers = {0, 1, -1};
        for (int i = 0; i < 1000; i++) {
            inject(900, INFO, allPlayers);
            network.run(MILLI);
        }
        network.run(SECOND);
        assertThat(answersTo(33)).isEmpty();
        assertThat(answersTo(900).stream().mapToInt(answer -> answer.length).sum())
                .isBetween(500, 4096 + 3 * 2048);
    }

    @Test
    @DisplayName("B17 the answer about players fits a datagram and hides their addresses")
    void answersPlayerStatsInOneDatagram() {
        inject(50, INFO, (byte) 0, (byte) 1, (byte) -1);
        network.run(SECOND);
        assertThat(answersTo(50)).hasSize(3).allMatch(answer -> answer.length <= 100);
        assertThat(answersTo(50).subList(1, 3))
                .allSatisfy(stats -> assertThat(stats).endsWith((byte) 0, (byte) 0, (byte) 0));
    }

    @Test
    @DisplayName("B18 a map's name too long, and a large file where none may be sent")
    void refusesLongMapNamesAndLargeFiles() {
        ScriptedPlayer carol = player("carol");
        carol.say(new MatchMessage.MapVote("m".repeat(259), 0), new MatchMessage.MapVote("..", 0));
        carol.say(new MatchMessage.MapVote("a/b", 1), new MatchMessage.MapVote("c\\d", 1));
        network.run(SECOND);
        assertThat(alice.heard(MatchMessage.MapChange.class)).hasSize(1);
        assertThat(carol.heard(ChatMessage.ServMsg.class)).hasSize(4);
        for (ScriptedPlayer voter : List.of(alice, bob)) {
            voter.say(new MatchMessage.MapVote("boxarena", 0));
        }
        network.run(SECOND);
        carol.raw(2, Bytes.wrap(new byte[4 << 20]), true);
        network.run(60 * SECOND);
        carol.say(new EditMessage.GetMap());
        network.run(SECOND);
        assertThat(carol.heard(EditMessage.SendMap.class)).isEmpty();
        alice.spawn();
        bob.spawn();
        carol.peer.disconnect(0);
        network.run(SECOND);
    }

    @Test
    @DisplayName("B18 more edits than anybody makes end their sender")
    void endsSenderOfEditFlood() {
        ScriptedPlayer carol = player("carol");
        Bytes extra = Bytes.wrap(new byte[0xFFFF]);
        for (int i = 0; i < 1000 && !carol.isGone(); i++) {
            carol.say(new EditMessage.EditVSlot(Selection.BLANK, 1, 0, extra));
            network.run(20 * MILLI);
        }
        assertThat(carol.farewell()).isEqualTo(3);
        network.run(60 * SECOND);
        assertThat(alice.relayed.stream().filter(line -> line.contains("EditVSlot")).count())
                .isBetween(1L, 3L);
    }

    @Test
    @DisplayName("B18 the longest edits pass, one after the other")
    void acceptsLongestEdits() {
        ScriptedPlayer carol = player("carol");
        Bytes extra = Bytes.wrap(new byte[0xFFFF]);
        for (int i = 0; i < 4; i++) {
            carol.say(new EditMessage.EditVSlot(Selection.BLANK, 1, 0, extra));
            network.run(17 * SECOND);
        }
        network.run(32 * SECOND);
        carol.say(
                new EditMessage.ClientClipboard(
                        new CompressedEdit(9, Bytes.wrap(new byte[1 << 20]))));
        network.run(60 * SECOND);
        assertThat(alice.relayed.stream().filter(line -> line.contains("EditVSlot")).count())
                .isEqualTo(4);
        assertThat(alice.heard(EditMessage.Clipboard.class)).hasSize(1);
        carol.peer.disconnect(0);
        network.run(SECOND);
    }
}
