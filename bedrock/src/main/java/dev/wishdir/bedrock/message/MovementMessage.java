package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.Optional;

/**
 * A message about the movement of actors, besides {@link MovePlayer} and {@link PlayerAuthInput}.
 * Positions of players are those of their eyes.
 */
public sealed interface MovementMessage extends BedrockMessage {

    /**
     * The position of an actor.
     *
     * @param flags 1 on ground, 2 teleport, 4 also its own player
     * @param pitch bytes, 256 a turn
     */
    record MoveActorAbsolute(
            long runtimeId, int flags, Vec3f position, int pitch, int yaw, int headYaw)
            implements MovementMessage {
        public static final MoveActorAbsolute BLANK =
                new MoveActorAbsolute(0, 0, Vec3f.ZERO, 0, 0, 0);

        public static MoveActorAbsolute wire(Wire w, MoveActorAbsolute m) {
            return new MoveActorAbsolute(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    w.u8("flags", m.flags),
                    Vec3f.wire(w, "position", m.position),
                    Encoding.byteAngle(w, "pitch", m.pitch),
                    Encoding.byteAngle(w, "yaw", m.yaw),
                    Encoding.byteAngle(w, "head yaw", m.headYaw));
        }
    }

    /**
     * The changed values of an actor's position and rotation: absolute, not differences.
     *
     * @param flags the values that are present: 1 x, 2 y, 4 z, 8 pitch, 16 yaw, 32 head yaw; 64 on
     *     ground, 128 teleport, 256 also its own player, 512 complete the movement
     * @param ticks duration of the movement, in the newest versions
     */
    record MoveActorDelta(
            long runtimeId,
            int flags,
            float x,
            float y,
            float z,
            int pitch,
            int yaw,
            int headYaw,
            long ticks)
            implements MovementMessage {
        public static final MoveActorDelta BLANK = new MoveActorDelta(0, 0, 0, 0, 0, 0, 0, 0, 0);

        public static final int ON_GROUND = 64;
        public static final int TELEPORT = 128;
        public static final int FORCE_LOCAL = 256;
        public static final int FORCE_COMPLETION = 512;

        public static MoveActorDelta wire(Wire w, MoveActorDelta m, Dialect d) {
            return d.has(ProtocolChange.DELTA_OPTIONAL) ? wireOptional(w, m, d) : wireFlagged(w, m);
        }

        private static MoveActorDelta wireFlagged(Wire w, MoveActorDelta m) {
            long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
            int flags = w.u16le("flags", m.flags);
            return new MoveActorDelta(
                    runtimeId,
                    flags,
                    (flags & 1) != 0 ? w.f32le("x", m.x) : 0,
                    (flags & 2) != 0 ? w.f32le("y", m.y) : 0,
                    (flags & 4) != 0 ? w.f32le("z", m.z) : 0,
                    (flags & 8) != 0 ? Encoding.byteAngle(w, "pitch", m.pitch) : 0,
                    (flags & 16) != 0 ? Encoding.byteAngle(w, "yaw", m.yaw) : 0,
                    (flags & 32) != 0 ? Encoding.byteAngle(w, "head yaw", m.headYaw) : 0,
                    0);
        }

        private static MoveActorDelta wireOptional(Wire w, MoveActorDelta m, Dialect d) {
            long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
            int flags = flag(w, "x", m, 1);
            float x = (flags & 1) != 0 ? w.f32le("x", m.x) : 0;
            flags |= flag(w, "y", m, 2);
            float y = (flags & 2) != 0 ? w.f32le("y", m.y) : 0;
            flags |= flag(w, "z", m, 4);
            float z = (flags & 4) != 0 ? w.f32le("z", m.z) : 0;
            flags |= flag(w, "pitch", m, 8);
            int pitch = (flags & 8) != 0 ? Encoding.byteAngle(w, "pitch", m.pitch) : 0;
            flags |= flag(w, "yaw", m, 16);
            int yaw = (flags & 16) != 0 ? Encoding.byteAngle(w, "yaw", m.yaw) : 0;
            flags |= flag(w, "head yaw", m, 32);
            int headYaw = (flags & 32) != 0 ? Encoding.byteAngle(w, "head yaw", m.headYaw) : 0;
            flags |= flag(w, "on ground", m, ON_GROUND);
            flags |= flag(w, "teleport", m, TELEPORT);
            flags |= flag(w, "force local", m, FORCE_LOCAL);
            flags |= flag(w, "force completion", m, FORCE_COMPLETION);
            return new MoveActorDelta(
                    runtimeId,
                    flags,
                    x,
                    y,
                    z,
                    pitch,
                    yaw,
                    headYaw,
                    d.has(ProtocolChange.DELTA_TICKS) ? Encoding.uvarlong(w, "ticks", m.ticks) : 0);
        }

        private static int flag(Wire w, String name, MoveActorDelta m, int flag) {
            return w.bool(name, (m.flags & flag) != 0) ? flag : 0;
        }
    }

    /** Sets the velocity of an actor, blocks a tick. */
    record SetActorMotion(long runtimeId, Vec3f motion, long tick) implements MovementMessage {
        public static final SetActorMotion BLANK = new SetActorMotion(0, Vec3f.ZERO, 0);

        public static SetActorMotion wire(Wire w, SetActorMotion m) {
            return new SetActorMotion(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Vec3f.wire(w, "motion", m.motion),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /**
     * Corrects the client's prediction of its player's position at a tick.
     *
     * @param type 0 player, 1 vehicle; in older versions only a vehicle has a rotation
     * @param delta velocity, blocks a tick
     * @param spinning whether an angular velocity follows
     * @param tick one of the client's last inputs
     */
    record CorrectPlayerMovePrediction(
            int type,
            Vec3f position,
            Vec3f delta,
            Vec2f rotation,
            boolean spinning,
            float angularVelocity,
            boolean onGround,
            long tick)
            implements MovementMessage {
        public static final CorrectPlayerMovePrediction BLANK =
                new CorrectPlayerMovePrediction(
                        0, Vec3f.ZERO, Vec3f.ZERO, Vec2f.ZERO, false, 0, false, 0);

        public static CorrectPlayerMovePrediction wire(
                Wire w, CorrectPlayerMovePrediction m, Dialect d) {
            int type = w.u8("type", m.type);
            Vec3f position = Vec3f.wire(w, "position", m.position);
            Vec3f delta = Vec3f.wire(w, "delta", m.delta);
            boolean turns = type == 1 || d.has(ProtocolChange.PREDICTION_ALWAYS_TURNS);
            Vec2f rotation = turns ? Vec2f.wire(w, "rotation", m.rotation) : Vec2f.ZERO;
            boolean spinning =
                    turns
                            && d.has(ProtocolChange.PREDICTION_SPIN)
                            && w.bool("spinning", m.spinning);
            float angularVelocity = spinning ? w.f32le("angular velocity", m.angularVelocity) : 0;
            return new CorrectPlayerMovePrediction(
                    type,
                    position,
                    delta,
                    rotation,
                    spinning,
                    angularVelocity,
                    w.bool("on ground", m.onGround),
                    Encoding.uvarlong(w, "tick", m.tick));
        }
    }

    /** Sets which side decides where the player is. */
    record SetMovementAuthority(int mode) implements MovementMessage {
        public static final SetMovementAuthority BLANK = new SetMovementAuthority(0);

        public static SetMovementAuthority wire(Wire w, SetMovementAuthority m) {
            return new SetMovementAuthority(w.u8("mode", m.mode));
        }
    }

    /** An action of the player besides movement, from a client with authority over its movement. */
    record PlayerAction(long runtimeId, int action, BlockPos position, BlockPos result, int face)
            implements MovementMessage {
        public static final PlayerAction BLANK =
                new PlayerAction(0, 0, BlockPos.ZERO, BlockPos.ZERO, 0);

        public static PlayerAction wire(Wire w, PlayerAction m, Dialect d) {
            return new PlayerAction(
                    Encoding.uvarlong(w, "runtime id", m.runtimeId),
                    Encoding.varint(w, "action", m.action),
                    BlockPos.wire(w, "position", m.position, d),
                    BlockPos.wire(w, "result", m.result, d),
                    Encoding.varint(w, "face", m.face));
        }
    }

    /** Respawns a player. */
    record Respawn(Vec3f position, int state, long runtimeId) implements MovementMessage {
        public static final Respawn BLANK = new Respawn(Vec3f.ZERO, 0, 0);

        public static Respawn wire(Wire w, Respawn m) {
            return new Respawn(
                    Vec3f.wire(w, "position", m.position),
                    w.u8("state", m.state),
                    Encoding.uvarlong(w, "runtime id", m.runtimeId));
        }
    }

    /**
     * A gesture of an actor, as the swing of an arm.
     *
     * @param data in newer versions
     * @param rowing in older versions, only for the actions 128 and 129
     * @param source the cause of the swing, in newer versions
     */
    record Animate(int action, long runtimeId, float data, float rowing, Optional<String> source)
            implements MovementMessage {
        /** The action of an arm swing. */
        public static final int SWING = 1;

        /** The action of a critical hit. */
        public static final int CRITICAL = 4;

        private static final int CRITICAL_PARTICLES = 55;

        public static final Animate BLANK = new Animate(0, 0, 0, 0, Optional.empty());

        /** The message about an arm swing. */
        public static Animate swing(long runtimeId) {
            return new Animate(SWING, runtimeId, 0, 0, Optional.empty());
        }

        /** The message about particles on the victim of a critical hit. */
        public static Animate critical(long runtimeId) {
            return new Animate(CRITICAL, runtimeId, CRITICAL_PARTICLES, 0, Optional.empty());
        }

        /** Whether the older form has a duration of rowing. */
        public boolean isRowing() {
            return isRowing(action);
        }

        private static boolean isRowing(int action) {
            return action == 128 || action == 129;
        }

        public static Animate wire(Wire w, Animate m, Dialect d) {
            boolean sourced = d.has(ProtocolChange.ANIMATE_SOURCE);
            int action =
                    sourced ? w.u8("action", m.action) : Encoding.varint(w, "action", m.action);
            long runtimeId = Encoding.uvarlong(w, "runtime id", m.runtimeId);
            float data = d.has(ProtocolChange.ANIMATE_DATA) ? w.f32le("data", m.data) : 0;
            boolean rowing = !sourced && isRowing(action);
            return new Animate(
                    action,
                    runtimeId,
                    data,
                    rowing ? w.f32le("rowing", m.rowing) : 0,
                    sourced ? Encoding.optionalText(w, "source", m.source) : Optional.empty());
        }
    }
}
