package dev.wishdir.record.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.record.mcap.Chunk;
import dev.wishdir.record.mcap.McapWriter;
import dev.wishdir.record.message.MessageDecoder;
import dev.wishdir.record.message.RecordingDecoder;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.message.Topic;
import dev.wishdir.record.v1.Chat;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Joined;
import dev.wishdir.record.v1.Left;
import dev.wishdir.record.v1.Level;
import dev.wishdir.record.v1.Move;
import dev.wishdir.record.v1.MovementViolation;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.PlayerId;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.record.v1.Vector;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Messages of a recording that was written to harm its reader. */
class RecordingHostileInputTest {
    private static final long START = 1_000_000_000_000L;

    @TempDir Path folder;

    private final Chunk chunk = new Chunk();
    private final List<ArenaEvent> events = new ArrayList<>();
    private long skipped;

    private void add(Topic topic, long millis, MessageLite message) {
        byte[] data = message.toByteArray();
        chunk.add(topic.channel(), START + millis * 1_000_000, data, 0, data.length);
    }

    private void event(long millis, int player, Event.Builder event) {
        add(Topic.EVENTS, millis, event.setId(PlayerId.newBuilder().setNumber(player)).build());
    }

    private static dev.wishdir.record.v1.Player.Builder player(int number, String name) {
        return dev.wishdir.record.v1.Player.newBuilder()
                .setId(PlayerId.newBuilder().setNumber(number))
                .setGame("quake3")
                .setName(name)
                .setSpawned(true)
                .setMove(Move.newBuilder().setPosition(Vector.newBuilder().setX(1)));
    }

    private static Move.Builder move(int player, float x) {
        return Move.newBuilder().setPlayer(player).setPosition(Vector.newBuilder().setX(x));
    }

    private void read() throws IOException {
        Path file = folder.resolve("hostile.mcap");
        RecordingInfo info = new RecordingInfo("", "", "", Instant.EPOCH);
        try (McapWriter writer =
                RecordingFile.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.write(chunk);
        }
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            while (cursor.next()) {
                events.add(cursor.event());
            }
            skipped = cursor.skipped();
        }
    }

    @Test
    @DisplayName("M6 movements that are not valid, and of unknown players, are skipped")
    void skipsInvalidMovements() throws IOException {
        add(Topic.SNAPSHOT, 0, Snapshot.newBuilder().addPlayers(player(7, "anna")).build());
        add(
                Topic.MOVES,
                1,
                Moves.newBuilder()
                        .addMoves(move(7, Float.NaN))
                        .addMoves(move(7, Float.POSITIVE_INFINITY))
                        .addMoves(move(7, 2).setPitch(91))
                        .addMoves(move(7, 2).setYaw(Float.NaN))
                        .addMoves(move(8, 2))
                        .addMoves(move(7, 2).setNode(1))
                        .addMoves(move(7, 3).setStance(-1).setForm(9))
                        .build());
        read();
        assertThat(skipped).isEqualTo(6);
        assertThat(events).hasSize(1);
        Player moved = ((ArenaEvent.Moved) events.getFirst()).player();
        assertThat(moved.movement().position().x()).isEqualTo(3);
        assertThat(moved.movement().stance().bits()).isEqualTo(63);
        assertThat(moved.nativeMovement()).isEqualTo(NativeMovement.Stored.NONE);
    }

    @Test
    @DisplayName("M6 long names and texts are cut, long native bytes left out, codes unknown")
    void boundsTextsAndBytes() throws IOException {
        add(
                Topic.SNAPSHOT,
                0,
                Snapshot.newBuilder()
                        .addPlayers(player(7, "n".repeat(100_000)))
                        .addForms("quake3/71")
                        .build());
        event(1, 7, Event.newBuilder().setChat(Chat.newBuilder().setText("t".repeat(1 << 20))));
        add(
                Topic.MOVES,
                2,
                Moves.newBuilder()
                        .addMoves(
                                move(7, 2)
                                        .setForm(1)
                                        .setNative(ByteString.copyFrom(new byte[100_000])))
                        .build());
        event(
                3,
                7,
                Event.newBuilder()
                        .setViolation(MovementViolation.newBuilder().setRule("new-rule")));
        event(4, 7, Event.newBuilder());
        event(5, 7, Event.newBuilder().setLeft(Left.newBuilder().setReason("new-reason")));
        read();
        assertThat(events).hasSize(3);
        assertThat(((ArenaEvent.Chat) events.get(0)).text()).hasSize(MessageDecoder.MAX_TEXT_CHARS);
        ArenaEvent.Moved moved = (ArenaEvent.Moved) events.get(1);
        assertThat(moved.player().name()).hasSize(Player.MAX_NAME_CHARS);
        assertThat(moved.player().nativeMovement()).isEqualTo(NativeMovement.Stored.NONE);
        assertThat(((ArenaEvent.Left) events.get(2)).reason().code())
                .isEqualTo(LeaveReason.Code.LEFT);
        assertThat(skipped).as("a rule and a kind of later versions").isEqualTo(2);
    }

    @Test
    @DisplayName("M6 more players than allowed, in a snapshot or one by one, are not kept")
    void boundsPlayers() throws IOException {
        add(Topic.SNAPSHOT, 0, Snapshot.getDefaultInstance());
        Snapshot.Builder crowd = Snapshot.newBuilder();
        for (int i = 0; i <= RecordingDecoder.MAX_PLAYERS; i++) {
            crowd.addPlayers(player(i, "a"));
        }
        add(Topic.SNAPSHOT, 1, crowd.build());
        for (int i = 0; i < RecordingDecoder.MAX_PLAYERS + 100; i++) {
            event(
                    2,
                    i,
                    Event.newBuilder().setJoined(Joined.newBuilder().setPlayer(player(i, "b"))));
        }
        read();
        assertThat(events).hasSize(RecordingDecoder.MAX_PLAYERS);
        assertThat(skipped).isEqualTo(101);
    }

    /** Two bytes each, of which objects of hundreds would be made. */
    @Test
    @DisplayName("M6 lists, fields and unknown fields are counted before objects are made of them")
    void countsElementsBeforeObjectsAreMade() throws IOException {
        byte[] player = {1 << 3 | 2, 0};
        byte[] level = {2 << 3 | 2, 0};
        byte[] form = {3 << 3 | 2, 0};
        byte[] joined = {2 << 3 | 2, 0};
        byte[] unknown = {15 << 3 | 2, 0};
        byte[] group = {15 << 3 | 3, 15 << 3 | 4};
        add(Topic.SNAPSHOT, 0, Snapshot.newBuilder().addPlayers(player(7, "anna")).build());
        for (byte[] element : List.of(player, level, form, unknown, group)) {
            addMany(Topic.SNAPSHOT, element);
        }
        for (byte[] element : List.of(player, unknown, group)) {
            addMany(Topic.MOVES, element);
        }
        for (byte[] element : List.of(joined, unknown, group)) {
            addMany(Topic.EVENTS, element);
        }
        event(2, 7, Event.newBuilder().setChat(Chat.newBuilder().setText("still here")));
        var threads =
                (com.sun.management.ThreadMXBean)
                        java.lang.management.ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        read();
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
        assertThat(events).hasSize(1);
        assertThat(skipped).isEqualTo(11);
    }

    private void addMany(Topic topic, byte[] element) {
        byte[] data = new byte[400_000];
        for (int i = 0; i < data.length; i++) {
            data[i] = element[i % element.length];
        }
        chunk.add(topic.channel(), START + 1_000_000, data, 0, data.length);
    }

    @Test
    @DisplayName("M6 of more games than any server has, levels and players are not kept")
    void boundsGames() throws IOException {
        add(Topic.SNAPSHOT, 0, Snapshot.getDefaultInstance());
        Vector one = Vector.newBuilder().setX(1).setY(1).setZ(1).build();
        for (int i = 0; i < 1_000; i++) {
            Level.Builder level = Level.newBuilder().setGame("g" + i).setMax(one);
            event(1, 0, Event.newBuilder().setLevel(level));
            event(
                    1,
                    i,
                    Event.newBuilder()
                            .setJoined(
                                    Joined.newBuilder()
                                            .setPlayer(player(i, "b").setGame("h" + i))));
        }
        read();
        assertThat(events).hasSize(RecordingDecoder.MAX_GAMES);
    }

    @Test
    @DisplayName("M6 levels with bounds that are none are skipped")
    void skipsLevelsWithoutBounds() throws IOException {
        add(Topic.SNAPSHOT, 0, Snapshot.getDefaultInstance());
        Vector one = Vector.newBuilder().setX(1).setY(1).setZ(1).build();
        Vector notANumber = Vector.newBuilder().setX(Float.NaN).build();
        for (Level.Builder level :
                List.of(
                        Level.newBuilder().setMin(one),
                        Level.newBuilder().setMax(notANumber),
                        Level.newBuilder().setMin(notANumber).setMax(one))) {
            event(1, 0, Event.newBuilder().setLevel(level));
        }
        read();
        assertThat(events).isEmpty();
        assertThat(skipped).isEqualTo(3);
    }

    @Test
    @DisplayName("M6 bytes that are no message are skipped, whatever they are")
    void skipsBytesThatAreNoMessage() throws IOException {
        Random random = new Random(1);
        add(Topic.SNAPSHOT, 0, Snapshot.newBuilder().addPlayers(player(7, "anna")).build());
        for (int i = 0; i < 20_000; i++) {
            byte[] data = new byte[random.nextInt(60)];
            random.nextBytes(data);
            Topic topic = Topic.values()[random.nextInt(Topic.values().length)];
            chunk.add(topic.channel(), START + i * 1000L, data, 0, data.length);
        }
        add(Topic.SNAPSHOT, 30_000, Snapshot.newBuilder().addPlayers(player(7, "anna")).build());
        event(30_001, 7, Event.newBuilder().setChat(Chat.newBuilder().setText("still here")));
        read();
        assertThat(skipped).isPositive();
        assertThat(events.getLast()).isInstanceOf(ArenaEvent.Chat.class);
    }
}
