package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.map.ChunkGrid;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.LevelChunk;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.PlayerAuthInput.Input;
import dev.wishdir.bedrock.message.ProtocolChange;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.blocks.grid.BlockSpace;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** The client's own player: its body, and the message to the server each tick. */
final class LocalPlayer {
    private static final long MAX_SEND_PAUSE_NANOS = 1_000_000_000L;

    /** Depth of a position in the ground by the rounding of floats, metres. */
    private static final Vec3 ROUNDED = new Vec3(0, 0, 1e-5);

    private final BedrockCodec codec;
    private final BedrockBody body = new BedrockBody();
    private final ChunkGrid chunks = new ChunkGrid();
    private final CollisionSpace space = new BlockSpace(chunks);
    private String level = "";
    private int authority = StartGame.SERVER_AUTHORITY;
    private long runtimeId = -1;
    private long tick;
    private long lastSent;
    private boolean confirm;
    private boolean first = true;
    private boolean crouching;
    private boolean sprinting;
    private @Nullable Movement sent;

    /** Target of the player's view in the next tick, whatever the steering says. */
    private @Nullable Vec3 target;

    LocalPlayer(BedrockCodec codec) {
        this.codec = codec;
    }

    Movement movement() {
        return body.movement();
    }

    /** The runtime id of the player; -1 until the server has sent it. */
    long runtimeId() {
        return runtimeId;
    }

    /** The name of the level at the start. */
    String level() {
        return level;
    }

    void start(StartGame start) {
        level = start.levelId();
        runtimeId = start.runtimeId();
        authority = start.authority();
        tick = start.tick();
        body.put(
                feet(start.position()),
                BedrockMotion.canonicalYaw(start.rotation().y()),
                BedrockMotion.canonicalPitch(start.rotation().x()));
    }

    private static Vec3 feet(Vec3f eyes) {
        return BedrockMotion.feet(eyes).plus(ROUNDED);
    }

    void addChunk(LevelChunk chunk) {
        chunks.add(chunk);
    }

    void setAuthority(int authority) {
        this.authority = authority;
    }

    /** Handles the server's position of this player. */
    void setPosition(Vec3f eyes) {
        if (eyes.isFinite()) {
            Movement was = body.movement();
            body.put(feet(eyes), was.yaw(), was.pitch());
        }
    }

    /** Handles a teleport of this player; the server may expect a confirmation of the arrival. */
    void onTeleport(MovePlayer move) {
        setPosition(move.position());
        confirm = move.mode() == MovePlayer.TELEPORT;
    }

    /** Handles a throw of this player, metres a tick. */
    void launch(Vec3f motion) {
        if (motion.isFinite()) {
            body.launch(BedrockMotion.point(motion));
        }
    }

    /** Turns the player to a point in the next tick. */
    void lookAt(Vec3 point) {
        target = point;
    }

    /** The position of the player's eyes, metres. */
    Vec3 eyes() {
        return body.movement().position().plus(new Vec3(0, 0, BedrockMotion.EYES));
    }

    /** The level around it as far as it was received. */
    CollisionSpace space() {
        Vec3 at = body.movement().position();
        return chunks.isKnown(at.x(), at.y()) ? space : CollisionSpace.OPEN;
    }

    /** The steering with another view, and the same way. */
    private PlayerInput turned(PlayerInput steering) {
        Vec3 point = target;
        target = null;
        if (point == null || point.distance(eyes()) < 1e-6) {
            return steering;
        }
        Vec3 way = point.minus(eyes());
        double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
        double pitch = Math.toDegrees(Math.atan2(way.z(), way.horizontal()));
        return steering.looking(yaw, pitch);
    }

    /** Runs one tick; returns the message about it for the server. */
    Optional<BedrockMessage> step(long now, PlayerInput wanted) {
        PlayerInput steering = turned(wanted);
        Vec3 at = body.movement().position();
        BedrockBody.Step step =
                chunks.isKnown(at.x(), at.y()) ? body.step(steering, space) : body.step(steering);
        tick++;
        Optional<BedrockMessage> message = Optional.empty();
        Movement self = body.movement();
        if (authority != StartGame.CLIENT_AUTHORITY) {
            message = Optional.of(input(steering, step));
        } else if (!self.equals(sent) || now - lastSent >= MAX_SEND_PAUSE_NANOS) {
            sent = self;
            lastSent = now;
            message = Optional.of(BedrockMotion.toNative(runtimeId, self));
        }
        crouching = steering.crouch();
        sprinting = self.stance().has(Flag.SPRINTING);
        return message;
    }

    private long inputs(PlayerInput steering, BedrockBody.Step step) {
        long input = Input.BLOCK_BREAKING_DELAY;
        input |= step.forward() > 0 ? Input.UP : step.forward() < 0 ? Input.DOWN : 0;
        input |= step.left() > 0 ? Input.LEFT : step.left() < 0 ? Input.RIGHT : 0;
        input |= step.jumped() ? Input.START_JUMPING : 0;
        input |= steering.jump() ? Input.JUMPING : 0;
        input |= steering.crouch() ? Input.SNEAKING : 0;
        input |= steering.crouch() && !crouching ? Input.START_SNEAKING : 0;
        input |= !steering.crouch() && crouching ? Input.STOP_SNEAKING : 0;
        boolean sprints = body.movement().stance().has(Flag.SPRINTING);
        input |= sprints ? Input.SPRINTING : 0;
        input |= sprints && !sprinting ? Input.START_SPRINTING : 0;
        input |= !sprints && sprinting ? Input.STOP_SPRINTING : 0;
        input |= body.movement().stance().onGround() ? Input.VERTICAL_COLLISION : 0;
        input |= confirm ? Input.HANDLED_TELEPORT : 0;
        input |= first ? Input.RECEIVED_SERVER_DATA : 0;
        confirm = false;
        first = false;
        return codec.has(ProtocolChange.COLLISION_INPUTS) ? input : input & ~Input.COLLISIONS;
    }

    private PlayerAuthInput input(PlayerInput steering, BedrockBody.Step step) {
        Movement self = body.movement();
        float yaw = BedrockMotion.yaw(self.yaw());
        Vec2f rotation = new Vec2f((float) -self.pitch(), yaw);
        Vec2f move = new Vec2f((float) step.left(), (float) step.forward());
        double flat = Math.cos(Math.toRadians(self.pitch()));
        double turn = Math.toRadians(self.yaw());
        return new PlayerAuthInput(
                rotation,
                BedrockMotion.eyes(self.position()),
                move,
                yaw,
                inputs(steering, step),
                0,
                Bytes.EMPTY,
                1,
                0,
                1,
                rotation,
                Vec3f.ZERO,
                tick,
                BedrockMotion.point(step.delta()),
                false,
                false,
                Bytes.EMPTY,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                move,
                BedrockMotion.point(
                        new Vec3(
                                Math.cos(turn) * flat,
                                Math.sin(turn) * flat,
                                Math.sin(Math.toRadians(self.pitch())))),
                move);
    }
}
