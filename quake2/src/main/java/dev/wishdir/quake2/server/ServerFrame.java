package dev.wishdir.quake2.server;

import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.quake2.server.combat.ForeignMissiles;
import dev.wishdir.quake2.server.match.Overlay;
import dev.wishdir.quake2.server.match.PlayerListing;
import dev.wishdir.quake2.server.session.ClientPlayer;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.FrameEntities;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;
import dev.wishdir.quake2.server.view.TickClock;

import java.util.BitSet;

/** Runs the ticks: puts the players into a frame once, from which each client is sent its own. */
final class ServerFrame {
    /** In a crowd: twenty skins a second of some 40 bytes to each client. */
    private static final int MAX_SLOT_CHANGES_PER_FRAME = 2;

    private final TickClock clock;
    private final ClientTable clients;
    private final PlayerEntityTable entityTable;
    private final RunningLevel level;
    private final PlayerListing listings;
    private final ForeignMissiles foreignMissiles;
    private final DutyCycle cycle;

    ServerFrame(
            TickClock clock,
            ClientTable clients,
            PlayerEntityTable entityTable,
            RunningLevel level,
            PlayerListing listings,
            ForeignMissiles foreignMissiles,
            DutyCycle cycle) {
        this.clock = clock;
        this.clients = clients;
        this.entityTable = entityTable;
        this.level = level;
        this.listings = listings;
        this.foreignMissiles = foreignMissiles;
        this.cycle = cycle;
    }

    /** Whether the level must begin again, as the numbers of its ticks are near their end. */
    boolean areExhausted() {
        return clock.isExhausted();
    }

    /** Counts from the first frame again: another level begins. */
    void restart() {
        clock.restart();
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
     * In a crowd with more players than slots, those that a client sees get them. A slot changes
     * its player only after no client's last frame had it, so that no client sees a body jump.
     */
    private void preferVisiblePlayers() {
        if (!entityTable.isFull()) {
            return;
        }
        BitSet shown = new BitSet();
        for (Quake2Session session : clients.all()) {
            shown.or(session.player().lastEntities());
            entityTable.mark(session.player().visiblePlayers(), shown);
        }
        int left = MAX_SLOT_CHANGES_PER_FRAME;
        for (Quake2Session session : clients.all()) {
            left -= entityTable.prefer(session.player().visiblePlayers(), shown, left);
        }
    }

    /**
     * Runs a tick.
     *
     * @return whether a client needs each of them
     */
    private boolean run(long now) {
        if (clock.isFrame()) {
            clients.expire(now);
            preferVisiblePlayers();
            for (Quake2Session session : clients.all()) {
                try {
                    if (session.isInGame()) {
                        session.player().think(now);
                    }
                } catch (RuntimeException | Error e) {
                    // One client must not starve those behind it.
                    cycle.report(session, e);
                }
            }
        }
        FrameEntities frameEntities = level.frameEntities();
        foreignMissiles.advance();
        entityTable.compose(now, frameEntities, clock.frame());
        boolean fast = false;
        for (Quake2Session session : clients.all()) {
            try {
                if (clock.isFrame() && session.player().overlay().takeDue(clock.frame())) {
                    ClientPlayer player = session.player();
                    session.channel()
                            .state(
                                    Overlay.KIND,
                                    () -> listings.board(player.id(), player.killer()));
                }
                session.tick(now, clock.tick(), frameEntities);
                fast |= session.isFast();
            } catch (RuntimeException | Error e) {
                cycle.report(session, e);
            }
        }
        return fast;
    }
}
