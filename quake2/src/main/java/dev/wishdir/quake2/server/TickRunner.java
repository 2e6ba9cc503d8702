package dev.wishdir.quake2.server;

import dev.wishdir.net.Duty;

/** Runs the ticks: puts the players into a frame once, from which each client is sent its own. */
final class TickRunner {
    private final TickClock clock = new TickClock();
    private final ClientTable clients;
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final PlayerListings listings;

    TickRunner(
            ClientTable clients,
            PlayerEntityTable entityTable,
            RunningLevel level,
            PlayerListings listings) {
        this.clients = clients;
        this.entityTable = entityTable;
        this.level = level;
        this.listings = listings;
    }

    /**
     * Runs a tick if one is due.
     *
     * @return when to call again
     */
    long advance(long now) {
        if (clock.advance(now)) {
            clock.schedule(run(now));
        }
        return clients.all().isEmpty() ? Duty.NEVER : clock.next();
    }

    /**
     * Runs a tick.
     *
     * @return whether a client needs each of them
     */
    private boolean run(long now) {
        if (clock.isFrame()) {
            clients.expire(now);
        }
        FrameEntities frameEntities = level.frameEntities();
        entityTable.compose(frameEntities, clock.frame());
        boolean fast = false;
        for (Quake2Session session : clients.all()) {
            if (clock.isFrame() && session.player().overlay().isDue(clock.frame())) {
                session.channel().state(Overlay.KIND, () -> listings.board(session.player().id()));
            }
            session.tick(now, clock.tick(), frameEntities);
            fast |= session.isFast();
        }
        return fast;
    }
}
