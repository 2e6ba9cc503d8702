package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.AddressText;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Decides which connections are accepted, so that addresses with many connections, clients that do
 * not join and clients that do not disconnect do not exclude others. A connection counts, with its
 * address and memory, from the proof of its address until ENet has removed it.
 */
final class ConnectionAdmission {
    /** Connections of ENet besides those of players. */
    static final int SPARE = 96;

    /** Maximum number of connections that have not joined; the oldest is dropped. */
    private static final int MAX_UNJOINED = 32;

    /** Maximum number of disconnected or refused connections that have not acknowledged it. */
    private static final int MAX_LEAVING = 32;

    /**
     * A client sends something 30 times a second. One silent beyond the idle time-out of bodies
     * gives way to another of its address, most often the same client that reconnects.
     */
    private static final long STALE_AFTER_MILLIS =
            TimeUnit.NANOSECONDS.toMillis(Arena.IDLE_TIMEOUT_NANOS);

    private static final LeaveReason ADDRESS_LIMIT = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);

    private final EndpointContext context;
    private final ClientRegistry registry;
    private final BiConsumer<SauerbratenSession, LeaveReason> onLeave;
    private final Map<EnetPeer, SauerbratenSession> sessions = new HashMap<>();
    private final SequencedSet<EnetPeer> leaving = new LinkedHashSet<>();
    private final SequencedSet<EnetPeer> refused = new LinkedHashSet<>();

    /**
     * @param onLeave removes a session from the game
     */
    ConnectionAdmission(
            EndpointContext context,
            ClientRegistry registry,
            BiConsumer<SauerbratenSession, LeaveReason> onLeave) {
        this.context = context;
        this.registry = registry;
        this.onLeave = onLeave;
    }

    /** All connections, including those that are being closed. */
    Collection<SauerbratenSession> all() {
        return List.copyOf(sessions.values());
    }

    @Nullable SauerbratenSession session(EnetPeer peer) {
        return sessions.get(peer);
    }

    /** Accepts or refuses a connection with a proven address. */
    @Nullable SauerbratenSession enter(long now, EnetPeer peer) {
        AddressLimits.Place place = place(now, peer.address().getAddress());
        if (place == null) {
            refuse(now, peer, ADDRESS_LIMIT);
            return null;
        }
        if (waiting().size() >= MAX_UNJOINED) {
            drop(waiting().getFirst());
        }
        int cn = number();
        if (cn < 0) {
            place.leave();
            refuse(now, peer, ClientRegistry.departure(DisconnectReason.FULL));
            return null;
        }
        int sessionid = context.random().nextInt(SauerbratenSession.MAX_SESSION_ID);
        SauerbratenSession session =
                new SauerbratenSession(registry, peer, place, cn, sessionid, now);
        sessions.put(peer, session);
        context.memoryBudget().add(session);
        registry.add(session);
        return session;
    }

    private AddressLimits.@Nullable Place place(long now, InetAddress from) {
        AddressLimits.Place place = context.addressLimits().enter(from);
        if (place != null) {
            return place;
        }
        SauerbratenSession idlest = null;
        for (SauerbratenSession other : sessions.values()) {
            boolean same = other.peer.address().getAddress().equals(from);
            if (same && (idlest == null || other.peer.lastHeard() < idlest.peer.lastHeard())) {
                idlest = other;
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(now);
        if (idlest == null || millis - idlest.peer.lastHeard() < STALE_AFTER_MILLIS) {
            return null;
        }
        onLeave.accept(idlest, LeaveReason.TIMED_OUT);
        forget(idlest.peer);
        return context.addressLimits().enter(from);
    }

    /** Connections that have not joined, oldest first. */
    private List<SauerbratenSession> waiting() {
        return registry.sessions().stream().filter(session -> session.player() == null).toList();
    }

    private int number() {
        int cn = registry.freeNumber();
        List<SauerbratenSession> waiting = waiting();
        if (cn < 0 && !waiting.isEmpty()) {
            drop(waiting.getFirst());
            cn = registry.freeNumber();
        }
        return cn;
    }

    /** Drops a connection that has not joined. */
    private void drop(SauerbratenSession session) {
        context.counters().count("sauerbraten.drop.waiting");
        onLeave.accept(session, ClientRegistry.departure(DisconnectReason.TIMEOUT));
        forget(session.peer);
    }

    private void refuse(long now, EnetPeer peer, LeaveReason reason) {
        told(now, peer, reason);
        peer.send(
                SauerbratenTransport.MESSAGES,
                SauerbratenCodec.V260.packet(new ChatMessage.ServMsg(reason.text())),
                true);
        peer.disconnectLater(DisconnectReason.FULL.code());
        refused.add(peer);
        if (refused.size() > MAX_LEAVING) {
            refused.removeFirst().disconnectNow(DisconnectReason.FULL.code());
        }
    }

    /** Reports a refusal to the operator. */
    void told(long now, EnetPeer peer, LeaveReason reason) {
        context.counters().count("sauerbraten.refused");
        String from = AddressText.of(peer.address().getAddress());
        context.arena().refused(now, SauerbratenCodec.GAME, from, reason);
    }

    /**
     * Notes that a session has left the game, while ENet still has data to deliver to its client.
     */
    void leaving(EnetPeer peer) {
        if (sessions.containsKey(peer)) {
            leaving.add(peer);
            if (leaving.size() > MAX_LEAVING) {
                forget(leaving.getFirst());
            }
        }
    }

    /** Closes a connection without waiting for an acknowledgement. */
    void forget(EnetPeer peer) {
        peer.disconnectNow(DisconnectReason.TIMEOUT.code());
        ended(peer);
    }

    /** Handles that ENet has removed a connection. */
    void ended(EnetPeer peer) {
        refused.remove(peer);
        leaving.remove(peer);
        SauerbratenSession session = sessions.remove(peer);
        if (session != null) {
            context.memoryBudget().remove(session);
            session.place.leave();
        }
    }
}
