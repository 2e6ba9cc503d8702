package dev.wishdir.bedrock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;

class BatchCodecTest {
    private static final int MAX_BATCH_BYTES = 4 << 20;

    private final BatchCodec sender = new BatchCodec(MAX_BATCH_BYTES, 800);
    private final BatchCodec receiver = new BatchCodec(MAX_BATCH_BYTES, 800);

    private void agree(Algorithm algorithm) {
        for (BatchCodec codec : List.of(sender, receiver)) {
            codec.compress(algorithm, 100);
            codec.encrypt(new byte[32]);
        }
    }

    private static byte[] batch(BatchCodec codec, int messages, int length, long seed) {
        byte[][] all = new byte[messages][length];
        Random random = new Random(seed);
        for (byte[] message : all) {
            for (int at = 0; at < length; at++) {
                message[at] = (byte) random.nextInt(20);
            }
        }
        return Batches.pack(codec, all);
    }

    private List<Bytes> read(byte[] batch, Runnable meanwhile) {
        List<Bytes> read = new ArrayList<>();
        receiver.read(
                batch,
                reader -> {
                    meanwhile.run();
                    read.add(reader.bytes("message", Bytes.EMPTY, reader.remaining()));
                });
        return read;
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void keepsReadBatchWhileAnswering(Algorithm algorithm) {
        agree(algorithm);
        for (int length : new int[] {1, 50, 3000, 100_000, 30}) {
            byte[] batch = batch(sender, 5, length, length);
            List<Bytes> read = read(batch, () -> batch(receiver, 3, 2 * length, 1));
            Random random = new Random(length);
            for (Bytes message : read) {
                for (int i = 0; i < length; i++) {
                    assertThat(message.get(i)).isEqualTo((byte) random.nextInt(20));
                }
            }
            assertThat(read).hasSize(5);
        }
    }

    /** The messages of a batch, each after its length, as they are packed. */
    private static byte[] messages(int messages, int length) {
        Writer w = new Writer(MAX_BATCH_BYTES);
        for (int i = 0; i < messages; i++) {
            Encoding.uvarint(w, "length", length);
            w.append(new byte[length], 0, length);
        }
        return w.toBytes().toArray();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keepsTheCompressionOfABatchThatIsPassedOnWhole(boolean encrypts) {
        byte[] messages = messages(3, 500);
        byte[] small = messages(1, 500);
        // As no fast compression packs them.
        Deflater best = new Deflater(Deflater.BEST_COMPRESSION, true);
        best.setInput(messages);
        best.finish();
        byte[] foreign = new byte[1_000];
        int length = 1 + best.deflate(foreign, 1, foreign.length - 1);
        byte[] received = Arrays.copyOf(foreign, length);
        BatchCodec target = new BatchCodec(MAX_BATCH_BYTES, 800);
        BatchCodec reader = new BatchCodec(MAX_BATCH_BYTES, 800);
        sender.compress(Algorithm.DEFLATE, 100);
        target.compress(Algorithm.DEFLATE, 100);
        reader.compress(Algorithm.DEFLATE, 100);
        if (encrypts) {
            target.encrypt(new byte[32]);
            reader.encrypt(new byte[32]);
        }
        sender.read(received, _ -> {});
        byte[] passed = target.pack(messages, messages.length, sender);
        List<Integer> lengths = new ArrayList<>();
        reader.read(passed, each -> lengths.add(each.remaining()));
        assertThat(lengths).containsExactly(500, 500, 500);
        if (!encrypts) {
            assertThat(passed).isEqualTo(received);
        }
        // One message was dropped: what is left is packed anew.
        byte[] changed = target.pack(small, small.length, sender);
        lengths.clear();
        reader.read(changed, each -> lengths.add(each.remaining()));
        assertThat(lengths).containsExactly(500);
    }

    @Test
    void packsAnewForAnotherAlgorithm() {
        byte[] messages = messages(3, 500);
        sender.compress(Algorithm.DEFLATE, 100);
        receiver.compress(Algorithm.DEFLATE, 100);
        byte[] deflated = sender.pack(messages, messages.length);
        BatchCodec snappy = new BatchCodec(MAX_BATCH_BYTES, 800);
        snappy.compress(Algorithm.SNAPPY, 100);
        receiver.read(deflated, _ -> {});
        byte[] passed = snappy.pack(messages, messages.length, receiver);
        assertThat(passed[0]).isEqualTo((byte) Algorithm.SNAPPY.marker);
        // Each side may send what it has not compressed.
        sender.compress(Algorithm.NONE, 100);
        receiver.compress(Algorithm.NONE, 100);
        receiver.read(sender.pack(messages, messages.length), _ -> {});
        passed = snappy.pack(messages, messages.length, receiver);
        assertThat(passed[0]).isEqualTo((byte) Algorithm.NONE.marker);
    }

    /** Copies of a batch between its layers would take many times as much. */
    @Test
    void boundsMemoryOfBatch() {
        agree(Algorithm.DEFLATE);
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            batches.add(batch(sender, 30, 100, i));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < batches.size(); i++) {
            before = i == 100 ? threads.getCurrentThreadAllocatedBytes() : before;
            receiver.read(batches.get(i), _ -> {});
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / 300;
        assertThat(each).isLessThan(1000);
    }
}
