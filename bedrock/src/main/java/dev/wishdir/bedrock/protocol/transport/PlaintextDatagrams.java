package dev.wishdir.bedrock.protocol.transport;

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
 * Writes the batches of a session as RakNet datagrams, which a dissector of Bedrock reads without
 * the keys of the transport. Batches over NetherNet have the same form. There are no
 * acknowledgements and no losses.
 */
public final class PlaintextDatagrams {
    /** Takes the datagrams. */
    @FunctionalInterface
    public interface Output {
        void onDatagram(long now, Direction direction, Bytes datagram);
    }

    private static final int MTU = 1492;

    /** Payload of a frame: without the headers of IP, UDP, datagram, frame and part. */
    private static final int MAX_FRAME_BYTES = MTU - 28 - 4 - 10 - 10;

    private static final int INDEX_MASK = 0xFFFFFF;
    private static final int ORDERED_FLAGS = Reliability.RELIABLE_ORDERED.ordinal() << 5;

    /** The counters of one direction. */
    private static final class Half {
        int datagrams;
        int frames;
        int messages;
        int splits;
    }

    private final Output output;
    private final Half client = new Half();
    private final Half server = new Half();

    /**
     * Writes the start of a connection.
     *
     * @param from address of the client
     */
    public PlaintextDatagrams(long now, InetSocketAddress from, Output output) {
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

    /**
     * Writes a batch.
     *
     * @param batch as the transport delivers it, compressed if that was agreed
     */
    public void batch(long now, Direction direction, byte[] batch) {
        byte[] message = new byte[1 + batch.length];
        message[0] = (byte) RakNetTransport.BATCH;
        System.arraycopy(batch, 0, message, 1, batch.length);
        write(now, direction, Bytes.wrap(message));
    }

    /** Writes the end of the connection, by the side that a direction comes from. */
    public void end(long now, Direction direction) {
        Writer w = new Writer(MTU);
        ConnectedMessage.write(
                w, new ConnectedMessage.Bare(ConnectedMessage.DISCONNECTION_NOTIFICATION));
        write(now, direction, w.toBytes());
    }

    private void write(long now, Direction direction, Bytes message) {
        Half half = half(direction);
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
