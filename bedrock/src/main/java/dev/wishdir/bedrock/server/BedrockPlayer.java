package dev.wishdir.bedrock.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.MovementValidator;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.CommandRequest;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.Animate;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.MovementMessage.SetActorMotion;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.BedrockText;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.world.blocks.MoveTrigger;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a client's player does in the arena once the login is over: it moves, swings and speaks.
 * Longer than others, as all state of a player is here.
 */
final class BedrockPlayer {
    /** How far a jump pad throws at most, in ways to its highest place: as far down again, too. */
    private static final double THROW_FACTOR = 3;

    private static final int SPARE_MOVES =
            (int) (MovementValidator.MAX_LAG_NANOS / BedrockMotion.TICK_NANOS);

    /** A pause in which the network may hold movements up, nanoseconds. */
    private static final long MIN_SILENCE_NANOS = 2 * BedrockMotion.TICK_NANOS;

    /** What a silence held up arrives within this time after it, nanoseconds. */
    private static final long BURST_NANOS = 3_000_000_000L;

    private static final int MAX_TEXT_CHARS = 512;
    private static final long AUTHORITY_HOLD_NANOS = 1_000_000_000L;
    private static final long TELEPORT_RETRY_NANOS = 2_000_000_000L;
    private static final long TRAVEL_TIMEOUT_NANOS = 60_000_000_000L;
    private static final long PING_INTERVAL_NANOS = 1_000_000_000L;

    /** Between two throws of a jump pad: what a client sends meanwhile is of before. */
    private static final long JUMP_PAD_COOLDOWN_NANOS = 500_000_000L;

    private final BedrockEndpoint endpoint;
    private final BedrockCodec codec;
    private final int authority;
    private final PlayerId player;
    private final long runtimeId;
    private final BedrockViewer viewer;
    private final Consumer<BedrockMessage> output;
    private MovementAuthority movementAuthority;
    private final ChatCommands console;
    private final TokenBucket moves =
            new TokenBucket(SPARE_MOVES, BedrockMotion.TICKS_PER_SECOND + 1);
    private final TokenBucket commands = new TokenBucket(5, 1);
    private Stance stance = Stance.STANDING;
    private long now;
    private long movedAt;

    /** When the newest movement arrived, in the client's time. */
    private long arrivedAt;

    /** Movements that a silence has held up beyond the allowance, and until when they arrive. */
    private double heldUp;

    private long heldUpUntil;
    private long putAt;
    private long lastTick;
    private long askedAt;
    private long thrownAt;
    private long pingAt;

    /** Where in another world its client is taken to. */
    private Optional<Movement> destination = Optional.empty();

    private boolean waits;
    private long leftAt;

    /**
     * Brings a player who has joined the arena into the game.
     *
     * @param codec the version that the client speaks
     * @param runtimeId by which its client knows it
     * @param output takes the messages to the client
     * @param start the player's start, as it was sent to the client
     */
    BedrockPlayer(
            long now,
            BedrockEndpoint endpoint,
            BedrockCodec codec,
            PlayerId player,
            long runtimeId,
            BedrockViewer viewer,
            ChatCommands console,
            Consumer<BedrockMessage> output,
            Movement start) {
        this.now = now;
        this.endpoint = endpoint;
        this.codec = codec;
        authority = SpawnSequence.authority(codec, endpoint.options().authority());
        this.player = player;
        this.runtimeId = runtimeId;
        this.viewer = viewer;
        this.console = console;
        this.output = output;
        movementAuthority =
                new MovementAuthority(peerTime(), endpoint.world().level(), start.position());
        movedAt = now;
        arrivedAt = peerTime();
        pingAt = now;
        askedAt = now - AUTHORITY_HOLD_NANOS;
        thrownAt = now - JUMP_PAD_COOLDOWN_NANOS;
        endpoint.arena().spawn(now, player, start);
        console.offer(output);
    }

    /**
     * The client gave a sign of life.
     *
     * @param roundTrip as it is now, nanoseconds
     */
    void recordActivity(long now, long roundTrip) {
        endpoint.arena().recordActivity(now, player);
        if (now >= pingAt && roundTrip > 0) {
            pingAt = now + PING_INTERVAL_NANOS;
            endpoint.arena().setPing(player, (int) (roundTrip / 1_000_000));
        }
    }

    PlayerId id() {
        return player;
    }

    /** Another world is played: it has no body until its client is there. */
    void travel(long now, Movement start) {
        this.now = now;
        endpoint.arena().despawn(now, player);
        movementAuthority =
                new MovementAuthority(peerTime(), endpoint.world().level(), start.position());
        movementAuthority.put(peerTime(), start.position());
        destination = Optional.of(start);
        waits = true;
        leftAt = now;
    }

    /** Whether it is going to another world of which its client does not have all. */
    boolean waits() {
        return waits;
    }

    /** The client has the world that the player is taken to. */
    void arrive() {
        waits = false;
        destination.ifPresent(start -> put(start.position(), start));
    }

    /** Whether its client was taken to another world, and has not come there for too long. */
    boolean isLost(long now) {
        return now >= lostAt();
    }

    /** When it is lost; never if it is where it should be. */
    long lostAt() {
        return destination.isEmpty() ? Long.MAX_VALUE : leftAt + TRAVEL_TIMEOUT_NANOS;
    }

    void leave(long now, LeaveReason why) {
        endpoint.leave(now, player, why);
    }

    /** Takes a message of the client; one that says nothing to this server is counted. */
    void take(long now, BedrockMessage message) {
        this.now = now;
        switch (message) {
            case PlayerAuthInput input -> input(input);
            case MovePlayer move -> move(move);
            case PlayerAction action -> action(action);
            case Animate animate -> animate(animate);
            case Text text -> say(text);
            case CommandRequest request -> command(request.command());
            default -> endpoint.count("ignored");
        }
    }

    /**
     * Whether a movement is of the kind that the client does not use here. Some clients know only
     * one kind, whatever is requested; a client that mixes both has two opinions about its place.
     */
    private boolean isSecondOpinion(boolean input) {
        if (input == isJudge()) {
            askedAt = now;
        } else if (now - askedAt < AUTHORITY_HOLD_NANOS) {
            endpoint.count("authority");
            return true;
        }
        return false;
    }

    /** Whether it is the server that decides where players are. */
    private boolean isJudge() {
        return authority == StartGame.SERVER_AUTHORITY;
    }

    private void input(PlayerAuthInput input) {
        if (!BedrockMotion.isSane(input)) {
            endpoint.count("insane");
            return;
        }
        if (isSecondOpinion(true)) {
            return;
        }
        if (input.isRiding()) {
            endpoint.count("vehicle");
        }
        lastTick = input.tick();
        stance = BedrockMotion.stance(stance, input, codec.dialect());
        boolean confirmed = (input.input() & PlayerAuthInput.Input.HANDLED_TELEPORT) != 0;
        Movement movement = BedrockMotion.toCanonical(input, stance);
        if (isIn(movement, true, confirmed)) {
            believed(movement, input.position(), input.rotation(), input.headYaw());
        }
    }

    private void move(MovePlayer move) {
        if (move.runtimeId() != runtimeId || !BedrockMotion.isSane(move)) {
            endpoint.count("insane");
            return;
        }
        if (isSecondOpinion(false)) {
            return;
        }
        if (move.ridingId() != 0) {
            endpoint.count("vehicle");
        }
        stance = stance.with(Flag.ON_GROUND, move.onGround());
        double seconds = Math.max((now - movedAt) / 1e9, 1.0 / BedrockMotion.TICKS_PER_SECOND);
        Vec3 velocity =
                BedrockMotion.feet(move.position())
                        .minus(movementAuthority.position())
                        .times(1 / seconds);
        Movement movement = BedrockMotion.toCanonical(move, velocity, stance);
        if (isIn(movement, false, false)) {
            believed(movement, move.position(), move.rotation(), move.headYaw());
        }
    }

    /** The time as the client knows it, which went on while the server slept. */
    private long peerTime() {
        return now + endpoint.sleptNanos();
    }

    /** Whether there are no more movements than time has passed, with those that were held up. */
    private boolean isInTime() {
        long time = peerTime();
        long silence = Math.min(time - arrivedAt, MovementValidator.MAX_SILENCE_NANOS);
        if (silence >= MIN_SILENCE_NANOS) {
            double before = time < heldUpUntil ? heldUp : 0;
            double more =
                    Math.min(moves.overflow(time), (double) silence / BedrockMotion.TICK_NANOS);
            double most = (double) MovementValidator.MAX_SILENCE_NANOS / BedrockMotion.TICK_NANOS;
            heldUp = Math.min(most, before + more);
            heldUpUntil = time + BURST_NANOS;
        }
        arrivedAt = time;
        if (moves.tryAcquire(time)) {
            return true;
        }
        if (heldUp < 1 || time >= heldUpUntil) {
            return false;
        }
        heldUp--;
        return true;
    }

    /** Whether a movement that came in is to be believed; what is not is taken back. */
    private boolean isIn(Movement movement, boolean input, boolean confirmed) {
        if (!isInTime()) {
            endpoint.count("moves");
            judged(
                    ViolationRule.MOVEMENT_COUNT,
                    (double) SPARE_MOVES + moves.refused(),
                    SPARE_MOVES,
                    SPARE_MOVES);
            return false;
        }
        if (waits) {
            return false;
        }
        Vec3 at = movement.position();
        if (movementAuthority.isAwaited() && !hasArrived(movement, input, confirmed)) {
            return false;
        }
        MovementValidator.Violation violation = movementAuthority.judge(peerTime(), at, input);
        if (violation == null) {
            return true;
        }
        boolean observed = endpoint.arena().reportViolation(now, player, violation);
        if (isJudge() || violation.outside()) {
            boolean elsewhere = !violation.place().equals(movementAuthority.position());
            put(violation.place(), movement);
            if (elsewhere) {
                Movement there =
                        new Movement(
                                violation.place(),
                                movement.yaw(),
                                movement.pitch(),
                                Vec3.ZERO,
                                Stance.STANDING);
                endpoint.arena()
                        .move(
                                now,
                                player,
                                there,
                                new BedrockMovement(BedrockMotion.toNative(runtimeId, there)));
            }
            return false;
        }
        if (observed) {
            movementAuthority.believe(peerTime(), at);
        }
        return observed;
    }

    /**
     * Whether a client has arrived where it was put. Inputs confirm that; without inputs, any other
     * message that reports a position near that place has to do.
     */
    private boolean hasArrived(Movement movement, boolean input, boolean confirmed) {
        double off = movement.position().distance(movementAuthority.position());
        if ((confirmed || !input) && off <= MovementAuthority.NEAR) {
            movementAuthority.arrived(peerTime());
            destination.ifPresent(start -> endpoint.arena().spawn(now, player, start));
            destination = Optional.empty();
            return true;
        }
        if (confirmed) {
            judged(
                    ViolationRule.TELEPORT_OFFSET,
                    off,
                    MovementAuthority.NEAR,
                    MovementAuthority.NEAR);
        }
        if (now - putAt >= TELEPORT_RETRY_NANOS) {
            put(movementAuthority.position(), movement);
        }
        return false;
    }

    private void judged(ViolationRule rule, double measured, double allowed, double allowance) {
        endpoint.arena().reportViolation(now, player, rule, measured, allowed, allowance);
    }

    /**
     * What is believed is passed on, in this game as it came; only angles that no client of the
     * game sends are made such as it does.
     */
    private void believed(Movement movement, Vec3f eyes, Vec2f rotation, float headYaw) {
        movedAt = now;
        Movement seen =
                new Movement(
                        movement.position(),
                        movement.yaw(),
                        movement.pitch(),
                        BedrockMotion.bounded(movement.velocity()),
                        movement.stance());
        MovePlayer relayed =
                new MovePlayer(
                        runtimeId,
                        eyes,
                        new Vec2f(
                                BedrockMotion.tilted(rotation.x()),
                                BedrockMotion.turned(rotation.y())),
                        BedrockMotion.turned(headYaw),
                        MovePlayer.NORMAL,
                        movement.stance().onGround(),
                        0,
                        0,
                        0,
                        0);
        endpoint.arena().move(now, player, seen, new BedrockMovement(relayed));
        MoveTrigger.at(endpoint.world().passages(), seen.position(), BedrockBody.SIZE.width())
                .ifPresent(this::pass);
    }

    /** It has come where something takes it elsewhere. */
    private void pass(MoveTrigger trigger) {
        switch (trigger) {
            case MoveTrigger.Teleporter teleporter -> {
                Movement exit = teleporter.exit();
                take(exit.position(), exit);
                endpoint.arena().teleport(now, player, exit);
                endpoint.arena()
                        .move(
                                now,
                                player,
                                exit,
                                new BedrockMovement(BedrockMotion.toNative(runtimeId, exit)));
            }
            case MoveTrigger.JumpPad pad -> {
                if (now - thrownAt >= JUMP_PAD_COOLDOWN_NANOS) {
                    thrownAt = now;
                    Vec3 rise = pad.apex().minus(pad.place());
                    movementAuthority.allowThrow(peerTime(), THROW_FACTOR * rise.length());
                    Vec3 way = BedrockMotion.thrown(rise);
                    output.accept(
                            new SetActorMotion(runtimeId, BedrockMotion.point(way), lastTick));
                }
            }
        }
    }

    /** Puts the player back to where it starts, wherever its client has gone meanwhile. */
    void restart(Movement start) {
        put(start.position(), start);
    }

    /** Takes the client somewhere against its will; it says when it is there. */
    private void put(Vec3 to, Movement looking) {
        endpoint.count("corrected");
        take(to, looking);
    }

    private void take(Vec3 to, Movement looking) {
        movementAuthority.put(peerTime(), to);
        putAt = now;
        float yaw = BedrockMotion.yaw(looking.yaw());
        output.accept(
                new MovePlayer(
                        runtimeId,
                        BedrockMotion.eyes(to),
                        new Vec2f((float) -looking.pitch(), yaw),
                        yaw,
                        MovePlayer.TELEPORT,
                        true,
                        0,
                        0,
                        0,
                        lastTick));
    }

    private void action(PlayerAction action) {
        if (action.runtimeId() != runtimeId) {
            return;
        }
        stance =
                switch (action.action()) {
                    case 9 -> stance.with(Flag.SPRINTING);
                    case 10 -> stance.with(Flag.SPRINTING, false);
                    case 11 -> stance.with(Flag.CROUCHED);
                    case 12 -> stance.with(Flag.CROUCHED, false);
                    case 21 -> stance.with(Flag.IN_WATER);
                    case 22 -> stance.with(Flag.IN_WATER, false);
                    default -> stance;
                };
    }

    private void animate(Animate animate) {
        if (animate.runtimeId() != runtimeId
                || animate.action() != Animate.SWING
                || !endpoint.arena().allows(now, player, RateLimitedAction.ACT, 1)) {
            endpoint.count("animate");
            return;
        }
        endpoint.swing(now, player);
    }

    private void say(Text text) {
        if (text.type() != Text.CHAT || text.message().length() > MAX_TEXT_CHARS) {
            endpoint.count("text");
            return;
        }
        if (text.message().startsWith("/")) {
            command(text.message());
            return;
        }
        String said = BedrockText.removed(text.message());
        if (endpoint.arena().say(now, player, said)) {
            endpoint.arena().find(player).ifPresent(self -> viewer.said(self, said));
        }
    }

    private void command(String line) {
        if (line.length() > MAX_TEXT_CHARS || !console.isOperators() && !commands.tryAcquire(now)) {
            endpoint.count("commands");
            return;
        }
        viewer.tell(console.execute(now, player, line));
        console.offer(output);
    }
}
