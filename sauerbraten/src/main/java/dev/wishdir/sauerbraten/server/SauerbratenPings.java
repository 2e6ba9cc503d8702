package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.SessionMessage;

import java.util.ArrayList;
import java.util.List;

/** Answers the clients' pings, and relays the round trips that they measured. */
final class SauerbratenPings {
    /** How often the round trips of clients are relayed, nanoseconds. */
    private static final long INTERVAL_NANOS = 250_000_000;

    /** How often those of foreign players are relayed, nanoseconds. */
    private static final long AVATAR_INTERVAL_NANOS = 1_000_000_000;

    private static final int MAX_PING_MILLIS = 9999;

    private final ClientRegistry registry;
    private boolean measured;
    private boolean asked;
    private long shown = Long.MIN_VALUE / 2;
    private long avatarsShown = Long.MIN_VALUE / 2;

    SauerbratenPings(ClientRegistry registry) {
        this.registry = registry;
    }

    /** A client sends a ping, and is answered in this turn. */
    void onPing(SauerbratenSession to, int millis) {
        to.setPong(millis);
        asked = true;
    }

    /** A client has measured another round trip. */
    void onClientPing(SauerbratenSession from, int ping) {
        measured |= from.recordPing(ping);
    }

    /** Answers pings, and relays the round trips of clients if due; returns the next time. */
    long advance(long now) {
        if (asked) {
            asked = false;
            for (SauerbratenSession session : registry.sessions()) {
                session.takePong()
                        .ifPresent(
                                millis -> registry.send(session, new SessionMessage.Pong(millis)));
            }
        }
        return measured ? show(now) : Long.MAX_VALUE;
    }

    private long show(long now) {
        long due = shown + INTERVAL_NANOS;
        if (now < due && now >= shown) {
            return due;
        }
        shown = now;
        measured = false;
        for (SauerbratenSession session : registry.sessions()) {
            if (session.takePingChanged()) {
                registry.relay(session, new SessionMessage.ClientPing(session.ping()));
                PlayerId player = session.player();
                if (player != null) {
                    registry.arena().ping(player, Math.clamp(session.ping(), 0, MAX_PING_MILLIS));
                }
            }
        }
        return Long.MAX_VALUE;
    }

    /** Relays the round trips of foreign players if due; returns the next time. */
    long advanceForeign(long now) {
        if (registry.foreignPlayers().all().isEmpty() || registry.sessions().isEmpty()) {
            return Long.MAX_VALUE;
        }
        long due = avatarsShown + AVATAR_INTERVAL_NANOS;
        if (now < due && now >= avatarsShown) {
            return due;
        }
        avatarsShown = now;
        List<ForeignPlayers.ForeignPlayer> changed = new ArrayList<>();
        for (ForeignPlayers.ForeignPlayer avatar : registry.foreignPlayers().all()) {
            if (avatar.updatePing(registry.arena().find(avatar.id).map(Player::ping).orElse(0))) {
                changed.add(avatar);
            }
        }
        for (SauerbratenSession session : registry.sessions()) {
            if (session.joined() && !changed.isEmpty()) {
                session.viewer.sendPings(changed);
            }
        }
        return now + AVATAR_INTERVAL_NANOS;
    }
}
