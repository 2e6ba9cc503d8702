package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.message.SessionMessage;

/** Answers the clients' pings, and relays the round trips that they measured. */
public final class SauerbratenPings {
    /** Interval at which the round trips of clients are relayed, nanoseconds. */
    private static final long INTERVAL_NANOS = 250_000_000;

    private static final int MAX_PING_MILLIS = 9999;

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final Counters counters;
    private boolean changed;
    private boolean unanswered;
    private long lastRelay = Long.MIN_VALUE / 2;

    public SauerbratenPings(ClientTable clients, Broadcaster broadcaster, Counters counters) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.counters = counters;
    }

    /** A client sends a ping, and is answered in this turn. */
    public void onPing(long now, SauerbratenSession from, int millis) {
        from.pings.onPing(millis);
        unanswered = true;
        from.itemClaims
                .onPing(now, millis)
                .ifPresent(claim -> {
                    if (claim.isLate()) {
                        counters.count("sauerbraten.item.late");
                    } else {
                        from.player().combatant().report(now, claim.violation());
                    }
                });
    }

    /** A client has measured another round trip. */
    public void onClientPing(SauerbratenSession from, int ping) {
        changed |= from.pings.setRoundTrip(ping);
    }

    /** Answers pings, and relays the round trips of clients if due; returns the next time. */
    public long advance(long now) {
        if (unanswered) {
            unanswered = false;
            for (SauerbratenSession session : clients.sessions()) {
                session.pings
                        .takeUnanswered()
                        .ifPresent(
                                millis -> session.connection.send(new SessionMessage.Pong(millis)));
            }
        }
        return changed ? relay(now) : Long.MAX_VALUE;
    }

    private long relay(long now) {
        long due = lastRelay + INTERVAL_NANOS;
        if (now < due && now >= lastRelay) {
            return due;
        }
        lastRelay = now;
        changed = false;
        for (SauerbratenSession session : clients.sessions()) {
            if (session.pings.takeChanged()) {
                int roundTrip = session.pings.roundTrip();
                broadcaster.relay(session, new SessionMessage.ClientPing(roundTrip));
                session.player().setPing(Math.clamp(roundTrip, 0, MAX_PING_MILLIS));
            }
        }
        return Long.MAX_VALUE;
    }
}
