package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.Quake3Text;

/** Adds sessions, joins them to the arena, drops and removes them. */
public final class SessionLifecycle implements Quake3Session.Lifecycle {
    /** Time for which a dropped client keeps its slot, so that the reason reaches it. */
    private static final long ZOMBIE_NANOS = 2_000_000_000L;

    private final Arena arena;
    private final ClientTable clients;
    private final MemoryBudget memoryBudget;
    private final HttpDownloads httpDownloads;
    private final MissingFilesTable missingFiles = new MissingFilesTable();

    public SessionLifecycle(
            Arena arena,
            ClientTable clients,
            MemoryBudget memoryBudget,
            HttpDownloads httpDownloads) {
        this.arena = arena;
        this.clients = clients;
        this.memoryBudget = memoryBudget;
        this.httpDownloads = httpDownloads;
    }

    /** The clients that left as they lacked the files of a level. */
    public MissingFilesTable missingFiles() {
        return missingFiles;
    }

    /** Adds a session in its slot. It joins the arena with its first message. */
    public void add(Quake3Session session) {
        clients.add(session);
        memoryBudget.add(session);
    }

    /** Joins a session to the arena. Returns false if the arena is full. */
    public boolean join(long now, Quake3Session session) {
        if (arena.isFull()) {
            return false;
        }
        arena.join(now, Quake3Codec.GAME, session.name(), session.viewer());
        return true;
    }

    @Override
    public void onJoined(Quake3Session session, ArenaPlayer player) {
        clients.addPlayer(player.id(), session);
        for (Player other : arena.players()) {
            if (!other.id().equals(player.id())) {
                session.configstrings().add(other.id());
            }
        }
    }

    /** Drops a session: it leaves the arena, is sent the reason for 2 s, then its slot is free. */
    @Override
    public void drop(long now, Quake3Session session, LeaveReason why) {
        if (session.isZombie()) {
            return;
        }
        if (session.lacksFiles()) {
            httpDownloads.reportFailure(now, session.address().getAddress());
        }
        if (why.code() == LeaveReason.Code.LEFT
                && session.loadsWithoutDownload()
                && !arena.level(Quake3Codec.GAME).files().isEmpty()) {
            missingFiles.add(
                    now, session.address().getAddress(), session.channel().transport().qport());
        }
        String reason =
                why.text().isEmpty()
                        ? why.code() == LeaveReason.Code.LEFT ? "disconnected" : "timed out"
                        : Quake3Text.line(why.text(), 200);
        session.becomeZombie(now + ZOMBIE_NANOS);
        // The farewell comes last: whatever becomes of it, the player has left.
        leave(now, session, why);
        session.sendFarewell(now, why.code() == LeaveReason.Code.SERVER_CLOSED, reason);
    }

    /** Removes a session and frees its slot. */
    public void remove(long now, Quake3Session session, LeaveReason why) {
        leave(now, session, why);
        clients.remove(session);
    }

    private void leave(long now, Quake3Session session, LeaveReason why) {
        memoryBudget.remove(session);
        session.leave(now, why).ifPresent(clients::removePlayer);
    }
}
