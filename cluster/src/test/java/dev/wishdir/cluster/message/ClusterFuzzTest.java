package dev.wishdir.cluster.message;

import static dev.wishdir.cluster.agreement.TestCluster.MILLI;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.cluster.NodeFlagTest;
import dev.wishdir.cluster.NodeItemTest;
import dev.wishdir.cluster.NodeRaceTest;
import dev.wishdir.cluster.agreement.BanAgreement;
import dev.wishdir.cluster.agreement.TestCluster;
import dev.wishdir.cluster.agreement.TestCluster.Participant;
import dev.wishdir.cluster.agreement.TestCluster.Server;
import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BucketEvent;
import dev.wishdir.cluster.bus.RawNode;
import dev.wishdir.cluster.bus.Subjects.Kind;
import dev.wishdir.cluster.v1.Ban;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.record.v1.Event;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Any bytes at all, as messages of another node: to each reader, and to a node with players in a
 * race or a fight. In inputs of {@link #batch} and its sisters the first byte is the match; each
 * message begins with its kind and two bytes of its length.
 */
@Tag("slow")
class ClusterFuzzTest {
    private static final int SENDER = 1000;

    /** Bits of the first byte that say what is played. */
    private static final int MODES = 3;

    /** A message without this bit has a correct header before its bytes. */
    private static final int IS_RAW = 0x80;

    /** Until a node that has missed an event asks for the roster, whenever it asked before. */
    private static final long ASK_NANOS = 600 * MILLI;

    private static final int MAX_SCORE = 1_000_000;

    private interface Read {
        void read(byte[] data) throws NodeFaultException;
    }

    private static void readOrRefuse(byte[] data, Read read) {
        try {
            read.read(data);
        } catch (NodeFaultException e) {
            assertThat(e.fault()).isNotNull();
        }
    }

    /** N5. */
    @FuzzTest
    void decode(byte[] data) {
        readOrRefuse(data, it -> MessageReader.batch(SENDER, it));
        readOrRefuse(data, it -> MessageReader.event(SENDER, it));
        readOrRefuse(data, it -> MessageReader.roster(SENDER, it));
        readOrRefuse(data, it -> MessageReader.request(SENDER, it));
        readOrRefuse(data, it -> MessageReader.order(SENDER, it));
        readOrRefuse(data, MessageReader::storedBan);
    }

    /** Movements, levels, rounds, items, times of a race. */
    @FuzzTest
    void batch(byte[] data) {
        new Game(data).play(Kind.MOVE);
    }

    /** What happens to players, hits, frags, bans, farewells. */
    @FuzzTest
    void event(byte[] data) {
        new Game(data).play(Kind.EVENT);
    }

    /** Players, scores, and recent hits, as the node asked for them. */
    @FuzzTest
    void roster(byte[] data) {
        new Game(data).play(Kind.ANSWER);
    }

    /** Whispers, kicks, bans of own players; requests for the roster. */
    @FuzzTest
    void order(byte[] data) {
        new Game(data).play(Kind.TELL, Kind.ASK);
    }

    /** All kinds of messages, one after another. */
    @FuzzTest
    void node(byte[] data) {
        new Game(data).play(Kind.values());
    }

    /** Values of the bucket, each with one byte for its length before it. */
    @FuzzTest
    void bucket(byte[] data) {
        TestCluster cluster = new TestCluster(1);
        Server server = cluster.start();
        Bucket forged = cluster.broker.connect().bucket("");
        Input input = new Input(data);
        while (input.hasNext()) {
            byte[] value = input.bytes(input.next());
            forged.put(key(value), value);
        }
        for (BucketEvent event = forged.poll(); event != null; event = forged.poll()) {
            assertThat(event).isNotInstanceOf(BucketEvent.Unavailable.class);
        }
        cluster.run(100 * MILLI);
        server.bans.forEach((key, ban) -> {
            assertThat(key).isEqualTo(BanAgreement.key(ban.target(), ban.game()));
            assertThat(MessageReader.ban(BanAgreement.message(ban))).contains(ban);
        });
    }

    /** A kind that comes later needs a seed, from which the fuzzer goes on. */
    @Test
    void seedsHaveEachKindOfEvent() throws Exception {
        Set<NumberedEvent.KindCase> kinds = EnumSet.of(NumberedEvent.KindCase.KIND_NOT_SET);
        Set<Event.KindCase> happened = EnumSet.of(Event.KindCase.KIND_NOT_SET);
        Path folder =
                Path.of(
                        requireNonNull(
                                        ClusterFuzzTest.class.getResource(
                                                "ClusterFuzzTestInputs/event"))
                                .toURI());
        try (DirectoryStream<Path> seeds = Files.newDirectoryStream(folder)) {
            for (Path seed : seeds) {
                Input input = new Input(Files.readAllBytes(seed));
                input.next();
                while (input.hasNext()) {
                    input.next();
                    byte[] message = input.bytes(input.next() << 8 | input.next());
                    try {
                        NumberedEvent event = NumberedEvent.parseFrom(message);
                        kinds.add(event.getKindCase());
                        happened.add(event.getEvent().getKindCase());
                    } catch (InvalidProtocolBufferException _) {
                        // An input that the fuzzer found.
                    }
                }
            }
        }
        assertThat(kinds).containsExactlyInAnyOrder(NumberedEvent.KindCase.values());
        assertThat(happened).containsExactlyInAnyOrder(Event.KindCase.values());
    }

    private static String key(byte[] value) {
        try {
            Ban ban = Ban.parseFrom(value);
            return BanAgreement.key(ban.getTarget(), ban.getGame());
        } catch (InvalidProtocolBufferException _) {
            return "ban.malformed";
        }
    }

    /** The bytes of an input, in order. */
    private static final class Input {
        private final byte[] data;
        private int at;

        Input(byte[] data) {
            this.data = data;
        }

        boolean hasNext() {
            return at < data.length;
        }

        /** The next byte; 0 after the end. */
        int next() {
            return hasNext() ? data[at++] & 0xFF : 0;
        }

        /** The next bytes, as far as there are. */
        byte[] bytes(int length) {
            byte[] bytes = new byte[Math.min(length, data.length - at)];
            System.arraycopy(data, at, bytes, 0, bytes.length);
            at += bytes.length;
            return bytes;
        }
    }

    /** A server with a player, and a node that sends it the messages of an input. */
    private static final class Game {
        private final TestCluster cluster = new TestCluster(1);
        private final RawNode sender = new RawNode(cluster, SENDER);
        private final Input input;
        private final Server server;
        private final Participant anna;

        Game(byte[] data) {
            input = new Input(data);
            MatchMode mode =
                    switch (input.next() & MODES) {
                        case 0, 2 -> MatchMode.RACE;
                        case 1 -> MatchMode.FFA;
                        default -> MatchMode.CTF;
                    };
            MatchRules rules =
                    MatchRules.of(mode)
                            .withTimes(Duration.ofMinutes(1), Duration.ZERO, Duration.ofSeconds(1));
            server =
                    switch (mode) {
                        case RACE -> NodeRaceTest.start(cluster, "circuit", rules);
                        case CTF -> NodeFlagTest.start(cluster, rules);
                        default -> NodeItemTest.start(cluster, rules);
                    };
            anna = server.join("quake3", "anna");
            anna.live();
            sender.roster.add(RawNode.player(SENDER, 1, "bob").build());
            sender.run(100 * MILLI);
        }

        void play(Kind... kinds) {
            while (input.hasNext()) {
                int first = input.next();
                boolean isRaw = (first & IS_RAW) != 0;
                Kind kind = kinds[(first & ~IS_RAW) % kinds.length];
                byte[] body = input.bytes(input.next() << 8 | input.next());
                if (!isRaw && kind == Kind.ANSWER) {
                    sender.event++;
                    sender.sendBatch();
                    cluster.run(ASK_NANOS);
                }
                sender.bus.publish(
                        kind.isToOneNode()
                                ? sender.subjects.toNode(kind, server.node.number(), SENDER)
                                : sender.subjects.toAll(kind, SENDER),
                        isRaw ? body : withHeader(kind, body));
                cluster.run(5 * MILLI);
            }
            cluster.run(20 * MILLI);
            if (!List.of(kinds).contains(Kind.TELL)) {
                assertThat(server.arena.player(anna.player.id())).isPresent();
            }
            assertThat(server.arena.players())
                    .allMatch(player -> player.movement().isValid())
                    .allMatch(player -> server.player(player.id()).namesakes().isEmpty())
                    .extracting(Player::id)
                    .doesNotHaveDuplicates();
            assertThat(anna.player.snapshot().movement()).isEqualTo(anna.movement);
            Vitals vitals = anna.player.combatant().vitals();
            assertThat(vitals.health()).isLessThanOrEqualTo(100).isGreaterThan(-10_000);
            assertThat(server.arena.match().standings())
                    .allMatch(it -> Math.abs((long) it.score().frags()) <= MAX_SCORE);
            server.bans.forEach((_, ban) ->
                    assertThat(MessageReader.ban(BanAgreement.message(ban))).contains(ban));
        }

        /** As the header is the first field of all kinds, what follows may change it again. */
        private byte[] withHeader(Kind kind, byte[] body) {
            if (kind == Kind.EVENT) {
                sender.event++;
            }
            Header.Builder header = sender.header();
            if (kind == Kind.MOVE) {
                header.setBatch(++sender.batch);
            }
            ByteArrayOutputStream message = new ByteArrayOutputStream();
            message.writeBytes(Batch.newBuilder().setHeader(header).build().toByteArray());
            message.writeBytes(body);
            return message.toByteArray();
        }
    }
}
