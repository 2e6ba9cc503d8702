package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.PlayerNotices;
import dev.wishdir.arena.Viewer;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.protocol.ServerConnection;

import java.util.List;

/** The viewer of one client: events become reliable commands, unless the client is congested. */
final class Quake3Viewer implements Viewer {
    private static final int MAX_CHAT_CHARS = 150;

    private final Arena arena;
    private final Clients clients;
    private final Quake3Player client;

    Quake3Viewer(Clients clients, Quake3Player client) {
        arena = clients.arena();
        this.clients = clients;
        this.client = client;
    }

    @Override
    public ConnectionInfo connectionInfo() {
        String protocol = client.userinfo().get("protocol");
        return new ConnectionInfo(
                client.address(), protocol.isEmpty() ? "" : "protocol " + protocol, "");
    }

    @Override
    public ConnectionStats connectionStats() {
        ServerConnection connection = client.line().connection();
        return connection == null
                ? ConnectionStats.UNKNOWN
                : ConnectionStatsFactory.of(connection.traffic());
    }

    @Override
    public boolean isCongested() {
        return client.line().isCongested();
    }

    @Override
    public int maxVisiblePlayers() {
        return EntityState.MAX_CLIENTS - 1;
    }

    /**
     * Three quarters of the snapshot interval: a relayed movement makes a snapshot due at once,
     * movements soon after one wait for the next.
     */
    @Override
    public long relayIntervalNanos() {
        return client.line().interval() * 3 / 4;
    }

    @Override
    public void onMovement(List<Player> movers) {
        client.line().markDirty();
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                client.configstrings().arrived(e.id());
                print(PlayerConfigstring.name(e.player()) + "^7 entered the game");
            }
            case ArenaEvent.Left e -> {
                client.following().stop(e.player());
                clients.entities().forget(e.id());
                client.configstrings().left(e.id());
                String reason =
                        e.reason().equals(LeaveReason.LEFT)
                                ? "disconnected"
                                : e.reason().toString();
                print(PlayerConfigstring.name(e.player()) + "^7 " + Quake3Text.line(reason, 200));
            }
            case ArenaEvent.Despawned e -> client.following().stop(e.player());
            case ArenaEvent.Renamed e -> {
                client.configstrings().changed(e.id());
                print(
                        PlayerConfigstring.name(e.player(), e.oldName())
                                + "^7 renamed to "
                                + PlayerConfigstring.name(e.player(), e.name()));
            }
            case ArenaEvent.AppearanceChanged e -> client.configstrings().changed(e.id());
            case ArenaEvent.Chat e -> said(e.player(), e.text());
            case ArenaEvent.Announcement e -> print(Quake3Text.line(e.text(), 500));
            case ArenaEvent.Whisper e -> whisper(e.from(), e.text());
            case ArenaEvent.RateLimited e -> print(PlayerNotices.rateLimited(e.action()));
            case ArenaEvent.EventsDropped e -> print(PlayerNotices.eventsDropped(e.count()));
            case ArenaEvent.KickRequested e -> clients.drop(e.time(), client, e.reason());
            // Snapshots show these; a teleport toggles a bit of the entity.
            case ArenaEvent.Spawned _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.ActionPerformed _,
                    ArenaEvent.Moved _ -> {}
            case ArenaEvent.MovementViolation _,
                    ArenaEvent.JoinRefused _,
                    ArenaEvent.LevelChanged _ -> {}
        }
    }

    /** Sends a reliable command, unless the client is congested. */
    private void command(String text) {
        if (!isCongested()) {
            client.command(text);
        }
    }

    private void print(String line) {
        command("print \"" + line + "\n\"");
    }

    /** Sends chat to the client, also its own words. */
    void said(Player other, String text) {
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.SAID);
        if (!words.isBlank()) {
            command("chat \"" + PlayerConfigstring.name(other) + "^7\u0019: ^2" + words + "\"");
        }
    }

    /** Sends a private message, also the client's own to another player. */
    void whisper(Player other, String text) {
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.TO_ONE);
        command(
                "chat \"\u0019["
                        + PlayerConfigstring.name(other)
                        + "^7\u0019]\u0019: ^6"
                        + words
                        + "\"");
    }

    /** Sends team chat. */
    void saidToTeam(Player other, String text) {
        if (isCongested()) {
            PlayerId id = client.id();
            if (id != null) {
                arena.recordDroppedEvent(id);
            }
            return;
        }
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.TO_TEAM);
        client.command(
                "tchat \"\u0019("
                        + PlayerConfigstring.name(other)
                        + "^7\u0019)\u0019: ^5"
                        + words
                        + "\"");
    }
}
