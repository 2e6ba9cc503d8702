package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

/**
 * The position of a player: docs/protocols/bedrock.md#moveplayer. Sent by clients with authority
 * over their movement (authority 0), and by servers.
 *
 * @param runtimeId of the player; from a client its own
 * @param position of the eyes, metres, after this tick
 * @param rotation pitch and yaw, degrees
 * @param headYaw degrees; the body follows it
 * @param mode {@link #NORMAL} to {@link #ONLY_HEAD_ROTATION}
 * @param ridingId what it rides, 0 for nothing
 * @param teleportCause of a teleport: 1 projectile, 2 chorus fruit, 3 command, 4 behaviour; else 0
 * @param teleportSourceType the kind of actor that caused a teleport, else 0
 * @param tick of the input that this answers; 0 for other players
 */
public record MovePlayer(
        long runtimeId,
        Vec3f position,
        Vec2f rotation,
        float headYaw,
        int mode,
        boolean onGround,
        long ridingId,
        int teleportCause,
        int teleportSourceType,
        long tick)
        implements BedrockMessage {
    public static final MovePlayer BLANK =
            new MovePlayer(0, Vec3f.ZERO, Vec2f.ZERO, 0, 0, false, 0, 0, 0, 0);

    /** The player moves there. */
    public static final int NORMAL = 0;

    /** The player respawns there. */
    public static final int RESPAWN = 1;

    /** The player is teleported there. */
    public static final int TELEPORT = 2;

    /** Only the head turns. */
    public static final int ONLY_HEAD_ROTATION = 3;

    /** A movement of a player that rides nothing, without the cause of a teleport. */
    public MovePlayer(
            long runtimeId,
            Vec3f position,
            Vec2f rotation,
            float headYaw,
            int mode,
            boolean onGround,
            long tick) {
        this(runtimeId, position, rotation, headYaw, mode, onGround, 0, 0, 0, tick);
    }

    public static MovePlayer wire(Wire w, MovePlayer m, Dialect d) {
        long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
        Vec3f position = Vec3f.wire(w, "position", m.position);
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation);
        float headYaw = w.f32le("head yaw", m.headYaw);
        int mode = w.bounded("mode", w.u8("mode", m.mode), ONLY_HEAD_ROTATION);
        if (w.tracing()) {
            w.annotate(modeName(mode));
        }
        boolean onGround = w.bool("on ground", m.onGround);
        long ridingId = Encoding.uvarlong(w, "riding id", m.ridingId);
        int cause = 0;
        int sourceType = 0;
        boolean teleport = mode == TELEPORT;
        if (d.has(ProtocolChange.MOVE_CAUSE_OPTIONAL) ? w.bool("caused", teleport) : teleport) {
            cause = w.i32le("cause", m.teleportCause);
            sourceType = w.i32le("source type", m.teleportSourceType);
        }
        long tick = Encoding.uvarlong(w, "tick", m.tick);
        return new MovePlayer(
                runtimeId,
                position,
                rotation,
                headYaw,
                mode,
                onGround,
                ridingId,
                teleport ? cause : 0,
                teleport ? sourceType : 0,
                tick);
    }

    /** The same movement of another player. */
    public MovePlayer of(long other) {
        return other == runtimeId
                ? this
                : new MovePlayer(
                        other,
                        position,
                        rotation,
                        headYaw,
                        mode,
                        onGround,
                        ridingId,
                        teleportCause,
                        teleportSourceType,
                        tick);
    }

    /** Whether clients show this as another; players and ticks are not compared. */
    public boolean looksLike(MovePlayer other) {
        return position.equals(other.position)
                && rotation.equals(other.rotation)
                && headYaw == other.headYaw
                && mode == other.mode
                && onGround == other.onGround
                && ridingId == other.ridingId;
    }

    /** The name of a mode. */
    public static String modeName(int mode) {
        return switch (mode) {
            case NORMAL -> "normal";
            case RESPAWN -> "reset";
            case TELEPORT -> "teleport";
            default -> "rotation";
        };
    }
}
