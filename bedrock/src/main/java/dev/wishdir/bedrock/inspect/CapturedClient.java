package dev.wishdir.bedrock.inspect;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.LeaveReason.Code;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorAbsolute;
import dev.wishdir.bedrock.message.MovementMessage.MoveActorDelta;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.game.capture.CapturedConnection;
import dev.wishdir.game.capture.CapturedPlayer;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.Writer;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One captured client: what its messages say of the players. Players are known by their names, as
 * each client may know them by other numbers.
 *
 * <p>The client's own player is where its MovePlayer or PlayerAuthInput is; others are where the
 * server's messages are. Velocities that no message has are those between two positions.
 */
final class CapturedClient {
    private static final int MAX_PLAYERS = 4096;
    private static final int MAX_MOVEMENT_BYTES = 128;
    private static final BedrockCodec REFERENCE = BedrockCodec.V748;
    private static final String FORM = BedrockCodec.NAME + "/" + REFERENCE.protocol();
    private static final double MIN_INTERVAL_SECONDS = 1.0 / BedrockMotion.TICKS_PER_SECOND;

    private static final Bounds BOUNDS =
            new Bounds(new Vec3(-3e7, -3e7, -1e5), new Vec3(3e7, 3e7, 1e5));

    private static final class Body {
        final CapturedPlayer player;
        Movement movement = Movement.ORIGIN;
        double seconds = Double.NEGATIVE_INFINITY;
        boolean visible;
        boolean teleported;

        Body(CapturedPlayer player) {
            this.player = player;
        }
    }

    private final Supplier<CapturedConnection> opener;
    private final Map<Long, Body> bodies = new EvictingMap<>(MAX_PLAYERS);
    private final Map<Long, Long> runtimeIds = new EvictingMap<>(MAX_PLAYERS);
    private final Map<UUID, String> listed = new EvictingMap<>(MAX_PLAYERS);
    private CapturedConnection connection;
    private @Nullable Body self;
    private long selfRuntimeId = -1;
    private String name = "";
    private double seconds;

    /**
     * @param opener opens a connection to the server
     */
    CapturedClient(Supplier<CapturedConnection> opener) {
        this.opener = opener;
        connection = opener.get();
    }

    void setTime(double now) {
        seconds = now;
        connection.setTime(now);
    }

    /** The transport's connection ended. */
    void onDisconnected(LeaveReason reason) {
        connection.close(reason);
        connection = opener.get();
        bodies.clear();
        runtimeIds.clear();
        listed.clear();
        self = null;
        selfRuntimeId = -1;
        name = "";
    }

    void onMessage(Direction direction, BedrockMessage message, Dialect dialect) {
        if (direction == Direction.C2S) {
            onSent(message, dialect);
        } else {
            onReceived(message);
        }
    }

    /** The client's own player; also if the beginning of the connection was not captured. */
    private Body self() {
        Body known = self;
        if (known == null) {
            known = new Body(connection.own(name.isEmpty() ? this : name));
            self = known;
        }
        return known;
    }

    private static String plain(String name) {
        return BedrockText.withoutCodes(name);
    }

    /** Handles a message of the client. */
    private void onSent(BedrockMessage message, Dialect dialect) {
        switch (message) {
            case LoginMessage.RequestNetworkSettings _ -> {
                if (self != null) {
                    onDisconnected(LeaveReason.TIMED_OUT);
                }
            }
            case LoginMessage.Login _ -> {
                if (BedrockMessageFields.of(message, dialect).get("name") instanceof String given) {
                    name = plain(given);
                    self = new Body(connection.own(name));
                }
            }
            case LoginMessage.Disconnect _ -> onDisconnected(LeaveReason.LEFT);
            case PlayerAuthInput m when BedrockMotion.isSane(m) -> {
                Body body = self();
                Stance stance = BedrockMotion.stance(body.movement.stance(), m, dialect);
                move(
                        body,
                        BedrockMotion.toCanonical(m, stance),
                        relayed(m.position(), m.rotation(), m.headYaw(), stance.onGround()));
            }
            case MovePlayer m when BedrockMotion.isSane(m) -> {
                Body body = self();
                move(
                        body,
                        BedrockMotion.toCanonical(
                                m,
                                velocity(body, BedrockMotion.feet(m.position())),
                                body.movement.stance()),
                        relayed(m.position(), m.rotation(), m.headYaw(), m.onGround()));
            }
            case MovementMessage.PlayerAction m -> onAction(m.action());
            case Animate m when m.action() == Animate.SWING ->
                    connection.act(self().player, PlayerAction.ATTACK);
            case Text m when m.type() == Text.CHAT ->
                    connection.say(self().player, plain(m.message()));
            default -> {}
        }
    }

    /** A change of the client's stance, which a MovePlayer does not have. */
    private void onAction(int action) {
        Body body = self();
        Stance stance = body.movement.stance();
        body.movement =
                withStance(
                        body.movement,
                        switch (action) {
                            case 9 -> stance.with(Flag.SPRINTING);
                            case 10 -> stance.with(Flag.SPRINTING, false);
                            case 11 -> stance.with(Flag.CROUCHED);
                            case 12 -> stance.with(Flag.CROUCHED, false);
                            case 21 -> stance.with(Flag.IN_WATER);
                            case 22 -> stance.with(Flag.IN_WATER, false);
                            default -> stance;
                        });
    }

    private NativeMovement relayed(Vec3f eyes, Vec2f rotation, float headYaw, boolean onGround) {
        return encoded(
                BedrockMotion.relayed(
                        Math.max(0, selfRuntimeId), eyes, rotation, headYaw, onGround));
    }

    private static NativeMovement encoded(MovePlayer message) {
        Writer w = new Writer(MAX_MOVEMENT_BYTES);
        REFERENCE.write(w, message);
        return new NativeMovement.Stored(FORM, w.toBytes());
    }

    private static Movement withStance(Movement movement, Stance stance) {
        return new Movement(
                movement.position(), movement.yaw(), movement.pitch(), movement.velocity(), stance);
    }

    /** The velocity from the last position to another; none from a teleport. */
    private Vec3 velocity(Body body, Vec3 feet) {
        if (!body.visible || body.teleported) {
            return Vec3.ZERO;
        }
        double interval = Math.max(seconds - body.seconds, MIN_INTERVAL_SECONDS);
        return BedrockMotion.clampedVelocity(
                feet.minus(body.movement.position()).times(1 / interval));
    }

    private void move(Body body, Movement movement, NativeMovement form) {
        boolean teleported = body.teleported && body.visible;
        body.movement = movement;
        body.seconds = seconds;
        body.visible = true;
        body.teleported = false;
        if (teleported) {
            connection.teleport(body.player, movement, form);
        } else {
            connection.move(body.player, movement, form);
        }
    }

    /** Handles a message of the server. */
    private void onReceived(BedrockMessage message) {
        switch (message) {
            case StartGame m -> {
                selfRuntimeId = m.runtimeId();
                connection.name(self().player, name);
                connection.changeLevel(m.levelName(), BOUNDS);
            }
            case LoginMessage.Disconnect m ->
                    onDisconnected(
                            new LeaveReason(
                                    m.reason() == LoginMessage.Disconnect.SHUTDOWN
                                            ? Code.SERVER_CLOSED
                                            : Code.KICKED,
                                    plain(m.message())));
            case PlayerList m when m.type() == PlayerList.ADD -> m.entries().forEach(this::list);
            case PlayerList m -> m.entries().forEach(this::unlist);
            case AddPlayer m -> add(m);
            case RemoveActor m -> remove(m.uniqueId());
            case MovePlayer m when m.runtimeId() == selfRuntimeId ->
                    self().teleported = m.mode() != MovePlayer.ONLY_HEAD_ROTATION;
            case MovePlayer m when BedrockMotion.isSane(m) -> {
                Body body = bodies.get(m.runtimeId());
                if (body != null) {
                    body.teleported = m.mode() == MovePlayer.TELEPORT;
                    move(
                            body,
                            BedrockMotion.toCanonical(
                                    m,
                                    velocity(body, BedrockMotion.feet(m.position())),
                                    body.movement.stance()),
                            encoded(m));
                }
            }
            case MoveActorAbsolute m -> {
                Body body = bodies.get(m.runtimeId());
                if (body != null && m.position().isFinite()) {
                    moveUnencoded(body, BedrockMotion.toCanonical(m, body.movement));
                }
            }
            case MoveActorDelta m -> {
                Body body = bodies.get(m.runtimeId());
                if (body != null) {
                    moveUnencoded(body, BedrockMotion.toCanonical(m, body.movement));
                }
            }
            case SetActorData m -> onMetadata(m);
            case Animate m when m.action() == Animate.SWING -> {
                Body body = bodies.get(m.runtimeId());
                if (body != null && !body.player.isOwn()) {
                    connection.act(body.player, PlayerAction.ATTACK);
                }
            }
            case Text m when m.type() == Text.CHAT -> onChat(m);
            default -> {}
        }
    }

    private void onChat(Text text) {
        CapturedPlayer author = connection.named(plain(text.source()));
        if (author != null && !author.isOwn()) {
            connection.chat(author, plain(text.message()));
        }
    }

    private void list(ListedPlayer entry) {
        String given = plain(entry.name());
        if (!given.isEmpty()) {
            listed.put(entry.uuid(), given);
            connection.name(connection.player(given), given);
        }
    }

    private void unlist(ListedPlayer entry) {
        String gone = listed.remove(entry.uuid());
        if (gone != null) {
            connection.leave(connection.player(gone), LeaveReason.LEFT);
        }
    }

    private void add(AddPlayer added) {
        String given = plain(added.name());
        CapturedPlayer player = connection.player(given.isEmpty() ? added.uuid() : given);
        connection.name(player, given);
        Body body = new Body(player);
        bodies.put(added.runtimeId(), body);
        runtimeIds.put(added.abilities().uniqueId(), added.runtimeId());
        moveUnencoded(body, BedrockMotion.toCanonical(added));
    }

    private void remove(long uniqueId) {
        Long id = runtimeIds.remove(uniqueId);
        Body gone = bodies.remove(id == null ? uniqueId : id);
        if (gone != null) {
            connection.despawn(gone.player);
        }
    }

    private void onMetadata(SetActorData data) {
        Body body = bodies.get(data.runtimeId());
        if (body != null) {
            moveUnencoded(
                    body,
                    withStance(
                            body.movement,
                            BedrockMotion.stance(body.movement.stance(), data.metadata())));
        }
    }

    private void moveUnencoded(Body body, Movement movement) {
        if (body.player.isOwn()) {
            return;
        }
        Vec3 velocity =
                movement.position().equals(body.movement.position())
                        ? movement.velocity()
                        : velocity(body, movement.position());
        move(
                body,
                new Movement(
                        movement.position(),
                        movement.yaw(),
                        movement.pitch(),
                        velocity,
                        movement.stance()),
                NativeMovement.Stored.NONE);
    }
}
