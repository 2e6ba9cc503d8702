package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The sessions by client number, by player and by connection. A session has a number until it
 * leaves the game, and a connection until ENet has forgotten it.
 */
public final class ClientTable implements SauerbratenViewer.Clients {
    private final @Nullable SauerbratenSession[] byNumber =
            new @Nullable SauerbratenSession[ClientConnection.MAX_CLIENT_NUMBERS];

    /** Copied on write: sessions end while it is iterated. */
    private final List<SauerbratenSession> sessions = new CopyOnWriteArrayList<>();

    private final Map<PlayerId, SauerbratenSession> byPlayer = new HashMap<>();
    private final Map<EnetPeer, SauerbratenSession> byPeer = new HashMap<>();

    /** The sessions with a number, joined or not, in the order of connecting. */
    public List<SauerbratenSession> sessions() {
        return sessions;
    }

    /** The clients that have joined. */
    public List<SauerbratenSession> joined() {
        return sessions.stream().filter(SauerbratenSession::isJoined).toList();
    }

    /** The sessions of all connections, including those that have left the game. */
    public Collection<SauerbratenSession> connected() {
        return byPeer.values();
    }

    public @Nullable SauerbratenSession session(EnetPeer peer) {
        return byPeer.get(peer);
    }

    public Optional<SauerbratenSession> session(int cn) {
        return cn < 0 || cn >= byNumber.length
                ? Optional.empty()
                : Optional.ofNullable(byNumber[cn]);
    }

    /** The session of a player; null for a foreign player. */
    public @Nullable SauerbratenSession session(PlayerId playerId) {
        return byPlayer.get(playerId);
    }

    /** The lowest free client number; -1 if there is none. */
    public int freeNumber() {
        for (int cn = 0; cn < byNumber.length; cn++) {
            if (!isTaken(cn)) {
                return cn;
            }
        }
        return -1;
    }

    /** Adds a session by its number and connection. */
    public void add(SauerbratenSession session) {
        byNumber[session.cn] = session;
        byPeer.put(session.connection.peer, session);
        sessions.add(session);
    }

    @Override
    public void addPlayer(PlayerId playerId, int cn) {
        SauerbratenSession session = byNumber[cn];
        if (session != null) {
            byPlayer.put(playerId, session);
        }
    }

    /** Removes the session of a player that has left the arena, if it is known by it. */
    void removePlayer(PlayerId playerId) {
        byPlayer.remove(playerId);
    }

    /** Removes a session, except by its connection. */
    public void remove(SauerbratenSession session) {
        byNumber[session.cn] = null;
        sessions.remove(session);
        session.connection.player().ifPresent(player -> byPlayer.remove(player.id()));
    }

    /** Removes a connection that ENet has forgotten; null if it had no session. */
    public @Nullable SauerbratenSession removeConnection(EnetPeer peer) {
        return byPeer.remove(peer);
    }

    @Override
    public int number(PlayerId playerId) {
        SauerbratenSession session = byPlayer.get(playerId);
        return session == null ? -1 : session.cn;
    }

    @Override
    public boolean isTaken(int cn) {
        return byNumber[cn] != null;
    }

    @Override
    public @Nullable PlayerAppearance appearance(int cn, Predicate<PlayerId> visible) {
        SauerbratenSession session = byNumber[cn];
        if (session == null) {
            return null;
        }
        return session.connection
                .player()
                .filter(ArenaPlayer::isHere)
                .map(player -> session.appearance(visible.test(player.id())))
                .orElse(null);
    }

    @Override
    public int roundTrip(int cn) {
        return session(cn).map(session -> session.pings.roundTrip()).orElse(0);
    }
}
