package dev.wishdir.bedrock.protocol;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.function.Consumer;

/**
 * The line to the other side of a session: messages in the version that is spoken, in batches as
 * they were agreed, over a transport. For one thread.
 */
public final class MessageChannel {
    /** The most bytes of a client's batch before compression is agreed. */
    public static final int FIRST_BATCH = 64 << 10;

    private static final int MAX_SERVER_BATCH_BYTES = 32 << 20;
    private static final int MAX_SERVER_BATCH_PACKETS = 8192;

    private final Transport transport;
    private final BatchCodec batches;
    private BedrockCodec codec;

    private MessageChannel(Transport transport, BatchCodec batches, BedrockCodec codec) {
        this.transport = transport;
        this.batches = batches;
        this.codec = codec;
    }

    /** A server's, to a client that has not said yet what it speaks. */
    public static MessageChannel toClient(Transport transport) {
        return new MessageChannel(
                transport, new BatchCodec(FIRST_BATCH, BatchCodec.MAX_PACKETS), BedrockCodec.V748);
    }

    /** A client's; what the server of its choice sends may be large. */
    public static MessageChannel toServer(Transport transport, BedrockCodec codec) {
        return new MessageChannel(
                transport, new BatchCodec(MAX_SERVER_BATCH_BYTES, MAX_SERVER_BATCH_PACKETS), codec);
    }

    /** The version that is spoken. */
    public BedrockCodec codec() {
        return codec;
    }

    /** From now on another version is spoken. */
    public void speak(BedrockCodec codec) {
        this.codec = codec;
    }

    /** From the next batch on, both ways; what waits goes out before. */
    public void compress(Algorithm algorithm, int threshold) {
        flush();
        batches.compress(algorithm, threshold);
    }

    /**
     * From the next batch on, both ways; what waits goes out before.
     *
     * @param key 32 bytes
     */
    public void encrypt(Bytes key) {
        flush();
        batches.encrypt(key.toArray());
    }

    /** Whether received batches have to be encrypted. */
    public boolean encrypted() {
        return batches.encrypted();
    }

    /** From now on received batches have at most the given number of bytes. */
    public void bound(int largest) {
        batches.bound(largest);
    }

    /**
     * Takes a batch apart that its sender pays for, as {@link BatchCodec#read(long, byte[],
     * Consumer)}.
     *
     * @param each takes a reader of one message's bytes, valid during the call
     * @throws MalformedPacketException if it breaks a rule or a bound; messages before that were
     *     given
     */
    public void read(long now, byte[] batch, Consumer<Reader> each) {
        batches.read(now, batch, each);
    }

    /**
     * Takes a batch apart without counting its bytes against a limit, as {@link
     * BatchCodec#read(byte[], Consumer)}.
     *
     * @param each takes a reader of one message's bytes, valid during the call
     * @throws MalformedPacketException if it breaks a rule or a bound; messages before that were
     *     given
     */
    public void read(byte[] batch, Consumer<Reader> each) {
        batches.read(batch, each);
    }

    /** Sends a message with the batch that is filling. */
    public void send(BedrockMessage message) {
        codec.write(batches.packet(), message);
        batches.add();
        flushFull();
    }

    /** Sends a message that is written already, with its header, in the version spoken. */
    public void send(byte[] message) {
        batches.add(message);
        flushFull();
    }

    private void flushFull() {
        if (batches.isFull()) {
            flush();
        }
    }

    /** Sends what waits for its batch to fill. */
    public void flush() {
        if (!batches.isEmpty()) {
            byte[] batch = batches.take();
            transport.send(batch, 0, batch.length);
        }
    }
}
