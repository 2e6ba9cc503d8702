package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Link;
import dev.wishdir.arena.Origin;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.Links;

import java.util.List;

/** What the arena tells a client: its lines. Where others are its frames look by themselves. */
final class Viewing implements Viewer {
    private static final long HOUR = 3_600_000_000_000L;

    private final Quake2Session session;
    private final Line line;

    Viewing(Quake2Session session, Line line) {
        this.session = session;
        this.line = line;
    }

    @Override
    public Origin origin() {
        return new Origin(session.address(), session.version(), "");
    }

    @Override
    public Link link() {
        return Links.of(line.netchan().carried());
    }

    @Override
    public boolean isBehind() {
        return line.isBehind();
    }

    @Override
    public int places() {
        return FrameSender.MOST_ENTITIES - 1;
    }

    /** Its frames look by themselves. */
    @Override
    public long relayInterval() {
        return HOUR;
    }

    @Override
    public void moved(List<Player> movers) {}

    @Override
    public void told(ArenaEvent event) {
        if (event instanceof ArenaEvent.Dismissed dismissed) {
            session.drop(dismissed.why());
        } else if (session.isInGame() || event instanceof ArenaEvent.Announced) {
            News.of(event).ifPresent(session::event);
        }
    }
}
