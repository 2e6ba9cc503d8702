package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.SessionMessage;

import java.util.ArrayList;
import java.util.List;

/** Round trips: answers the clients' measurings, and shows what they measured now and then. */
final class SauerbratenPings {
    /** How often the round trips of clients are shown, nanoseconds. */
    private static final long INTERVAL_NANOS = 250_000_000;

    /** How often those of the other players are. */
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

    /** A client measures, and is answered in this turn. */
    void pong(SauerbratenSession to, int millis) {
        to.measures(millis);
        asked = true;
    }

    /** A client has measured another round trip. */
    void pinged(SauerbratenSession from, int ping) {
        measured |= from.pinged(ping);
    }

    /** Answers, and shows the round trips of clients where it is time; gives the next time. */
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

    /** Shows the round trips of players who are no clients; gives the next time. */
    long advanceAvatars(long now) {
        if (registry.avatars().all().isEmpty() || registry.sessions().isEmpty()) {
            return Long.MAX_VALUE;
        }
        long due = avatarsShown + AVATAR_INTERVAL_NANOS;
        if (now < due && now >= avatarsShown) {
            return due;
        }
        avatarsShown = now;
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
