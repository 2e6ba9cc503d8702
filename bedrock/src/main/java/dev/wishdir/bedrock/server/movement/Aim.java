package dev.wishdir.bedrock.server.movement;

import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;

import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;

/** Positions and views of a player's newest movements, against which its claims are checked. */
public final class Aim {
    /** Cursor of a screen that is touched, next to mouse and pad. */
    private static final int TOUCH = 2;

    private static final double EYE_METRES = BedrockMotion.EYES;

    private final LongUnaryOperator peerTime;
    private final PlaceClaims claims = new PlaceClaims();
    private Movement newest;
    private Movement before;
    private double speed = BedrockBody.LIMITS.speed();
    private boolean isTouch;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    Aim(Movement start, LongUnaryOperator peerTime) {
        this.peerTime = peerTime;
        newest = start;
        before = start;
    }

    /** Records a movement that the server accepted. */
    void record(Movement movement) {
        before = newest;
        newest = movement;
    }

    /**
     * The newest movement goes to the arena.
     *
     * @param allowed the speed that the body may have, metres a second
     * @return false if it is a leap
     */
    boolean onMove(long now, double allowed) {
        speed = allowed;
        return claims.onMoved(peerTime.applyAsLong(now), newest.position(), allowed, now);
    }

    /** The arena has taken the newest movement: carries out what has waited for it. */
    void onMoved(long now) {
        claims.advance(peerTime.applyAsLong(now), now);
    }

    /** The claim that the player acts where its newest movement is. */
    public PlaceClaims.Claim claim(long now, ObjLongConsumer<ShotViolation> onRefuted) {
        return claims.add(peerTime.applyAsLong(now), newest.position(), speed, onRefuted);
    }

    /** Forgets all movements, as the server puts the player at a place. */
    void put(long now, Vec3 place, Movement looking) {
        claims.begin(peerTime.applyAsLong(now), place);
        newest = new Movement(place, looking.yaw(), looking.pitch(), Vec3.ZERO, looking.stance());
        before = newest;
    }

    /** Records the device that the client reports. */
    void setInputMode(int mode) {
        isTouch = mode == TOUCH;
    }

    /** Whether the player points with a finger at what it hits, wherever it looks. */
    public boolean isTouch() {
        return isTouch;
    }

    public Movement newest() {
        return newest;
    }

    public Movement before() {
        return before;
    }

    /** The eyes of a body, metres. */
    public static Vec3 eyes(Movement movement) {
        return movement.position().plus(new Vec3(0, 0, EYE_METRES));
    }

    /** The direction of a view, of length 1. */
    public static Vec3 direction(Movement movement) {
        double yaw = Math.toRadians(movement.yaw());
        double pitch = Math.toRadians(movement.pitch());
        return new Vec3(
                Math.cos(yaw) * Math.cos(pitch), Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch));
    }

    /** Whether the body falls freely, by its places. */
    public boolean isFalling() {
        return newest.position().z() < before.position().z()
                && !newest.stance().onGround()
                && !newest.stance().has(Flag.SPRINTING)
                && !newest.stance().has(Flag.IN_WATER)
                && !newest.stance().has(Flag.FLYING);
    }
}
