package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.bedrock.map.BlockWorld;
import dev.wishdir.bedrock.message.ActorMessage.AddItemActor;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage.BlockActorData;
import dev.wishdir.bedrock.message.WorldMessage.SpawnParticle;
import dev.wishdir.bedrock.message.WorldMessage.UpdateBlock;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.FlagBanner;
import dev.wishdir.bedrock.protocol.transport.MessageChannel;
import dev.wishdir.motion.Vec3;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The flags of the match as one client sees them: a banner stands at home, an item lies where a
 * flag was dropped, with particles, and its carrier wears it. A flag whose carrier has no body at
 * this client lies where the carrier is.
 */
public final class FlagEntities {
    /** Odd, as no foreign player's, and above those of items. */
    private static final long FIRST_ID = (1L << 45) + 1;

    /** Interval of the particles over a flag that lies somewhere. */
    private static final long PARTICLES_NANOS = 500_000_000;

    /** Interval at which a flag follows a carrier without a body. */
    private static final long FOLLOW_NANOS = 1_000_000_000;

    private static final String PARTICLES = "minecraft:villager_happy";

    /** Height of the particles above the ground. */
    private static final Vec3 ABOVE = new Vec3(0, 0, 1.5);

    /** A flag may stand so deep in the ground by rounding. */
    private static final double ROUNDING_METRES = 0.01;

    /** The places of a flag as a client is shown it. */
    private record Shown(
            Optional<BlockPos> block, Optional<Vec3> item, Optional<PlayerId> carrier) {
        static final Shown NOTHING =
                new Shown(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private final Flags flags;
    private final MessageChannel channel;
    private final BooleanSupplier congested;
    private final Predicate<PlayerId> isShown;
    private final Consumer<PlayerId> carriers;
    private final Map<Team, Shown> shown = new EnumMap<>(Team.class);
    private long followsAt = Long.MIN_VALUE;
    private long particlesAt = Long.MIN_VALUE;

    /**
     * @param isShown whether the client sees the body of a player, or it is its own
     * @param carriers is called with a player that carries a flag from now on, or no longer
     */
    public FlagEntities(
            Flags flags,
            MessageChannel channel,
            BooleanSupplier congested,
            Predicate<PlayerId> isShown,
            Consumer<PlayerId> carriers) {
        this.flags = flags;
        this.channel = channel;
        this.congested = congested;
        this.isShown = isShown;
        this.carriers = carriers;
    }

    /** The client has another world, without what stood in the last one. */
    public void onWorldChanged() {
        shown.replaceAll((_, was) -> new Shown(Optional.empty(), was.item, was.carrier));
    }

    /**
     * Sends what has changed, as the connection has room.
     *
     * @return whether something still waits
     */
    public boolean advance(long now) {
        boolean isWaiting = false;
        boolean follows = now >= followsAt;
        for (Team team : Team.values()) {
            Shown was = shown.getOrDefault(team, Shown.NOTHING);
            Shown wanted = wanted(team, was, follows);
            if (wanted.equals(was)) {
                continue;
            }
            if (congested.getAsBoolean()) {
                isWaiting = true;
                continue;
            }
            if (!wanted.item.equals(was.item)) {
                followsAt = now + FOLLOW_NANOS;
            }
            shown.put(team, wanted);
            show(team, was, wanted);
        }
        if (now >= particlesAt && !congested.getAsBoolean()) {
            particlesAt = now + PARTICLES_NANOS;
            shown.values().stream()
                    .flatMap(each -> each.item.stream())
                    .map(at -> BedrockMotion.point(at.plus(ABOVE)))
                    .forEach(at -> channel.send(SpawnParticle.of(PARTICLES, at)));
        }
        return isWaiting;
    }

    private Shown wanted(Team team, Shown was, boolean follows) {
        List<Flag> all = flags.all();
        if (all.isEmpty()) {
            return Shown.NOTHING;
        }
        Flag flag = all.get(team.ordinal());
        Optional<Vec3> at = Optional.of(flags.place(flag));
        return switch (flag.state()) {
            case FlagState.Home _ ->
                    new Shown(Optional.of(cell(flag.home())), Optional.empty(), Optional.empty());
            case FlagState.Dropped _ -> new Shown(Optional.empty(), at, Optional.empty());
            case FlagState.Carried(PlayerId by, _) ->
                    new Shown(
                            Optional.empty(),
                            isShown.test(by)
                                    ? Optional.empty()
                                    : follows || was.item.isEmpty() ? at : was.item,
                            Optional.of(by));
        };
    }

    /** The block in which a flag stands; on a half block it is the one above. */
    private static BlockPos cell(Vec3 foot) {
        Vec3f at = BedrockMotion.point(foot);
        return new BlockPos(
                (int) Math.floor(at.x()),
                (int) Math.ceil(at.y() - ROUNDING_METRES),
                (int) Math.floor(at.z()));
    }

    private void show(Team team, Shown was, Shown wanted) {
        if (!wanted.block.equals(was.block)) {
            was.block.ifPresent(at -> channel.send(UpdateBlock.of(at, BlockWorld.NOTHING)));
            wanted.block.ifPresent(at -> {
                channel.send(UpdateBlock.of(at, BlockWorld.BANNER));
                channel.send(new BlockActorData(at, FlagBanner.tags(team, at)));
            });
        }
        if (!wanted.item.equals(was.item)) {
            long id = FIRST_ID + 2L * team.ordinal();
            was.item.ifPresent(_ -> channel.send(new RemoveActor(id)));
            wanted.item.ifPresent(at ->
                    channel.send(
                            new AddItemActor(
                                    id,
                                    id,
                                    FlagBanner.stack(channel.codec(), team, 0),
                                    BedrockMotion.point(at),
                                    Vec3f.ZERO,
                                    List.of(),
                                    false)));
        }
        if (!wanted.carrier.equals(was.carrier)) {
            was.carrier.ifPresent(carriers);
            wanted.carrier.ifPresent(carriers);
        }
    }

    /** The team whose flag a player is shown to carry. */
    public Optional<Team> carriedBy(PlayerId id) {
        return shown.entrySet().stream()
                .filter(each -> each.getValue().carrier.equals(Optional.of(id)))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
