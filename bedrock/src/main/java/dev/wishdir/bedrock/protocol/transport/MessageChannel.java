package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.protocol.BatchCodec;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Sends and receives the messages of a session, in its version, in batches over a transport. For
 * one thread.
 */
public final class MessageChannel {
    /** Maximum size of a client's batch before compression is agreed, bytes. */
    public static final int MAX_FIRST_BATCH_BYTES = 64 << 10;

    private static final int MAX_SERVER_BATCH_BYTES = 32 << 20;
    private static final int MAX_SERVER_BATCH_PACKETS = 8192;

    /** Maximum number of messages of a batch that is sent. */
    private static final int MAX_SENT_MESSAGES = BatchCodec.MAX_PACKETS / 2;

    /** Size before compression from which on a batch is sent, bytes. */
    private static final int FULL_BATCH_BYTES = 512 << 10;

    /** Maximum size of a batch that is sent, before compression, bytes. */
    private static final int MAX_SENT_BATCH_BYTES = 16 << 20;

    /** Maximum size of a buffer that is reused, bytes. */
    private static final int MAX_REUSED_BYTES = 64 << 10;

    private final Transport transport;
    private final BatchCodec batches;
    private final BiConsumer<Direction, byte[]> listener;
    private BedrockCodec codec;

    /** The messages of the next batch, each after its length. */
    private Writer messages = new Writer(MAX_SENT_BATCH_BYTES);

    private Writer encoded = new Writer(MAX_SENT_BATCH_BYTES);
    private int count;

    private MessageChannel(
            Transport transport,
            BatchCodec batches,
            BedrockCodec codec,
            BiConsumer<Direction, byte[]> listener) {
        this.transport = transport;
        this.batches = batches;
        this.codec = codec;
        this.listener = listener;
    }

    /** Creates a server's channel to a client of a yet unknown version. */
    public static MessageChannel toClient(Transport transport) {
        return new MessageChannel(
                transport,
                new BatchCodec(MAX_FIRST_BATCH_BYTES, BatchCodec.MAX_PACKETS),
                BedrockCodec.V748,
                (_, _) -> {});
    }

    /** Creates a client's channel, which accepts large batches. */
    public static MessageChannel toServer(Transport transport, BedrockCodec codec) {
        return toServer(transport, codec, (_, _) -> {});
    }

    /**
     * Creates a client's channel, which accepts large batches.
     *
     * @param listener receives each batch as the transport has it, before it is unpacked or after
     *     it was packed: in the clear if only the transport encrypts; must not change the array
     */
    public static MessageChannel toServer(
            Transport transport, BedrockCodec codec, BiConsumer<Direction, byte[]> listener) {
        return new MessageChannel(
                transport,
                new BatchCodec(MAX_SERVER_BATCH_BYTES, MAX_SERVER_BATCH_PACKETS),
                codec,
                listener);
    }

    /** The version of the session. */
    public BedrockCodec codec() {
        return codec;
    }

    /** Changes the version for later messages. */
    public void setCodec(BedrockCodec codec) {
        this.codec = codec;
    }

    /** Compresses later batches, in both directions; flushes first. */
    public void compress(Algorithm algorithm, int threshold) {
        flush();
        batches.compress(algorithm, threshold);
    }

    /**
     * Encrypts later batches, in both directions; flushes first.
     *
     * @param key 32 bytes
     */
    public void encrypt(Bytes key) {
        flush();
        batches.encrypt(key.toArray());
    }

    /** Whether received batches must be encrypted. */
    public boolean isEncrypted() {
        return batches.isEncrypted();
    }

    /** Sets the maximum size of later received batches, bytes. */
    public void setMaxBatchBytes(int largest) {
        batches.setMaxBatchBytes(largest);
    }

    /**
     * Unpacks a batch within the sender's rate limit, as {@link BatchCodec#read(long, byte[],
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
     * Unpacks a batch without a rate limit, as {@link BatchCodec#read(byte[], Consumer)}.
     *
     * @param each takes a reader of one message's bytes, valid during the call
     * @throws MalformedPacketException if it breaks a rule or a bound; messages before that were
     *     given
     */
    public void read(byte[] batch, Consumer<Reader> each) {
        listener.accept(Direction.S2C, batch);
        batches.read(batch, each);
    }

    /** Adds a message to the next batch. */
    public void send(BedrockMessage message) {
        encoded.reset();
        codec.write(encoded, message);
        add(encoded.array(), encoded.position());
        encoded = kept(encoded);
    }

    /**
     * Adds an encoded message to the next batch: with its header, in the version of the session.
     */
    public void send(byte[] message) {
        add(message, message.length);
    }

    /** As {@link #send(byte[])}. */
    public void send(Bytes message) {
        Encoding.uvarint(messages, "length", message.length());
        messages.bytes("message", message, message.length());
        onAdded();
    }

    private void add(byte[] message, int length) {
        Encoding.uvarint(messages, "length", length);
        messages.append(message, 0, length);
        onAdded();
    }

    private void onAdded() {
        count++;
        if (count >= MAX_SENT_MESSAGES || messages.position() >= FULL_BATCH_BYTES) {
            flush();
        }
    }

    /** Sends the messages that were added. */
    public void flush() {
        flush(null);
    }

    /**
     * Sends the messages that were added, in the compressed form in which another channel has read
     * them if they are all those of its last batch.
     */
    public void flush(@Nullable MessageChannel source) {
        if (count > 0) {
            byte[] batch =
                    batches.pack(
                            messages.array(),
                            messages.position(),
                            source == null ? null : source.batches);
            messages.reset();
            messages = kept(messages);
            count = 0;
            listener.accept(Direction.C2S, batch);
            transport.send(batch, 0, batch.length);
        }
    }

    private static Writer kept(Writer used) {
        return used.array().length > MAX_REUSED_BYTES ? new Writer(MAX_SENT_BATCH_BYTES) : used;
    }
}
