package dev.wishdir.bedrock.client;

import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.bedrock.protocol.TeamColour;
import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The other players, as the server reports them to a client. */
final class RemotePlayers {
    /** A present player in the last state that the server sent. */
    private static final class Other {
        RemotePlayer remote;

        /** Lies dead: servers leave the body there for a while, or until its next life. */
        boolean isDead;

        Other(RemotePlayer remote) {
            this.remote = remote;
        }

        void rename(String name) {
            remote = new RemotePlayer(remote.id(), name, remote.movement());
        }
    }

    private final Client self;
    private final ClientListener listener;
    private final Map<Long, Other> others = new LinkedHashMap<>();

    /** More items than an arena has. */
    private static final int MAX_ITEMS = 1_024;

    /** The places of items by their unique ids, metres. */
    private final Map<Long, Vec3> items = new LinkedHashMap<>();

    private final Map<Long, Long> runtimeIds = new HashMap<>();

    private final Map<Long, String> teams = new HashMap<>();

    /**
     * @param listener is notified of changes; its calls name {@code self} as the client
     */
    RemotePlayers(Client self, ClientListener listener) {
        this.self = self;
        this.listener = listener;
    }

    /** All players that live. */
    Collection<RemotePlayer> living() {
        return others.values().stream()
                .filter(other -> !other.isDead)
                .map(other -> other.remote)
                .toList();
    }

    /** The players that live by their whole runtime ids. */
    Map<Long, RemotePlayer> byRuntimeId() {
        Map<Long, RemotePlayer> living = new LinkedHashMap<>();
        others.forEach((id, other) -> {
            if (!other.isDead) {
                living.put(id, other.remote);
            }
        });
        return living;
    }

    /** The feet of the players that live by their whole runtime ids, metres. */
    Map<Long, Vec3> places() {
        Map<Long, Vec3> places = new LinkedHashMap<>();
        others.forEach((id, other) -> {
            if (!other.isDead) {
                places.put(id, other.remote.movement().position());
            }
        });
        return places;
    }

    /** The id of the player with a name; empty if none is shown. */
    OptionalLong id(String name) {
        return others.values().stream()
                .filter(other -> other.remote.name().equals(name))
                .mapToLong(other -> other.remote.id())
                .findFirst();
    }

    /** Takes the team of a player, as the colour of its name shows it. */
    private void setTeam(long id, String name) {
        TeamColour.team(name)
                .ifPresentOrElse(team -> teams.put(id, team.toString()), () -> teams.remove(id));
    }

    /** The teams of the players with a body, and of the client itself. */
    Map<Long, String> teams() {
        return Map.copyOf(teams);
    }

    void onAdded(AddPlayer added) {
        if (!BedrockMotion.toCanonical(added).isValid()) {
            return;
        }
        runtimeIds.put(added.abilities().uniqueId(), added.runtimeId());
        RemotePlayer remote =
                new RemotePlayer(
                        added.runtimeId(),
                        BedrockText.withoutCodes(added.name()),
                        BedrockMotion.toCanonical(added));
        others.put(added.runtimeId(), new Other(remote));
        setTeam(added.runtimeId(), added.name());
        listener.onAppeared(self, remote);
    }

    /** An item lies there. */
    void onItem(AddItemActor item) {
        if (items.size() < MAX_ITEMS) {
            items.put(item.uniqueId(), BedrockMotion.point(item.position()));
        }
    }

    /** The places of the items that lie there, metres. */
    List<Vec3> items() {
        return List.copyOf(items.values());
    }

    void onRemoved(long uniqueId) {
        items.remove(uniqueId);
        Long id = runtimeIds.remove(uniqueId);
        Other gone = others.remove(id == null ? uniqueId : id);
        if (gone != null) {
            teams.remove(gone.remote.id());
            vanish(gone);
        }
    }

    /** A player that dies is none until the server adds it again, or puts its body elsewhere. */
    void onEvent(ActorEvent event) {
        Other other = others.get(event.runtimeId());
        if (other != null && event.event() == ActorEvent.DEATH) {
            vanish(other);
            other.isDead = true;
        }
    }

    private void vanish(Other other) {
        if (!other.isDead) {
            listener.onVanished(self, other.remote);
        }
    }

    void onMetadata(long now, SetActorData data) {
        Other other = others.get(data.runtimeId());
        if (other != null || data.runtimeId() == self.id()) {
            for (Metadata each : data.metadata()) {
                if (each.key() == Metadata.NAME && each.value() instanceof Metadata.OfText name) {
                    setTeam(data.runtimeId(), name.value());
                    if (other != null) {
                        other.rename(
                                TeamColour.withoutMark(BedrockText.withoutCodes(name.value())));
                    }
                }
            }
        }
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
                        BedrockMotion.stance(was.stance(), data.metadata())));
    }

    /** Reports an arm swing as an attack; the game has no more about it. */
    void onAnimated(Animate animate) {
        Other other = others.get(animate.runtimeId());
        if (other != null && animate.action() == Animate.SWING) {
            listener.onAction(self, other.remote, PlayerAction.ATTACK);
        }
    }

    void onMoved(long now, MovePlayer move) {
        Other other = others.get(move.runtimeId());
        if (other != null && BedrockMotion.isSane(move)) {
            Movement was = other.remote.movement();
            boolean isPlaced =
                    move.mode() == MovePlayer.RESPAWN || move.mode() == MovePlayer.TELEPORT;
            boolean revives = other.isDead && isPlaced;
            update(now, other, BedrockMotion.toCanonical(move, was.velocity(), was.stance()));
            if (revives) {
                other.isDead = false;
                listener.onAppeared(self, other.remote);
            }
        }
    }

    void onMoved(long now, MoveActorAbsolute move) {
        Other other = others.get(move.runtimeId());
        if (other != null && move.position().isFinite()) {
            update(now, other, BedrockMotion.toCanonical(move, other.remote.movement()));
        }
    }

    void onMoved(long now, MoveActorDelta move) {
        Other other = others.get(move.runtimeId());
        if (other != null) {
            Movement movement = BedrockMotion.toCanonical(move, other.remote.movement());
            if (movement.position().isFinite()) {
                update(now, other, movement);
            }
        }
    }

    private void update(long now, Other other, Movement movement) {
        RemotePlayer remote = new RemotePlayer(other.remote.id(), other.remote.name(), movement);
        other.remote = remote;
        if (!other.isDead) {
            listener.onMoved(self, now, remote);
        }
    }
}
