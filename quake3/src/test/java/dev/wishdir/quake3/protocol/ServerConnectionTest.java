package dev.wishdir.quake3.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.HeapMeter;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The server's end of a connection and what a client may acknowledge. */
class ServerConnectionTest {
    private final List<byte[]> sent = new ArrayList<>();

    private void keep(byte[] bytes, int offset, int length) {
        sent.add(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    /** A client's message, as a raw datagram, with the two acknowledgements that it makes. */
    private byte[] acknowledging(int sequence, int message, int command) {
        Quake3Codec codec = new Quake3Codec(Protocol.IOQUAKE3_71, 921_773_704);
        byte[] bytes = codec.encode(new ClientMessage(1, message, command, List.of()));
        Writer writer = new Writer(2000);
        int checksum = NetchanHeader.checksum(921_773_704, sequence);
        NetchanHeader.wire(
                writer,
                new NetchanHeader(sequence, 4711, checksum, NetchanHeader.WHOLE, 0),
                Side.CLIENT,
                true);
        writer.append(bytes, 0, bytes.length);
        return writer.toByteArray();
    }

    private static ServerConnection connection() {
        return new ServerConnection(
                Protocol.IOQUAKE3_71, 921_773_704, 4711, 1, new EntityDeltaCache());
    }

    @Test
    @DisplayName("G5 an acknowledgement of what was never sent, or far ahead, changes nothing")
    void ignoresInventedAcknowledgements() {
        ServerConnection connection = connection();
        connection.command("print \"one\"");
        connection.send(List.of(), this::keep);
        connection.send(List.of(), this::keep);
        assertThat(connection.receive(acknowledging(1, 3, 0))).as("message").isNull();
        assertThat(connection.receive(acknowledging(1, -1, 0))).isNull();
        assertThat(connection.receive(acknowledging(1, 1, 2))).as("command").isNull();
        assertThat(connection.receive(acknowledging(1, 1, -1))).isNull();
        assertThat(connection.receive(acknowledging(1 << 20, 1, 1))).as("far").isNull();
        assertThat(connection.waiting()).isEqualTo(1);
        assertThat(connection.messageAcknowledge()).isZero();
        assertThat(connection.receive(acknowledging(1, 2, 1))).isNotNull();
        assertThat(connection.waiting()).isZero();
        assertThat(connection.receive(acknowledging(2, 2, 0))).as("back").isNull();
        assertThat(connection.waiting()).isZero();
    }

    @Test
    @DisplayName("G2 who goes on sending has 30 s to acknowledge; who is silent has longer")
    void endsClientThatStopsAcknowledging() {
        ServerConnection connection = connection();
        connection.command("print \"one\"");
        connection.send(List.of(), this::keep);
        long second = 1_000_000_000L;
        long now = 5 * second;
        int sequence = 1;
        assertThat(connection.isNotAcknowledging(now)).isFalse();
        // His game loads a map.
        now += 100 * second;
        for (int i = 0; i < 289; i++, now += second / 10) {
            assertThat(connection.receive(acknowledging(sequence++, 1, 0))).isNotNull();
            assertThat(connection.isNotAcknowledging(now)).as("after %d", i).isFalse();
        }
        assertThat(connection.isNotAcknowledging(now + second)).isTrue();
        assertThat(connection.receive(acknowledging(sequence, 1, 1))).isNotNull();
        assertThat(connection.isNotAcknowledging(now + 2 * second)).isFalse();
    }

    @Test
    void sendsCommandsInOnePacketToAClientThatAcknowledgesNothing() {
        ServerConnection connection = connection();
        Random random = new Random(3);
        for (int i = 0; i < 31; i++) {
            connection.command("chat \"" + random.nextLong() + random.nextLong() + "\"");
        }
        connection.send(frame(10, 0), 0, this::keep);
        assertThat(connection.hasPendingFragments()).as("parts").isTrue();
        long now = 1_000_000_000L;
        for (int sequence = 1; sequence < 25; sequence++, now += 100_000_000) {
            assertThat(connection.receive(acknowledging(sequence, 0, 0))).isNotNull();
            assertThat(connection.isNotAcknowledging(now)).isFalse();
        }
        while (connection.hasPendingFragments()) {
            connection.sendFragment(this::keep);
        }
        int inOnePacket = 0;
        for (int i = 0; i < 4; i++) {
            sent.clear();
            connection.send(frame(20, 0), 0, this::keep);
            inOnePacket += connection.hasPendingFragments() ? 0 : 1;
            while (connection.hasPendingFragments()) {
                connection.sendFragment(this::keep);
            }
        }
        assertThat(inOnePacket).isOne();
    }

    private static ClientMessage having(int message) {
        return new ClientMessage(1, message, 0, List.of());
    }

    @Test
    void keepsNoFrameOlderThanClientFrame() {
        ServerConnection connection = connection();
        for (int time = 10; time <= 200; time += 10) {
            connection.send(frame(time, 0), 0, this::keep);
        }
        assertThat(connection.ping()).isEqualTo(999);
        connection.moved(having(10), true, 140);
        assertThat(connection.pace(240)).isEqualTo(10);
        connection.moved(having(18), true, 200);
        assertThat(connection.pace(320)).isEqualTo(10);
        assertThat(connection.ping()).as("of both").isEqualTo(30);
        connection.moved(having(10), true, 320);
        assertThat(connection.pace(320)).as("without a base").isEqualTo(50);
        connection.moved(having(20), true, 230);
        assertThat(connection.pace(340)).isEqualTo(10);
        assertThat(connection.ping()).isEqualTo(30);
    }

    @Test
    void keepsFrameOfFragmentedMessage() {
        ServerConnection connection = connection();
        int time = 10;
        for (; connection.outgoing() < 40; time += 10) {
            connection.send(frame(time, 0), 0, this::keep);
        }
        connection.send(frame(time, EntityState.MAX_CLIENTS), 0, this::keep);
        assertThat(connection.hasPendingFragments()).isTrue();
        connection.moved(having(39), true, time);
        while (connection.hasPendingFragments()) {
            connection.sendFragment(this::keep);
        }
        connection.moved(having(40), true, time);
        assertThat(connection.pace(time + 140)).isEqualTo(10);
    }

    private static Frame frame(int time, int entities) {
        Random random = new Random(time);
        EntityState[] states = new EntityState[entities];
        for (int i = 0; i < entities; i++) {
            EntityState.Builder state = EntityState.builder();
            for (EntityField field : EntityField.values()) {
                state.set(field, random.nextInt() & (1 << field.width()) - 1);
            }
            states[i] = state.build();
        }
        return new Frame(
                time,
                Bytes.EMPTY,
                PlayerState.ZERO,
                IntStream.range(0, entities).toArray(),
                states);
    }

    @Test
    @DisplayName("G14 what a connection says that it holds is the heap that it takes")
    void accountsForActualHeap() {
        HeapMeter.Taken<List<ServerConnection>> full =
                HeapMeter.taken(() -> IntStream.range(0, 50).mapToObj(_ -> connection()).toList());
        HeapMeter.Taken<List<ServerConnection>> silent =
                HeapMeter.taken(() ->
                        IntStream.range(0, 50)
                                .mapToObj(n -> {
                                    ServerConnection connection = connection();
                                    for (int i = 0; i < 100; i++) {
                                        connection.command(n + " " + i + "x".repeat(900));
                                    }
                                    return connection;
                                })
                                .toList());
        double held = silent.made().stream().mapToLong(ServerConnection::retainedBytes).sum();
        assertThat(held / (silent.bytes() - full.bytes())).isBetween(0.5, 2.0);
        assertThat(silent.made().getFirst().hasOverflowed()).isTrue();
        assertThat(silent.made().getFirst().isCongested()).isTrue();
        assertThat(full.made().getFirst().isCongested()).isFalse();
    }
}
