package dev.wishdir.quake3.netchan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.quake3.Quake3Captures;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Messages as packets, and packets that lie. */
class NetchanTest {
    private final List<byte[]> sent = new ArrayList<>();
    private final Netchan client = new Netchan(Side.CLIENT, true, 4711, 921_773_704);
    private final Netchan server = new Netchan(Side.SERVER, true, 4711, 921_773_704);

    private void keep(byte[] bytes, int offset, int length) {
        sent.add(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    private static byte[] message(int length) {
        byte[] message = new byte[length];
        for (int i = 0; i < length; i++) {
            message[i] = (byte) (i * 7);
        }
        return message;
    }

    private static JsonElement json(String name) throws IOException {
        return JsonParser.parseString(Files.readString(Quake3Captures.FILES.path(name)));
    }

    @Test
    void holdsLawsForEveryHeader() {
        for (Side from : Side.values()) {
            for (boolean modern : new boolean[] {false, true}) {
                int qport = from == Side.CLIENT ? 65_535 : 0;
                int checksum = modern ? -2 : 0;
                WireLaws.hold(
                        new NetchanHeader(7, qport, checksum, NetchanHeader.WHOLE, 0),
                        NetchanHeader.BLANK,
                        (w, m) -> NetchanHeader.wire(w, m, from, modern));
                WireLaws.hold(
                        new NetchanHeader(1 << 30, qport, checksum, 1300, 1299),
                        NetchanHeader.BLANK,
                        (w, m) -> NetchanHeader.wire(w, m, from, modern));
            }
        }
    }

    @Test
    void matchesModernChecksumVectors() throws IOException {
        for (JsonElement element : json("quake3-vectors-netchan71.json").getAsJsonArray()) {
            JsonObject vector = element.getAsJsonObject();
            assertThat(
                            NetchanHeader.checksum(
                                    (int) vector.get("challenge").getAsLong(),
                                    vector.get("sequence").getAsInt()))
                    .isEqualTo((int) vector.get("checksum").getAsLong());
        }
    }

    @Test
    void readsVectorsOfConnect() throws IOException {
        JsonObject vectors = json("quake3-vectors-connect.json").getAsJsonObject();
        for (JsonElement element : vectors.getAsJsonArray("realConnectDatagrams")) {
            Bytes datagram =
                    Bytes.ofHex(element.getAsJsonObject().get("datagramHex").getAsString());
            OutOfBand packet = OutOfBand.read(datagram);
            assertThat(packet.text())
                    .isEqualTo(element.getAsJsonObject().get("text").getAsString());
            assertThat(packet.datagram()).isEqualTo(datagram);
        }
    }

    @Test
    void deliversMessagesOfEveryLength() {
        for (int length : new int[] {0, 1, 1299, 1300, 1301, 2599, 2600, 2601, 16_384}) {
            sent.clear();
            client.send(message(length), this::keep);
            while (client.hasPendingFragments()) {
                client.sendFragment(this::keep);
            }
            assertThat(sent).hasSize(length < 1300 ? 1 : length / 1300 + 1);
            for (int i = 0; i < sent.size() - 1; i++) {
                assertThat(server.receive(sent.get(i))).isNull();
            }
            assertThat(server.receive(sent.getLast())).isEqualTo(message(length));
            assertThat(server.incoming()).isEqualTo(client.outgoing() - 1);
            for (byte[] again : sent) {
                assertThat(server.receive(again)).as("a duplicate").isNull();
            }
        }
    }

    private byte[] part(int sequence, int start, int length, int bytes) {
        Writer writer = new Writer(70_000);
        int checksum = NetchanHeader.checksum(921_773_704, sequence);
        NetchanHeader.wire(
                writer,
                new NetchanHeader(sequence, 4711, checksum, start, length),
                Side.CLIENT,
                true);
        writer.append(message(bytes), 0, bytes);
        return writer.toByteArray();
    }

    /** D6. */
    @Test
    void ignoresFragmentsThatDoNotFit() {
        assertThat(server.receive(part(1, 7, 100, 100))).as("start is not 0").isNull();
        assertThat(server.receive(part(1, 0, 65_535, 100))).as("a negative length").isNull();
        assertThat(server.receive(part(1, 0, 1300, 100))).as("longer than its bytes").isNull();
        assertThat(server.receive(part(1, 0, 1301, 1301))).as("longer than a part").isNull();
        // A part of 1300 is never the last; the parts of another message forget it.
        assertThat(server.receive(part(1, 0, 1300, 1300))).isNull();
        assertThat(server.receive(part(1, 0, 1300, 1300))).as("twice").isNull();
        assertThat(server.receive(part(2, 1300, 5, 5))).as("of another message").isNull();
        assertThat(server.receive(part(1, 1300, 5, 5))).as("was forgotten").isNull();
        assertThat(server.receive(part(3, 0, 1300, 1300))).isNull();
        assertThat(server.receive(part(3, 1300, 0, 0))).hasSize(1300);
        assertThat(server.incoming()).isEqualTo(3);
        // More than 16384 bytes in all.
        for (int i = 0; i < 12; i++) {
            assertThat(server.receive(part(4, i * 1300, 1300, 1300))).isNull();
        }
        assertThat(server.receive(part(4, 12 * 1300, 1300, 1300))).isNull();
        assertThat(server.receive(part(4, 13 * 1300, 5, 5))).isNull();
        assertThat(server.receive(part(5, NetchanHeader.WHOLE, 0, 5))).hasSize(5);
    }

    /** D7. */
    @Test
    void ignoresWrongSequencesAndChecksums() {
        assertThat(server.receive(part(10, NetchanHeader.WHOLE, 0, 5))).as("a gap").hasSize(5);
        assertThat(server.receive(part(10, NetchanHeader.WHOLE, 0, 5))).as("equal").isNull();
        assertThat(server.receive(part(9, NetchanHeader.WHOLE, 0, 5))).as("behind").isNull();
        assertThat(server.receive(part(1 << 30, NetchanHeader.WHOLE, 0, 5)))
                .as("far ahead")
                .isNull();
        byte[] forged = part(11, NetchanHeader.WHOLE, 0, 5);
        forged[6] ^= 1;
        assertThat(server.receive(forged)).as("checksum").isNull();
        assertThat(server.receive(part(11, NetchanHeader.WHOLE, 0, 5))).hasSize(5);
        for (int length = 0; length < 10; length++) {
            assertThat(server.receive(new byte[length])).isNull();
        }
        assertThat(server.receive(part(12, NetchanHeader.WHOLE, 0, ServerMessage.MAX_LENGTH + 1)))
                .isNull();
    }

    @Test
    @DisplayName("G20 parts that are never followed by the others are bounded and forgotten")
    void forgetsUnfinishedParts() {
        for (int sequence = 1; sequence < 1000; sequence++) {
            for (int i = 0; i < 12; i++) {
                assertThat(server.receive(part(sequence, i * 1300, 1300, 1300))).isNull();
            }
            assertThat(server.retainedBytes()).isBetween(15_600, ServerMessage.MAX_LENGTH);
        }
        assertThat(server.receive(part(2000, NetchanHeader.WHOLE, 0, 5))).hasSize(5);
        assertThat(server.retainedBytes()).as("that may be a forgery").isPositive();
        server.accept();
        assertThat(server.retainedBytes()).isZero();
        client.send(message(5000), this::keep);
        assertThat(client.retainedBytes()).isEqualTo(5000);
        while (client.hasPendingFragments()) {
            client.sendFragment(this::keep);
        }
        assertThat(client.retainedBytes()).isZero();
    }

    @Test
    @DisplayName("A8 the numbers of messages end before they would mark fragments")
    void endsBeforeNumbersWrap() {
        Netchan old = new Netchan(Side.SERVER, false, 0, 0, Integer.MAX_VALUE - 3);
        assertThat(old.isExhausted()).isFalse();
        for (int i = 0; i < 5; i++) {
            old.send(message(20), this::keep);
        }
        assertThat(old.isExhausted()).isTrue();
        assertThat(sent).allMatch(packet -> packet[3] == 0x7F);
    }
}
