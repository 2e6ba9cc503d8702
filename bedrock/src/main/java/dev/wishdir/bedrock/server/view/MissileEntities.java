package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.match.Match;
import dev.wishdir.bedrock.combat.ArrowRules;
import dev.wishdir.bedrock.message.ActorMessage.AddActor;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The missiles of all games as one client sees them: what the game throws or shoots. The client
 * flies them between the places that it is sent.
 */
public final class MissileEntities {
    /** Odd, as no foreign player's, and above those of this endpoint's clients and of items. */
    private static final long FIRST_ID = (1L << 45) + 1;

    /** The nearest ones; further ones fly unseen. */
    static final int MAX_SHOWN = 128;

    /**
     * Interval at which the nearest are chosen where there are more than can be shown: as often as
     * they move.
     */
    private static final long CHOICE_INTERVAL_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /**
     * One that is shown counts as nearer by this factor, so that two at the same distance do not
     * take turns.
     */
    private static final double STAY_FACTOR = 0.8;

    private static final long MOVE_INTERVAL_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** An arrow that was launched faster than this, metres a second, leaves a trail. */
    private static final double TRAIL_SPEED = 0.95 * ArrowRules.MAX_SPEED;

    private static final String ARROW = "minecraft:arrow";
    private static final String SNOWBALL = "minecraft:snowball";
    private static final float BYTE_ANGLE = 256f / 360;

    private static final class Shown {
        final long id;
        Vec3 place;
        long sentAt;

        /** Kept when it rests. */
        Look look;

        Shown(long id, Vec3 place, long sentAt, Look look) {
            this.id = id;
            this.place = place;
            this.sentAt = sentAt;
            this.look = look;
        }
    }

    private record Look(float pitch, float yaw) {
        static Look of(Vec3 velocity) {
            return new Look(
                    (float) -Math.toDegrees(Math.atan2(velocity.z(), velocity.horizontal())),
                    BedrockMotion.yaw(Angles.yaw(velocity.x(), velocity.y())));
        }
    }

    private final Match match;
    private final PlayerIdentities identities;
    private final Consumer<BedrockMessage> output;
    private final BooleanSupplier congested;
    private final Supplier<Vec3> eye;
    private final Map<Missile, Shown> shown = new LinkedHashMap<>();
    private long nextId = FIRST_ID;
    private long chosenAt = Long.MIN_VALUE / 2;

    /**
     * @param eye of the client's player, metres
     */
    public MissileEntities(
            Match match,
            PlayerIdentities identities,
            Consumer<BedrockMessage> output,
            BooleanSupplier congested,
            Supplier<Vec3> eye) {
        this.match = match;
        this.identities = identities;
        this.output = output;
        this.congested = congested;
        this.eye = eye;
    }

    /**
     * Sends what has changed, as the connection has room.
     *
     * @return whether something flies or waits
     */
    public boolean advance(long now) {
        List<Missile> missiles = match.missiles();
        removeUnless(Missile::isThere);
        if (missiles.isEmpty()) {
            return false;
        }
        boolean isMore = missiles.size() > MAX_SHOWN;
        if (isMore ? now - chosenAt >= CHOICE_INTERVAL_NANOS : shown.size() < missiles.size()) {
            chosenAt = now;
            if (isMore) {
                Set<Missile> nearest = nearest(missiles);
                removeUnless(nearest::contains);
                show(now, nearest);
            } else {
                show(now, missiles);
            }
        }
        boolean isFlying = isMore;
        for (Map.Entry<Missile, Shown> each : shown.entrySet()) {
            Missile missile = each.getKey();
            Shown known = each.getValue();
            boolean rests = missile.state().velocity().equals(Vec3.ZERO);
            if (!known.place.equals(missile.state().place())
                    && (rests || now - known.sentAt >= MOVE_INTERVAL_NANOS)) {
                if (congested.getAsBoolean()) {
                    return true;
                }
                move(now, missile, known);
            }
            isFlying |= !rests;
        }
        return isFlying || shown.size() < missiles.size();
    }

    private void removeUnless(Predicate<Missile> stays) {
        shown.entrySet()
                .removeIf(entry -> {
                    boolean isGone = !stays.test(entry.getKey());
                    if (isGone) {
                        output.accept(new RemoveActor(entry.getValue().id));
                    }
                    return isGone;
                });
    }

    /** The missiles that the client can be shown. */
    private Set<Missile> nearest(List<Missile> missiles) {
        Vec3 from = eye.get();
        PriorityQueue<Candidate> nearest =
                new PriorityQueue<>(Comparator.comparingDouble(Candidate::distance).reversed());
        for (Missile missile : missiles) {
            double distance =
                    missile.state().place().distance(from)
                            * (shown.containsKey(missile) ? STAY_FACTOR : 1);
            if (nearest.size() < MAX_SHOWN) {
                nearest.add(new Candidate(missile, distance));
            } else if (distance < nearest.element().distance) {
                nearest.remove();
                nearest.add(new Candidate(missile, distance));
            }
        }
        return nearest.stream().map(Candidate::missile).collect(Collectors.toSet());
    }

    private record Candidate(Missile missile, double distance) {}

    private void show(long now, Collection<Missile> wanted) {
        for (Missile missile : wanted) {
            if (congested.getAsBoolean()) {
                return;
            }
            if (!shown.containsKey(missile)) {
                add(now, missile);
            }
        }
    }

    private void add(long now, Missile missile) {
        long id = nextId;
        nextId += 2;
        Vec3 place = missile.state().place();
        Vec3 velocity = missile.state().velocity();
        Look look = Look.of(velocity);
        shown.put(missile, new Shown(id, place, now, look));
        String type = type(missile);
        long owner = identities.runtimeId(missile.owner());
        List<Metadata> metadata = new ArrayList<>();
        long trail = type.equals(ARROW) && velocity.length() > TRAIL_SPEED ? Metadata.CRITICAL : 0;
        metadata.add(
                new Metadata(Metadata.FLAGS, new Metadata.OfLong(Metadata.HAS_COLLISION | trail)));
        metadata.add(new Metadata(Metadata.OWNER, new Metadata.OfLong(owner)));
        output.accept(
                new AddActor(
                        id,
                        id,
                        type,
                        BedrockMotion.point(place),
                        BedrockMotion.point(velocity.times(1.0 / BedrockMotion.TICKS_PER_SECOND)),
                        look.pitch,
                        look.yaw,
                        look.yaw,
                        look.yaw,
                        List.of(),
                        metadata,
                        Properties.BLANK,
                        List.of()));
    }

    /** The actor of the game that stands for a missile of any game. */
    private String type(Missile missile) {
        return switch (missile.means()) {
            case ROCKET -> "minecraft:small_fireball";
            case GRENADE -> "minecraft:egg";
            case BFG -> "minecraft:fireball";
            case PISTOL -> isOwn(missile) ? ARROW : SNOWBALL;
            case RIFLE -> isOwn(missile) ? "minecraft:thrown_trident" : SNOWBALL;
            default -> SNOWBALL;
        };
    }

    private boolean isOwn(Missile missile) {
        return identities.isClient(missile.owner());
    }

    private void move(long now, Missile missile, Shown known) {
        known.place = missile.state().place();
        known.sentAt = now;
        Vec3 velocity = missile.state().velocity();
        Look look = velocity.equals(Vec3.ZERO) ? known.look : Look.of(velocity);
        known.look = look;
        int yaw = Math.round(look.yaw * BYTE_ANGLE) & 0xFF;
        output.accept(
                new MoveActorAbsolute(
                        known.id,
                        0,
                        BedrockMotion.point(known.place),
                        Math.round(look.pitch * BYTE_ANGLE) & 0xFF,
                        yaw,
                        yaw));
    }
}
