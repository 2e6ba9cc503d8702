package dev.wishdir.quake2.client;

import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;

/** The client's connection to its server: netchan, reliable queue, and out-of-band packets. */
final class ClientConnection {
    private static final long KEEP_ALIVE_INTERVAL_NANOS = 1_000_000_000L;

    /**
     * Interval of packets while a reliable message is unacknowledged, so that the server answers,
     * and a loss is noticed.
     */
    private static final long RESEND_INTERVAL_NANOS = 200_000_000L;

    private static final int MAX_QUEUED = 256;

    private final UdpSocket socket;
    private final InetSocketAddress server;
    private final int qport;
    private final Queue<ClientMessage> queued = new ArrayDeque<>();
    private final Writer unreliable = new Writer(256);
    private Netchan netchan;
    private long lastSent;

    ClientConnection(UdpSocket socket, InetSocketAddress server, int qport) {
        this.socket = socket;
        this.server = server;
        this.qport = qport;
        netchan = Netchan.client(qport);
    }

    /** Starts a new connection. */
    void open() {
        netchan = Netchan.client(qport);
    }

    /** Queues a reliable message; dropped if the queue is full. */
    void queue(ClientMessage message) {
        if (queued.size() < MAX_QUEUED) {
            queued.add(message);
        }
    }

    /** Drops queued messages. */
    void clear() {
        queued.clear();
    }

    /**
     * Processes a packet.
     *
     * @return whether it is new
     */
    boolean receive(Reader reader) {
        return netchan.receive(reader);
    }

    /** Whether the newest packet has reliable data. */
    boolean newestIsReliable() {
        return netchan.newestIsReliable();
    }

    /** Sends a packet out of band. */
    void outOfBand(String text) {
        byte[] packet = new OutOfBand(text).packet();
        socket.send(server, packet, 0, packet.length);
    }

    /** Sends a packet with a move and queued messages. */
    void send(long now, Move move) {
        fill();
        unreliable.reset();
        Quake2Codec.write(unreliable, move);
        byte[] packet = unreliable.array();
        packet[1] =
                (byte)
                        MoveChecksum.of(
                                packet, 2, unreliable.position() - 2, netchan.nextSequence());
        transmit(now, netchan.send(packet, unreliable.position()));
    }

    /** Sends queued messages, or a keep-alive if one is due. */
    void send(long now) {
        fill();
        if (netchan.hasPending()
                // A server drops those whose reliable messages pile up unacknowledged.
                || netchan.owesAck()
                || now - lastSent
                        >= (netchan.isQuiet()
                                ? KEEP_ALIVE_INTERVAL_NANOS
                                : RESEND_INTERVAL_NANOS)) {
            transmit(now, netchan.send());
        }
    }

    /** Sends a disconnect in three packets, as each may be lost. */
    void disconnect(long now) {
        unreliable.reset();
        Quake2Codec.write(unreliable, new ClientMessage.StringCmd("disconnect"));
        for (int i = 0; i < 3; i++) {
            transmit(now, netchan.send(unreliable.array(), unreliable.position()));
        }
    }

    void close() {
        socket.close();
    }

    private void fill() {
        while (!queued.isEmpty()) {
            Writer w = new Writer(Netchan.MAX_RELIABLE_BYTES);
            Quake2Codec.write(w, queued.element());
            if (w.position() > netchan.room()) {
                break;
            }
            netchan.queue(w.array(), w.position());
            queued.remove();
        }
    }

    private void transmit(long now, Writer packet) {
        socket.send(server, packet.array(), 0, packet.position());
        lastSent = now;
    }
}
