package dev.wishdir.bedrock;

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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** What one client is told of everybody else, from when its own player is in the game. */
final class BedrockView implements Viewer {
    private final BedrockEndpoint endpoint;
    private final Consumer<BedrockMessage> output;
    private final Set<Integer> bodies = new HashSet<>();
    private final Map<Integer, Long> looks = new HashMap<>();
    private @Nullable Player self;
    private UUID ownUuid = new UUID(0, 0);

    /**
     * @param output takes the messages to the client
     */
    BedrockView(BedrockEndpoint endpoint, Consumer<BedrockMessage> output) {
        this.endpoint = endpoint;
        this.output = output;
    }

    /**
     * Shows everybody who is here, and all that happens from now on.
     *
     * @param uuid by which the client knows its own player
     */
    void open(Player self, UUID uuid) {
        this.self = self;
        ownUuid = uuid;
        endpoint.players().forEach(this::list);
        for (Player other : endpoint.players()) {
            if (other != self && other.spawned()) {
                body(other);
            }
        }
    }

    /** Nothing is shown any more. */
    void close() {
        self = null;
    }

    private boolean isOpen() {
        return self != null;
    }

    /** A text without the sign that starts the game's colour codes. */
    static String plain(String text) {
        return text.replaceAll("\u00A7.?", "");
    }

    private void list(Player other) {
        output.accept(
                new PlayerList(
                        PlayerList.ADD,
                        List.of(
                                new ListedPlayer(
                                        uuid(other),
                                        other.id(),
                                        other.name(),
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
        return other == self ? ownUuid : endpoint.uuid(other);
    }

    private void body(Player other) {
        if (!bodies.add(other.id())) {
            return;
        }
        Movement m = other.movement();
        MovePlayer told = told(other);
        looks.put(other.id(), Welcome.flags(m.stance()));
        output.accept(
                new AddPlayer(
                        uuid(other),
                        other.name(),
                        other.id(),
                        "",
                        BedrockMotion.point(m.position()),
                        Vec3f.ZERO,
                        told.rotation().x(),
                        told.rotation().y(),
                        told.headYaw(),
                        HeldItem.NOTHING,
                        0,
                        Welcome.looks(other.name(), m.stance()),
                        Properties.BLANK,
                        Welcome.abilities(other.id()),
                        List.of(),
                        "",
                        7));
    }

    /** What to tell of a player: what its own game sent where that was ours. */
    private static MovePlayer told(Player other) {
        return other.nativeMovement() instanceof MovePlayer told
                ? told
                : BedrockMotion.toNative(other.id(), other.movement());
    }

    @Override
    public void joined(Player other) {
        if (isOpen()) {
            list(other);
        }
    }

    @Override
    public void left(Player other) {
        if (isOpen()) {
            despawned(other);
            output.accept(
                    new PlayerList(
                            PlayerList.REMOVE,
                            List.of(ListedPlayer.removed(endpoint.uuid(other)))));
        }
    }

    @Override
    public void spawned(Player other) {
        if (isOpen()) {
            // Its skin is known only now: the entry of its joining is replaced.
            list(other);
            body(other);
        }
    }

    @Override
    public void despawned(Player other) {
        if (bodies.remove(other.id())) {
            looks.remove(other.id());
            output.accept(new RemoveActor(other.id()));
        }
    }

    @Override
    public void moved(List<Player> movers) {
        if (!isOpen()) {
            return;
        }
        for (Player mover : movers) {
            if (mover != self && bodies.contains(mover.id())) {
                output.accept(told(mover));
                look(mover);
            }
        }
    }

    private void look(Player mover) {
        long flags = Welcome.flags(mover.movement().stance());
        Long before = looks.put(mover.id(), flags);
        if (before == null || before != flags) {
            output.accept(
                    new SetActorData(
                            mover.id(),
                            Welcome.looks(mover.name(), mover.movement().stance()),
                            Properties.BLANK,
                            0));
        }
    }

    /** A player of this game swung its arm. */
    void swung(Player other) {
        if (isOpen() && bodies.contains(other.id())) {
            output.accept(Animate.swing(other.id()));
        }
    }

    @Override
    public void said(Player other, String text) {
        if (isOpen()) {
            tell(Text.chat(plain(other.name()), plain(text)));
        }
    }

    @Override
    public void renamed(Player other, String oldName) {
        if (isOpen()) {
            list(other);
            if (bodies.contains(other.id())) {
                looks.remove(other.id());
                look(other);
            }
        }
    }

    @Override
    public void announced(String text) {
        if (isOpen()) {
            tell(Text.system(plain(text)));
        }
    }

    /** Newer versions take no empty text. */
    private void tell(Text text) {
        if (!text.message().isEmpty()) {
            output.accept(text);
        }
    }
}
