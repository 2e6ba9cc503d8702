package dev.wishdir.quake2.server;

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
 * What a client must be told on its netchan: events in the order in which they came, and state,
 * which is written when there is room for it, as it is by then. So a client that acknowledges
 * nothing makes little wait, whatever it asks for and whatever the others do.
 */
final class ReliableChannel {
    /** State is written when no more than this waits, and events give way to it. */
    private static final int STATE_THRESHOLD_BYTES = 1000;

    /** What a state takes: an entry of the map, its key, and what gives the messages. */
    private static final long STATE_HEAP_BYTES = 120;

    private final Netchan netchan = Netchan.server();
    private final ReliableQueue queue = new ReliableQueue();
    private final SequencedMap<Object, Supplier<List<? extends ServerMessage>>> states =
            new LinkedHashMap<>();

    Netchan netchan() {
        return netchan;
    }

    /** Takes in a packet; whether it is new. */
    boolean receive(Reader reader) {
        return netchan.receive(reader);
    }

    /** Whether so much waits that events are better left out. */
    boolean isCongested() {
        return queue.isCongested()
                || !states.isEmpty() && queue.retainedBytes() > STATE_THRESHOLD_BYTES;
    }

    /** The heap of all that waits to be sent or acknowledged. */
    long retainedBytes() {
        return (long) queue.retainedBytes()
                + netchan.retainedBytes()
                + states.size() * STATE_HEAP_BYTES;
    }

    /** Whether nothing waits for its first packet. */
    boolean isTold() {
        return queue.isEmpty() && states.isEmpty() && !netchan.hasPending();
    }

    /** Whether all has arrived at the client. */
    boolean isQuiet() {
        return queue.isEmpty() && states.isEmpty() && netchan.isQuiet();
    }

    /**
     * Queues messages that come in one packet.
     *
     * @return false if there is no room for them
     */
    boolean event(ServerMessage... messages) {
        return queue.add(written(List.of(messages)));
    }

    /**
     * Keeps something to be told when there is room, instead of what was kept of the same kind.
     *
     * @param what gives the messages, which come in one packet; none where there is nothing to say
     */
    void state(Object kind, Supplier<List<? extends ServerMessage>> what) {
        states.put(kind, what);
    }

    /** Forgets what waits. */
    void clear() {
        queue.clear();
        states.clear();
    }

    /**
     * Hands on to the netchan what it has room for.
     *
     * @param most bytes in one packet, though one part may have more
     */
    void fill(int most) {
        queue.fill(netchan, most);
        while (!states.isEmpty() && queue.retainedBytes() <= STATE_THRESHOLD_BYTES) {
            List<? extends ServerMessage> messages = states.pollFirstEntry().getValue().get();
            if (!messages.isEmpty()) {
                queue.add(written(messages));
                queue.fill(netchan, most);
            }
        }
    }

    private static byte[] written(List<? extends ServerMessage> messages) {
        Writer w = new Writer(Netchan.MAX_RELIABLE_BYTES);
        for (ServerMessage message : messages) {
            Quake2Codec.write(w, message);
        }
        return w.toByteArray();
    }
}
