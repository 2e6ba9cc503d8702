package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Reliable messages of one client over its netchan: events in order, and state that is encoded when
 * there is room, with its newest value. So a client that acknowledges nothing uses little memory,
 * whatever it requests and whatever other players do.
 */
public final class ReliableChannel {
    /** State is encoded while no more than this is queued; above it, events are better dropped. */
    private static final int STATE_THRESHOLD_BYTES = 1000;

    /** Heap of a state: map entry, key, and supplier of the messages. */
    private static final long STATE_HEAP_BYTES = 120;

    private final Netchan netchan = Netchan.server();
    private final ReliableQueue queue = new ReliableQueue();
    private final SequencedMap<Object, Supplier<List<? extends ServerMessage>>> states =
            new LinkedHashMap<>();

    public Netchan netchan() {
        return netchan;
    }

    /**
     * Processes a packet.
     *
     * @return whether it is new
     */
    boolean receive(Reader reader) {
        return netchan.receive(reader);
    }

    /** Whether so much is queued that events are better dropped. */
    boolean isCongested() {
        return queue.isCongested()
                || !states.isEmpty() && queue.retainedBytes() > STATE_THRESHOLD_BYTES;
    }

    /** Heap memory of everything that waits to be sent or acknowledged. */
    long retainedBytes() {
        return (long) queue.retainedBytes()
                + netchan.retainedBytes()
                + states.size() * STATE_HEAP_BYTES;
    }

    /** Whether nothing waits for its first transmission. */
    boolean isSent() {
        return queue.isEmpty() && states.isEmpty() && !netchan.hasPending();
    }

    /** Whether the client has acknowledged everything. */
    boolean isQuiet() {
        return queue.isEmpty() && states.isEmpty() && netchan.isQuiet();
    }

    /**
     * Queues messages for one packet.
     *
     * @return false if the queue is full
     */
    boolean event(ServerMessage... messages) {
        return queue.add(encode(List.of(messages)));
    }

    /**
     * Sets a state to send when there is room; replaces one of the same kind.
     *
     * @param messages supplies the messages, which are sent in one packet; may be empty
     */
    public void state(Object kind, Supplier<List<? extends ServerMessage>> messages) {
        states.put(kind, messages);
    }

    /** Drops everything queued. */
    void clear() {
        queue.clear();
        states.clear();
    }

    /**
     * Passes messages to the netchan as far as it has room.
     *
     * @param maxBytes per packet, though a single message may exceed it
     */
    void fill(int maxBytes) {
        queue.fill(netchan, maxBytes);
        while (!states.isEmpty() && queue.retainedBytes() <= STATE_THRESHOLD_BYTES) {
            List<? extends ServerMessage> messages = states.pollFirstEntry().getValue().get();
            if (!messages.isEmpty()) {
                queue.add(encode(messages));
                queue.fill(netchan, maxBytes);
            }
        }
    }

    private static byte[] encode(List<? extends ServerMessage> messages) {
        Writer w = new Writer(Netchan.MAX_RELIABLE_BYTES);
        for (ServerMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        return w.toByteArray();
    }
}
