package dev.wishdir.bedrock.server;

import dev.wishdir.arena.DamageMeans;
import dev.wishdir.arena.Match;
import dev.wishdir.arena.Missile;
import dev.wishdir.bedrock.message.ActorMessage.AddActor;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.MessageChannel;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Vec3;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The missiles of all games as one client sees them: what the game throws or shoots. The client
 * flies them between the places that it is sent.
 */
final class MissileActors {
    /** Above the ids of all players and items. */
    private static final long FIRST_ID = 1L << 45;

    /** Further ones fly unseen. */
    private static final int MAX_SHOWN = 128;

    private static final long MOVE_INTERVAL_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** An arrow that was launched faster than this, metres a second, leaves a trail. */
    private static final double TRAIL_SPEED = 0.95 * ArrowRules.MAX_SPEED;

    private static final String ARROW = "minecraft:arrow";
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
    private final MessageChannel channel;
    private final BooleanSupplier congested;
    private final Map<Missile, Shown> shown = new LinkedHashMap<>();
    private long lastId = FIRST_ID;

    MissileActors(
            Match match,
            PlayerIdentities identities,
            MessageChannel channel,
            BooleanSupplier congested) {
        this.match = match;
        this.identities = identities;
        this.channel = channel;
        this.congested = congested;
    }

    /**
     * Sends what has changed, as the connection has room.
     *
     * @return whether something flies or waits
     */
    boolean advance(long now) {
        List<Missile> missiles = match.missiles();
        if (missiles.isEmpty() && shown.isEmpty()) {
            return false;
        }
        shown.entrySet()
                .removeIf(entry -> {
                    boolean isGone = !entry.getKey().isThere();
                    if (isGone) {
                        channel.send(new RemoveActor(entry.getValue().id));
                    }
                    return isGone;
                });
        boolean isFlying = false;
        for (Missile missile : missiles) {
            boolean rests = missile.state().velocity().equals(Vec3.ZERO);
            Shown known = shown.get(missile);
            if (congested.getAsBoolean()) {
                return true;
            } else if (known == null && shown.size() < MAX_SHOWN) {
                add(now, missile);
            } else if (known != null
                    && !known.place.equals(missile.state().place())
                    && (rests || now - known.sentAt >= MOVE_INTERVAL_NANOS)) {
                move(now, missile, known);
            }
            isFlying |= !rests;
        }
        return isFlying;
    }

    private void add(long now, Missile missile) {
        lastId++;
        Vec3 place = missile.state().place();
        Vec3 velocity = missile.state().velocity();
        Look look = Look.of(velocity);
        shown.put(missile, new Shown(lastId, place, now, look));
        String type = type(missile);
        long owner = identities.runtimeId(missile.owner());
        List<Metadata> metadata = new ArrayList<>();
        long trail = type.equals(ARROW) && velocity.length() > TRAIL_SPEED ? Metadata.CRITICAL : 0;
        metadata.add(
                new Metadata(Metadata.FLAGS, new Metadata.OfLong(Metadata.HAS_COLLISION | trail)));
        metadata.add(new Metadata(Metadata.OWNER, new Metadata.OfLong(owner)));
        channel.send(
                new AddActor(
                        lastId,
                        lastId,
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
            default ->
                    missile.means() == DamageMeans.PISTOL && identities.isClient(missile.owner())
                            ? ARROW
                            : "minecraft:snowball";
        };
    }

    private void move(long now, Missile missile, Shown known) {
        known.place = missile.state().place();
        known.sentAt = now;
        Vec3 velocity = missile.state().velocity();
        Look look = velocity.equals(Vec3.ZERO) ? known.look : Look.of(velocity);
        known.look = look;
        int yaw = Math.round(look.yaw * BYTE_ANGLE) & 0xFF;
        channel.send(
                new MoveActorAbsolute(
                        known.id,
                        0,
                        BedrockMotion.point(known.place),
                        Math.round(look.pitch * BYTE_ANGLE) & 0xFF,
                        yaw,
                        yaw));
    }
}
