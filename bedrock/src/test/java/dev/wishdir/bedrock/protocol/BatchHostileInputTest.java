package dev.wishdir.bedrock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/** What a hostile peer may put into batches, by the rows of docs/HOSTILE.md. */
class BatchHostileInputTest {
    private static final long SECOND = 1_000_000_000L;

    private static void malformed(Runnable task) {
        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(task::run);
    }

    @Test
    @DisplayName("E10 batches are inflated within a bound")
    void boundsInflatedBatches() {
        byte[] zeros = new byte[1 << 20];
        Deflater deflater = new Deflater(9, true);
        deflater.setInput(zeros);
        deflater.finish();
        byte[] out = new byte[1 << 16];
        int length = deflater.deflate(out);
        byte[] mebibyte = Arrays.copyOf(out, length);
        deflater.end();
        Compression compression = new Compression();
        assertThat(compression.decompress(Algorithm.DEFLATE, mebibyte, 0, length, 1 << 20))
                .isEqualTo(1 << 20);
        assertThat(compression.decompressed()).startsWith(zeros);
        malformed(() ->
                compression.decompress(Algorithm.DEFLATE, mebibyte, 0, length, (1 << 20) - 1));
        malformed(
                () -> compression.decompress(Algorithm.DEFLATE, mebibyte, 0, length - 1, 1 << 21));
        byte[] twice = Arrays.copyOf(mebibyte, 2 * length);
        System.arraycopy(mebibyte, 0, twice, length, length);
        malformed(() -> compression.decompress(Algorithm.DEFLATE, twice, 0, twice.length, 1 << 22));
        byte[] claim = Bytes.ofHex("ffffffff0700").toArray();
        malformed(() -> compression.decompress(Algorithm.SNAPPY, claim, 0, claim.length, 1 << 21));
        byte[] smallClaim = Bytes.ofHex("808040000000").toArray();
        malformed(() ->
                compression.decompress(
                        Algorithm.SNAPPY, smallClaim, 0, smallClaim.length, 1 << 21));
    }

    @Test
    @DisplayName("E11 messages of a batch are bounded in number and length")
    void boundsMessagesOfBatch() {
        BatchCodec batches =
                new BatchCodec(BatchCodec.MAX_LOGIN_BATCH_BYTES, BatchCodec.MAX_PACKETS);
        malformed(() -> batches.read(new byte[100_000], _ -> {}));
        byte[] many = new byte[2 * 801];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = 1;
        }
        int[] read = new int[1];
        malformed(() -> batches.read(many, _ -> read[0]++));
        assertThat(read[0]).isEqualTo(BatchCodec.MAX_PACKETS);
        for (String lengths : List.of("ffffffffff", "ffffffff7f00", "ffffffff0700", "0500")) {
            malformed(() -> batches.read(Bytes.ofHex(lengths).toArray(), _ -> {}));
        }
    }

    @Test
    @DisplayName("G15 who makes more inflate than a session pays for is refused")
    void refusesInflationAboveBudget() {
        BatchCodec sender = new BatchCodec(4 << 20, 100);
        BatchCodec receiver =
                new BatchCodec(BatchCodec.MAX_LOGIN_BATCH_BYTES, BatchCodec.MAX_PACKETS);
        sender.compress(Compression.Algorithm.DEFLATE, 1);
        receiver.compress(Compression.Algorithm.DEFLATE, 1);
        byte[] large = batch(sender, 1_200_000);
        byte[] small = batch(sender, 400_000);
        assertThat(large.length).isLessThan(6000);
        receiver.read(0, large, _ -> {});
        receiver.setMaxBatchBytes(BatchCodec.MAX_PLAY_BATCH_BYTES);
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> receiver.read(0, large, _ -> {}))
                .withMessageContaining("larger");
        int[] read = {0};
        for (int i = 0; i < 10; i++) {
            try {
                receiver.read(SECOND / 900 * i, small, _ -> read[0]++);
            } catch (MalformedPacketException e) {
                assertThat(e).hasMessageContaining("decompresses");
            }
        }
        assertThat(read[0]).isEqualTo(4);
        // An honest session sends a twentieth of what it may.
        byte[] move = batch(sender, 160);
        for (int i = 0; i < 10_000; i++) {
            receiver.read(i * (SECOND / 20), move, _ -> {});
        }
    }

    private static byte[] batch(BatchCodec codec, int length) {
        return Batches.pack(codec, new byte[length]);
    }
}
