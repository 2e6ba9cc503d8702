package dev.wishdir.bedrock.client;

import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.InventoryMessage.MobArmour;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage.BlockActorData;
import dev.wishdir.bedrock.message.WorldMessage.UpdateBlock;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.RemoteFlag.State;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags as the server shows them to a client: banners that stand, lie and are worn. */
final class RemoteFlags {
    /** A banner stands in the middle of its block. */
    private static final float MIDDLE = 0.5f;

    private static final int CHUNK_BITS = 4;

    private static final class Seen {
        @Nullable BlockPos block;

        /** Whether the banner stands there now. */
        boolean isHome;

        Optional<Vec3> item = Optional.empty();
        long itemId;
        long carrier = ClientListener.UNKNOWN_PLAYER;
    }

    private final BedrockCodec codec;
    private final Map<Team, Seen> flags = new EnumMap<>(Team.class);

    RemoteFlags(BedrockCodec codec) {
        this.codec = codec;
    }

    private Seen seen(Team team) {
        return flags.computeIfAbsent(team, _ -> new Seen());
    }

    /** The tags of a block came, which is a banner if they have its colour. */
    void onTags(BlockActorData data) {
        FlagBanner.team(data.tags())
                .ifPresent(team -> {
                    seen(team).block = data.position();
                    seen(team).isHome = true;
                });
    }

    /** A block is another one; a banner gets its colour by the tags that follow. */
    void onBlock(UpdateBlock update) {
        for (Seen flag : flags.values()) {
            if (update.block() != BlockWorld.BANNER && update.position().equals(flag.block)) {
                flag.isHome = false;
            }
        }
    }

    /** A column of blocks came, without the banners that stood there. */
    void onChunk(LevelChunk chunk) {
        for (Seen flag : flags.values()) {
            BlockPos at = flag.block;
            if (at != null
                    && at.x() >> CHUNK_BITS == chunk.x()
                    && at.z() >> CHUNK_BITS == chunk.z()) {
                flag.block = null;
                flag.isHome = false;
            }
        }
    }

    /**
     * An item lies there.
     *
     * @return whether it is a flag
     */
    boolean onItem(AddItemActor item) {
        Optional<Team> team = FlagBanner.team(codec, item.item());
        team.ifPresent(it -> {
            seen(it).item = Optional.of(BedrockMotion.point(item.position()));
            seen(it).itemId = item.uniqueId();
        });
        return team.isPresent();
    }

    /** An actor is gone. */
    void onRemoved(long uniqueId) {
        for (Seen flag : flags.values()) {
            if (flag.item.isPresent() && flag.itemId == uniqueId) {
                flag.item = Optional.empty();
            }
        }
    }

    void onArmour(MobArmour armour) {
        setCarried(armour.runtimeId(), FlagBanner.team(codec, armour.helmet()));
    }

    /** Sets the flag that a player carries. */
    void setCarried(long id, Optional<Team> carried) {
        for (Map.Entry<Team, Seen> flag : flags.entrySet()) {
            if (flag.getValue().carrier == id && !carried.equals(Optional.of(flag.getKey()))) {
                flag.getValue().carrier = ClientListener.UNKNOWN_PLAYER;
            }
        }
        carried.ifPresent(team -> seen(team).carrier = id);
    }

    /**
     * All flags that the client has seen.
     *
     * @param self its id
     * @param at place of its own player
     * @param others the players that it sees
     */
    List<RemoteFlag> all(long self, Vec3 at, Map<Long, RemotePlayer> others) {
        return flags.entrySet().stream()
                .map(flag -> flag(flag.getKey(), flag.getValue(), self, at, others))
                .toList();
    }

    private static RemoteFlag flag(
            Team team, Seen flag, long self, Vec3 at, Map<Long, RemotePlayer> others) {
        Optional<Vec3> home = Optional.ofNullable(flag.block).map(RemoteFlags::foot);
        String name = team.toString();
        if (flag.isHome) {
            return new RemoteFlag(name, State.HOME, home, home, ClientListener.UNKNOWN_PLAYER);
        }
        if (flag.item.isPresent()) {
            return new RemoteFlag(
                    name, State.DROPPED, home, flag.item, ClientListener.UNKNOWN_PLAYER);
        }
        Optional<Vec3> carrier =
                flag.carrier == self
                        ? Optional.of(at)
                        : Optional.ofNullable(others.get(flag.carrier))
                                .map(other -> other.movement().position());
        boolean isKnown = flag.carrier == self || carrier.isPresent();
        return new RemoteFlag(
                name,
                State.CARRIED,
                home,
                carrier,
                isKnown ? flag.carrier : ClientListener.UNKNOWN_PLAYER);
    }

    private static Vec3 foot(BlockPos at) {
        return BedrockMotion.point(new Vec3f(at.x() + MIDDLE, at.y(), at.z() + MIDDLE));
    }
}
