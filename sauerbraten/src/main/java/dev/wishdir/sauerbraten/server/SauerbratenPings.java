package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.SessionMessage;

import java.util.ArrayList;
import java.util.List;

/** Pings: answers the clients' measurements, and sends the results to others at intervals. */
final class SauerbratenPings {
    /** Interval of the pings of clients. */
    private static final long INTERVAL_NANOS = 250_000_000;

    /** Interval of the pings of foreign players. */
    private static final long AVATAR_INTERVAL_NANOS = 1_000_000_000;

    private static final int MAX_PING_MILLIS = 9999;

    private final ClientRegistry registry;
    private boolean changed;
    private boolean pongPending;
    private long lastSent = Long.MIN_VALUE / 2;
    private long lastAvatarsSent = Long.MIN_VALUE / 2;

    SauerbratenPings(ClientRegistry registry) {
        this.registry = registry;
    }

    /** Queues the answer to a client's ping for this turn. */
    void pong(SauerbratenSession to, int millis) {
        to.measures(millis);
        pongPending = true;
    }

    /** Records the ping that a client measured. */
    void pinged(SauerbratenSession from, int ping) {
        changed |= from.pinged(ping);
    }

    /**
     * Answers pings, and sends the results that are due.
     *
     * @return when to call again
     */
    long advance(long now) {
        if (pongPending) {
            pongPending = false;
            for (SauerbratenSession session : registry.sessions()) {
                session.takePong()
                        .ifPresent(
                                millis -> registry.send(session, new SessionMessage.Pong(millis)));
            }
        }
        return changed ? send(now) : Long.MAX_VALUE;
    }

    private long send(long now) {
        long due = lastSent + INTERVAL_NANOS;
        if (now < due && now >= lastSent) {
            return due;
        }
        lastSent = now;
        changed = false;
        for (SauerbratenSession session : registry.sessions()) {
            if (session.takePingNews()) {
                registry.relay(session, new SessionMessage.ClientPing(session.ping()));
                PlayerId player = session.player();
                if (player != null) {
                    registry.arena().ping(player, Math.clamp(session.ping(), 0, MAX_PING_MILLIS));
                }
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Sends the pings of foreign players.
     *
     * @return when to call again
     */
    long advanceAvatars(long now) {
        if (registry.avatars().all().isEmpty() || registry.sessions().isEmpty()) {
            return Long.MAX_VALUE;
        }
        long due = lastAvatarsSent + AVATAR_INTERVAL_NANOS;
        if (now < due && now >= lastAvatarsSent) {
            return due;
        }
        lastAvatarsSent = now;
        List<ForeignPlayers.Avatar> changed = new ArrayList<>();
        for (ForeignPlayers.Avatar avatar : registry.avatars().all()) {
            if (avatar.pinged(registry.arena().find(avatar.id).map(Player::ping).orElse(0))) {
                changed.add(avatar);
            }
        }
        for (SauerbratenSession session : registry.sessions()) {
            if (session.joined() && !changed.isEmpty()) {
                session.viewer.pinged(changed);
            }
        }
        return now + AVATAR_INTERVAL_NANOS;
    }
}
