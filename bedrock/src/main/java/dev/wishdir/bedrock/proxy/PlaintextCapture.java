package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.Encoding;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.RakNetTransport;
import dev.wishdir.raknet.ConnectedMessage;
import dev.wishdir.raknet.Frame;
import dev.wishdir.raknet.OfflineMessage;
import dev.wishdir.raknet.RakNetDatagram;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.raknet.Reliability;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A session in the clear, as RakNet datagrams that any dissector of Bedrock reads without keys: the
 * start of a connection, batches that are neither compressed nor encrypted, and its end. Messages
 * over NetherNet have the same form. There are no acknowledgements and no losses.
 */
final class PlaintextCapture {
    /** Takes the datagrams. */
    @FunctionalInterface
    interface Output {
        void onDatagram(long now, Direction direction, Bytes datagram);
    }

    private static final int MTU = 1492;

    /** Payload of a frame: without the headers of IP, UDP, datagram, frame and part. */
    private static final int MAX_FRAME_BYTES = MTU - 28 - 4 - 10 - 10;

    /** From this size on a batch is written though more messages follow, bytes. */
    private static final int FULL_BATCH_BYTES = 1 << 20;

    private static final int MAX_BATCH_BYTES = 16 << 20;
    private static final int INDEX_MASK = 0xFFFFFF;
    private static final int ORDERED_FLAGS = Reliability.RELIABLE_ORDERED.ordinal() << 5;

    /** One direction: the messages of the next batch, and the counters of RakNet. */
    private static final class Half {
        Writer batch = new Writer(MAX_BATCH_BYTES);
        int datagrams;
        int frames;
        int messages;
        int splits;
    }

    private final Output output;
    private final Half client = new Half();
    private final Half server = new Half();
    private boolean compressed;

    /** Writes the start of a connection. */
    PlaintextCapture(long now, InetSocketAddress from, Output output) {
        this.output = output;
        Writer w = new Writer(MTU);
        OfflineMessage.OpenConnectionReply2.wire(
                w,
                new OfflineMessage.OpenConnectionReply2(0, from, MTU, false),
                RakNetSettings.MAGIC);
        output.onDatagram(now, Direction.S2C, w.toBytes());
    }

    private Half half(Direction direction) {
        return direction == Direction.C2S ? client : server;
    }

    /** Adds a message to the next batch of a direction. */
    void add(long now, Direction direction, Bytes message) {
        Half half = half(direction);
        Encoding.uvarint(half.batch, "length", message.length());
        half.batch.bytes("message", message, message.length());
        if (half.batch.position() >= FULL_BATCH_BYTES) {
            flush(now, direction);
        }
    }

    /** Writes the messages that were added. */
    void flush(long now, Direction direction) {
        Half half = half(direction);
        int length = half.batch.position();
        if (length == 0) {
            return;
        }
        int header = compressed ? 2 : 1;
        byte[] batch = new byte[header + length];
        batch[0] = (byte) RakNetTransport.BATCH;
        if (compressed) {
            batch[1] = (byte) Algorithm.NONE.marker;
        }
        System.arraycopy(half.batch.array(), 0, batch, header, length);
        half.batch = new Writer(MAX_BATCH_BYTES);
        write(now, direction, half, Bytes.wrap(batch));
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
        Writer w = new Writer(MTU);
        ConnectedMessage.write(
                w, new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
        write(now, direction, half(direction), w.toBytes());
    }

    private void write(long now, Direction direction, Half half, Bytes message) {
        int parts = (message.length() + MAX_FRAME_BYTES - 1) / MAX_FRAME_BYTES;
        int order = half.messages++ & INDEX_MASK;
        int split = parts > 1 ? half.splits++ & 0xFFFF : 0;
        for (int i = 0; i < parts; i++) {
            int from = i * MAX_FRAME_BYTES;
            Frame frame =
                    new Frame(
                            ORDERED_FLAGS | (parts > 1 ? Frame.SPLIT_FLAG : 0),
                            half.frames++ & INDEX_MASK,
                            0,
                            order,
                            0,
                            parts > 1 ? parts : 0,
                            split,
                            parts > 1 ? i : 0,
                            message.slice(
                                    from, Math.min(MAX_FRAME_BYTES, message.length() - from)));
            Writer w = new Writer(MTU);
            RakNetDatagram.wire(
                    w,
                    new RakNetDatagram(
                            RakNetDatagram.SINGLE, half.datagrams++ & INDEX_MASK, List.of(frame)));
            output.onDatagram(now, direction, w.toBytes());
        }
    }
}
