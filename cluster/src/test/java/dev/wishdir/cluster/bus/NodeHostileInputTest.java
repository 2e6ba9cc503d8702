package dev.wishdir.cluster.bus;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;
import static dev.wishdir.cluster.agreement.TestCluster.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toList;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Farewell;
import dev.wishdir.cluster.v1.Kick;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.cluster.v1.PlayerOrder;
import dev.wishdir.cluster.v1.ReadyLevels;
import dev.wishdir.cluster.v1.Whisper;
import dev.wishdir.record.v1.Announcement;
import dev.wishdir.record.v1.Chat;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Joined;
import dev.wishdir.record.v1.Left;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Renamed;
import dev.wishdir.record.v1.Spawned;
import dev.wishdir.record.v1.Teleported;
import dev.wishdir.record.v1.Vector;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A node that is defective or wants to do harm, among honest ones. */
@Tag("slow")
class NodeHostileInputTest {
    private static final int LIAR = 1000;

    private final TestCluster cluster = new TestCluster(1);
    private final Server a = cluster.start();
    private final Server b = cluster.start();
    private final RawNode liar = new RawNode(cluster, LIAR);
    private Participant anna;
    private Participant bob;

    @BeforeEach
    void join() {
        anna = a.join("quake3", "anna");
        bob = b.join("quake2", "bob");
        liar.roster.add(RawNode.player(LIAR, 1, "liar").build());
        liar.run(2 * SECOND);
        assertThat(a.arena.players()).hasSize(3);
    }

    private PlayerId atA(int number) {
        return new PlayerId(LIAR, number);
    }

    private double x(int number) {
        return a.arena.find(atA(number)).orElseThrow().movement().position().x();
    }

    /** The honest nodes show each other as before. */
    private void assertUndisturbed() {
        assertThat(a.mirrored(b, bob).spawned()).isTrue();
        assertThat(b.mirrored(a, anna).spawned()).isTrue();
        assertThat(anna.player.isHere()).isTrue();
        a.move(anna, 33, 3);
        cluster.run(50 * MILLI);
        assertThat(b.mirrored(a, anna).movement().position().x()).isEqualTo(33);
    }

    @Test
    @DisplayName("N1: reports of players of other nodes, and messages in their name")
    void believesNodeAboutItsOwnPlayersOnly() {
        int number = bob.player.id().number();
        int other = b.node.number();
        Move lie = RawNode.move(other, number, 77).build();
        liar.sendBatch(lie);
        cluster.run(20 * MILLI);
        assertThat(a.mirrored(b, bob).movement()).isEqualTo(bob.movement);
        assertThat(a.reported()).containsExactly(NodeFault.FOREIGN_PLAYER);
        cluster.run(11 * SECOND);
        liar.run(SECOND);
        liar.sendEvent(
                Event.newBuilder()
                        .setId(
                                dev.wishdir.record.v1.PlayerId.newBuilder()
                                        .setNode(other)
                                        .setNumber(number))
                        .setLeft(Left.getDefaultInstance()));
        cluster.run(20 * MILLI);
        assertThat(a.shows(b, bob)).isTrue();
        cluster.run(11 * SECOND);
        liar.run(SECOND);
        liar.sendEvent(
                liar.of(5)
                        .setJoined(
                                Joined.newBuilder().setPlayer(RawNode.player(other, 5, "forged"))));
        cluster.run(11 * SECOND);
        liar.roster.add(RawNode.player(other, 6, "forged").build());
        liar.run(SECOND);
        assertThat(a.arena.players()).extracting(it -> it.name()).doesNotContain("forged");
        // In the name of the other node, on its own subject and on that of the other.
        liar.roster.clear();
        cluster.run(11 * SECOND);
        Batch forged =
                Batch.newBuilder()
                        .setHeader(liar.header().setNode(other).setBatch(1 << 20))
                        .setMoves(Moves.newBuilder().addMoves(lie))
                        .build();
        liar.sendBatch(forged);
        liar.bus.publish(liar.subjects.toAll(Subjects.Kind.MOVE, other), forged.toByteArray());
        cluster.run(20 * MILLI);
        assertThat(a.node.faults().get(NodeFault.WRONG_SENDER)).isPositive();
        assertThat(a.node.faults().get(NodeFault.OTHER_EPOCH)).isPositive();
        assertThat(a.mirrored(b, bob).movement()).isEqualTo(bob.movement);
        assertUndisturbed();
    }

    @Test
    @DisplayName("N2: floods of batches, events, chat and requests")
    void ignoresNodeThatFloods() {
        for (int i = 0; i < 30_000; i++) {
            liar.sendBatch(RawNode.move(LIAR, 1, i % 50).build());
        }
        cluster.run(100 * MILLI);
        assertThat(a.node.faults().get(NodeFault.RATE_LIMIT)).isOne();
        assertThat(a.reported()).containsExactly(NodeFault.RATE_LIMIT);
        assertUndisturbed();
        cluster.run(11 * SECOND);
        liar.run(SECOND);
        int before = bob.chat().size();
        for (int i = 0; i < 1000; i++) {
            liar.sendEvent(liar.of(1).setChat(Chat.newBuilder().setText("line " + i)));
            liar.sendEvent(
                    Event.newBuilder()
                            .setAnnouncement(Announcement.newBuilder().setText("text " + i)));
        }
        cluster.run(100 * MILLI);
        assertThat(bob.chat().size() - before).isBetween(1, 24);
        assertThat(bob.events.stream().filter(ArenaEvent.Announcement.class::isInstance).count())
                .isLessThanOrEqualTo(6);
        assertThat(b.reported()).contains(NodeFault.PLAYER_RATE_LIMIT);
        liar.run(SECOND);
        long rosters = a.node.counters().rostersSent();
        for (int i = 0; i < 1000; i++) {
            liar.ask(a.node.number());
        }
        cluster.run(100 * MILLI);
        assertThat(a.node.counters().rostersSent() - rosters).isLessThanOrEqualTo(17);
        assertUndisturbed();
    }

    @Test
    @DisplayName("N3: batches and events that are repeated, or come from a recording of the bus")
    void appliesNothingTwice() {
        liar.sendBatch(RawNode.move(LIAR, 1, 5).build());
        Batch old =
                Batch.newBuilder()
                        .setHeader(liar.header().setBatch(liar.batch))
                        .setMoves(Moves.newBuilder().addMoves(RawNode.move(LIAR, 1, 6)))
                        .setLevel(liar.level)
                        .build();
        liar.event++;
        NumberedEvent chat =
                NumberedEvent.newBuilder()
                        .setHeader(liar.header())
                        .setEvent(liar.of(1).setChat(Chat.newBuilder().setText("once")))
                        .build();
        for (int i = 0; i < 50; i++) {
            liar.sendEvent(chat);
            liar.sendBatch(old);
        }
        cluster.run(50 * MILLI);
        assertThat(bob.chat()).containsExactly("once");
        assertThat(x(1)).isEqualTo(5);
        assertThat(a.node.faults().get(NodeFault.REPEATED)).isEqualTo(99);
        assertThat(a.reported()).containsExactly(NodeFault.REPEATED);
        assertUndisturbed();
    }

    @Test
    @DisplayName("N4: movements with NaN, infinity and impossible numbers, wherever one may be")
    void dropsMovementsWithInvalidNumbers() {
        List<Move> invalid =
                List.of(
                        RawNode.move(LIAR, 1, Float.NaN).build(),
                        RawNode.move(LIAR, 1, Float.POSITIVE_INFINITY).build(),
                        RawNode.move(LIAR, 1, 9).setPitch(1000).build(),
                        RawNode.move(LIAR, 1, 9).setYaw(Float.NaN).build(),
                        RawNode.move(LIAR, 1, 9).setYaw(-1e30f).build(),
                        RawNode.move(LIAR, 1, 9)
                                .setVelocity(Vector.newBuilder().setX(1e30f))
                                .build());
        double before = x(1);
        for (Move move : invalid) {
            liar.sendBatch(move);
            liar.sendEvent(liar.of(1).setSpawned(Spawned.newBuilder().setMove(move)));
            liar.sendEvent(liar.of(1).setTeleported(Teleported.newBuilder().setMove(move)));
            liar.sendEvent(
                    liar.of(2)
                            .setJoined(
                                    Joined.newBuilder()
                                            .setPlayer(
                                                    RawNode.player(LIAR, 2, "nan").setMove(move))));
        }
        liar.sendBatch(
                RawNode.move(LIAR, 1, Float.NaN).build(), RawNode.move(LIAR, 1, 3e9f).build());
        cluster.run(50 * MILLI);
        assertThat(a.arena.find(atA(2))).isEmpty();
        assertThat(
                        a.arena
                                .bounds()
                                .contains(a.arena.find(atA(1)).orElseThrow().movement().position()))
                .isTrue();
        assertThat(before).isEqualTo(1);
        assertThat(a.node.faults().get(NodeFault.INVALID_MOVEMENT)).isEqualTo(25);
        assertThat(a.reported()).containsExactly(NodeFault.INVALID_MOVEMENT);
        // The node goes on as before with valid ones.
        liar.sendBatch(RawNode.move(LIAR, 1, 8).build());
        cluster.run(50 * MILLI);
        assertThat(x(1)).isEqualTo(8);
        assertUndisturbed();
    }

    private static byte[] manyFields(int tag, int count) throws Exception {
        byte[] data = new byte[count * 2];
        CodedOutputStream out = CodedOutputStream.newInstance(data);
        for (int i = 0; i < count; i++) {
            out.writeUInt32NoTag(tag);
            out.writeUInt32NoTag(0);
        }
        return data;
    }

    /** The moves or the snapshot of a message, with this content. */
    private static byte[] field(int number, byte[] content) throws Exception {
        byte[] data =
                new byte
                        [content.length
                                + CodedOutputStream.computeTagSize(number)
                                + CodedOutputStream.computeUInt32SizeNoTag(content.length)];
        CodedOutputStream out = CodedOutputStream.newInstance(data);
        out.writeByteArray(number, content);
        return data;
    }

    @Test
    @DisplayName(
            "N5: 2 MiB, 500,000 players, fields and forms, negative lengths, noise, cut messages")
    void dropsOversizedAndMalformedMessages() throws Exception {
        List<byte[]> bad =
                List.of(
                        new byte[2 << 20],
                        field(2, manyFields(10, 500_000)),
                        manyFields(42, 500_000),
                        manyFields(11, 500_000),
                        new byte[] {18, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
                        new byte[] {18, -1, -1, -1, -1, 7, 1, 2, 3},
                        new byte[] {10, 5, 8});
        // Each from another number, as one is ignored for 10 s.
        int from = 5000;
        for (byte[] data : bad) {
            for (Subjects.Kind kind : Subjects.Kind.values()) {
                from++;
                String subject =
                        kind.isToOneNode()
                                ? liar.subjects.toNode(kind, a.node.number(), from)
                                : liar.subjects.toAll(kind, from);
                liar.bus.publish(subject, data);
            }
        }
        Random random = new Random(1);
        byte[] good =
                Batch.newBuilder()
                        .setHeader(liar.header().setBatch(1 << 20))
                        .setMoves(Moves.newBuilder().addMoves(RawNode.move(LIAR, 1, 5)))
                        .setLevel(liar.level)
                        .build()
                        .toByteArray();
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            liar.bus.publish(liar.subjects.toAll(Subjects.Kind.MOVE, 20_000 + length), cut);
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            liar.bus.publish(liar.subjects.toAll(Subjects.Kind.EVENT, 30_000 + length), noise);
        }
        cluster.run(50 * MILLI);
        assertThat(a.node.faults())
                .containsKeys(NodeFault.OVERSIZE, NodeFault.MALFORMED, NodeFault.TOO_MANY_PLAYERS);
        assertThat(a.node.nodes()).hasSize(2);
        assertUndisturbed();
    }

    @Test
    @DisplayName(
            "N6: earlier runs of a node, a number that is in use, also that of this node; 1,000"
                    + " numbers")
    void acceptsOneRunOfANumber() {
        liar.epoch = 98;
        liar.batch = 1 << 20;
        liar.sendBatch(RawNode.move(LIAR, 1, 50).build());
        cluster.run(50 * MILLI);
        assertThat(x(1)).isEqualTo(1);
        assertThat(a.reported()).containsExactly(NodeFault.OTHER_EPOCH);
        // The new run after a silence; then the old one is not accepted any more.
        cluster.run(400 * MILLI);
        liar.run(500 * MILLI);
        liar.sendBatch(RawNode.move(LIAR, 1, 50).build());
        cluster.run(50 * MILLI);
        assertThat(x(1)).isEqualTo(50);
        cluster.run(400 * MILLI);
        liar.epoch = 99;
        liar.sendBatch(RawNode.move(LIAR, 1, 20).build());
        cluster.run(50 * MILLI);
        assertThat(x(1)).isEqualTo(50);
        // The number of node a: it takes others, but not without end.
        for (int i = 0; i < 100; i++) {
            Batch stolen =
                    Batch.newBuilder()
                            .setHeader(liar.header().setNode(a.node.number()).setBatch(1))
                            .build();
            liar.bus.publish(
                    liar.subjects.toAll(Subjects.Kind.MOVE, a.node.number()), stolen.toByteArray());
            cluster.run(20 * MILLI);
        }
        assertThat(a.events).filteredOn(NodeEvent.Renumbered.class::isInstance).hasSize(3);
        cluster.run(SECOND);
        assertThat(b.view()).containsKey(new PlayerId(a.node.number(), 1));
        for (int i = 0; i < 1000; i++) {
            new RawNode(cluster, 40_000 + i).sendBatch();
        }
        cluster.run(50 * MILLI);
        assertThat(a.node.faults().get(NodeFault.TOO_MANY_NODES)).isPositive();
        assertUndisturbed();
    }

    @Test
    @DisplayName("N7: a node of the lowest number whose players take the names of all others")
    void keepsNamesUnique() {
        RawNode first = new RawNode(cluster, 2);
        for (int i = 1; i <= 100; i++) {
            first.roster.add(RawNode.player(2, i, i % 2 == 0 ? "anna" : "аnna").build());
        }
        first.roster.add(RawNode.player(2, 200, "a\u0000b\u202E").build());
        first.run(3 * SECOND);
        assertThat(bob.player.name()).isEqualTo("bob");
        assertThat(anna.player.name()).startsWith("anna(");
        assertThat(b.mirrored(a, anna).name()).isEqualTo(anna.player.name());
        assertThat(a.arena.player(new PlayerId(2, 1)).orElseThrow().name()).isEqualTo("\u0430nna");
        assertNamesAreUnique();
        assertThat(a.reported()).containsExactly(NodeFault.NAME_TAKEN);
        assertUndisturbed();
    }

    @Test
    @DisplayName("N7: a node of the highest number that does not rename its players")
    void renamesPlayersThatTheirNodeDoesNotRename() {
        RawNode last = new RawNode(cluster, PlayerId.MAX_NODE);
        last.roster.add(RawNode.player(last.number, 1, "anna").build());
        last.roster.add(RawNode.player(last.number, 2, "bob").build());
        last.roster.add(RawNode.player(last.number, 3, "bob").build());
        last.run(SECOND);
        // Its own node has two seconds for it; two with one name are never right.
        assertThat(a.player(new PlayerId(last.number, 1)).name()).isEqualTo("anna");
        assertThat(a.player(new PlayerId(last.number, 3)).name()).isEqualTo("bob(3)");
        last.run(2 * SECOND);
        assertThat(a.player(new PlayerId(last.number, 1)).name()).isEqualTo("anna(1)");
        assertThat(a.player(new PlayerId(last.number, 2)).name()).isEqualTo("bob(2)");
        assertThat(anna.player.name()).isEqualTo("anna");
        assertThat(bob.player.name()).isEqualTo("bob");
        assertNamesAreUnique();
        b.leave(bob);
        last.run(2 * SECOND);
        assertThat(a.player(new PlayerId(last.number, 2)).name()).isEqualTo("bob");
        assertNamesAreUnique();
        assertThat(a.reported()).containsExactly(NodeFault.NAME_TAKEN);
    }

    @Test
    @DisplayName("N7: names that are free only for what another one is renamed to")
    void showsAllNamesAlikeInWhateverOrderTheyCame() {
        RawNode first = new RawNode(cluster, 2);
        liar.send(
                Subjects.Kind.EVENT,
                NumberedEvent.newBuilder()
                        .setHeader(liar.header().setEvent(1))
                        .setFarewell(Farewell.getDefaultInstance())
                        .build()
                        .toByteArray());
        Map<PlayerId, TestCluster.Row> shown = Map.of();
        List<String> names =
                List.of("x", "x", "x(2)", "x(3)", "x(4)", "x", "x(3-2)", "x(7)", "y".repeat(40));
        List<Integer> order = IntStream.rangeClosed(1, names.size()).boxed().collect(toList());
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(order, new Random(seed));
            first.roster.clear();
            first.run(100 * MILLI);
            for (int i : order) {
                first.sendEvent(
                        first.of(i)
                                .setJoined(
                                        Joined.newBuilder()
                                                .setPlayer(
                                                        RawNode.player(2, i, names.get(i - 1)))));
                first.roster.add(RawNode.player(2, i, names.get(i - 1)).build());
                first.run(20 * MILLI);
            }
            first.run(2 * SECOND);
            assertNamesAreUnique();
            if (seed == 0) {
                shown = a.view();
            }
            assertThat(a.view()).isEqualTo(shown);
            for (int i : order) {
                first.sendEvent(first.of(i).setLeft(Left.getDefaultInstance()));
            }
        }
    }

    private void assertNamesAreUnique() {
        for (Server server : List.of(a, b)) {
            assertThat(server.arena.players())
                    .allMatch(player -> server.player(player.id()).namesakes().isEmpty());
        }
        assertThat(a.view()).isEqualTo(b.view());
    }

    @Test
    @DisplayName("N8: a level that does not exist, a count without end, 1,000 changes")
    void keepsItsLevel() {
        liar.level = PlayedLevel.newBuilder().setCount(5).setNode(LIAR).setName("nowhere").build();
        liar.sendBatch();
        liar.level = liar.level.toBuilder().setCount(Long.MAX_VALUE).setName("tower").build();
        liar.sendBatch();
        liar.level = liar.level.toBuilder().setCount(-1).build();
        liar.sendBatch();
        liar.level = liar.level.toBuilder().setCount(6).setName("../../etc").build();
        liar.sendBatch();
        cluster.run(50 * MILLI);
        for (String next : List.of("", "a\nb", "\u00e9", "x".repeat(65), "x".repeat(64))) {
            liar.sendBatch(
                    Batch.newBuilder()
                            .setHeader(liar.header().setBatch(++liar.batch))
                            .setLevel(liar.level)
                            .setNextLevel(next)
                            .build());
        }
        cluster.run(50 * MILLI);
        assertThat(a.nextLevels).containsExactly("x".repeat(64));
        assertThat(a.level).isEqualTo("flat");
        assertThat(a.reported()).containsExactly(NodeFault.UNKNOWN_LEVEL);
        for (int i = 0; i < 1000; i++) {
            liar.level =
                    liar.level.toBuilder()
                            .setCount(7 + i)
                            .setName(TestCluster.LEVELS.get(1 + i % 2))
                            .build();
            liar.sendBatch();
        }
        cluster.run(50 * MILLI);
        assertThat(a.arena.find(atA(1)).orElseThrow().spawned()).isFalse();
        // What an operator chooses wins over all of it.
        cluster.run(10 * SECOND);
        a.changeLevel("hall");
        cluster.run(3 * SECOND);
        assertThat(b.level).isEqualTo("hall");
        assertUndisturbed();
    }

    /** Another batch of the liar: the level that it prepares, and those that it has ready. */
    private Batch.Builder preparing(String next, String... ready) {
        return Batch.newBuilder()
                .setHeader(liar.header().setBatch(++liar.batch))
                .setLevel(liar.level)
                .setNextLevel(next)
                .setReady(ReadyLevels.newBuilder().addAllNames(List.of(ready)));
    }

    /** Lets time pass while the liar sends batches by turns. */
    private void run(long nanos, List<Supplier<Batch>> batches) {
        for (int i = 0; i < nanos / (10 * MILLI); i++) {
            liar.sendBatch(batches.get(i % batches.size()).get());
            cluster.run(10 * MILLI);
        }
    }

    @Test
    @DisplayName("N8: a node that prepares a level for ever holds up one change, for 30 s")
    void waitsForNodeThatPreparesForEverOnce() {
        a.announceLevel("hall");
        run(
                LevelAgreement.MAX_PREPARE_NANOS - SECOND,
                List.of(() -> preparing("", "tower").build()));
        assertThat(a.level).isEqualTo("flat");
        run(SECOND + 50 * MILLI, List.of(() -> preparing("", "x".repeat(64)).build()));
        assertThat(a.level).isEqualTo(b.level).isEqualTo("hall");
        a.announceLevel("tower");
        run(50 * MILLI, List.of(() -> preparing("").build()));
        assertThat(a.level).isEqualTo(b.level).isEqualTo("tower");
        assertUndisturbed();
    }

    @Test
    @DisplayName("N8: a node that has a level ready and has not, by turns, holds up no change")
    void beginsLevelWhenChangingNodeHasItReady() {
        a.announceLevel("hall");
        run(100 * MILLI, List.of(() -> preparing("").build(), () -> preparing("", "hall").build()));
        assertThat(a.level).isEqualTo(b.level).isEqualTo("hall");
        // Of an earlier version, which does not report it.
        a.announceLevel("tower");
        run(50 * MILLI, List.of(() -> preparing("").clearReady().build()));
        assertThat(a.level).isEqualTo(b.level).isEqualTo("tower");
        assertUndisturbed();
    }

    @Test
    @DisplayName("N8: levels to be prepared without end, and ready ones without end")
    void answersFewLevelsAtOnce() {
        RawNode witness = new RawNode(cluster, LIAR + 1);
        witness.bus.subscribe(witness.subjects.toAll(Subjects.Kind.MOVE, a.node.number()));
        int[] level = new int[1];
        run(10 * SECOND, List.of(() -> preparing("level" + level[0]++).build()));
        int batches = 0;
        for (BusEvent event = witness.bus.poll(); event != null; event = witness.bus.poll()) {
            batches += event instanceof BusEvent.Received ? 1 : 0;
        }
        // One for each movement of anna, about each 30 ms, and one each 100 ms.
        assertThat(batches).isLessThan(10 * (33 + 10) + 30);
        String[] many = new String[20];
        Arrays.setAll(many, i -> i == 8 ? "hall" : "level" + i);
        a.announceLevel("hall");
        run(SECOND, List.of(() -> preparing("", many).build()));
        assertThat(a.level).as("only the first 8 count").isEqualTo("flat");
        assertThat(a.node.faults()).isEmpty();
        String[] tooMany = new String[20_000];
        Arrays.fill(tooMany, "");
        liar.sendBatch(preparing("", tooMany).build());
        cluster.run(2100 * MILLI);
        assertThat(a.reported()).containsExactly(NodeFault.TOO_MANY_PLAYERS);
        assertThat(a.level).as("it is ignored").isEqualTo("hall");
        assertUndisturbed();
    }

    @Test
    @DisplayName(
            "N10: another version, unknown fields, kinds and forms; orders and answers that nobody"
                    + " awaits")
    void understandsWhatItKnows() {
        UnknownFieldSet unknown =
                UnknownFieldSet.newBuilder()
                        .addField(
                                500,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFromUtf8("new"))
                                        .build())
                        .build();
        Move.Builder move =
                RawNode.move(LIAR, 1, 7)
                        .setForm(9)
                        .setNative(ByteString.copyFromUtf8("x"))
                        .setUnknownFields(unknown);
        liar.sendBatch(
                Batch.newBuilder()
                        .setHeader(liar.header().setBatch(++liar.batch))
                        .setMoves(Moves.newBuilder().addMoves(move))
                        .setLevel(liar.level)
                        .setUnknownFields(unknown)
                        .build());
        liar.sendEvent(liar.of(1).setUnknownFields(unknown));
        liar.event++;
        liar.sendEvent(
                NumberedEvent.newBuilder()
                        .setHeader(liar.header())
                        .setUnknownFields(unknown)
                        .build());
        liar.sendEvent(liar.of(1).setRenamed(Renamed.newBuilder().setName("newer")));
        cluster.run(50 * MILLI);
        assertThat(x(1)).isEqualTo(7);
        assertThat(a.arena.find(atA(1)).orElseThrow().nativeMovement())
                .isEqualTo(NativeMovement.Stored.NONE);
        assertThat(a.arena.find(atA(1)).orElseThrow().name()).isEqualTo("newer");
        assertThat(a.node.faults()).isEmpty();

        RawNode next = new RawNode(cluster, 3000);
        next.major = 2;
        next.roster.add(RawNode.player(3000, 1, "future").build());
        next.run(SECOND);
        assertThat(a.arena.players()).hasSize(3);
        assertThat(a.reported()).containsExactly(NodeFault.VERSION);
        assertThat(a.events)
                .contains(
                        new NodeEvent.FaultFound(
                                3000,
                                NodeFault.VERSION,
                                "speaks cluster protocol 2, this server 1: it is not shown"));

        liar.run(SECOND);
        liar.answer(a.node.number());
        PlayerOrder order =
                PlayerOrder.newBuilder()
                        .setHeader(liar.header())
                        .setPlayer(anna.player.id().number())
                        .setWhisper(Whisper.newBuilder().setFrom(77).setText("from whoever"))
                        .build();
        String tell = liar.subjects.toNode(Subjects.Kind.TELL, a.node.number(), LIAR);
        liar.bus.publish(tell, order.toByteArray());
        liar.bus.publish(
                tell,
                order.toBuilder()
                        .setPlayer(500)
                        .setKick(Kick.getDefaultInstance())
                        .build()
                        .toByteArray());
        cluster.run(50 * MILLI);
        assertThat(anna.events).noneMatch(ArenaEvent.Whisper.class::isInstance);
        assertThat(a.node.faults().get(NodeFault.UNEXPECTED)).isEqualTo(2);
        assertUndisturbed();
    }

    @Test
    void answersGoOnlyToTheSubjectOfTheNodeThatAsks() {
        liar.bus.subscribe("wishdir.test.move.9");
        liar.bus.publish(
                liar.subjects.toNode(Subjects.Kind.ASK, a.node.number(), LIAR),
                "wishdir.test.move.9",
                dev.wishdir.cluster.v1.RosterRequest.newBuilder()
                        .setHeader(liar.header())
                        .build()
                        .toByteArray());
        long sent = a.node.counters().rostersSent();
        cluster.run(50 * MILLI);
        assertThat(a.node.counters().rostersSent()).isEqualTo(sent + 1);
        for (BusEvent event = liar.bus.poll(); event != null; event = liar.bus.poll()) {
            assertThat(event).isNotInstanceOf(BusEvent.Received.class);
        }
    }
}
