package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.wire.Writer;

/** Batches of given bytes, in tests. */
public final class Batches {
    private static final int MAX_BATCH_BYTES = 16 << 20;

    private Batches() {}

    /** A batch of messages, each with its header or of whatever bytes. */
    public static byte[] pack(BatchCodec codec, byte[]... messages) {
        Writer batch = new Writer(MAX_BATCH_BYTES);
        for (byte[] message : messages) {
            Encoding.uvarint(batch, "length", message.length);
            batch.append(message, 0, message.length);
        }
        return codec.pack(batch.array(), batch.position());
    }
}
