package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.transport.PlaintextDatagrams;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;

/**
 * A session in the clear, as RakNet datagrams that any dissector of Bedrock reads without keys: the
 * start of a connection, batches that are neither compressed nor encrypted, and its end.
 */
final class PlaintextCapture {
    /** From this size on a batch is written though more messages follow, bytes. */
    private static final int FULL_BATCH_BYTES = 1 << 20;

    private static final int MAX_BATCH_BYTES = 16 << 20;

    private final PlaintextDatagrams datagrams;

    /** The messages of the next batch of each direction. */
    private Writer fromClient = new Writer(MAX_BATCH_BYTES);

    private Writer fromServer = new Writer(MAX_BATCH_BYTES);
    private boolean compressed;

    /** Writes the start of a connection. */
    PlaintextCapture(long now, InetSocketAddress from, PlaintextDatagrams.Output output) {
        datagrams = new PlaintextDatagrams(now, from, output);
    }

    private Writer messages(Direction direction) {
        return direction == Direction.C2S ? fromClient : fromServer;
    }

    /** Adds a message to the next batch of a direction. */
    void add(long now, Direction direction, Bytes message) {
        Writer messages = messages(direction);
        Encoding.uvarint(messages, "length", message.length());
        messages.bytes("message", message, message.length());
        if (messages.position() >= FULL_BATCH_BYTES) {
            flush(now, direction);
        }
    }

    /** Writes the messages that were added. */
    void flush(long now, Direction direction) {
        Writer messages = messages(direction);
        int length = messages.position();
        if (length == 0) {
            return;
        }
        int header = compressed ? 1 : 0;
        byte[] batch = new byte[header + length];
        if (compressed) {
            batch[0] = (byte) Algorithm.NONE.marker;
        }
        System.arraycopy(messages.array(), 0, batch, header, length);
        if (direction == Direction.C2S) {
            fromClient = new Writer(MAX_BATCH_BYTES);
        } else {
            fromServer = new Writer(MAX_BATCH_BYTES);
        }
        datagrams.batch(now, direction, batch);
    }

    /** Compression was agreed: later batches name their algorithm, none. */
    void compress(long now) {
        flush(now, Direction.C2S);
        flush(now, Direction.S2C);
        compressed = true;
    }

    /** Writes the end of the connection, by the side that a direction comes from. */
    void end(long now, Direction direction) {
        flush(now, Direction.C2S);
        flush(now, Direction.S2C);
        datagrams.end(now, direction);
    }
}
