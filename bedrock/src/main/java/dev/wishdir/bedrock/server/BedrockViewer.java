package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ConnectionInfo;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.PlayerNotices;
import dev.wishdir.arena.Viewer;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.HeldItem;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Relay of all other players to one client, from the moment that its own player is in the game.
 * While the client's line is congested, no arrivals and movements are sent: when there is room
 * again, the client gets them in their state of that moment.
 */
final class BedrockViewer implements Viewer {
    /** Minimum interval between two relays of movements to a client, nanoseconds. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** The same for one player: each tick of its client, even if that is a little early. */
    private static final long MOVER_INTERVAL_NANOS = BedrockMotion.TICK_NANOS * 9 / 10;

    /** The line to the client. */
    interface Line {
        void send(BedrockMessage message);

        /**
         * Sends where a player is.
         *
         * @param as the number by which the client knows the player
         */
        void show(Player mover, long as);

        /** Whether so much waits that news must too. */
        boolean isCongested();

        /** Sends the client away. */
        void kick(LeaveReason why);

        /** Where the client is. */
        ConnectionInfo origin();

        /** What came and went. */
        ConnectionStats link();
    }

    /** What the client knows of a player that is in its list. */
    private static final class Known {
        /** The number by which the client knows the player, even after the player has left. */
        final long id;

        boolean embodied;
        long flags;

        Known(long id) {
            this.id = id;
        }
    }

    private final BedrockEndpoint endpoint;
    private final Line line;
    private final Map<PlayerId, Known> known = new HashMap<>();
    private final LinkedHashSet<PlayerId> unlisted = new LinkedHashSet<>();
    private final LinkedHashSet<PlayerId> unseen = new LinkedHashSet<>();
    private @Nullable PlayerId self;
    private UUID ownUuid = new UUID(0, 0);

    BedrockViewer(BedrockEndpoint endpoint, Line line) {
        this.endpoint = endpoint;
        this.line = line;
    }

    /**
     * Shows everybody who is here, and all that happens from now on.
     *
     * @param uuid by which the client knows its own player
     */
    void open(PlayerId self, UUID uuid) {
        this.self = self;
        ownUuid = uuid;
        unlisted.add(self);
        endpoint.players().forEach(player -> unlisted.add(player.id()));
    }

    /** Nothing is shown any more. */
    void close() {
        self = null;
        unlisted.clear();
        unseen.clear();
    }

    @Override
    public ConnectionInfo connectionInfo() {
        return line.origin();
    }

    @Override
    public ConnectionStats connectionStats() {
        return line.link();
    }

    @Override
    public boolean isCongested() {
        return line.isCongested();
    }

    @Override
    public long relayIntervalNanos() {
        return RELAY_INTERVAL_NANOS;
    }

    @Override
    public long minUpdateIntervalNanos() {
        return MOVER_INTERVAL_NANOS;
    }

    /**
     * Shows what could not be shown yet.
     *
     * @return whether anything is left
     */
    boolean advance() {
        PlayerId viewer = self;
        if (viewer == null) {
            return false;
        }
        if (!unlisted.isEmpty() && !line.isCongested()) {
            Map<PlayerId, Player> shown = new HashMap<>();
            endpoint.arena()
                    .visiblePlayers(viewer)
                    .forEach(player -> shown.put(player.id(), player));
            while (!unlisted.isEmpty() && !line.isCongested()) {
                PlayerId next = unlisted.removeFirst();
                endpoint.arena().find(next).ifPresent(this::list);
                Player body = shown.get(next);
                if (body != null) {
                    embody(body);
                }
            }
        }
        while (!unseen.isEmpty() && !line.isCongested()) {
            endpoint.arena().find(unseen.removeFirst()).ifPresent(this::show);
        }
        return !unlisted.isEmpty() || !unseen.isEmpty();
    }

    private static String name(Player player) {
        return player.gameTag(BedrockCodec.NAME) + BedrockText.shownName(player.name());
    }

    /** Puts a player into the list, or updates its entry there. */
    private void list(Player other) {
        Known entry = known.computeIfAbsent(other.id(), id -> new Known(endpoint.runtimeId(id)));
        line.send(
                new PlayerList(
                        PlayerList.ADD,
                        List.of(
                                new ListedPlayer(
                                        uuid(other.id(), entry),
                                        entry.id,
                                        name(other),
                                        "",
                                        "",
                                        7,
                                        endpoint.sentSkin(other),
                                        true,
                                        "",
                                        false,
                                        false,
                                        false,
                                        ListedPlayer.WHITE))));
    }

    /** The client's own entry has the uuid that it knows; others have one no client can claim. */
    private UUID uuid(PlayerId other, Known entry) {
        return other.equals(self) ? ownUuid : endpoint.uuid(entry.id);
    }

    /** Gives a player a body, where it is in the list. */
    private void embody(Player other) {
        Known entry = known.get(other.id());
        if (entry == null || entry.embodied) {
            return;
        }
        Movement m = other.movement();
        MovePlayer move = BedrockMovement.toMessage(other, entry.id);
        entry.embodied = true;
        entry.flags = SpawnSequence.flags(m.stance());
        line.send(
                new AddPlayer(
                        uuid(other.id(), entry),
                        name(other),
                        entry.id,
                        "",
                        BedrockMotion.point(m.position()),
                        Vec3f.ZERO,
                        move.rotation().x(),
                        move.rotation().y(),
                        move.headYaw(),
                        HeldItem.NOTHING,
                        0,
                        SpawnSequence.looks(name(other), m.stance()),
                        Properties.BLANK,
                        SpawnSequence.abilities(entry.id),
                        List.of(),
                        "",
                        7));
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (self == null) {
            return;
        }
        switch (event) {
            case ArenaEvent.Joined e -> unlisted.add(e.id());
            case ArenaEvent.Left e -> left(e.id());
            case ArenaEvent.Spawned e -> embody(e.player());
            case ArenaEvent.Despawned e -> disembody(e.id());
            case ArenaEvent.Teleported e -> teleported(e.player());
            // The game has no other gesture that we know: whoever taunts waves an arm.
            case ArenaEvent.ActionPerformed e -> {
                if (!endpoint.isClient(e.id())) {
                    swung(e.id());
                }
            }
            case ArenaEvent.Chat e -> said(e.player(), e.text());
            case ArenaEvent.Renamed e -> renamed(e.player());
            case ArenaEvent.Announcement e -> tell(BedrockText.shown(e.text()));
            case ArenaEvent.RateLimited e -> tell(PlayerNotices.rateLimited(e.action()));
            case ArenaEvent.KickRequested e -> line.kick(e.reason());
            case ArenaEvent.EventsDropped e -> tell(PlayerNotices.eventsDropped(e.count()));
            case ArenaEvent.Whisper e ->
                    tell(name(e.from()) + " whispers to you: " + BedrockText.shown(e.text()));
            case ArenaEvent.AppearanceChanged _,
                    ArenaEvent.LevelChanged _,
                    ArenaEvent.Moved _,
                    ArenaEvent.MovementViolation _,
                    ArenaEvent.JoinRefused _ -> {}
        }
    }

    private void left(PlayerId other) {
        endpoint.movements().forget(other);
        unlisted.remove(other);
        disembody(other);
        Known entry = known.remove(other);
        if (entry != null) {
            line.send(
                    new PlayerList(
                            PlayerList.REMOVE,
                            List.of(ListedPlayer.removed(endpoint.uuid(entry.id)))));
        }
    }

    private void disembody(PlayerId other) {
        unseen.remove(other);
        Known entry = known.get(other);
        if (entry != null && entry.embodied) {
            entry.embodied = false;
            line.send(new RemoveActor(entry.id));
        }
    }

    private void teleported(Player other) {
        Known entry = known.get(other.id());
        if (entry == null || !entry.embodied) {
            return;
        }
        MovePlayer to = BedrockMotion.toNative(entry.id, other.movement());
        line.send(
                new MovePlayer(
                        to.runtimeId(),
                        to.position(),
                        to.rotation(),
                        to.headYaw(),
                        MovePlayer.TELEPORT,
                        to.onGround(),
                        0,
                        0,
                        0,
                        0));
    }

    @Override
    public void onMovement(List<Player> movers) {
        if (self == null) {
            return;
        }
        boolean behind = line.isCongested();
        for (int i = 0, all = movers.size(); i < all; i++) {
            Player mover = movers.get(i);
            if (behind) {
                unseen.add(mover.id());
            } else {
                if (!unseen.isEmpty()) {
                    unseen.remove(mover.id());
                }
                show(mover);
            }
        }
    }

    private void show(Player mover) {
        Known entry = known.get(mover.id());
        if (entry == null || !entry.embodied) {
            return;
        }
        line.show(mover, entry.id);
        long flags = SpawnSequence.flags(mover.movement().stance());
        if (entry.flags != flags) {
            entry.flags = flags;
            looks(mover, entry);
        }
    }

    private void looks(Player other, Known entry) {
        line.send(
                new SetActorData(
                        entry.id,
                        SpawnSequence.looks(name(other), other.movement().stance()),
                        Properties.BLANK,
                        0));
    }

    /** A player swung its arm. */
    void swung(PlayerId other) {
        PlayerId viewer = self;
        Known entry = known.get(other);
        if (viewer == null || entry == null || !entry.embodied) {
            return;
        }
        if (line.isCongested()) {
            endpoint.arena().recordDroppedEvent(viewer);
        } else {
            line.send(Animate.swing(entry.id));
        }
    }

    /** A player said something, perhaps this client's own player. */
    void said(Player other, String text) {
        String clean = BedrockText.shown(text);
        if (!clean.isEmpty()) {
            line.send(Text.chat(name(other), clean));
        }
    }

    private void renamed(Player other) {
        Known entry = known.get(other.id());
        if (entry != null) {
            list(other);
            if (entry.embodied) {
                looks(other, entry);
            }
        }
    }

    /** The server says something to this client, where there is anything to say. */
    void tell(String text) {
        if (self != null && !text.isBlank()) {
            line.send(Text.system(text));
        }
    }
}
