package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.ConnectionStatsFactory;

import java.util.List;

/**
 * The viewer of one client: sends it the lines of events. Movement is read from the arena by each
 * frame.
 */
final class Quake2Viewer implements Viewer {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final Quake2Session session;

    Quake2Viewer(Quake2Session session) {
        this.session = session;
    }

    @Override
    public void onJoined(ArenaPlayer player) {
        session.player().onJoined(player);
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return new ConnectionInfo(session.address(), session.version(), "");
    }

    @Override
    public ConnectionStats connectionStats() {
        return ConnectionStatsFactory.of(session.channel().netchan().traffic());
    }

    @Override
    public boolean isCongested() {
        return session.channel().isCongested();
    }

    @Override
    public int maxVisiblePlayers() {
        return FrameDeltaEncoder.MAX_ENTITIES - 1;
    }

    /** No relays: the frames read the positions from the arena. */
    @Override
    public long relayIntervalNanos() {
        return HOUR_NANOS;
    }

    @Override
    public void onMovement(List<Player> movers) {}

    @Override
    public void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.KickRequested kick) {
            session.drop(kick.reason());
        } else if (event instanceof ArenaEvent.Notice notice) {
            if (session.isInGame()) {
                session.event(EventMessages.notice(notice.text()));
            }
        } else if (event instanceof ArenaEvent.Died died) {
            if (session.isInGame()) {
                session.event(session.player().obituary(died));
            }
        } else if (session.isInGame() || event instanceof ArenaEvent.Announcement) {
            EventMessages.of(event).ifPresent(session::event);
        }
    }
}
