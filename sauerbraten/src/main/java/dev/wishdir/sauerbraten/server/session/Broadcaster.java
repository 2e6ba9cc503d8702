package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sends messages to all clients, in the order of what happened. */
public final class Broadcaster {
    /** Time for which relayed messages wait to share a packet, nanoseconds. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** With more bytes than this, the messages of a client are relayed early. */
    private static final int MAX_RELAY_BYTES = 1 << 16;

    private static final SauerbratenCodec CODEC = SauerbratenCodec.V260;

    private final ClientTable clients;
    private final BroadcastBatch batch = new BroadcastBatch(1 << 16);
    private boolean relayWaiting;
    private long lastRelay = Long.MIN_VALUE / 2;

    public Broadcaster(ClientTable clients) {
        this.clients = clients;
    }

    /** Sends a line to all clients that are not congested. */
    public void sendText(String text) {
        send(-1, new ChatMessage.ServMsg(text));
    }

    /** Sends an event at once to all clients but one. */
    public void send(int but, SauerbratenMessage message) {
        send(message, session -> session.cn != but);
    }

    /** Sends an event at once to some clients. */
    public void send(SauerbratenMessage message, Predicate<SauerbratenSession> to) {
        flushRelayed();
        Bytes packet = CODEC.packet(message);
        int channel = SauerbratenCodec.channel(message);
        boolean reliable = SauerbratenCodec.reliable(message);
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined() && to.test(session)) {
                session.viewer.sendEvents(channel, packet, reliable, 1);
            }
        }
    }

    /** Sends a shared state to all clients; to a congested one later, as it is then. */
    public void publish(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        flushRelayed();
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined()) {
                session.viewer.publish(kind, newest);
            }
        }
    }

    public void publish(Object kind, SauerbratenMessage newest) {
        List<SauerbratenMessage> one = List.of(newest);
        publish(kind, () -> one);
    }

    /** Sends the changed appearance of a number to all clients, its own included. */
    public void refresh(int cn) {
        flushRelayed();
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined()) {
                session.viewer.refresh(cn);
            }
        }
    }

    /** Relays a message of a client to the others, inside {@code N_CLIENT}. */
    public void relay(SauerbratenSession from, SauerbratenMessage message) {
        Bytes encoded = CODEC.packet(message);
        if (from.relayQueue.bytes() + encoded.length() > MAX_RELAY_BYTES) {
            flushRelayed();
        }
        from.relayQueue.add(encoded, SauerbratenCodec.reliable(message));
        relayWaiting = true;
    }

    /** Relays what is due; returns when to call again. */
    public long advance(long now) {
        if (!relayWaiting) {
            return Long.MAX_VALUE;
        }
        long due = lastRelay + RELAY_INTERVAL_NANOS;
        if (now < due && now >= lastRelay) {
            return due;
        }
        lastRelay = now;
        flushRelayed();
        return Long.MAX_VALUE;
    }

    /** Sends clients what they could not receive before. */
    public void flushDeferred() {
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined()) {
                session.viewer.flush();
            }
        }
    }

    /** Sends the messages that wait to be relayed, before a later event is sent. */
    public void flushRelayed() {
        if (!relayWaiting) {
            return;
        }
        relayWaiting = false;
        batch.clear();
        int reliable = 0;
        for (SauerbratenSession session : clients.sessions()) {
            if (session.relayQueue.bytes() > 0) {
                reliable += session.relayQueue.reliableCount();
                Bytes all = session.relayQueue.take();
                batch.add(session.cn, CODEC.packet(new RelayMessage.Client(session.cn, all)));
            }
        }
        int events = reliable;
        for (SauerbratenSession session : clients.sessions()) {
            if (session.isJoined()) {
                batch.forViewer(
                        session.cn,
                        packet ->
                                session.viewer.sendEvents(
                                        SauerbratenTransport.MESSAGES, packet, events > 0, events));
            }
        }
    }
}
