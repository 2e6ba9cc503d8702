package dev.wishdir.quake3.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.quake3.server.combat.ForeignMissiles;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.match.FlagBoard;
import dev.wishdir.quake3.server.match.ScoreBoard;
import dev.wishdir.quake3.server.session.ClientChannel;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.session.SessionLifecycle;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.RunningLevel;

/**
 * The duty of one server frame for each session: time-outs, pings, gamestates, fragments and
 * download blocks.
 */
final class ServerFrame {
    private static final long MILLI = 1_000_000;
    private static final long FRAME_NANOS = RunningLevel.FRAME_NANOS;

    private static final long IDLE_TIMEOUT_NANOS = 60_000 * MILLI;

    /** Download blocks of all clients in one server frame; each client gets at least one. */
    private static final int MAX_BLOCKS_PER_FRAME = 64;

    private static final int MAX_BLOCKS_PER_FRAME_AND_CLIENT = 16;

    /** Time in which a client must load the level, unless it downloads files. */
    private static final long LOADING_TIMEOUT_NANOS = 300_000 * MILLI;

    /** Idle time-out of a client that has sent no message since {@code connect}. */
    private static final long FIRST_PACKET_TIMEOUT_NANOS = 10_000 * MILLI;

    private final ClientTable clients;
    private final SessionLifecycle lifecycle;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final CombatEntities combatEntities;
    private final ForeignMissiles foreignMissiles;
    private final ScoreBoard scores;
    private final FlagBoard flags;
    private final DutyCycle cycle;
    private int frames;

    ServerFrame(
            ClientTable clients,
            SessionLifecycle lifecycle,
            RunningLevel running,
            UsercmdExecutor executor,
            CombatEntities combatEntities,
            ForeignMissiles foreignMissiles,
            ScoreBoard scores,
            FlagBoard flags,
            DutyCycle cycle) {
        this.clients = clients;
        this.lifecycle = lifecycle;
        this.running = running;
        this.executor = executor;
        this.combatEntities = combatEntities;
        this.foreignMissiles = foreignMissiles;
        this.scores = scores;
        this.flags = flags;
        this.cycle = cycle;
    }

    void run(long now) {
        frames++;
        int downloads = 0;
        for (Quake3Session client : clients) {
            downloads += client.channel().downloads().isActive() ? 1 : 0;
        }
        int blocks =
                Math.clamp(
                        MAX_BLOCKS_PER_FRAME / Math.max(1, downloads),
                        1,
                        MAX_BLOCKS_PER_FRAME_AND_CLIENT);
        for (Quake3Session client : clients) {
            try {
                run(now, client, blocks);
            } catch (RuntimeException | Error e) {
                // One client must not starve those behind it.
                cycle.report(client, e);
            }
        }
        combatEntities.advance(running.time(now));
        foreignMissiles.advance(running.time(now));
        scores.advance(now);
        flags.advance(now);
    }

    /**
     * @param blocks of a download that may be sent to the client
     */
    private void run(long now, Quake3Session client, int blocks) {
        if (client.isGone(now)) {
            lifecycle.remove(now, client, LeaveReason.LEFT);
            return;
        }
        ClientChannel channel = client.channel();
        ServerConnection c = channel.transport().connection();
        if (!client.isZombie()) {
            if (dropTimedOut(now, client)) {
                return;
            }
            if (c != null && c.hasOverflowed()) {
                lifecycle.drop(now, client, LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
                return;
            }
        }
        if (c == null) {
            return;
        }
        executor.markLagging(now, client);
        executor.endFrame(now, client);
        if (frames % RunningLevel.FRAMES_PER_SECOND == 0) {
            client.player().ifPresent(player -> player.setPing(c.ping()));
        }
        if (channel.downloads().isActive()
                && !channel.transport().hasPendingFragments()
                && !channel.gamestates().isPending()) {
            if (channel.downloads().isNotAcknowledging(now)) {
                lifecycle.drop(now, client, LeaveReason.NOT_ACKNOWLEDGING);
            } else {
                channel.downloads().send(now, blocks, now + FRAME_NANOS);
            }
        } else if (channel.transport().isRateAvailable(now)) {
            if (channel.transport().hasPendingFragments()) {
                channel.gamestates().sendFragment(now);
            } else if (channel.gamestates().isPending()) {
                client.sendGamestate(now, running);
            }
            channel.transport().chargeRate(now);
        }
    }

    private boolean dropTimedOut(long now, Quake3Session client) {
        long idleTimeout =
                client.player().isPresent() ? IDLE_TIMEOUT_NANOS : FIRST_PACKET_TIMEOUT_NANOS;
        if (client.activity().idleNanos(now) > idleTimeout) {
            lifecycle.drop(now, client, LeaveReason.TIMED_OUT);
            return true;
        }
        if (client.loadingNanos(now) > LOADING_TIMEOUT_NANOS
                && !client.channel().downloads().isActive()) {
            lifecycle.drop(
                    now,
                    client,
                    new LeaveReason(
                            LeaveReason.Code.TIMED_OUT, "Loading the map took more than 300 s."));
            return true;
        }
        return false;
    }
}
