package dev.wishdir.quake3.server.session;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.SessionViewer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.arena.relay.ConnectionInfo;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.arena.validation.PlayerNotices;
import dev.wishdir.game.ConnectionStatsFactory;
import dev.wishdir.idtech.CenteredText;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.protocol.Quake3Text;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.quake3.server.view.FlagTexts;
import dev.wishdir.quake3.server.view.MovementCache;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;
import dev.wishdir.quake3.server.view.SpectatorFollow;

import java.util.List;
import java.util.function.Consumer;

/** The viewer of one client: events become reliable commands, unless the client is congested. */
public final class Quake3Viewer implements SessionViewer {
    private static final int MAX_CHAT_CHARS = 150;

    /** Drops the client. */
    @FunctionalInterface
    interface DropHandler {
        void drop(long now, LeaveReason reason);
    }

    private final ClientChannel channel;
    private final ClientConfigstrings configstrings;
    private final SpectatorFollow following;
    private final MovementCache movementCache;
    private final ClientInfo client;
    private final Consumer<ArenaPlayer> onJoined;
    private final Consumer<String> commands;
    private final DropHandler dropHandler;

    /** Facts about the client. */
    interface ClientInfo {
        ConnectionInfo connectionInfo();

        /** Proof of its player's identity. */
        Proof proof();
    }

    /**
     * @param onJoined takes the client's own player, once it has joined
     * @param commands receives reliable commands
     */
    Quake3Viewer(
            ClientChannel channel,
            ClientConfigstrings configstrings,
            SpectatorFollow following,
            MovementCache movementCache,
            ClientInfo client,
            Consumer<ArenaPlayer> onJoined,
            Consumer<String> commands,
            DropHandler dropHandler) {
        this.channel = channel;
        this.configstrings = configstrings;
        this.following = following;
        this.movementCache = movementCache;
        this.client = client;
        this.onJoined = onJoined;
        this.commands = commands;
        this.dropHandler = dropHandler;
    }

    @Override
    public void onJoined(ArenaPlayer player) {
        onJoined.accept(player);
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return client.connectionInfo();
    }

    @Override
    public Proof proof() {
        return client.proof();
    }

    @Override
    public ConnectionStats connectionStats() {
        ServerConnection connection = channel.transport().connection();
        return connection == null
                ? ConnectionStats.UNKNOWN
                : ConnectionStatsFactory.of(connection.traffic());
    }

    @Override
    public boolean isCongested() {
        return channel.transport().isCongested();
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
        return channel.snapshots().interval() * 3 / 4;
    }

    @Override
    public void onMovement(List<Player> movers) {
        channel.snapshots().markDirty();
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> {
                configstrings.add(e.id());
                printOf(e.player(), "entered the game");
            }
            case ArenaEvent.Left e -> {
                following.stop(e.player());
                movementCache.forget(e.id());
                configstrings.remove(e.id());
                String reason =
                        e.reason().equals(LeaveReason.LEFT)
                                ? "disconnected"
                                : e.reason().toString();
                printOf(e.player(), Quake3Text.line(reason, 200));
            }
            case ArenaEvent.Renamed e -> {
                configstrings.changed(e.id());
                print(
                        PlayerConfigstrings.name(e.player(), e.oldName())
                                + "^7 renamed to "
                                + PlayerConfigstrings.name(e.player(), e.name()));
            }
            case ArenaEvent.AppearanceChanged e -> configstrings.changed(e.id());
            case ArenaEvent.TeamChanged e -> {
                configstrings.changed(e.id());
                if (configstrings.isOwn(e.id())) {
                    configstrings.changedSelf();
                    print(PlayerNotices.team(e.team()));
                }
            }
            case ArenaEvent.FlagChanged e -> FlagTexts.of(e).ifPresent(this::print);
            case ArenaEvent.Chat e -> sendChat(e.player(), e.text());
            case ArenaEvent.Announcement e -> print(Quake3Text.line(e.text(), 500));
            case ArenaEvent.Notice e ->
                    command("cp \"" + CenteredText.wrapped(Quake3Text.line(e.text(), 200)) + "\"");
            case ArenaEvent.Whisper e -> sendWhisper(e.from(), e.text());
            case ArenaEvent.RateLimited e -> print(PlayerNotices.rateLimited(e.action()));
            case ArenaEvent.EventsDropped e -> print(PlayerNotices.eventsDropped(e.count()));
            case ArenaEvent.KickRequested e -> dropHandler.drop(e.time(), e.reason());
            // Snapshots show these; a teleport toggles a bit of the entity.
            case ArenaEvent.Spawned _,
                    ArenaEvent.Despawned _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.ActionPerformed _,
                    ArenaEvent.Moved _ -> {}
            case ArenaEvent.MovementViolation _,
                    ArenaEvent.Proved _,
                    ArenaEvent.OfFight _,
                    ArenaEvent.OfRace _,
                    ArenaEvent.RoundStarted _,
                    ArenaEvent.RoundEnded _,
                    ArenaEvent.ItemTaken _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.JoinRefused _,
                    ArenaEvent.LevelChanged _ -> {}
        }
    }

    /** Sends a reliable command, unless the client is congested. */
    private void command(String text) {
        if (!isCongested()) {
            commands.accept(text);
        }
    }

    /** Prints what a player did; a ghost is not a player. */
    private void printOf(Player player, String text) {
        if (!player.isGhost()) {
            print(PlayerConfigstrings.name(player) + "^7 " + text);
        }
    }

    /** Prints a line, unless the client is congested. */
    public void print(String line) {
        command("print \"" + line + "\n\"");
    }

    /** Sends chat to the client, also its own words. */
    public void sendChat(Player other, String text) {
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.CHAT_COLOUR);
        if (!words.isBlank()) {
            command("chat \"" + PlayerConfigstrings.name(other) + "^7\u0019: ^2" + words + "\"");
        }
    }

    /** Sends a private message, also the client's own to another player. */
    public void sendWhisper(Player other, String text) {
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.WHISPER_COLOUR);
        command(
                "chat \"\u0019["
                        + PlayerConfigstrings.name(other)
                        + "^7\u0019]\u0019: ^6"
                        + words
                        + "\"");
    }

    /** Sends team chat. Returns false if the client is congested, so that it was not sent. */
    public boolean sendTeamChat(Player other, String text) {
        if (isCongested()) {
            return false;
        }
        String words = Quake3Text.line(text, MAX_CHAT_CHARS, Quake3Text.TEAM_CHAT_COLOUR);
        commands.accept(
                "tchat \"\u0019("
                        + PlayerConfigstrings.name(other)
                        + "^7\u0019)\u0019: ^5"
                        + words
                        + "\"");
        return true;
    }
}
