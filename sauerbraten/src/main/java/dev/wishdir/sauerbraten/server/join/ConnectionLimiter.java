package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.wire.AddressText;

import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Limits connections, so that clients that hold many, do not join or do not acknowledge their end
 * keep no other client out. A connection counts, by its address and with the memory that it holds,
 * from its proof until ENet has forgotten it.
 */
public final class ConnectionLimiter {
    /** Connections that ENet keeps in addition to those of players. */
    public static final int SPARE_PEERS = 96;

    /** The most connections that have not joined; the oldest is dropped. */
    private static final int MAX_UNJOINED = 32;

    /** The most connections that were ended or refused and have not acknowledged it. */
    private static final int MAX_LEAVING = 32;

    /**
     * A client sends something thirty times a second. A client that is silent for so long that its
     * body is hidden gives way to another client of its address: mostly it has connected again.
     */
    private static final long STALE_AFTER_MILLIS =
            TimeUnit.NANOSECONDS.toMillis(Player.IDLE_TIMEOUT_NANOS);

    private static final LeaveReason CROWDED = LeaveReason.of(LeaveReason.Code.ADDRESS_LIMIT);

    private final EndpointContext context;
    private final ClientTable clients;
    private final BiConsumer<SauerbratenSession, LeaveReason> onLeave;
    private final SequencedSet<EnetPeer> leaving = new LinkedHashSet<>();
    private final SequencedSet<EnetPeer> refused = new LinkedHashSet<>();

    /**
     * @param onLeave takes a session out of the game
     */
    public ConnectionLimiter(
            EndpointContext context,
            ClientTable clients,
            BiConsumer<SauerbratenSession, LeaveReason> onLeave) {
        this.context = context;
        this.clients = clients;
        this.onLeave = onLeave;
    }

    /**
     * Admits a connection that has proved its address, or refuses it; empty if refused. A refusal
     * for want of a client number costs the address no session. One after {@code N_CONNECT} does:
     * the session has begun, and all others made room for its number.
     */
    Optional<ClientConnection> admit(long now, EnetPeer peer) {
        InetAddress from = peer.address().getAddress();
        AddressLimits.Place place = isFull() ? null : context.addressLimits().enter(now, from);
        if (place == null && removeStale(now, from) && !isFull()) {
            place = context.addressLimits().enter(now, from);
        }
        if (place == null) {
            refuse(now, peer, isFull() ? context.full(SauerbratenCodec.GAME) : CROWDED);
            return Optional.empty();
        }
        if (unjoined().size() >= MAX_UNJOINED) {
            drop(unjoined().getFirst());
        }
        int sessionid = context.random().nextInt(ClientConnection.MAX_SESSION_ID);
        return Optional.of(new ClientConnection(peer, place, number(), sessionid, now));
    }

    /** Whether all client numbers are those of players. */
    private boolean isFull() {
        return clients.freeNumber() < 0 && unjoined().isEmpty();
    }

    /** Removes the longest silent connection of an address, if it is stale. */
    private boolean removeStale(long now, InetAddress from) {
        SauerbratenSession silent = null;
        for (SauerbratenSession other : clients.connected()) {
            EnetPeer peer = other.connection.peer;
            boolean same = peer.address().getAddress().equals(from);
            if (same
                    && (silent == null
                            || peer.lastReceivedMillis()
                                    < silent.connection.peer.lastReceivedMillis())) {
                silent = other;
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(now);
        if (silent == null
                || millis - silent.connection.peer.lastReceivedMillis() < STALE_AFTER_MILLIS) {
            return false;
        }
        onLeave.accept(silent, LeaveReason.TIMED_OUT);
        close(silent.connection.peer);
        return true;
    }

    /** The sessions that have not joined, the oldest first. */
    private List<SauerbratenSession> unjoined() {
        return clients.sessions().stream()
                .filter(session -> session.connection.player().isEmpty())
                .toList();
    }

    /** A free number, if necessary that of the oldest session that has not joined. */
    private int number() {
        int cn = clients.freeNumber();
        List<SauerbratenSession> unjoined = unjoined();
        if (cn < 0 && !unjoined.isEmpty()) {
            drop(unjoined.getFirst());
            cn = clients.freeNumber();
        }
        return cn;
    }

    /** Ends a connection that has not joined, at once. */
    private void drop(SauerbratenSession session) {
        context.counters().count("sauerbraten.drop.waiting");
        onLeave.accept(session, ClientConnection.leaveReason(DisconnectReason.TIMEOUT));
        close(session.connection.peer);
    }

    private void refuse(long now, EnetPeer peer, LeaveReason reason) {
        reportRefusal(now, peer, reason);
        peer.send(
                SauerbratenTransport.MESSAGES,
                SauerbratenCodec.V260.packet(new ChatMessage.ServMsg(CubeText.chat(reason.text()))),
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
        if (clients.session(peer) != null) {
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
    public void onClosed(EnetPeer peer) {
        refused.remove(peer);
        leaving.remove(peer);
        SauerbratenSession session = clients.removeConnection(peer);
        if (session != null) {
            context.memoryBudget().remove(session);
            session.connection.place.leave();
        }
    }
}
