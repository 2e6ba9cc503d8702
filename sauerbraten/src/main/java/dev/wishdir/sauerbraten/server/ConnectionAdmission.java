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
 * The connections: who gets one, so that those who hold many, do not join or do not take their
 * leave keep nobody else out. A connection is counted, by its address and with what it holds, from
 * its proof until ENet has forgotten it.
 */
final class ConnectionAdmission {
    /** Connections that ENet keeps beside those of players. */
    static final int SPARE = 96;

    /** The most that have not joined; the oldest gives way. */
    private static final int MAX_UNJOINED = 32;

    /** The most that were sent away, or turned away, and have not acknowledged it. */
    private static final int MAX_LEAVING = 32;

    /**
     * A client sends something thirty times a second. One that is silent so long that nobody sees
     * it any more gives way to another one of its address: most often it has connected anew itself.
     */
    private static final long STALE_AFTER_MILLIS =
            TimeUnit.NANOSECONDS.toMillis(Arena.IDLE_TIMEOUT_NANOS);

    private static final LeaveReason CROWDED = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);

    private final EndpointContext context;
    private final ClientRegistry registry;
    private final BiConsumer<SauerbratenSession, LeaveReason> gone;
    private final Map<EnetPeer, SauerbratenSession> sessions = new HashMap<>();
    private final SequencedSet<EnetPeer> leaving = new LinkedHashSet<>();
    private final SequencedSet<EnetPeer> refused = new LinkedHashSet<>();

    /**
     * @param gone takes a session out of the game
     */
    ConnectionAdmission(
            EndpointContext context,
            ClientRegistry registry,
            BiConsumer<SauerbratenSession, LeaveReason> gone) {
        this.context = context;
        this.registry = registry;
        this.gone = gone;
    }

    /** Every connection, those too that are being ended. */
    Collection<SauerbratenSession> all() {
        return List.copyOf(sessions.values());
    }

    @Nullable SauerbratenSession session(EnetPeer peer) {
        return sessions.get(peer);
    }

    /** Lets a connection in that has proved its address, or turns it away. */
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
        SauerbratenSession silent = null;
        for (SauerbratenSession other : sessions.values()) {
            boolean same = other.peer.address().getAddress().equals(from);
            if (same && (silent == null || other.peer.lastHeard() < silent.peer.lastHeard())) {
                silent = other;
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(now);
        if (silent == null || millis - silent.peer.lastHeard() < STALE_AFTER_MILLIS) {
            return null;
        }
        gone.accept(silent, LeaveReason.TIMED_OUT);
        forget(silent.peer);
        return context.addressLimits().enter(from);
    }

    /** Those who have not joined, the oldest first. */
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

    /** Ends a connection at once that has not joined. */
    private void drop(SauerbratenSession session) {
        context.counters().count("sauerbraten.drop.waiting");
        gone.accept(session, ClientRegistry.departure(DisconnectReason.TIMEOUT));
        forget(session.peer);
    }

    private void refuse(long now, EnetPeer peer, LeaveReason why) {
        told(now, peer, why);
        peer.send(
                SauerbratenTransport.MESSAGES,
                SauerbratenCodec.V260.packet(new ChatMessage.ServMsg(why.text())),
                true);
        peer.disconnectLater(DisconnectReason.FULL.code());
        refused.add(peer);
        if (refused.size() > MAX_LEAVING) {
            refused.removeFirst().disconnectNow(DisconnectReason.FULL.code());
        }
    }

    /** The operator hears that somebody was not let in. */
    void told(long now, EnetPeer peer, LeaveReason why) {
        context.counters().count("sauerbraten.refused");
        String from = AddressText.of(peer.address().getAddress());
        context.arena().refused(now, SauerbratenCodec.GAME, from, why);
    }

    /** A session is out of the game, and ENet still has something to tell its client. */
    void leaving(EnetPeer peer) {
        if (sessions.containsKey(peer)) {
            leaving.add(peer);
            if (leaving.size() > MAX_LEAVING) {
                forget(leaving.getFirst());
            }
        }
    }

    /** Ends a connection without waiting for an answer. */
    void forget(EnetPeer peer) {
        peer.disconnectNow(DisconnectReason.TIMEOUT.code());
        ended(peer);
    }

    /** ENet has forgotten a connection. */
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
