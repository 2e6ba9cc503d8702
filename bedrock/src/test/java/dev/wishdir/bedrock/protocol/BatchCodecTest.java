package dev.wishdir.bedrock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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
