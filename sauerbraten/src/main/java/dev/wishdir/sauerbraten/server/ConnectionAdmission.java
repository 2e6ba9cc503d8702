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
 * Admits connections, so that clients that hold many, do not join or do not acknowledge their end
 * keep no other client out. A connection counts, by its address and with the memory that it holds,
 * from its proof until ENet has forgotten it.
 */
final class ConnectionAdmission {
    /** Connections that ENet keeps in addition to those of players. */
    static final int SPARE_PEERS = 96;

    /** The most connections that have not joined; the oldest is dropped. */
    private static final int MAX_UNJOINED = 32;

    /** The most connections that were ended or refused and have not acknowledged it. */
    private static final int MAX_LEAVING = 32;

    /**
     * A client sends something thirty times a second. A client that is silent for so long that its
     * body is hidden gives way to another client of its address: mostly it has connected again.
     */
    private static final long STALE_AFTER_MILLIS =
            TimeUnit.NANOSECONDS.toMillis(Arena.IDLE_TIMEOUT_NANOS);

    private static final LeaveReason CROWDED = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);

    private final EndpointContext context;
    private final ClientRegistry registry;
    private final BiConsumer<SauerbratenSession, LeaveReason> onLeave;
    private final Map<EnetPeer, SauerbratenSession> sessions = new HashMap<>();
    private final SequencedSet<EnetPeer> leaving = new LinkedHashSet<>();
    private final SequencedSet<EnetPeer> refused = new LinkedHashSet<>();

    /**
     * @param onLeave takes a session out of the game
     */
    ConnectionAdmission(
            EndpointContext context,
            ClientRegistry registry,
            BiConsumer<SauerbratenSession, LeaveReason> onLeave) {
        this.context = context;
        this.registry = registry;
        this.onLeave = onLeave;
    }

    /** Every connection, including those that are being ended. */
    Collection<SauerbratenSession> all() {
        return List.copyOf(sessions.values());
    }

    @Nullable SauerbratenSession session(EnetPeer peer) {
        return sessions.get(peer);
    }

    /** Admits a connection that has proved its address, or refuses it; null if refused. */
    @Nullable SauerbratenSession enter(long now, EnetPeer peer) {
        AddressLimits.Place place = place(now, peer.address().getAddress());
        if (place == null) {
            refuse(now, peer, CROWDED);
            return null;
        }
        if (waiting().size() >= MAX_UNJOINED) {
            drop(waiting().getFirst());
        }
        int cn = number();
        if (cn < 0) {
            place.leave();
            refuse(now, peer, ClientRegistry.leaveReason(DisconnectReason.FULL));
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
        SauerbratenSession silent = null;
        for (SauerbratenSession other : sessions.values()) {
            boolean same = other.peer.address().getAddress().equals(from);
            if (same
                    && (silent == null
                            || other.peer.lastReceivedMillis()
                                    < silent.peer.lastReceivedMillis())) {
                silent = other;
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(now);
        if (silent == null || millis - silent.peer.lastReceivedMillis() < STALE_AFTER_MILLIS) {
            return null;
        }
        onLeave.accept(silent, LeaveReason.TIMED_OUT);
        close(silent.peer);
        return context.addressLimits().enter(from);
    }

    /** The sessions that have not joined, the oldest first. */
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

    /** Ends a connection that has not joined, at once. */
    private void drop(SauerbratenSession session) {
        context.counters().count("sauerbraten.drop.waiting");
        onLeave.accept(session, ClientRegistry.leaveReason(DisconnectReason.TIMEOUT));
        close(session.peer);
    }

    private void refuse(long now, EnetPeer peer, LeaveReason reason) {
        reportRefusal(now, peer, reason);
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

    /** Reports a refused connection to the operator. */
    void reportRefusal(long now, EnetPeer peer, LeaveReason reason) {
        context.counters().count("sauerbraten.refused");
        String from = AddressText.of(peer.address().getAddress());
        context.arena().reportRefusal(now, SauerbratenCodec.GAME, from, reason);
    }

    /** A session is out of the game, and ENet still has to deliver something to its client. */
    void onLeaving(EnetPeer peer) {
        if (sessions.containsKey(peer)) {
            leaving.add(peer);
            if (leaving.size() > MAX_LEAVING) {
                close(leaving.getFirst());
            }
        }
    }

    /** Ends a connection without waiting for an answer. */
    void close(EnetPeer peer) {
        peer.disconnectNow(DisconnectReason.TIMEOUT.code());
        onClosed(peer);
    }

    /** ENet has forgotten a connection. */
    void onClosed(EnetPeer peer) {
        refused.remove(peer);
        leaving.remove(peer);
        SauerbratenSession session = sessions.remove(peer);
        if (session != null) {
            context.memoryBudget().remove(session);
            session.place.leave();
        }
    }
}
