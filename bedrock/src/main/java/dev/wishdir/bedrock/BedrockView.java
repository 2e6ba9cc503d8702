package dev.wishdir.bedrock;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.Player;
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
import dev.wishdir.motion.Movement;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What one client is told of everybody else, from when its own player is in the game. While its
 * line is busy it is told nothing: who came and who moved is told as it is when there is room.
 */
final class BedrockView implements Viewer {
    /** The line to the client. */
    interface Line {
        void send(BedrockMessage message);

        /** Whether so much waits that news must too. */
        boolean isBehind();

        /** Sends the client away. */
        void kick(String reason);
    }

    private final BedrockEndpoint endpoint;
    private final Line line;
    private final Map<Player, Long> listed = new HashMap<>();
    private final Set<Player> unlisted = new LinkedHashSet<>();
    private final Map<Player, Long> bodies = new HashMap<>();
    private final Set<Player> unseen = new LinkedHashSet<>();
    private @Nullable Player self;
    private UUID ownUuid = new UUID(0, 0);

    BedrockView(BedrockEndpoint endpoint, Line line) {
        this.endpoint = endpoint;
        this.line = line;
    }

    /**
     * Shows everybody who is here, and all that happens from now on.
     *
     * @param uuid by which the client knows its own player
     */
    void open(Player self, UUID uuid) {
        this.self = self;
        ownUuid = uuid;
        unlisted.add(self);
        unlisted.addAll(endpoint.players());
    }

    /** Nothing is shown any more. */
    void close() {
        self = null;
        unlisted.clear();
        unseen.clear();
    }

    private boolean isOpen() {
        return self != null;
    }

    @Override
    public boolean isBehind() {
        return line.isBehind();
    }

    /**
     * Shows what could not be shown yet.
     *
     * @return whether anything is left
     */
    boolean advance() {
        while (!unlisted.isEmpty() && !line.isBehind()) {
            Player next = unlisted.iterator().next();
            unlisted.remove(next);
            listed.put(next, endpoint.runtimeId(next));
            list(next);
            if (next.spawned()) {
                body(next);
            }
        }
        while (!unseen.isEmpty() && !line.isBehind()) {
            Player next = unseen.iterator().next();
            unseen.remove(next);
            show(next);
        }
        return !unlisted.isEmpty() || !unseen.isEmpty();
    }

    private static String name(Player player) {
        return Formatting.shownName(player.name());
    }

    private void list(Player other) {
        line.send(
                new PlayerList(
                        PlayerList.ADD,
                        List.of(
                                new ListedPlayer(
                                        uuid(other),
                                        id(other),
                                        name(other),
                                        "",
                                        "",
                                        7,
                                        endpoint.skin(other),
                                        true,
                                        "",
                                        false,
                                        false,
                                        false,
                                        ListedPlayer.WHITE))));
    }

    /** Its own entry has the uuid that it knows; all others have one that nobody else can claim. */
    private UUID uuid(Player other) {
        return other == self ? ownUuid : endpoint.uuid(id(other));
    }

    /** By what number the client was told of a player, which it keeps when that one is gone. */
    private long id(Player other) {
        Long id = listed.get(other);
        return id == null ? endpoint.runtimeId(other) : id;
    }

    private void body(Player other) {
        if (other == self || bodies.containsKey(other)) {
            return;
        }
        long id = id(other);
        Movement m = other.movement();
        MovePlayer told = told(other);
        bodies.put(other, Welcome.flags(m.stance()));
        line.send(
                new AddPlayer(
                        uuid(other),
                        name(other),
                        id,
                        "",
                        BedrockMotion.point(m.position()),
                        Vec3f.ZERO,
                        told.rotation().x(),
                        told.rotation().y(),
                        told.headYaw(),
                        HeldItem.NOTHING,
                        0,
                        Welcome.looks(name(other), m.stance()),
                        Properties.BLANK,
                        Welcome.abilities(id),
                        List.of(),
                        "",
                        7));
    }

    /** What to tell of a player: what its own client sent where it is one of ours. */
    private MovePlayer told(Player other) {
        return endpoint.isOurs(other) && other.nativeMovement() instanceof MovePlayer told
                ? told
                : BedrockMotion.toNative(id(other), other.movement());
    }

    @Override
    public void told(ArenaEvent event) {
        if (!isOpen()) {
            return;
        }
        switch (event) {
            case ArenaEvent.Joined e -> unlisted.add(e.player());
            case ArenaEvent.Left e -> left(e.player());
            case ArenaEvent.Spawned e -> {
                if (listed.containsKey(e.player())) {
                    body(e.player());
                }
            }
            case ArenaEvent.Despawned e -> despawned(e.player());
            case ArenaEvent.Teleported e -> teleported(e.player());
            case ArenaEvent.Said e -> said(e.player(), e.text());
            case ArenaEvent.Renamed e -> renamed(e.player());
            case ArenaEvent.Announced e -> tell(Formatting.shown(e.text()));
            case ArenaEvent.Limited e ->
                    tell("You are " + e.deed().doing() + " so much that it does not all arrive.");
            case ArenaEvent.Dismissed e -> line.kick(e.reason());
            case ArenaEvent.Missed e -> tell("You missed " + e.deeds() + " things: slow line.");
            case ArenaEvent.Restyled _,
                    ArenaEvent.Moved _,
                    ArenaEvent.Verdict _,
                    ArenaEvent.Refused _ -> {}
        }
    }

    private void left(Player other) {
        unlisted.remove(other);
        despawned(other);
        Long id = listed.remove(other);
        if (id != null) {
            line.send(
                    new PlayerList(
                            PlayerList.REMOVE, List.of(ListedPlayer.removed(endpoint.uuid(id)))));
        }
    }

    private void despawned(Player other) {
        unseen.remove(other);
        if (bodies.remove(other) != null) {
            line.send(new RemoveActor(id(other)));
        }
    }

    private void teleported(Player other) {
        if (bodies.containsKey(other)) {
            MovePlayer to = BedrockMotion.toNative(id(other), other.movement());
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
    }

    @Override
    public void moved(List<Player> movers) {
        if (!isOpen()) {
            return;
        }
        for (Player mover : movers) {
            if (line.isBehind()) {
                unseen.add(mover);
            } else {
                unseen.remove(mover);
                show(mover);
            }
        }
    }

    private void show(Player mover) {
        if (bodies.containsKey(mover)) {
            line.send(told(mover));
            look(mover);
        }
    }

    private void look(Player mover) {
        long flags = Welcome.flags(mover.movement().stance());
        Long before = bodies.put(mover, flags);
        if (before == null || before != flags) {
            looks(mover);
        }
    }

    private void looks(Player other) {
        line.send(
                new SetActorData(
                        id(other),
                        Welcome.looks(name(other), other.movement().stance()),
                        Properties.BLANK,
                        0));
    }

    /** A player of this game swung its arm. */
    void swung(Player other) {
        Player viewer = self;
        if (viewer == null || !bodies.containsKey(other)) {
            return;
        }
        if (line.isBehind()) {
            endpoint.arena().missed(viewer);
        } else {
            line.send(Animate.swing(id(other)));
        }
    }

    /** Somebody said something, perhaps this client's player itself. */
    void said(Player other, String text) {
        String clean = Formatting.shown(text);
        if (!clean.isEmpty()) {
            line.send(Text.chat(name(other), clean));
        }
    }

    private void renamed(Player other) {
        if (listed.containsKey(other)) {
            list(other);
        }
        if (bodies.containsKey(other)) {
            looks(other);
        }
    }

    /** The server says something to this client, where there is anything to say. */
    void tell(String text) {
        if (isOpen() && !text.isBlank()) {
            line.send(Text.system(text));
        }
    }
}
