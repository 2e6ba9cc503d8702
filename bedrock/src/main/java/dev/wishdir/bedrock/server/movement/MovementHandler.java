package dev.wishdir.bedrock.server.movement;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.MovementValidator.Violation;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.MovementMessage.PlayerAction;
import dev.wishdir.bedrock.message.MovementMessage.SetActorMotion;
import dev.wishdir.bedrock.message.PlayerAuthInput;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.movement.BedrockMovement;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.view.RunningLevel;
import dev.wishdir.bedrock.server.view.SpawnMessages;
import dev.wishdir.blocks.arena.MoveTrigger;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Stance.Flag;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DatagramHandler;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Movements of one client's player: takes those that the server accepts into the arena, and puts
 * the client back after others. Spec: docs/protocols/bedrock.md#movement-authority.
 */
public final class MovementHandler {
    /**
     * Parts of the endpoint that the movements of all clients use.
     *
     * @param authority of movement, as {@link SpawnMessages#authority} takes it
     * @param sleptNanos how long the server's clock has stood still, nanoseconds
     */
    public record Services(
            RunningLevel world, int authority, LongSupplier sleptNanos, DropCounter drops) {}

    /**
     * The client as its messages name it.
     *
     * @param runtimeId by which it knows its own player
     * @param codec of its version
     * @param output takes messages to it
     */
    public record Client(long runtimeId, BedrockCodec codec, Consumer<BedrockMessage> output) {}

    /** Gives the player its body where its client has arrived in another world. */
    @FunctionalInterface
    public interface Spawner {
        void spawn(long now, Movement start);
    }

    /** Longest throw of a jump pad, in heights of its apex: as far down again, too. */
    private static final double THROW_FACTOR = 3;

    /** A client that confirms a teleport for the second time later than this is not believed. */
    private static final long MAX_RETURN_NANOS = 5_000_000_000L;

    private static final long AUTHORITY_HOLD_NANOS = 1_000_000_000L;

    /** Between two throws of a jump pad: what a client sends meanwhile is older than the throw. */
    private static final long JUMP_PAD_COOLDOWN_NANOS = 500_000_000L;

    private final Services services;
    private final Client client;
    private final boolean isServerAuthority;
    private final ArenaPlayer player;
    private final WorldTransfer transfer;
    private final Spawner spawner;
    private final Aim aim;
    private final MovementRateLimiter rateLimiter;
    private final PendingTeleports teleports = new PendingTeleports();
    private MovementAuthority movementAuthority;
    private Stance stance = Stance.STANDING;
    private long movedAt;
    private long lastTick;
    private long authoritativeAt;
    private long thrownAt;

    /**
     * @param start of the player, as it was sent to the client
     */
    public MovementHandler(
            long now,
            Services services,
            Client client,
            ArenaPlayer player,
            WorldTransfer transfer,
            Spawner spawner,
            Movement start) {
        this.services = services;
        this.client = client;
        this.player = player;
        this.transfer = transfer;
        this.spawner = spawner;
        aim = new Aim(start, this::peerTime);
        isServerAuthority =
                SpawnMessages.authority(client.codec(), services.authority())
                        == StartGame.SERVER_AUTHORITY;
        movementAuthority = authorityAt(now, start);
        rateLimiter = new MovementRateLimiter(peerTime(now));
        movedAt = now;
        authoritativeAt = now - AUTHORITY_HOLD_NANOS;
        thrownAt = now - JUMP_PAD_COOLDOWN_NANOS;
    }

    private MovementAuthority authorityAt(long now, Movement start) {
        return new MovementAuthority(
                peerTime(now), services.world().get().level(), start.position());
    }

    /** The time as the client knows it, which went on while the server slept. */
    private long peerTime(long now) {
        return now + services.sleptNanos().getAsLong();
    }

    /** The world has changed: the player has no body until its client has arrived there. */
    public void startTransfer(long now) {
        RunningLevel world = services.world();
        Movement start = world.spawnPoint(now, player);
        player.despawn(now);
        transfer.start(now, world.get().chunks(), start);
        movementAuthority = authorityAt(now, start);
        movementAuthority.teleportTo(peerTime(now), start.position());
        aim.put(now, start.position(), start);
    }

    /** Goes on with a transfer, as the client's connection has room. */
    public void advanceTransfer(long now) {
        transfer.sendChunks().ifPresent(there -> correct(now, there.position(), there));
    }

    /** Whether the client is on its way to another world. */
    public boolean isInTransfer() {
        return transfer.deadline() != DatagramHandler.NEVER;
    }

    /** Aim of the player. */
    public Aim aim() {
        return aim;
    }

    /** Puts the player at a place, wherever its client has gone meanwhile. */
    public void putAt(long now, Movement place) {
        correct(now, place.position(), place);
    }

    /**
     * Whether a movement is of the kind that the client does not use here. Some clients know only
     * one kind, whatever is requested; a client that mixes both contradicts itself.
     */
    private boolean isOtherKind(long now, boolean input) {
        if (input == isServerAuthority) {
            authoritativeAt = now;
        } else if (now - authoritativeAt < AUTHORITY_HOLD_NANOS) {
            services.drops().count("authority");
            return true;
        }
        return false;
    }

    public void handleInput(long now, PlayerAuthInput input) {
        if (!BedrockMotion.isSane(input)) {
            services.drops().count("insane");
            return;
        }
        if (isOtherKind(now, true)) {
            return;
        }
        if (input.isRiding()) {
            services.drops().count("vehicle");
        }
        lastTick = input.tick();
        aim.setInputMode(input.inputMode());
        stance = BedrockMotion.stance(stance, input, client.codec().dialect());
        boolean confirmed = (input.input() & PlayerAuthInput.Input.HANDLED_TELEPORT) != 0;
        Movement movement = BedrockMotion.toCanonical(input, stance);
        if (isAccepted(now, movement, true, confirmed)) {
            relay(now, movement, input.position(), input.rotation(), input.headYaw());
        }
    }

    /** An input of a dead player moves nothing. */
    public void ignore(PlayerAuthInput input) {
        lastTick = input.tick();
    }

    public void handleMove(long now, MovePlayer move) {
        if (move.runtimeId() != client.runtimeId() || !BedrockMotion.isSane(move)) {
            services.drops().count("insane");
            return;
        }
        if (isOtherKind(now, false)) {
            return;
        }
        if (move.ridingId() != 0) {
            services.drops().count("vehicle");
        }
        stance = stance.with(Flag.ON_GROUND, move.onGround());
        double seconds = Math.max((now - movedAt) / 1e9, 1.0 / BedrockMotion.TICKS_PER_SECOND);
        Vec3 velocity =
                BedrockMotion.feet(move.position())
                        .minus(movementAuthority.position())
                        .times(1 / seconds);
        Movement movement = BedrockMotion.toCanonical(move, velocity, stance);
        if (isAccepted(now, movement, false, false)) {
            relay(now, movement, move.position(), move.rotation(), move.headYaw());
        }
    }

    public void handleAction(PlayerAction action) {
        if (action.runtimeId() != client.runtimeId()) {
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

    /** Whether the server accepts a movement; if not, it puts the client back. */
    private boolean isAccepted(long now, Movement movement, boolean input, boolean confirmed) {
        if (!rateLimiter.tryAcquire(peerTime(now))) {
            services.drops().count("moves");
            report(
                    now,
                    ViolationRule.MOVEMENT_COUNT,
                    (double) MovementRateLimiter.MAX_BURST + rateLimiter.refused(),
                    MovementRateLimiter.MAX_BURST);
            return false;
        }
        if (transfer.isSendingChunks()) {
            return false;
        }
        Vec3 at = movement.position();
        OptionalLong teleported = confirmed ? teleports.confirm(now, at) : OptionalLong.empty();
        if (movementAuthority.isTeleporting()) {
            if (!hasArrived(now, movement, input, confirmed, teleported.isPresent())) {
                return false;
            }
        } else if (teleported.isPresent() && teleported.getAsLong() <= MAX_RETURN_NANOS) {
            // The same teleport was sent twice, and the client has walked between them.
            movementAuthority.accept(peerTime(now), at);
        }
        Violation violation = movementAuthority.validate(peerTime(now), at, input);
        if (violation == null) {
            return true;
        }
        boolean isTolerated = player.reportViolation(now, violation);
        if (isServerAuthority || violation.outside()) {
            putBack(now, violation, movement);
            return false;
        }
        if (isTolerated) {
            movementAuthority.accept(peerTime(now), at);
        }
        return isTolerated;
    }

    private void putBack(long now, Violation violation, Movement movement) {
        boolean elsewhere = !violation.place().equals(movementAuthority.position());
        correct(now, violation.place(), movement);
        if (elsewhere) {
            move(
                    now,
                    new Movement(
                            violation.place(),
                            movement.yaw(),
                            movement.pitch(),
                            Vec3.ZERO,
                            Stance.STANDING));
        }
    }

    /**
     * Whether a client has arrived where it was put. Inputs confirm that; without inputs, any other
     * message that reports a position near that place has to do.
     *
     * @param teleported whether the client has carried out a teleport that it was sent, this or an
     *     earlier one
     */
    private boolean hasArrived(
            long now, Movement movement, boolean input, boolean confirmed, boolean teleported) {
        double off = movement.position().distance(movementAuthority.position());
        if ((confirmed || !input) && off <= PendingTeleports.MAX_OFFSET_METRES) {
            movementAuthority.confirmTeleport(peerTime(now));
            transfer.finish().ifPresent(start -> spawner.spawn(now, start));
            return true;
        }
        if (confirmed && !teleported) {
            report(now, ViolationRule.TELEPORT_OFFSET, off, PendingTeleports.MAX_OFFSET_METRES);
        }
        if (teleports.isRetryDue(now)) {
            correct(now, movementAuthority.position(), movement);
        }
        return false;
    }

    /** Reports a violation of a rule whose limit is all allowance. */
    private void report(long now, ViolationRule rule, double measured, double allowed) {
        player.reportViolation(now, rule, measured, allowed, allowed);
    }

    /**
     * Moves the player in the arena, and relays the movement to this game as it came, except for
     * angles that no client of the game sends.
     */
    private void relay(long now, Movement movement, Vec3f eyes, Vec2f rotation, float headYaw) {
        movedAt = now;
        aim.record(movement);
        Movement seen =
                new Movement(
                        movement.position(),
                        movement.yaw(),
                        movement.pitch(),
                        BedrockMotion.clampedVelocity(movement.velocity()),
                        movement.stance());
        MovePlayer relayed =
                BedrockMotion.relayed(
                        client.runtimeId(), eyes, rotation, headYaw, movement.stance().onGround());
        if (!aim.onMove(now, movementAuthority.speed(peerTime(now)))) {
            player.abortRun();
        }
        player.move(now, seen, new BedrockMovement(relayed));
        MoveTrigger.at(services.world().get().triggers(), seen.position(), BedrockBody.SIZE.width())
                .ifPresent(trigger -> trigger(now, trigger));
        aim.onMoved(now);
    }

    private void trigger(long now, MoveTrigger trigger) {
        switch (trigger) {
            case MoveTrigger.Teleporter teleporter -> {
                Movement exit = teleporter.exit();
                sendTeleport(now, exit.position(), exit);
                player.teleport(now, exit);
                move(now, exit);
            }
            case MoveTrigger.JumpPad pad -> {
                if (now - thrownAt >= JUMP_PAD_COOLDOWN_NANOS) {
                    thrownAt = now;
                    Vec3 rise = pad.apex().minus(pad.place());
                    movementAuthority.allowThrow(peerTime(now), THROW_FACTOR * rise.length());
                    send(BedrockMotion.launchVelocity(rise));
                }
            }
        }
    }

    /**
     * Gives the player's body another velocity, as a hit does; the client moves it.
     *
     * @param velocity metres a second
     */
    public void push(long now, Vec3 velocity) {
        Vec3 perTick = BedrockMotion.clampedThrow(velocity);
        movementAuthority.allowThrow(peerTime(now), BedrockMotion.throwLength(perTick));
        send(perTick);
    }

    /** Sends the client the velocity of its player, metres a tick. */
    private void send(Vec3 perTick) {
        client.output()
                .accept(
                        new SetActorMotion(
                                client.runtimeId(), BedrockMotion.point(perTick), lastTick));
    }

    /** Moves the player in the arena as the server decides. */
    private void move(long now, Movement movement) {
        player.move(
                now,
                movement,
                new BedrockMovement(BedrockMotion.toNative(client.runtimeId(), movement)));
    }

    /** Puts the client at a place against its will; the client reports when it is there. */
    private void correct(long now, Vec3 to, Movement looking) {
        services.drops().count("corrected");
        sendTeleport(now, to, looking);
    }

    private void sendTeleport(long now, Vec3 to, Movement looking) {
        movementAuthority.teleportTo(peerTime(now), to);
        teleports.add(now, to);
        aim.put(now, to, looking);
        float yaw = BedrockMotion.yaw(looking.yaw());
        client.output()
                .accept(
                        new MovePlayer(
                                client.runtimeId(),
                                BedrockMotion.eyes(to),
                                new Vec2f((float) -looking.pitch(), yaw),
                                yaw,
                                MovePlayer.TELEPORT,
                                true,
                                lastTick));
    }
}
