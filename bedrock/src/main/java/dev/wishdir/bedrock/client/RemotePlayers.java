package dev.wishdir.bedrock.client;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The other players, as the server reports them to a client. */
final class RemotePlayers {
    /** A present player in the last state that the server sent. */
    private static final class Other {
        RemotePlayer remote;

        Other(RemotePlayer remote) {
            this.remote = remote;
        }
    }

    private final Client self;
    private final ClientListener listener;
    private final Map<Long, Other> others = new LinkedHashMap<>();
    private final Map<Long, Long> runtimeIds = new HashMap<>();

    /**
     * @param listener is notified of changes; its calls name {@code self} as the client
     */
    RemotePlayers(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    Collection<RemotePlayer> all() {
        return others.values().stream().map(other -> other.remote).toList();
    }

    void onAdded(AddPlayer added) {
        runtimeIds.put(added.abilities().uniqueId(), added.runtimeId());
        RemotePlayer remote =
                new RemotePlayer(
                        (int) added.runtimeId(),
                        added.name(),
                        new Movement(
                                BedrockMotion.point(added.position()),
                                BedrockMotion.canonicalYaw(added.yaw()),
                                BedrockMotion.canonicalPitch(added.pitch()),
                                BedrockMotion.point(added.velocity())
                                        .times(BedrockMotion.TICKS_PER_SECOND),
                                stance(Stance.STANDING, added.metadata())));
        others.put(added.runtimeId(), new Other(remote));
        listener.onAppeared(self, remote);
    }

    void onRemoved(long uniqueId) {
        Long id = runtimeIds.remove(uniqueId);
        Other gone = others.remove(id == null ? uniqueId : id);
        if (gone != null) {
            listener.onVanished(self, gone.remote);
        }
    }

    void onMetadata(long now, SetActorData data) {
        Other other = others.get(data.runtimeId());
        if (other == null) {
            return;
        }
        Movement was = other.remote.movement();
        update(
                now,
                other,
                new Movement(
                        was.position(),
                        was.yaw(),
                        was.pitch(),
                        was.velocity(),
                        stance(was.stance(), data.metadata())));
    }

    /** Reports an arm swing as an attack; the game has no more about it. */
    void onAnimated(Animate animate) {
        Other other = others.get(animate.runtimeId());
        if (other != null && animate.action() == Animate.SWING) {
            listener.onAction(self, other.remote, PlayerAction.ATTACK);
        }
    }

    private static Stance stance(Stance before, List<Metadata> looks) {
        Stance stance = before;
        for (Metadata look : looks) {
            if (look.key() == Metadata.FLAGS && look.value() instanceof Metadata.OfLong flags) {
                stance =
                        stance.with(Flag.CROUCHED, (flags.value() & Metadata.SNEAKING) != 0)
                                .with(Flag.SPRINTING, (flags.value() & Metadata.SPRINTING) != 0)
                                .with(Flag.IN_WATER, (flags.value() & Metadata.SWIMMING) != 0);
            }
        }
        return stance;
    }

    void onMoved(long now, MovePlayer move) {
        Other other = others.get(move.runtimeId());
        if (other != null && BedrockMotion.isSane(move)) {
            Movement was = other.remote.movement();
            update(now, other, BedrockMotion.toCanonical(move, was.velocity(), was.stance()));
        }
    }

    void onMoved(long now, MoveActorAbsolute move) {
        Other other = others.get(move.runtimeId());
        if (other != null && move.position().isFinite()) {
            Movement was = other.remote.movement();
            update(
                    now,
                    other,
                    new Movement(
                            BedrockMotion.feet(move.position()),
                            BedrockMotion.canonicalYaw(degrees(move.yaw())),
                            BedrockMotion.canonicalPitch(signed(move.pitch())),
                            was.velocity(),
                            was.stance().with(Flag.ON_GROUND, (move.flags() & 1) != 0)));
        }
    }

    void onMoved(long now, MoveActorDelta move) {
        Other other = others.get(move.runtimeId());
        if (other == null) {
            return;
        }
        Movement was = other.remote.movement();
        Vec3f eyes = BedrockMotion.eyes(was.position());
        int flags = move.flags();
        Vec3f at =
                new Vec3f(
                        (flags & 1) != 0 ? move.x() : eyes.x(),
                        (flags & 2) != 0 ? move.y() : eyes.y(),
                        (flags & 4) != 0 ? move.z() : eyes.z());
        if (at.isFinite()) {
            update(
                    now,
                    other,
                    new Movement(
                            BedrockMotion.feet(at),
                            (flags & 16) != 0
                                    ? BedrockMotion.canonicalYaw(degrees(move.yaw()))
                                    : was.yaw(),
                            (flags & 8) != 0
                                    ? BedrockMotion.canonicalPitch(signed(move.pitch()))
                                    : was.pitch(),
                            was.velocity(),
                            was.stance().with(Flag.ON_GROUND, (flags & 64) != 0)));
        }
    }

    private static float degrees(int angle) {
        return angle * 360 / 256f;
    }

    private static float signed(int angle) {
        return (float) Angles.wrap180(degrees(angle));
    }

    private void update(long now, Other other, Movement movement) {
        RemotePlayer remote = new RemotePlayer(other.remote.id(), other.remote.name(), movement);
        other.remote = remote;
        listener.onMoved(self, now, remote);
    }
}
