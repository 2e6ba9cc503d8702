package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;

import java.util.List;
import java.util.Optional;

/** The connection of one client: its identity, how far it has come, and its rate limits. */
public final class ClientConnection {
    /** The client numbers that the game has for players; numbers above are for its bots. */
    public static final int MAX_CLIENT_NUMBERS = 128;

    /** Session ids are less than this. */
    public static final int MAX_SESSION_ID = 1 << 24;

    /** In the order in which they are entered; each but the first may be skipped. */
    private enum State {
        /** Connected, and has not sent an accepted {@code N_CONNECT}. */
        CONNECTED,
        /** Has a player in the arena. */
        JOINED,
        /** Is being disconnected; what the client sends has no effect. */
        DISCONNECTING,
        /** Gone from the endpoint and the arena. */
        GONE
    }

    public final EnetPeer peer;
    public final AddressLimits.Place place;
    final int cn;
    public final int sessionid;

    /** Time at which the client connected, nanoseconds. */
    public final long connectedAt;

    /** The messages that the client may send, whether or not they reach other clients. */
    public final TokenBucket messages = new TokenBucket(200, 6000);

    /** The answers to requests and refused messages of the client. */
    public final TokenBucket answers = new TokenBucket(40, 10);

    /** The tries of the client to prove a key. */
    public final AuthTryLimiter authTries = new AuthTryLimiter();

    private State state = State.CONNECTED;
    private Proof proof = Proof.NONE;
    private Optional<AuthTry> authTry = Optional.empty();
    private Optional<ArenaPlayer> player = Optional.empty();
    private Optional<LeaveReason> leaveReason = Optional.empty();

    public ClientConnection(
            EnetPeer peer, AddressLimits.Place place, int cn, int sessionid, long connectedAt) {
        this.peer = peer;
        this.place = place;
        this.cn = cn;
        this.sessionid = sessionid;
        this.connectedAt = connectedAt;
    }

    /** The arena's reason for a reason of the protocol. */
    public static LeaveReason leaveReason(DisconnectReason reason) {
        LeaveReason.Code code =
                switch (reason) {
                    case NONE -> LeaveReason.Code.SERVER_CLOSED;
                    case END_OF_PACKET, MESSAGE_ERROR -> LeaveReason.Code.PROTOCOL_ERROR;
                    case LOCAL_MODE, PRIVATE -> LeaveReason.Code.PRIVATE;
                    case KICKED -> LeaveReason.Code.KICKED;
                    case IP_BANNED -> LeaveReason.Code.BANNED;
                    case FULL -> LeaveReason.Code.SERVER_FULL;
                    case TIMEOUT -> LeaveReason.Code.TIMED_OUT;
                    case OVERFLOW -> LeaveReason.Code.RATE_LIMIT;
                    case PASSWORD -> LeaveReason.Code.PASSWORD;
                };
        return new LeaveReason(code, code.text().isEmpty() ? reason.text() : code.text());
    }

    /** The client has a player in the arena from now on. */
    void onJoined(ArenaPlayer as) {
        player = Optional.of(as);
        if (state == State.CONNECTED) {
            state = State.JOINED;
        }
    }

    /** Proof of the player's identity when it joined. */
    Proof proof() {
        return proof;
    }

    public void setProof(Proof proof) {
        this.proof = proof;
    }

    public boolean isJoined() {
        return state == State.JOINED;
    }

    /** The player in the arena, also after the client has left; empty if it has never joined. */
    public Optional<ArenaPlayer> player() {
        return player;
    }

    /** Reason for which the client is being disconnected or gone; empty while it is neither. */
    public Optional<LeaveReason> leaveReason() {
        return leaveReason;
    }

    /** The client's open try to prove a key. */
    public Optional<AuthTry> authTry() {
        return authTry;
    }

    /** Whether a try is still the client's open one. */
    public boolean isOpen(AuthTry started) {
        return leaveReason.isEmpty() && authTry.filter(it -> it == started).isPresent();
    }

    public void setAuthTry(AuthTry started) {
        authTry = Optional.of(started);
    }

    public void clearAuthTry() {
        authTry = Optional.empty();
    }

    /** Disconnects the client; what it sends after this has no effect. The first reason counts. */
    public void disconnect(DisconnectReason reason) {
        disconnect(reason, leaveReason(reason));
    }

    /** As {@link #disconnect(DisconnectReason)}, with a more precise reason for the arena. */
    void disconnect(DisconnectReason reason, LeaveReason arenaReason) {
        if (startDisconnecting(arenaReason)) {
            peer.disconnect(reason.code());
        }
    }

    /** As {@link #disconnect}, after all that is queued has arrived. */
    void disconnectLater(DisconnectReason reason, LeaveReason arenaReason) {
        if (startDisconnecting(arenaReason)) {
            peer.disconnectLater(reason.code());
        }
    }

    /** Disconnects the client and discards all that is queued, even a last text. */
    void abort(LeaveReason arenaReason) {
        peer.disconnect(DisconnectReason.OVERFLOW.code());
        startDisconnecting(arenaReason);
    }

    private boolean startDisconnecting(LeaveReason arenaReason) {
        if (leaveReason.isPresent()) {
            return false;
        }
        leaveReason = Optional.of(arenaReason);
        state = State.DISCONNECTING;
        return true;
    }

    /**
     * Marks the client as gone.
     *
     * @return false if it was gone before
     */
    public boolean leave(LeaveReason arenaReason) {
        if (state == State.GONE) {
            return false;
        }
        leaveReason = Optional.of(arenaReason);
        state = State.GONE;
        return true;
    }

    /** Sends a message, even to a congested client. */
    public void send(SauerbratenMessage message) {
        peer.send(
                SauerbratenCodec.channel(message),
                SauerbratenCodec.V260.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /** Sends several messages in one packet of the channel of messages. */
    public void send(List<SauerbratenMessage> packet, boolean reliable) {
        peer.send(
                SauerbratenTransport.MESSAGES,
                SauerbratenCodec.V260.packet(packet.toArray(SauerbratenMessage[]::new)),
                reliable);
    }
}
