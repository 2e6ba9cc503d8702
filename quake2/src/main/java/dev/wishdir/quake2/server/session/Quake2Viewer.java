package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.quake2.message.ServerMessage.Print;
import dev.wishdir.quake2.server.view.EventMessages;
import dev.wishdir.quake2.server.view.FrameDeltaEncoder;

import java.util.List;

/**
 * The viewer of one client: sends it the lines of events. Movement is read from the arena by each
 * frame.
 */
public final class Quake2Viewer implements SessionViewer {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final Quake2Session session;

    public Quake2Viewer(Quake2Session session) {
        this.session = session;
    }

    @Override
    public void onJoined(ArenaPlayer player) {
        session.player().onJoined(player);
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return new ConnectionInfo(session.address(), session.version());
    }

    @Override
    public Proof proof() {
        return session.proof();
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
        } else if (event instanceof ArenaEvent.FlagChanged change) {
            if (session.isInGame()) {
                onFlagChanged(change);
            }
        } else if (session.isInGame() || event instanceof ArenaEvent.Announcement) {
            EventMessages.of(event).ifPresent(session::event);
        }
    }

    /** A line and a sound for all, and words in the view of those that it is about most. */
    private void onFlagChanged(ArenaEvent.FlagChanged change) {
        ClientPlayer player = session.player();
        Print line = EventMessages.flag(change);
        session.event(line, player.flagSound(change));
        boolean isOwn = change.player().map(Player::id).equals(player.id());
        if (change.change() == FlagChange.CAPTURED) {
            session.event(EventMessages.notice(line.text().strip()));
        } else if (change.change() == FlagChange.TAKEN && isOwn) {
            session.event(EventMessages.notice("You have the " + change.flag() + " flag."));
        }
    }
}
